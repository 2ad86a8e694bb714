"""The contract of the workers' own data: heartbeats, the clock, claims, and the trimming of closed rooms."""

from typing import NamedTuple, Protocol

import msgspec

from service.domain.ids import Millis, RoomKey
from service.domain.timestamps import Pulse
from service.store.stream_keys import DueKey

OUTAGES_KEPT = 32
"""How many of the latest outages are stored."""


class ClockReading(msgspec.Struct, frozen=True):
    """The store's clock, and how the service's time follows from it; see `service.store.watch.service_clock`."""

    time: Millis
    """The time of the store's clock."""
    correction: Millis
    """What is added to it to get the service's time."""
    latest: Millis | None
    """The latest service time that a process reported; None before the first report."""
    wall: Millis | None
    """The wall clock of that process's machine at that time."""


class Report(NamedTuple):
    """The time, as one process sees it."""

    time: Millis
    """The service time."""
    wall: Millis
    """The wall clock of its machine."""


class WorkerStore(Protocol):
    """What workers read and write that is not in a room. Every method may raise `StoreUnavailable`."""

    async def read_clock(self) -> ClockReading:
        """Return the store's clock and its correction."""

    async def correct_clock(self, before: Millis, after: Millis) -> bool:
        """Change the correction of the store's clock from `before` to `after`. Return whether it was `before`."""

    async def beat(self, report: Report, silence: Millis) -> Pulse:
        """Record a worker's heartbeat, and an outage if the latest heartbeat is older than `silence`."""

    async def pulse(self, report: Report) -> Pulse:
        """Record the time of a process that is not a worker. Return the latest heartbeat and the latest outages."""

    async def extend_claim(self, key: DueKey, held: Millis, until: Millis) -> bool:
        """Extend a claim that ends at `held` to `until`. Return whether it was still held."""

    async def closed(self, before: Millis, limit: int) -> list[RoomKey]:
        """Return rooms that closed before a time and are not trimmed yet, in this order within each partition."""

    async def trim(self, key: RoomKey) -> None:
        """Delete the events and snapshots of a closed room. Its head and its match index are kept."""

    async def claim_scrub(self, now: Millis, lease: Millis) -> str | None:
        """Claim the check of all rooms until `now + lease`. Return the cursor where it continues, "" at the beginning.

        None while another worker holds the claim, or before the next check is due.
        """

    async def save_scrub_cursor(self, cursor: str, until: Millis) -> None:
        """Store where the check continues, and until when it is claimed."""

    async def set_damaged(self, key: RoomKey, *, damaged: bool) -> None:
        """Record that a room is damaged, or that it is not."""

    async def damaged(self) -> list[RoomKey]:
        """Return the rooms that were damaged at their last check."""
