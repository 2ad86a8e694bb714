"""The caller of a socket: its token, checked on arrival and with each request; without it, the socket is closed."""

from collections.abc import Callable
from contextlib import ExitStack

from service.api.callers.caller import Caller
from service.api.callers.peers import Peer
from service.api.close_codes import BAD_TOKEN, BANNED, FLOODED, OTHER_TOKEN, TOO_MANY_SOCKETS, TRY_AGAIN
from service.api.context import AppContext
from service.api.http.operator_tokens import limit_guess
from service.domain.accounts.model import Scope
from service.domain.room.model.ids import PlayerId
from service.rooms.access.policy import require_player, require_scope
from service.rooms.player import Player
from service.streams.errors import ServiceError


class Closed(Exception):  # noqa: N818 - an end, not an error
    """The session has ended; the socket is closed with this code."""

    def __init__(self, code: int, reason: str) -> None:
        """`code` is one of those in `close_codes`."""
        super().__init__(reason)
        self.code = code
        self.reason = reason


def closing(refused: ServiceError) -> Closed:
    """Return how a socket is closed whose token is refused."""
    match refused.problem.code:
        case "rate_limited":
            return Closed(FLOODED, "too many wrong tokens from this address")
        case "banned":
            return Closed(BANNED, "an operator has banned this player")
        case "store_unavailable" | "history_damaged" | "newer_events":
            return Closed(TRY_AGAIN, "the store cannot be read; resume")
    return Closed(BAD_TOKEN, "the token is not accepted")


class Authentication:
    """The caller of one socket."""

    def __init__(self, context: AppContext, peer: Peer, leave: Callable[[], None]) -> None:
        """Start without a token; `leave` asks the session to close, and `refusal` then has the reason."""
        self._context = context
        self._peer = peer
        self._leave = leave
        self._caller: Caller | None = None
        self.is_named = False
        """Whether the token is a named one, which has to be confirmed before it is used."""
        self._counted = ExitStack()
        self._watched = ExitStack()
        self.refusal: ServiceError | None = None
        """Why the socket is being closed; None while it is not."""

    @property
    def player(self) -> PlayerId | None:
        """The player, None without a token."""
        return None if self._caller is None else self._caller.player.id

    async def take(self, token: str) -> None:
        """Authenticate the whole socket with its first token; another one of the same player replaces it.

        Raises `Closed`.
        """
        data = token.encode()
        try:
            limit_guess(self._context, self._peer, data)
            await self._context.callers.prepare(data)
            caller = self._context.callers.of_token(data)
        except ServiceError as refused:
            raise closing(refused) from None
        known = self._caller
        if known is None:
            self._count(caller.player)
        elif known.player.id != caller.player.id or not known.scopes <= caller.scopes:
            raise Closed(OTHER_TOKEN, "a socket acts for one player")
        self._caller, self.is_named = caller, caller.token is not None
        self._watched.close()
        self._watched.enter_context(self._context.callers.hold(caller, self.refuse))

    def _count(self, player: Player) -> None:
        """Count this socket against the player's limit. Raises `Closed`."""
        try:
            self._counted.enter_context(self._context.limits.players.hold(player.id))
        except ServiceError:
            raise Closed(TOO_MANY_SOCKETS, "too many sockets of this player") from None

    def refuse(self, refusal: ServiceError) -> None:
        """Close the socket: its token is no longer accepted, or a feed cannot be continued."""
        self.refusal = refusal
        self._leave()

    async def confirm(self) -> None:
        """Compare a named token with the store if that could not be read for a while. Raises `ServiceError`."""
        if self._caller is not None:
            await self._context.callers.confirm(self._caller)

    def require(self, scope: Scope) -> Player:
        """Return the player if the token has this scope. Raises `ServiceError`."""
        caller = self._checked()
        if caller is not None:
            require_scope(caller.scopes, scope)
        return require_player(None if caller is None else caller.player)

    def reader(self) -> Player | None:
        """Return the player who subscribes, None without a token that may `read`. Raises `ServiceError`."""
        caller = self._checked()
        return caller.player if caller is not None and "read" in caller.scopes else None

    def _checked(self) -> Caller | None:
        """Return the caller, None without a token. Raises `ServiceError` if the token is no longer accepted."""
        if self.refusal is not None:
            raise self.refusal
        return self._caller

    def close(self) -> None:
        """End the socket's share of the player's limit, and the checks of the token."""
        self._counted.close()
        self._watched.close()
