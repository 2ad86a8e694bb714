"""The service's clock: the store's clock, without its steps.

Every process measures the store's clock once or twice a second and uses its own monotonic clock in between. If the
store's clock moved by more or less than the process's own, it was set: the process writes the difference to the store
as a correction, which all processes add from then on. So the service's time advances evenly: a step gives no seat more
time and takes none away, and deadlines do not move.

A process that was suspended would see a step as well. Each process therefore reports the service's time to the store,
and one that expects an earlier time than another has reported adopts that time. A process that has just started knows
only the latest report and its machine's wall clock: it accepts no more time since then than both clocks show.

Down time is a gap between the workers' reports (`Outage`), so an outage is never longer than the service's time.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

import structlog

from service.domain.ids import SILENCE, Millis, Outage, Pulse
from service.runtime import metrics
from service.runtime.timers import until_next
from service.store.contract import ClockReading, Report, StoreUnavailable, WorkerStore

log = structlog.get_logger()

STEP = 250
"""Milliseconds by which the store's clock may differ from what a process expects; more is a step."""

WALL_STEP = 1000
"""The same for machines' wall clocks, which are compared when no process has run for a while."""

EVERY = 0.5
"""Seconds between two measurements of a worker, whose reports show that it runs."""

EVERY_OF_OTHERS = 1.0
"""The same of a process that is no worker."""

ATTEMPTS = 3
"""How often a measurement is repeated because another process has written a correction meanwhile."""

PATIENCE = 1.0
"""Seconds that a command waits while this process has no recent report of the workers."""

NANOS = 1_000_000

CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def monotonic_millis() -> int:
    """Return a monotonic clock in milliseconds, one that includes suspension where the system has one."""
    return time.clock_gettime_ns(CLOCK) // NANOS


def wall_millis() -> int:
    """Return this machine's wall clock in milliseconds since 1970."""
    return time.time_ns() // NANOS


class ServiceClock:
    """The service's time and the workers' latest heartbeat, as this process knows them."""

    def __init__(self, elapsed: Callable[[], int] = monotonic_millis, wall: Callable[[], int] = wall_millis) -> None:
        """Start with this machine's wall clock, until the store's clock is measured."""
        self._elapsed, self._wall = elapsed, wall
        self._base = wall() - elapsed()
        self._error: int | None = None
        """The largest possible error in milliseconds; None before the first measurement."""
        self._offset: int | None = None
        """The wall clock less the monotonic one at the latest report."""
        self._shown = 0
        self._pulse = Pulse()
        self._read_at: int | None = None
        """When the workers' heartbeat was last read, by the monotonic clock; None before the first read."""
        self._unanswered_since: int | None = None
        """When the first unanswered read of it was sent; None if all were answered."""
        self._news = asyncio.Event()

    def now(self) -> Millis:
        """Return the service's time, which never decreases."""
        now = self._base + self._elapsed()
        if now > self._shown:  # noqa: PLR1730 - a move reads the clock several times, and `max` takes a third of it
            self._shown = now
        return Millis(self._shown)

    def outages(self, now: Millis) -> tuple[Outage, ...]:
        """Return the latest times in which no worker ran. The current one ends when the heartbeat was last read.

        If the store has not answered for long, it ends now.
        """
        unanswered = self._unanswered_since is not None and self._elapsed() - self._unanswered_since > SILENCE
        ends = now if unanswered or self._read_at is None else Millis(min(now, self._base + self._read_at))
        ended, beat = self._pulse.outages, self._pulse.beat
        return ended if beat is None or ends - beat <= SILENCE else (*ended, Outage(beat, ends))

    def is_stale(self) -> bool:
        """Return whether this process was delayed, so that it does not know whether workers ran in the meantime."""
        now = self._elapsed()
        if self._read_at is None or now - self._read_at <= SILENCE:
            return False
        return self._unanswered_since is None or now - self._unanswered_since <= PATIENCE * 1000

    async def refreshed(self) -> None:
        """Wait until the workers' heartbeat is read again, for at most a second."""
        self._news.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._news.wait()

    async def keep(self, store: WorkerStore, *, beats: bool) -> None:
        """Measure and report regularly until cancelled; with `beats` as a worker."""
        while True:
            with suppress(StoreUnavailable):
                await self.report(store, beats=beats)
            await asyncio.sleep(until_next(EVERY if beats else EVERY_OF_OTHERS))

    async def report(self, store: WorkerStore, *, beats: bool) -> None:
        """Measure the store's clock, report the time, and read the workers' heartbeat. Raises `StoreUnavailable`."""
        self._unanswered_since = self._elapsed() if self._unanswered_since is None else self._unanswered_since
        before, self._offset = self._offset, self._wall() - self._elapsed()
        # Its two clocks no longer agree if this machine was suspended, or if its wall clock was set.
        is_steady = before is not None and abs(self._offset - before) <= STEP
        if not is_steady:
            await self.measure(store)
        report = Report(self.now(), Millis(self._wall()))
        reporting = store.beat(report, SILENCE) if beats else store.pulse(report)
        if is_steady:  # the time to report is known, so both are done in one round trip
            _, self._pulse = await asyncio.gather(self.measure(store), reporting)
        else:
            self._pulse = await reporting
        self._read_at, self._unanswered_since = self._elapsed(), None
        self._news.set()

    async def measure(self, store: WorkerStore) -> None:
        """Compare the store's clock with this process's; store a step as a correction. Raises `StoreUnavailable`."""
        for _ in range(ATTEMPTS):
            known, sent = self._error, self._elapsed()
            reading = await store.read_clock()
            shift = self._start(reading, sent) if known is None else self._follow(reading, sent, known)
            corrected = Millis(reading.correction + shift)
            metrics.CLOCK_CORRECTION.set(corrected / 1000)
            if not shift:
                return
            if await store.correct_clock(reading.correction, corrected):
                log.warning("store_clock_stepped", step_ms=-shift, correction_ms=corrected)
                return
            self._error = known

    def _start(self, reading: ClockReading, sent: int) -> int:
        """Start from the first reading, and return the necessary change of the correction, 0 for none."""
        low, received = reading.time + reading.correction, self._elapsed()
        start = self._first(reading, low)
        self._base, self._error = start + (received - sent) // 2 - received, received - sent
        self._shown = 0  # until now this was the machine's own time
        return start - low

    def _follow(self, reading: ClockReading, sent: int, error: int) -> int:
        """Adopt a small difference, and return the necessary change of the correction after a step.

        The service's time is now at least `low`, and at most a round trip later.
        """
        received = self._elapsed()
        low, trip = reading.time + reading.correction, received - sent
        expected = self._base + received
        gap = low - expected if expected < low else min(0, low + trip - expected)
        if abs(gap) <= STEP + error:
            self._base, self._error = self._base + gap, min(error, trip)
            return 0
        if reading.latest is not None and expected + STEP + error < reading.latest:
            self._base, self._error = low + trip // 2 - received, trip  # this process was suspended
            return 0
        return -gap

    def _first(self, reading: ClockReading, low: int) -> int:
        """Return the service's time at the first reading, for which there is no earlier reading to compare with."""
        if reading.latest is None or reading.wall is None:
            return low
        passed = low - reading.latest
        by_wall = self._wall() - reading.wall
        if passed > SILENCE and by_wall < passed - WALL_STEP:
            return reading.latest + max(0, by_wall)
        return max(low, reading.latest) if passed < -STEP else low
