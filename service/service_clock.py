"""The service's clock: the store's clock, without its steps.

Every process measures the store's clock twice a second and runs by a monotonic clock of its own in between. Where the
store's clock moved by something else than the process's own clock, somebody set it: the process notes the difference
in the store as a correction, which every process adds from then on. So the time of the service goes on evenly. A step
gives no seat more time and takes none away, and what is due stays due at the same moment.

A process that was stopped itself would see a step, too. Each process therefore reports the service's time to the store.
A process that expects less than another has reported was asleep, and follows. A process that has just started knows
only the latest report and its machine's wall clock: it accepts no more time since that report than both clocks show.

Down time is a gap between the workers' reports (`Outage`), so no outage is longer than the service's clock went on.
"""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

import structlog

from service.domain.room.model.clock import SILENCE, Outage, Pulse, outages
from service.domain.room.model.ids import Millis
from service.store.contract import StoreUnavailable
from service.store.worker_contract import ClockReading, Report, WorkerStore
from service.telemetry import metrics

log = structlog.get_logger()

STEP = 250
"""By how many milliseconds the store's clock may differ from what a process expects; more is a step."""

WALL_STEP = 1000
"""The same for the wall clocks of machines, which are compared when no process has run for a while."""

EVERY = 0.5
"""Seconds between two measurements."""

ATTEMPTS = 3
"""How often a measurement is repeated at once because another process has noted a correction meanwhile."""

PATIENCE = 1.0
"""For how many seconds a command waits for a process that has not heard of the workers for long."""

NANOS = 1_000_000

CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def elapsed_here() -> int:
    """Return milliseconds of a monotonic clock that also runs while the machine is suspended, where there is one."""
    return time.clock_gettime_ns(CLOCK) // NANOS


def wall_here() -> int:
    """Return this machine's wall clock in milliseconds since 1970."""
    return time.time_ns() // NANOS


class ServiceClock:
    """The service's time as this process knows it, and what it has heard of the workers."""

    def __init__(self, elapsed: Callable[[], int] = elapsed_here, wall: Callable[[], int] = wall_here) -> None:
        """Run by this machine's wall clock until the store's is measured."""
        self._elapsed, self._wall = elapsed, wall
        self._base = wall() - elapsed()
        self._error: int | None = None
        """By how many milliseconds the time may be wrong at most; None before the first measurement."""
        self._shown = 0
        self._pulse = Pulse()
        self._heard: int | None = None
        """When the workers' pulse was last heard, by the monotonic clock; None in a process that doesn't listen."""
        self._asked: int | None = None
        """Since when a question about it has had no answer; None for an answered one."""
        self._news = asyncio.Event()

    def now(self) -> Millis:
        """Return the service's time, which never goes back."""
        self._shown = max(self._shown, self._base + self._elapsed())
        return Millis(self._shown)

    def outages(self, now: Millis) -> tuple[Outage, ...]:
        """Return the latest times in which no worker ran; a silence lasts until the pulse was last heard.

        Where the store has not answered for long, the silence lasts until now.
        """
        unanswered = self._asked is not None and self._elapsed() - self._asked > SILENCE
        if unanswered or self._heard is None:
            return outages(self._pulse, now)
        return outages(self._pulse, Millis(min(now, self._base + self._heard)))

    def is_stale(self) -> bool:
        """Whether this process was late itself, so that it can't tell whether the workers ran meanwhile."""
        now = self._elapsed()
        asks_in_vain = self._asked is not None and now - self._asked > PATIENCE * 1000
        return self._heard is not None and now - self._heard > SILENCE and not asks_in_vain

    async def refreshed(self) -> None:
        """Wait until the workers' pulse was heard again, a second at most."""
        self._news.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._news.wait()

    async def keep(self, upkeep: WorkerStore, *, beats: bool) -> None:
        """Measure and report for ever; with `beats` as a worker."""
        while True:
            with suppress(StoreUnavailable):
                await self.report(upkeep, beats=beats)
            await asyncio.sleep(EVERY)

    async def report(self, upkeep: WorkerStore, *, beats: bool) -> None:
        """Measure the store's clock, report the time and hear the workers' pulse. Raises `StoreUnavailable`."""
        self._asked = self._elapsed() if self._asked is None else self._asked
        await self.measure(upkeep)
        report = Report(self.now(), Millis(self._wall()))
        self._pulse = await (upkeep.beat(report, SILENCE) if beats else upkeep.pulse(report))
        self._heard, self._asked = self._elapsed(), None
        self._news.set()

    async def measure(self, upkeep: WorkerStore) -> None:
        """Compare the store's clock with this process's, and note a step as a correction. Raises `StoreUnavailable`."""
        for _ in range(ATTEMPTS):
            known, sent = self._error, self._elapsed()
            reading = await upkeep.read_clock()
            shift = self._start(reading, sent) if known is None else self._follow(reading, sent, known)
            corrected = Millis(reading.correction + shift)
            metrics.CLOCK_CORRECTION.set(corrected / 1000)
            if not shift:
                return
            if await upkeep.correct_clock(reading.correction, corrected):
                log.warning("store_clock_stepped", step_ms=-shift, correction_ms=corrected)
                return
            self._error = known

    def _start(self, reading: ClockReading, sent: int) -> int:
        """Begin with the first reading, and return by how much the correction has to change, 0 for not at all."""
        low, received = reading.time + reading.correction, self._elapsed()
        start = self._first(reading, low)
        self._base, self._error = start + (received - sent) // 2 - received, received - sent
        self._shown = 0  # what was shown until now was this machine's own time
        return start - low

    def _follow(self, reading: ClockReading, sent: int, error: int) -> int:
        """Follow the store by a little, and return by how much the correction has to change because of a step.

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
            self._base, self._error = low + trip // 2 - received, trip  # this process was asleep
            return 0
        return -gap

    def _first(self, reading: ClockReading, low: int) -> int:
        """Return the service's time at the first reading of this process, which has nothing to compare it with."""
        if reading.latest is None or reading.wall is None:
            return low
        passed = low - reading.latest
        by_wall = self._wall() - reading.wall
        if passed > SILENCE and by_wall < passed - WALL_STEP:
            return reading.latest + max(0, by_wall)
        return max(low, reading.latest) if passed < -STEP else low
