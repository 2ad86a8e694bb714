"""Writes are refused while the store's disk is nearly full: with fsync always a write that fails ends the store.

What is refused is every write, the workers' pulse among them: so the time counts as an outage, and clocks are given it
back when there is room again.
"""

import time
from collections.abc import Callable
from pathlib import Path

from service.store.contract import StoreFull
from service.store.disk import is_full

LOOK_EVERY = 0.5
"""Seconds for which a look at the disk holds."""


class FreeSpace:
    """Knows whether the store has room for writes, where its folder can be seen from here."""

    def __init__(self, folder: Path | None = None, now: Callable[[], float] = time.monotonic) -> None:
        """Watch the disk of this folder; without one nothing is ever refused."""
        self._folder = folder
        self._now = now
        self._full = False
        self._look_at = 0.0

    def refuse_if_full(self) -> None:
        """Raise `StoreFull` while the store has no room. Costs a look at its disk now and then."""
        if self._folder is None:
            return
        if (now := self._now()) >= self._look_at:
            self._full, self._look_at = is_full(self._folder), now + LOOK_EVERY
        if self._full:
            raise StoreFull("the store's disk is full, or nearly so")
