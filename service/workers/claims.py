"""What a worker has claimed: rooms, players and outboxes, hidden from other workers while it works on them."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from service.domain.ids import Millis
from service.store.contract import StoreUnavailable
from service.store.stream_keys import DueKey

LEASE = Millis(1_500)
"""Milliseconds for which a claim hides a room; after them the rooms of a killed worker can be claimed again."""

RENEW = 0.4
"""Seconds between renewals of claims on rooms that take longer."""

AFTER_FAILURE = Millis(500)
LONGEST_AFTER_FAILURE = Millis(16_000)
"""Milliseconds for which a room is hidden after a failure: after the first one, and at most. They double each time.

The first failure may be the only one, as during a failover; a damaged room fails every time.
"""


def after_failure(failures: int) -> Millis:
    """Return for how many milliseconds a room is hidden after this many failures in a row."""
    return Millis(min(LONGEST_AFTER_FAILURE, AFTER_FAILURE << min(failures - 1, 16)))


class Claimable(Protocol):
    """From what a worker claims: rooms and what belongs to them, or webhooks."""

    def now(self) -> Millis:
        """Return the service's time."""

    async def claim_due(self, now: Millis, lease: Millis, limit: int) -> Sequence[DueKey]:
        """Claim and return what is due, which is hidden from other workers for the time of the lease."""

    async def extend_claim(self, key: DueKey, held: Millis, until: Millis) -> bool:
        """Change the end of a claim from `held` to `until`; return False if the claim was lost."""


class Claims:
    """What this worker has claimed and not finished, with the end of each lease."""

    def __init__(self, source: Claimable) -> None:
        self._source = source
        self._ends: dict[DueKey, Millis] = {}
        self._failures: dict[DueKey, int] = {}
        """The number of failures in a row of each room."""
        self._due_again: set[DueKey] = set()
        """Rooms that were claimed again while they were in progress."""
        self._held = asyncio.Event()
        """Set while there may be claims, so that an idle worker sleeps."""
        self._renewing = asyncio.Lock()
        """Held while claims are renewed, because a renewal in flight would undo a hand-back."""

    def __len__(self) -> int:
        return len(self._ends)

    async def take(self, limit: int) -> list[DueKey]:
        """Claim rooms that are due now, and return those that are not in progress already."""
        now = self._source.now()
        claimed = await self._source.claim_due(now, LEASE, limit)
        taken = [key for key in claimed if key not in self._ends]
        self._due_again.update(key for key in claimed if key in self._ends)
        self._ends.update(dict.fromkeys(claimed, Millis(now + LEASE)))
        if self._ends:
            self._held.set()
        return taken

    def done(self, key: DueKey) -> bool:
        """Drop a finished room, and return whether it was dropped; the store knows when it is due again.

        A room that was claimed again in the meantime stays, to be processed once more.
        """
        if key in self._due_again:
            self._due_again.discard(key)
            return False
        del self._ends[key]
        return True

    async def put_off(self, key: DueKey) -> None:
        """Hide a room after a failure; the time depends on the number of failures in a row."""
        failures = self._failures[key] = self._failures.get(key, 0) + 1
        await self._prolong(key, after_failure(failures))

    def served(self, key: DueKey) -> None:
        """Reset a room's count of failures."""
        self._failures.pop(key, None)

    async def postpone(self, key: DueKey, until: Millis) -> None:
        """Hide a room until a time, unless it became due again after it was claimed."""
        async with self._renewing:
            if key not in self._due_again:
                await self._hold(key, until)

    async def renew(self) -> None:
        """Renew the claims on rooms in progress until cancelled."""
        while True:
            await self._held.wait()
            await asyncio.sleep(RENEW)
            if not self._ends:
                self._held.clear()
            async with self._renewing:
                await asyncio.gather(*(self._prolong(key, LEASE) for key in list(self._ends)))

    async def hand_back(self) -> None:
        """Give up all claims now, so that other workers do not have to wait for the leases to end."""
        async with self._renewing:
            await asyncio.gather(*(self._prolong(key, Millis(0)) for key in list(self._ends)))

    async def _prolong(self, key: DueKey, lease: Millis) -> None:
        await self._hold(key, Millis(self._source.now() + lease))

    async def _hold(self, key: DueKey, until: Millis) -> None:
        with suppress(StoreUnavailable):
            held = self._ends.get(key)
            if held is not None and await self._source.extend_claim(key, held, until) and key in self._ends:
                self._ends[key] = until
