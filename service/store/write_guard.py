"""Whether a process may write to its store: after comparing it, unless it has lost data, is unfit or is full."""

import asyncio
from collections.abc import Iterable
from enum import IntEnum

from service.store.contract import CounterDamaged, StoreLost, StoreUnavailable, StoreUnfit
from service.store.space.free_space import FreeSpace
from service.store.witness import Loss

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
