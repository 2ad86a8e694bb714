"""What workers need of a store beside its rooms: their beats, their claims, and the end of closed rooms."""

from typing import Protocol

from service.domain.room.clock import Pulse
from service.domain.room.values import Millis, RoomKey


class Upkeep(Protocol):
    """What workers do for the house. Every method may raise `StoreUnavailable`."""

    async def beat(self, silence: Millis) -> Pulse:
        """Note that a worker runs, and that none did if the latest beat is longer ago than `silence`."""

    async def pulse(self) -> Pulse:
        """Return the latest beat and the latest outages."""

    async def keep(self, key: RoomKey, held: Millis, until: Millis) -> bool:
        """Let a claim that ends at `held` end at `until`, and tell whether it was still this one."""

    async def closed(self, before: Millis, limit: int) -> list[RoomKey]:
        """Return rooms that closed before a moment and were not trimmed yet, those of each partition in their order."""

    async def trim(self, key: RoomKey) -> None:
        """Throw the events and snapshots of a closed room away; its head and its match index stay."""

    async def claim_scrub(self, now: Millis, lease: Millis) -> str | None:
        """Claim the check of all rooms until `now + lease` and return where it goes on, "" at the beginning.

        None while somebody else holds it, or before the next one is due.
        """

    async def note_scrub(self, cursor: str, until: Millis) -> None:
        """Note where the check goes on, and until when nobody else claims it."""

    async def note_damaged(self, key: RoomKey, *, damaged: bool) -> None:
        """Note that a room was found damaged, or that it is not."""

    async def damaged(self) -> list[RoomKey]:
        """Return the rooms that were found damaged when they were last checked."""
