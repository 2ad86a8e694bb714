"""Whether a process may write to its store: after comparing it, unless the store has lost data or is full."""

import asyncio
from collections.abc import Iterable
from enum import IntEnum

from service.store.contract import StoreLost, StoreUnavailable
from service.store.space.free_space import FreeSpace
from service.store.witness.witness import Loss

NOT_CHECKED = "the connection to the store is new, and its data have not yet been compared with the witness"


class Requires(IntEnum):
    """What a command requires of the store; each value includes the ones before it."""

    NOTHING = 0
    """It only reads."""
    SPACE = 1
    """It writes, so the disk must not be full."""
    NO_LOSS = 2
    """It writes to the rooms' history, so the store must not have lost data."""
    COMPARED = 3
    """Its partition must have been compared with the witness since its connection was made."""


class WriteGuard:
    """What `StoreWatch` found; every command is checked by `admit` before it is sent. Without a watch all pass."""

    def __init__(self, partitions: Iterable[int] = (), space: FreeSpace | None = None) -> None:
        """Admit no write to these partitions before they were compared, and none without free `space`."""
        self.space = space or FreeSpace()
        self._watched = frozenset(partitions)
        self._unchecked = set(self._watched)
        self.lost: Loss | None = None
        """What the store has lost; None if nothing is known to be lost."""
        self.unfit = ""
        """Why the store's settings are not acceptable in production; empty if they are."""
        self.woken = asyncio.Event()
        """Set when partitions have to be compared."""

    def admit(self, requires: Requires, partition: int) -> None:
        """Raise `StoreLost`, `StoreFull` or `StoreUnavailable` unless a partition has what a command requires."""
        if requires >= Requires.NO_LOSS and self.lost is not None:
            raise StoreLost(str(self.lost))
        if requires >= Requires.SPACE and self.space.is_watched:
            self.space.require_space()
        if requires >= Requires.COMPARED and partition in self._unchecked:
            raise StoreUnavailable(NOT_CHECKED)

    def is_open(self, partition: int) -> bool:
        """Return whether a partition may be written to."""
        return self.lost is None and partition not in self._unchecked

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
