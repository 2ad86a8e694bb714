"""Whether a process may write to its store: after comparing it, unless it has lost data, is unfit or is full.

With fsync always, a failed write ends the server, so at a full disk all writes are rejected, including the workers'
heartbeats: the time counts as an outage, and clocks get it back later. Memory is measured by the servers themselves,
which refuse every write at their limit; new rooms are rejected before that, so that the open ones can go on.
"""

import asyncio
import time
from collections.abc import Callable, Iterable
from enum import IntEnum
from pathlib import Path

from service.store.contract import CounterDamaged, StoreFull, StoreLost, StoreNode, StoreUnavailable, StoreUnfit
from service.store.free_space import is_full
from service.store.witness import Loss

CHECK_INTERVAL = 0.5
"""Seconds between checks of the disk."""

MEMORY_FOR_ROOMS = 0.85
"""The share of a server's memory limit up to which rooms are opened; the rest is for the moves in open rooms."""

NOT_CHECKED = "the connection to the store is new, and its data have not yet been compared with the witness"


class Requires(IntEnum):
    """What a command requires of the store; each value includes the ones before it."""

    NOTHING = 0
    """It only reads."""
    SPACE = 1
    """It writes, so the disk must not be full."""
    SOUND = 2
    """It writes to the rooms' history, so the store must not have lost data, and its settings must be suitable."""
    COMPARED = 3
    """Its partition must have been compared with the witness since its connection was made."""
    COUNTED = 4
    """It appends entries, so the counter of its partition must not be damaged."""


SPACE, SOUND, COMPARED, COUNTED = Requires.SPACE, Requires.SOUND, Requires.COMPARED, Requires.COUNTED
"""As names of their own, because reading an attribute of an enum calls a function each time."""


class FreeSpace:
    """Knows whether the store's disk has space for writes, if the store's folder is on this machine."""

    def __init__(self, folder: Path | None = None, now: Callable[[], float] = time.monotonic) -> None:
        """Watch the disk of this folder; without a folder no write is rejected."""
        self._folder = folder
        self.is_watched = folder is not None
        """Whether there is a folder to watch."""
        self._now = now
        self._full = False
        self._look_at = 0.0
        self._is_memory_short = False

    def require_space(self) -> None:
        """Raise `StoreFull` while the disk is full. Checks the disk every `CHECK_INTERVAL` seconds."""
        if self._folder is None:
            return
        if (now := self._now()) >= self._look_at:
            self._full, self._look_at = is_full(self._folder), now + CHECK_INTERVAL
        if self._full:
            raise StoreFull("the store's disk is full or nearly full")

    def measure(self, nodes: Iterable[StoreNode]) -> bool:
        """Take the state of the store's servers, and return whether the memory of one is too short for new rooms."""
        self._is_memory_short = any(0 < node.memory_limit * MEMORY_FOR_ROOMS < node.memory for node in nodes)
        return self._is_memory_short

    def require_space_for_room(self) -> None:
        """Raise `StoreFull` if the store's memory was too short for new rooms when it was measured last."""
        if self._is_memory_short:
            raise StoreFull("the store's memory is short, and the rest is for the rooms that are open")


class WriteGuard:
    """What `StoreWatch` found; every command is checked by `admit` before it is sent. Without a watch all pass."""

    def __init__(self, partitions: Iterable[int] = (), space: FreeSpace | None = None) -> None:
        """Admit no write to these partitions before they were compared, and none without free `space`."""
        self.space = space or FreeSpace()
        self._watched = frozenset(partitions)
        self._unchecked = set(self._watched)
        self.lost: Loss | None = None
        """What the store has lost; None if nothing is known to be lost."""
        self.miscounted: frozenset[int] = frozenset()
        """The partitions with a damaged counter."""
        self.unfit = ""
        """Why the store's settings are not acceptable in production; empty if they are."""
        self.woken = asyncio.Event()
        """Set when partitions have to be compared."""

    def admit(self, requires: Requires, partition: int) -> None:
        """Raise a `StoreUnavailable` unless a partition has what a command requires."""
        if requires >= SOUND and (self.lost is not None or self.unfit):
            self.require_sound()
        if requires >= COUNTED and partition in self.miscounted:
            raise CounterDamaged(f"the counter of partition {partition} is damaged: `turnstream recount`")
        if requires >= SPACE and self.space.is_watched:
            self.space.require_space()
        if requires >= COMPARED and partition in self._unchecked:
            raise StoreUnavailable(NOT_CHECKED)

    def admit_room(self, partition: int) -> None:
        """Raise what `admit` raises unless a new room may be written; open rooms can go on for longer."""
        self.admit(SOUND, partition)
        self.space.require_space_for_room()

    def require_sound(self) -> None:
        """Raise `StoreLost` or `StoreUnfit` if the store has lost data or its settings are not suitable."""
        if self.lost is not None:
            raise StoreLost(str(self.lost))
        if self.unfit:
            raise StoreUnfit(self.unfit)

    def is_open(self, partition: int) -> bool:
        """Return whether a partition may be written to."""
        return self.lost is None and not self.unfit and self.is_compared(partition) and partition not in self.miscounted

    def is_compared(self, partition: int) -> bool:
        """Return whether a partition was compared since its connection was made."""
        return partition not in self._unchecked

    @property
    def all_checked(self) -> bool:
        """Whether every partition was compared since its connection was made."""
        return not self._unchecked

    def suspect(self, partitions: Iterable[int]) -> None:
        """Admit no write to these partitions, whose connection has ended, until they were compared again."""
        if suspects := self._watched.intersection(partitions):
            self._unchecked |= suspects
            self.woken.set()

    def clear(self, partitions: Iterable[int]) -> None:
        """Record that partitions were compared and have lost nothing."""
        self.lost = None
        self._unchecked -= set(partitions)
