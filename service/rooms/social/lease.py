"""The lease by which other processes know that a process runs.

After a process was stopped or starved of CPU time, it sees all other leases and all grace periods as expired. So it
measures its own delays with a monotonic clock: during a delay it declares no process dead and ends no grace period.
"""

import asyncio
import time
from collections.abc import Callable

import msgspec
import structlog

from service.domain.ids import Millis
from service.runtime.timers import until_next
from service.store.side_channels import ProcessId, SideChannels

log = structlog.get_logger()

TICK = 0.5
"""Seconds between two measurements of the event loop's delay."""


class Timing(msgspec.Struct, frozen=True):
    """Durations in seconds."""

    grace: float = 5.0
    """How long a player still counts as online after their last connection."""
    moving: float = 15.0
    """The same for players who were asked to reconnect elsewhere because this process shuts down."""
    pause: float = 0.1
    """How long changes are collected before they are sent."""
    beat: float = 2.0
    """The interval between renewals of a process's lease, and between checks of other leases."""
    lease: float = 15.0
    doubt: float = 4.0
    """How long after the end of its lease a process can still renew it; then it is declared dead."""
    late: float = 1.0
    """The delay from which on this process counts as stalled."""


class StallMeter:
    """Measures for how many seconds the event loop of this process was delayed."""

    def __init__(self) -> None:
        """Start without delay."""
        self.lost = 0.0

    async def watch(self) -> None:
        """Measure the delay of the event loop until cancelled."""
        while True:
            due = time.monotonic() + (pause := until_next(TICK))
            await asyncio.sleep(pause)
            late = time.monotonic() - due
            if late > TICK / 2:
                self.lost += late


class Lease:
    """The lease of this process, and whether it can declare other processes dead."""

    def __init__(
        self,
        side_channels: SideChannels,
        process: ProcessId,
        timing: Timing,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock` is monotonic, in seconds. The first renewal starts the lease."""
        self._clock = clock
        self._side_channels = side_channels
        self._timing = timing
        self._first = self.process = process
        """The current id of this process: after it was declared dead it gets another one."""
        self._lives = 1
        self._renewed: float | None = None
        self._declares_from = 0.0

    def is_own(self, process: ProcessId | None) -> bool:
        """Return whether an id is or was this process's."""
        return process is not None and (process == self._first or process.startswith(f"{self._first}."))

    @property
    def is_late(self) -> bool:
        """Whether the renewal is overdue."""
        return self._renewed is not None and self._clock() - self._renewed > self._timing.beat + self._timing.late

    @property
    def can_declare_dead(self) -> bool:
        """Whether this process ran without delay for the time of a lease, so that others could renew theirs, too."""
        return self._renewed is not None and not self.is_late and self._clock() >= self._declares_from

    async def renew(self, *, leaving: bool = False) -> tuple[ProcessId, ...]:
        """Renew the lease, with a new id if the old one was declared dead; return processes whose lease has ended."""
        length = self._timing.moving - self._timing.doubt if leaving else self._timing.lease
        lease = Millis(max(0, int(length * 1000)))
        beat = await self._side_channels.beat(self.process, lease)
        if not beat.alive and self._renewed is not None:
            self._lives += 1
            log.warning("presence_declared_dead", process=self.process)
            self.process = ProcessId(f"{self._first}.{self._lives}")
            beat = await self._side_channels.beat(self.process, lease)
        now = self._clock()
        if self._renewed is None or self.is_late:
            self._declares_from = now + self._timing.lease
        self._renewed = now
        return tuple(process for process in beat.dead if not self.is_own(process))

    async def renew_if_late(self) -> None:
        """Renew an overdue lease, before anything is written under an id that may have been declared dead."""
        if self.is_late:
            await self.renew()
