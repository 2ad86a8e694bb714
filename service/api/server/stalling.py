"""Clients that do not read: how long they may leave what waits for them."""

import asyncio
from collections.abc import Callable

PATIENCE = 6.0
"""Seconds in which a client has to read so much of what waits for it that more can be written."""

LAST_WORDS = 3.0
"""Seconds after that for it to read why its connection ends."""


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

    def end(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
