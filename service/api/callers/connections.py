"""Open sockets and streams of callers, which are closed when their token is no longer accepted."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import msgspec
import structlog

from service.api.callers.caller import Caller
from service.domain.room.model.ids import Millis, PlayerId
from service.streams.errors import ServiceError

log = structlog.get_logger()

LONGEST_SLEEP = 24 * 3600.0
"""Seconds between checks whether a token has expired."""

OnRefusal = Callable[[ServiceError], None]
"""Closes a connection, whose token is refused for this reason; does not block."""

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
