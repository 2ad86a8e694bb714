"""Peers that do not read, and peers that do not write: since when, and how long they may."""

import asyncio
import math
from collections.abc import Callable

import msgspec

NEVER = math.inf
"""A moment of the loop's clock."""

PATIENCE = 6.0
"""Seconds in which a peer has to take so much of what waits for it that more can be written."""

LAST_WORDS = 3.0
"""Seconds after that for a peer to read why its connection ends."""


class Silence(msgspec.Struct):
    """Since when a connection waits for the next request: in the place of a timer, which costs more than to look."""

    since: float = NEVER

    def cancel(self) -> None:
        """Hear that a request comes."""
        self.since = NEVER


class Stall:
    """A timer that runs while a peer does not keep up."""

    def __init__(self, give_up: Callable[[], object]) -> None:
        """Call `give_up` once the peer has not kept up for `PATIENCE` seconds."""
        self._give_up = give_up
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Start the timer, unless it runs."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PATIENCE, self._give_up)

    def end(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
