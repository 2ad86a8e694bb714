"""Whether a human is present in a room: somebody follows it, or has asked for something there with a token lately.

Where nobody is, bots don't play on among themselves and no next match begins by itself: the worker looks, and takes the
room out of its way. Who comes then writes that they are there first and makes the room due after that, and a worker
gives a room up only if its claim is still the last word on when it is due; so whichever is faster, the room goes on.
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
NOTED = Millis(MINUTE)
"""A visit is noted once in this time, by room and process."""

STAY = Millis(10 * MINUTE)
"""For how long somebody who asked for something counts as present."""


class ActivityTracker:
    """Who was in the rooms of a store, as one process notes and sees it."""

    def __init__(
        self, beside: SideChannels, environment: Environment, wake: Callable[[LoadedRoom], Awaitable[None]]
    ) -> None:
        """Note visits beside the streams; `wake` makes a room due that waits for somebody to be present."""
        self._beside = beside
        self._environment = environment
        self._wake = wake
        self._tasks: set[asyncio.Task[None]] = set()

    async def begin(self, key: RoomKey) -> None:
        """Note that somebody opens a room."""
        await self._beside.record_visit(key, Millis(STAY + NOTED))

    def note(self, live: LoadedRoom, player: PlayerId | None) -> None:
        """Note that a player asked for something in a room that they may see; nobody waits for it."""
        now = self._environment.now()
        if player is None or now < live.visited + NOTED or not counts_as_present(live.room.table, player):
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
        following, visited = await asyncio.gather(self._beside.read_presence(key), self._beside.was_visited(key))
        return bool(following) or visited

    async def close(self) -> None:
        """Finish what is being noted."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
