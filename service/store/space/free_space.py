"""Rejection of writes while the store's disk is nearly full, and of new rooms while its memory is short.

With fsync always, a failed write ends the server, so at a full disk all writes are rejected, including the workers'
heartbeats: the time counts as an outage, and clocks get it back later. Memory is measured by the servers themselves,
which refuse every write at their limit; new rooms are rejected before that, so that the open ones can go on.
"""

import time
from collections.abc import Callable, Iterable
from pathlib import Path

from service.store.admin_types import StoreNode
from service.store.contract import StoreFull
from service.store.space.disk import is_full

CHECK_INTERVAL = 0.5
"""Seconds between checks of the disk."""

MEMORY_FOR_ROOMS = 0.85
"""The share of a server's memory limit up to which rooms are opened; the rest is for the moves in open rooms."""


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
