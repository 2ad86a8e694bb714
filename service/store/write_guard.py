"""Whether a process may write to its store: after it looked at it, unless the store has lost data or has no room."""

import asyncio
from collections.abc import Iterable

from service.store.contract import StoreLost, StoreUnavailable
from service.store.free_space import Space
from service.store.witness import Loss

NOT_CHECKED = "the connection to the store is new, and what the store has was not compared yet"


class Guard:
    """What `StoreWatch` found; every write asks it first. Without a watch it lets everything pass."""

    def __init__(self, partitions: Iterable[int] = (), space: Space | None = None) -> None:
        """Let no write pass to these partitions before they were compared, and none while there is no `space`."""
        self.space = space or Space()
        self._watched = frozenset(partitions)
        self._unchecked = set(self._watched)
        self.lost: Loss | None = None
        """What the store has lost."""
        self.unfit = ""
        """Why the store's settings don't do in production, empty where they do."""
        self.woken = asyncio.Event()
        """Set when a partition has to be compared."""

    def admit(self) -> None:
        """Raise `StoreLost` where the store has lost data, `StoreFull` where it has no room."""
        self.refuse_lost()
        self.space.refuse_if_full()

    def admit_to(self, partition: int) -> None:
        """Raise as `admit`, and `StoreUnavailable` where the partition was not compared."""
        self.admit()
        self.refuse_unchecked(partition)

    def refuse_lost(self) -> None:
        """Raise `StoreLost` where the store has lost data."""
        if self.lost is not None:
            raise StoreLost(str(self.lost))

    def refuse_unchecked(self, partition: int) -> None:
        """Raise `StoreUnavailable` where the partition was not compared."""
        if partition in self._unchecked:
            raise StoreUnavailable(NOT_CHECKED)

    def is_open(self, partition: int) -> bool:
        """Return whether a partition may be written to."""
        return self.lost is None and partition not in self._unchecked

    @property
    def all_checked(self) -> bool:
        """Whether every partition was compared since its connection was made."""
        return not self._unchecked

    def suspect(self, partitions: Iterable[int]) -> None:
        """Let no write pass to partitions whose connection has ended until they were compared again."""
        if suspects := self._watched.intersection(partitions):
            self._unchecked |= suspects
            self.woken.set()

    def clear(self, partitions: Iterable[int]) -> None:
        """Note that partitions were compared and have lost nothing."""
        self.lost = None
        self._unchecked -= set(partitions)
