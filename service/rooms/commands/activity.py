"""Whether a human is present in a room: it has a subscriber, or had a request with a token in the last ten minutes.

While nobody is present, bots do not play among themselves and no next match starts: the worker checks that and
releases the room. A request first records the visit and then makes the room due. The worker releases a room only if its
claim is still the latest change of the due time. So the room continues, no matter which of the two is faster.
"""

import asyncio
from collections.abc import Awaitable, Callable

import structlog

from service.domain.room.model.ids import Millis, PlayerId, RoomKey
from service.rooms.access.policy import counts_as_present
from service.rooms.commands.requests import Environment
from service.rooms.errors import ServiceError
from service.rooms.loading.room import LoadedRoom
from service.store.contract import OutcomeUnknown, StoreUnavailable
from service.store.side_channels import SideChannels

log = structlog.get_logger()

MINUTE = 60_000
RECORD_INTERVAL = Millis(MINUTE)
"""The interval in which a visit is recorded once, per room and process."""

STAY = Millis(10 * MINUTE)
"""How long a player counts as present after a request."""


class ActivityTracker:
    """Records requests of players in rooms, and finds out whether a human is present."""

    def __init__(
        self, side_channels: SideChannels, environment: Environment, wake: Callable[[LoadedRoom], Awaitable[None]]
    ) -> None:
        """Record visits in the side channels; `wake` makes a room due again that waits for a human."""
        self._side_channels = side_channels
        self._environment = environment
        self._wake = wake
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self, key: RoomKey) -> None:
        """Record that somebody opens a room."""
        await self._side_channels.record_visit(key, Millis(STAY + RECORD_INTERVAL))

    def note(self, live: LoadedRoom, player: PlayerId | None) -> None:
        """Record in the background that a player sent a request for a room that they may see."""
        now = self._environment.now()
        if player is None or now < live.visited + RECORD_INTERVAL or not counts_as_present(live.room.table, player):
            return
        live.visited = now
        task = asyncio.create_task(self._note(live))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _note(self, live: LoadedRoom) -> None:
        try:
            await self.begin(live.key)
            await self._wake(live)
        except (StoreUnavailable, OutcomeUnknown, ServiceError) as failure:
            live.visited = Millis(0)
            log.warning("visit_not_noted", room=live.key.name, error=str(failure))

    async def is_present(self, key: RoomKey) -> bool:
        """Return whether a human is present in a room."""
        presence, visited = await asyncio.gather(
            self._side_channels.read_presence(key), self._side_channels.was_visited(key)
        )
        return bool(presence) or visited

    async def close(self) -> None:
        """Finish recording."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
