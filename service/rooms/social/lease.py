"""The lease by which a process is known to run, and what a process may conclude from time after it was late itself.

A process that was stopped or starved sees every other lease and every grace run out at once. So it measures its own
lateness on a monotonic clock: while it was late it declares nobody dead and lets no grace run out.
"""

import asyncio
import time
from collections.abc import Callable

import msgspec
import structlog

from service.domain.room.model.ids import Millis
from service.store.side_channels import ProcessId, SideChannels

log = structlog.get_logger()

TICK = 0.5
"""Seconds between two looks at how late the event loop is."""


class Timing(msgspec.Struct, frozen=True):
    """How long things take, in seconds."""

    grace: float = 5.0
    """For how long a player who lost their last connection still counts as online."""
    moving: float = 15.0
    """The same for one whom this process sent elsewhere because it leaves."""
    pause: float = 0.1
    """For how long changes are gathered before they are sent."""
    beat: float = 2.0
    """How often a process renews its lease, and looks for others that didn't."""
    lease: float = 15.0
    doubt: float = 4.0
    """How long after the end of its lease a process may still renew it; then it is declared dead."""
    late: float = 1.0
    """By how much this process may be late before it counts as stalled."""


class StallMeter:
    """For how many seconds the event loop of this process did not run when it should have."""

    def __init__(self) -> None:
        """Begin with a loop that is on time."""
        self.lost = 0.0

    async def watch(self) -> None:
        """Measure for ever how late the event loop is."""
        while True:
            due = time.monotonic() + TICK
            await asyncio.sleep(TICK)
            late = time.monotonic() - due
            if late > TICK / 2:
                self.lost += late


class Lease:
    """The lease of this process, and whether it may judge others by theirs."""

    def __init__(
        self, beside: SideChannels, process: ProcessId, timing: Timing, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Hold no lease yet, under an id that no other run of any program has; `clock` is monotonic, in seconds."""
        self._clock = clock
        self._beside = beside
        self._timing = timing
        self._first = self.process = process
        """The id under which this process is known now: after it was declared dead it needs another one."""
        self._lives = 1
        self._renewed: float | None = None
        self._judges_from = 0.0

    def is_own(self, process: ProcessId | None) -> bool:
        """Tell whether an id is or was this process's."""
        return process is not None and (process == self._first or process.startswith(f"{self._first}."))

    @property
    def is_late(self) -> bool:
        """Whether the latest renewal is longer ago than it should be."""
        return self._renewed is not None and self._clock() - self._renewed > self._timing.beat + self._timing.late

    @property
    def may_judge(self) -> bool:
        """Whether this process has been on time for a whole lease, so that others could have renewed theirs, too."""
        return self._renewed is not None and not self.is_late and self._clock() >= self._judges_from

    async def renew(self, *, leaving: bool = False) -> tuple[ProcessId, ...]:
        """Renew the lease, under a new id where the old one was declared dead; return whose lease has ended."""
        length = self._timing.moving - self._timing.doubt if leaving else self._timing.lease
        lease = Millis(max(0, int(length * 1000)))
        beat = await self._beside.beat(self.process, lease)
        if not beat.alive and self._renewed is not None:
            self._lives += 1
            log.warning("presence_declared_dead", process=self.process)
            self.process = ProcessId(f"{self._first}.{self._lives}")
            beat = await self._beside.beat(self.process, lease)
        now = self._clock()
        if self._renewed is None or self.is_late:
            self._judges_from = now + self._timing.lease
        self._renewed = now
        return tuple(process for process in beat.dead if not self.is_own(process))

    async def renew_if_late(self) -> None:
        """Renew the lease before anything is done under an id that may have been declared dead."""
        if self.is_late:
            await self.renew()
