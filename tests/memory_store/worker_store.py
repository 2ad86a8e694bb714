"""What workers store, in the memory of one process."""

from collections.abc import Callable
from dataclasses import dataclass, field

from service.domain.ids import Millis, Outage, Pulse, RoomKey
from service.store.contract import OUTAGES_KEPT, ClockReading, Report
from service.store.stream_keys import DueKey


@dataclass(slots=True)
class SharedData:
    """The data that all clients of a store share."""

    pulse: Pulse = field(default_factory=Pulse)
    correction: Millis = field(default=Millis(0))
    latest: Report | None = None
    closed: dict[RoomKey, Millis] = field(default_factory=dict)
    damaged: set[RoomKey] = field(default_factory=set)
    cursor: str = ""
    scrub_until: Millis | None = None


class MemoryWorkerStore:
    """The contract `WorkerStore`. No method awaits anything between reading and writing."""

    def __init__(
        self, clock: Callable[[], Millis], due: Callable[[], dict[DueKey, Millis]], trim: Callable[[RoomKey], None]
    ) -> None:
        """Take a function that returns the due set, which the clients of a store share, and one that trims a room."""
        self._clock = clock
        self._due = due
        self._trim = trim
        self.noted = SharedData()

    async def read_clock(self) -> ClockReading:
        """Return the store's clock and its correction."""
        latest = self.noted.latest
        times = (None, None) if latest is None else (latest.time, latest.wall)
        return ClockReading(self._clock(), self.noted.correction, *times)

    async def correct_clock(self, before: Millis, after: Millis) -> bool:
        """Change the correction of the store's clock from `before` to `after`. Return whether it was `before`."""
        unchanged = self.noted.correction == before
        if unchanged:
            self.noted.correction = after
        return unchanged

    async def beat(self, report: Report, silence: Millis) -> Pulse:
        """Record a worker's heartbeat, and an outage if the latest heartbeat is older than `silence`."""
        now, (last, outages) = report.time, self.noted.pulse
        if last is not None and now - last > silence:
            outages = (Outage(last, now), *outages)[:OUTAGES_KEPT]
        self.noted.pulse = Pulse(max(now, last or now), outages)
        return await self.pulse(report)

    async def pulse(self, report: Report) -> Pulse:
        """Record the time of a process that is not a worker. Return the latest heartbeat and the latest outages."""
        if self.noted.latest is None or report.time >= self.noted.latest.time:
            self.noted.latest = report
        return self.noted.pulse

    async def extend_claim(self, key: DueKey, held: Millis, until: Millis) -> bool:
        """Extend a claim that ends at `held` to `until`. Return whether it was still held."""
        still = self._due().get(key) == held
        if still:
            self._due()[key] = until
        return still

    async def closed(self, before: Millis, limit: int) -> list[RoomKey]:
        """Return rooms that closed before a time and are not trimmed yet, in this order."""
        found = [key for key, moment in self.noted.closed.items() if moment < before]
        return sorted(found, key=lambda key: (self.noted.closed[key], key.name))[:limit]

    async def trim(self, key: RoomKey) -> None:
        """Delete the events and snapshots of a closed room. Its head and its match index are kept."""
        self._trim(key)
        self._due().pop(key, None)
        self.noted.closed.pop(key, None)

    async def claim_scrub(self, now: Millis, lease: Millis) -> str | None:
        """Claim the check of all rooms. Return the cursor where it continues, None if there is nothing to claim."""
        if (self.noted.scrub_until or 0) > now:
            return None
        self.noted.scrub_until = Millis(now + lease)
        return self.noted.cursor

    async def save_scrub_cursor(self, cursor: str, until: Millis) -> None:
        """Store where the check continues, and until when it is claimed."""
        self.noted.cursor, self.noted.scrub_until = cursor, until

    async def set_damaged(self, key: RoomKey, *, damaged: bool) -> None:
        """Record that a room is damaged, or that it is not."""
        self.noted.damaged.discard(key)
        if damaged:
            self.noted.damaged.add(key)

    async def damaged(self) -> list[RoomKey]:
        """Return the rooms that were damaged at their last check."""
        return sorted(self.noted.damaged, key=lambda key: (key.name, key.epoch))
