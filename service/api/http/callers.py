"""Who sends a request: the only place where tokens are accepted or rejected, for HTTP, event streams and sockets."""

import asyncio
import hmac
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import msgspec
import structlog
from msgspec.structs import replace

from service.api.http.tokens import GUEST_HEADERS, NAMED_PREFIX, PLAYER_PREFIXES, Tokens, bearer_token, is_foreign_token
from service.domain.accounts.model import ALL_SCOPES, Scope, TokenId
from service.domain.ids import Millis, Player, PlayerId
from service.domain.room.subjects.privacy import OPERATOR
from service.people.account_service import AccountService, scopes_of
from service.people.issuers.foreign_players import UnusableToken
from service.rooms.access.audit_log import Moderation
from service.rooms.access.policy import require_player, require_scope
from service.runtime import metrics
from service.streams.errors import ServiceError

if TYPE_CHECKING:  # it loads cryptography, which few need
    from service.people.issuers.issuers import Issuers

log = structlog.get_logger()

LONGEST_SLEEP = 24 * 3600.0
"""Seconds between checks whether a token has expired."""

OnRefusal = Callable[[ServiceError], None]
"""Closes a connection, whose token is refused for this reason; does not block."""


class Caller(msgspec.Struct, frozen=True):
    """Who sends a request."""

    player: Player
    scopes: frozenset[Scope]
    kind: Literal["guest", "named", "foreign", "operator"]
    """How the token is checked: a guest token, a named token, one of another issuer, the operator token."""
    token: TokenId | None = None
    """The id of a named token, or of an operator token with a name."""
    expires: Millis | None = None
    """When the token ends; None for never."""


Check = Callable[[Caller], None]
"""Raises `ServiceError` if the token of a caller is no longer accepted."""


class OpenConnection(msgspec.Struct, frozen=True, eq=False):
    """A connection of a caller."""

    caller: Caller
    check: Check
    close: OnRefusal


class Connections:
    """The open connections of this process, by player."""

    def __init__(self, now: Callable[[], Millis]) -> None:
        """Start without any; `now` returns the service's time, at which tokens expire."""
        self.now = now
        self._open: dict[PlayerId, set[OpenConnection]] = {}

    @contextmanager
    def hold(self, caller: Caller, check: Check, close: OnRefusal) -> Iterator[None]:
        """Call `close` when `check` refuses the caller's token, while the context lasts."""
        connection, player = OpenConnection(caller, check, close), caller.player.id
        self._open.setdefault(player, set()).add(connection)
        expiring = asyncio.create_task(self._expire(connection)) if caller.expires is not None else None
        try:
            self._check(connection)
            yield
        finally:
            if expiring is not None:
                expiring.cancel()
            self._open[player].discard(connection)
            if not self._open[player]:
                del self._open[player]

    def check(self, player: PlayerId) -> None:
        """Close the connections of a player whose tokens are no longer accepted."""
        for connection in list(self._open.get(player, ())):
            self._check(connection)

    def _check(self, connection: OpenConnection) -> None:
        try:
            connection.check(connection.caller)
        except ServiceError as refusal:
            log.info("connection_refused", player=connection.caller.player.id, code=refusal.problem.code)
            connection.close(refusal)

    async def _expire(self, connection: OpenConnection) -> None:
        """Close a connection when its token has expired."""
        left = (connection.caller.expires or 0) - self.now()
        while left > 0:  # again if the service's time is behind
            await asyncio.sleep(min(left / 1000 + 0.001, LONGEST_SLEEP))
            left = (connection.caller.expires or 0) - self.now()
        self._check(connection)


CACHED_TOKENS, LONGEST_GUEST, LONGEST_TOKEN = 20_000, 256, 1024
"""How many tokens are cached, valid or not, the longest header with a guest token, and the longest token of players."""


OPERATORS = Caller(Player(OPERATOR, "Operator"), ALL_SCOPES, "operator")
ADMIN = "admin"
"""The name in the audit log of the operator token that is a setting."""


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
        foreign: "Issuers | None" = None,
    ) -> None:
        self._tokens = tokens
        self._accounts = accounts
        self._moderation = moderation
        self._connections = connections
        self._operators = operators
        self._foreign = foreign
        self._cached: Callable[[bytes], Caller | None] = lru_cache(maxsize=CACHED_TOKENS)(self._read_token)

    def _read(self, token: bytes) -> Caller | None:
        """Return the same as `_read_token`, which is cached: so a token that is too long is not read at all."""
        return self._cached(token) if len(token) <= LONGEST_TOKEN else None

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
        if self._foreign is not None and is_foreign_token(token):
            await self._foreign.prepare(token)
        elif token.startswith(NAMED_PREFIX) and (caller := self._read(token)) is not None:
            await self._accounts.load(caller.player.id)

    def of_header(self, header: bytes) -> Caller:
        """Return the caller of the token in an `Authorization` header; raises like `of_token`."""
        is_guest = len(header) <= LONGEST_GUEST and header.startswith(GUEST_HEADERS)
        if is_guest and (guest := self._cached(header[len(b"Bearer ") :])) is not None:
            self._check_player(guest)
            return guest
        token = bearer_token(header)
        if token is None:
            raise ServiceError("unauthenticated")
        return self.of_token(token)

    def of_token(self, token: bytes) -> Caller:
        """Return the caller of a token. Raises `ServiceError` (`unauthenticated`, `banned`, `store_unavailable`)."""
        if (operator := self.operator_of(token)) is not None:
            return operator
        caller = self._of_issuer(token) if is_foreign_token(token) else self._read(token)
        if caller is None:
            raise refused("invalid")
        if caller.token is not None:
            caller = self._with_scopes(caller, caller.token)
        self._check_player(caller)
        return caller

    def operator_of(self, token: bytes) -> Caller | None:
        """Return the operator of a token, None for any other token. Without the setting, no token is an operator's."""
        if self._operators is None:
            return None
        if hmac.compare_digest(token, self._operators):
            return OPERATORS
        found = self._tokens.read_operators(token)
        return replace(OPERATORS, token=found) if found in self._moderation.operators else None

    def name_of(self, operator: Caller) -> str:
        """Return the name of an operator's token."""
        return ADMIN if operator.token is None else self._moderation.operators[operator.token].name

    def _of_issuer(self, token: bytes) -> Caller | None:
        """Return the caller of a token of another issuer, None if it is invalid. Raises `ServiceError`."""
        try:
            found = self._foreign.verify(token) if self._foreign else None
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
        if caller.kind == "named" and not self._accounts.is_current(caller.player.id):
            await self._accounts.load(caller.player.id)
            self._require_current(caller)

    def _require_current(self, caller: Caller) -> None:
        """Raise `ServiceError` (`store_unavailable`) if it is unknown whether a named token is still accepted."""
        if not self._accounts.is_current(caller.player.id):
            raise ServiceError("store_unavailable")

    def check(self, caller: Caller) -> None:
        """Raise `ServiceError` (`unauthenticated`, `banned`) if the token of a caller is no longer accepted."""
        named = caller.token
        if named is not None and not self._is_accepted(caller, named):
            raise refused("ended")
        self._check_player(caller)

    def _is_accepted(self, caller: Caller, token: TokenId) -> bool:
        if caller.kind == "operator":
            return token in self._moderation.operators
        return self._accounts.token(caller.player.id, token) is not None

    @contextmanager
    def hold(self, caller: Caller, close: OnRefusal) -> Iterator[None]:
        """Call `close` when the token of a caller is no longer accepted, while the context lasts."""
        with self._accounts.hold(caller.player.id), self._connections.hold(caller, self.check, close):
            yield

    def _check_player(self, caller: Caller) -> None:
        if caller.expires is not None and caller.expires <= self._connections.now():
            raise refused("ended")
        if caller.kind == "guest" and caller.player.id in self._accounts.replaced.players:
            raise refused("replaced")
        self._moderation.refuse(caller.player.id)


def refused(reason: Literal["invalid", "ended", "replaced"], detail: str = "") -> ServiceError:
    """Count a token that is not accepted, and return the refusal, with a detail if there is more to say.

    `invalid`: neither the service nor an issuer issued it. `ended`: it was revoked or has expired. `replaced`: the
    guest token of a player who has signed out everywhere else.
    """
    metrics.TOKENS_REFUSED.count(reason)
    return ServiceError("unauthenticated", detail)


def find_caller(callers: Callers, headers: Mapping[bytes, bytes], scope: Scope | None) -> Caller | None:
    """Return who sent a request, None without a token. `scope` is None where the body of the request decides on it.

    Raises `ServiceError`: `unauthenticated` or `banned` for a token that is not accepted, `scope_missing` for one
    without the scope.
    """
    header = headers.get(b"authorization")
    if header is None:
        return None
    caller = callers.of_header(header)
    if scope is not None:
        require_scope(caller.scopes, scope)
    return caller


def require_caller(callers: Callers, headers: Mapping[bytes, bytes], scope: Scope) -> Caller:
    """Return who sent a request.

    Raises `ServiceError` like `find_caller`, and `unauthenticated` without a token or with the operator token.
    """
    caller = find_caller(callers, headers, scope)
    if caller is None:
        raise ServiceError("unauthenticated")
    require_player(caller.player)
    return caller


def find_reader(callers: Callers, headers: Mapping[bytes, bytes]) -> Caller | None:
    """Return for whom a request reads what everybody may read in part, None for a stranger.

    A token without the scope `read` reads as a stranger does. Raises `ServiceError` for a token that is not accepted.
    """
    caller = find_caller(callers, headers, None)
    return caller if caller is not None and "read" in caller.scopes else None
