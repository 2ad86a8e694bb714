"""What workers need of a store beside its rooms: their beats, the clock, their claims, and the end of closed rooms."""

from typing import NamedTuple, Protocol

import msgspec

from service.domain.room.model.clock import Pulse
from service.domain.room.model.ids import Millis, RoomKey


class ClockReading(msgspec.Struct, frozen=True):
    """The store's clock, and what makes the service's time of it; see `service.service_clock`."""

    time: Millis
    """What the store's clock shows."""
    correction: Millis
    """How much is added to it for the service's time."""
    latest: Millis | None
    """The latest service's time that a process has reported; None before the first report."""
    wall: Millis | None
    """What the wall clock of that process's machine showed then."""


class Report(NamedTuple):
    """What a process says of the time."""

    time: Millis
    """The service's time."""
    wall: Millis
    """What the wall clock of its machine shows."""


class WorkerStore(Protocol):
    """What workers do for the house. Every method may raise `StoreUnavailable`."""

    async def read_clock(self) -> ClockReading:
        """Return the store's clock and its correction."""

    async def correct_clock(self, before: Millis, after: Millis) -> bool:
        """Change the correction of the store's clock if it is `before`, and return whether it was."""

    async def beat(self, report: Report, silence: Millis) -> Pulse:
        """Note that a worker runs, and that none did if the latest beat is longer ago than `silence`."""

    async def pulse(self, report: Report) -> Pulse:
        """Note the time of a process that is no worker; return the latest beat and the latest outages."""

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
