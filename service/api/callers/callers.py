"""Who sends a request: the only place where tokens are accepted or rejected, for HTTP, event streams and sockets."""

import hmac
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Literal, Protocol

from service.api.callers.caller import Caller
from service.api.callers.connections import Connections, OnRefusal
from service.api.callers.tokens import NAMED_PREFIX, PLAYER_PREFIXES, Tokens, bearer_token, is_foreign_token
from service.domain.accounts.model import ALL_SCOPES, TokenId
from service.domain.room.subjects.privacy import OPERATOR
from service.people.accounts.scopes import scopes_of
from service.people.accounts.service import AccountService
from service.people.issuers.players import ForeignPlayer, UnusableToken
from service.rooms.access.moderation import Moderation
from service.rooms.player import Player
from service.runtime.telemetry import metrics
from service.streams.errors import ServiceError

CACHED_TOKENS = 20_000
"""How many tokens with a checked signature are cached."""


class ForeignTokens(Protocol):
    """The tokens of other issuers."""

    async def prepare(self, token: bytes) -> None:
        """Read the keys again if a token names an unknown one."""

    def verify(self, token: bytes) -> ForeignPlayer | None:
        """Return the player of a token, None if it is invalid. Raises `UnusableToken`."""


class NoForeignTokens:
    """Trusts no other issuer."""

    async def prepare(self, token: bytes) -> None:
        """Do nothing."""

    def verify(self, token: bytes) -> ForeignPlayer | None:  # noqa: ARG002 - none is valid
        """Return None."""
        return None


OPERATORS = Caller(Player(OPERATOR, "Operator"), ALL_SCOPES, "operator")


class Callers:
    """Finds the callers of tokens. The operator token, if any, belongs to no player.

    A token is checked in memory; `prepare` loads what the check of a named token needs.
    """

    def __init__(
        self,
        tokens: Tokens,
        accounts: AccountService,
        moderation: Moderation,
        connections: Connections,
        operators: bytes | None = None,
        foreign: ForeignTokens | None = None,
    ) -> None:
        self._tokens = tokens
        self._accounts = accounts
        self._moderation = moderation
        self._connections = connections
        self._operators = operators
        self._foreign = foreign or NoForeignTokens()
        self._read: Callable[[bytes], Caller | None] = lru_cache(maxsize=CACHED_TOKENS)(self._read_token)

    def _read_token(self, token: bytes) -> Caller | None:
        """Return the caller of a token with a valid signature; the scopes of a named token are not known yet."""
        claims = self._tokens.read(token.decode("latin-1"))
        if claims is None:
            return None
        if claims.token is None:
            return Caller(claims.player, frozenset(scopes_of(claims.player)), "guest")
        return Caller(claims.player, frozenset(), "named", claims.token)

    async def prepare_header(self, header: bytes) -> None:
        """Prepare the token of an `Authorization` header."""
        token = bearer_token(header)
        if token is not None and not token.startswith(PLAYER_PREFIXES):
            await self.prepare(token)

    async def prepare(self, token: bytes) -> None:
        """Load what `of_token` needs; for most tokens nothing. If the store fails, `of_token` raises."""
        if is_foreign_token(token):
            await self._foreign.prepare(token)
        elif token.startswith(NAMED_PREFIX) and (caller := self._read(token)) is not None:
            await self._accounts.load(caller.player.id)

    def of_header(self, header: bytes) -> Caller:
        """Return the caller of the token in an `Authorization` header; raises like `of_token`."""
        token = bearer_token(header)
        if token is None:
            raise ServiceError("unauthenticated")
        return self.of_token(token)

    def of_token(self, token: bytes) -> Caller:
        """Return the caller of a token. Raises `ServiceError` (`unauthenticated`, `banned`, `store_unavailable`)."""
        if self._operators is not None and hmac.compare_digest(token, self._operators):
            return OPERATORS
        caller = self._of_issuer(token) if is_foreign_token(token) else self._read(token)
        if caller is None:
            raise refused("invalid")
        if caller.token is not None:
            caller = self._with_scopes(caller, caller.token)
        self._check_player(caller)
        return caller

    def _of_issuer(self, token: bytes) -> Caller | None:
        """Return the caller of a token of another issuer, None if it is invalid. Raises `ServiceError`."""
        try:
            found = self._foreign.verify(token)
        except UnusableToken as fault:
            raise refused("invalid", str(fault)) from None
        if found is None:
            return None
        player = Player(found.id, found.nickname, "bot" in found.scopes)
        return Caller(player, found.scopes, "foreign", expires=found.expires)

    def _with_scopes(self, caller: Caller, token_id: TokenId) -> Caller:
        """Return the caller of a named token with its scopes."""
        player = caller.player
        self._require_current(caller)
        token = self._accounts.token(player.id, token_id)
        if token is None:
            raise refused("ended")
        self._accounts.record_use(player.id, token)
        scopes = frozenset(token.scopes)
        return Caller(Player(player.id, player.nickname, "bot" in scopes), scopes, "named", token.id, token.expires)

    async def confirm(self, caller: Caller) -> None:
        """Compare a named token with the store if that could not be read for a while; `check` knows the result.

        Raises `ServiceError` (`store_unavailable`).
        """
        if caller.token is not None and not self._accounts.is_current(caller.player.id):
            await self._accounts.load(caller.player.id)
            self._require_current(caller)

    def _require_current(self, caller: Caller) -> None:
        """Raise `ServiceError` (`store_unavailable`) if it is unknown whether a named token is still accepted."""
        if not self._accounts.is_current(caller.player.id):
            raise ServiceError("store_unavailable")

    def check(self, caller: Caller) -> None:
        """Raise `ServiceError` (`unauthenticated`, `banned`) if the token of a caller is no longer accepted."""
        named = caller.token
        if named is not None and self._accounts.token(caller.player.id, named) is None:
            raise refused("ended")
        self._check_player(caller)

    @contextmanager
    def hold(self, caller: Caller, close: OnRefusal) -> Iterator[None]:
        """Call `close` when the token of a caller is no longer accepted, while the context lasts."""
        with self._accounts.hold(caller.player.id), self._connections.hold(caller, self.check, close):
            yield

    def _check_player(self, caller: Caller) -> None:
        if caller.expires is not None and caller.expires <= self._connections.now():
            raise refused("ended")
        if caller.kind == "guest" and caller.player.id in self._accounts.replaced:
            raise refused("replaced")
        self._moderation.refuse_erased(caller.player.id)
        self._moderation.refuse_banned(caller.player.id)


def refused(reason: Literal["invalid", "ended", "replaced"], detail: str = "") -> ServiceError:
    """Count a token that is not accepted, and return the refusal, with a detail if there is more to say.

    `invalid`: neither the service nor an issuer issued it. `ended`: it was revoked or has expired. `replaced`: the
    guest token of a player who has signed out everywhere else.
    """
    metrics.TOKENS_REFUSED.count(reason)
    return ServiceError("unauthenticated", detail)
