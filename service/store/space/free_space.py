"""Rejection of writes while the store's disk is nearly full: with fsync always, a failed write ends the server.

All writes are rejected, including the workers' heartbeats. So the time counts as an outage, and clocks get it back
later.
"""

import time
from collections.abc import Callable
from pathlib import Path

from service.store.contract import StoreFull
from service.store.space.disk import is_full

CHECK_INTERVAL = 0.5
"""Seconds between checks of the disk."""


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

    def require_space(self) -> None:
        """Raise `StoreFull` while the disk is full. Checks the disk every `CHECK_INTERVAL` seconds."""
        if self._folder is None:
            return
        if (now := self._now()) >= self._look_at:
            self._full, self._look_at = is_full(self._folder), now + CHECK_INTERVAL
        if self._full:
            raise StoreFull("the store's disk is full or nearly full")
