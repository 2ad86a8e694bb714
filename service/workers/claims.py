"""The rooms that a worker has claimed: hidden from the others for as long as it works on them, and not much longer."""

import asyncio
from contextlib import suppress

from service.domain.room.model.ids import Millis, RoomKey
from service.rooms.service import RoomService
from service.store.contract import StoreUnavailable

LEASE = Millis(1_500)
"""For how long a claimed room is hidden from other workers: what a killed one left is claimed again soon."""

RENEW = 0.4
"""Seconds between renewals of the claims on rooms in whose work it takes longer."""

AFTER_FAILURE = Millis(500)
LONGEST_AFTER_FAILURE = Millis(16_000)
"""For how long a room that could not be served is hidden: the first time, doubled at each failure in a row, at most.

The first failure may be the last one, as during a failover; a damaged room fails for ever.
"""


def after_failure(failures: int) -> Millis:
    """Return for how long a room is hidden that could not be served so often in a row."""
    return Millis(min(LONGEST_AFTER_FAILURE, AFTER_FAILURE << min(failures - 1, 16)))


class Claims:
    """What this worker has claimed and not done yet, each with the end of its lease."""

    def __init__(self, rooms: RoomService) -> None:
        """Begin with nothing."""
        self._rooms = rooms
        self._ends: dict[RoomKey, Millis] = {}
        self._failures: dict[RoomKey, int] = {}
        """How often in a row a room could not be served."""
        self._news: set[RoomKey] = set()
        """Those that were made due again since, and claimed again."""
        self._renewing = asyncio.Lock()
        """Held while claims are renewed: a renewal on its way would undo what is handed back."""

    def __len__(self) -> int:
        return len(self._ends)

    async def take(self, limit: int) -> list[RoomKey]:
        """Claim rooms that are due now; one that is still in hand is not taken twice."""
        now = self._rooms.fresh.now()
        claimed = await self._rooms.store.claim_due(now, LEASE, limit)
        taken = [key for key in claimed if key not in self._ends]
        self._news.update(key for key in claimed if key in self._ends)
        self._ends.update(dict.fromkeys(claimed, Millis(now + LEASE)))
        return taken

    def done(self, key: RoomKey) -> bool:
        """Let a room go, as the store knows when it is due again, and return whether that was done.

        One that was claimed again meanwhile stays in hand, to be served once more.
        """
        if key in self._news:
            self._news.discard(key)
            return False
        del self._ends[key]
        return True

    async def put_off(self, key: RoomKey) -> None:
        """Hide a room that could not be served for a while, the longer the more often that was so in a row."""
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        await self._prolong(key, after_failure(failures))

    def served(self, key: RoomKey) -> None:
        """Note that a room could be served."""
        self._failures.pop(key, None)

    async def postpone(self, key: RoomKey, until: Millis) -> None:
        """Hide a room until a moment, unless it was made due again since it was claimed."""
        async with self._renewing:
            if key not in self._news:
                await self._hold(key, until)

    async def renew(self) -> None:
        """Keep what is in hand hidden from the others, again and again."""
        while True:
            await asyncio.sleep(RENEW)
            async with self._renewing:
                await asyncio.gather(*(self._prolong(key, LEASE) for key in list(self._ends)))

    async def hand_back(self) -> None:
        """Let other workers claim what is still in hand, now and not when the leases end."""
        async with self._renewing:
            await asyncio.gather(*(self._prolong(key, Millis(0)) for key in list(self._ends)))

    async def _prolong(self, key: RoomKey, lease: Millis) -> None:
        await self._hold(key, Millis(self._rooms.fresh.now() + lease))

    async def _hold(self, key: RoomKey, until: Millis) -> None:
        with suppress(StoreUnavailable):
            held = self._ends.get(key)
            if held is not None and await self._rooms.store.upkeep.keep(key, held, until) and key in self._ends:
                self._ends[key] = until
