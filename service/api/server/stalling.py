"""Timeouts for clients that do not read."""

import asyncio
from collections.abc import Callable

PATIENCE = 6.0
"""Seconds within which a client has to read enough that more can be written."""

LAST_WORDS = 3.0
"""Seconds after that within which it can read the close code."""


class Stall:
    """A timer that runs while a client does not keep up."""

    def __init__(self, give_up: Callable[[], object]) -> None:
        """Call `give_up` once the client has not kept up for `PATIENCE` seconds."""
        self._give_up = give_up
        self._timer: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Start the timer, unless it runs."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(PATIENCE, self._give_up)

    @property
    def has_begun(self) -> bool:
        """Whether the timer runs."""
        return self._timer is not None

    def end(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
