"""Transports: a response's head and body in one system call, and timeouts for clients that do not read."""

import asyncio
from collections.abc import Callable
from typing import Any


class CoalescingTransport:
    """An asyncio transport that sends what was written in one iteration of the loop at its end, or when flushed."""

    def __init__(self, transport: asyncio.Transport) -> None:
        """Write to this transport."""
        self.direct = transport
        self.is_closing = transport.is_closing
        self._loop = asyncio.get_running_loop()
        self._waiting: list[bytes] = []
        self._flush_later: asyncio.Handle | None = None

    def write(self, data: bytes) -> None:
        """Send together with everything else written in this iteration."""
        if self._flush_later is None:
            self._flush_later = self._loop.call_soon(self.flush)
        self._waiting.append(data)

    def flush(self) -> None:
        """Send what was written, unless the connection is closed or lost."""
        if self._flush_later is not None:
            self._flush_later.cancel()
            self._flush_later = None
            data = b"".join(self._waiting)
            self._waiting.clear()
            if not self.is_closing():  # uvloop raises for a write after the connection was lost
                self.direct.write(data)

    def close(self) -> None:
        """Send what was written, then close."""
        self.flush()
        self.direct.close()

    def __getattr__(self, name: str) -> Any:
        """Pass everything else to the transport."""
        return getattr(self.direct, name)


PATIENCE = 6.0
"""Seconds within which a client has to read enough that more can be written."""

LAST_WORDS = 3.0
"""Seconds after that within which it can read the close code."""


class Stall:
    """A timer that runs while a client does not keep up."""

    def __init__(self, give_up: Callable[[], object]) -> None:
        """Call `give_up` once the client has not kept up for `PATIENCE` seconds."""
        self._give_up = give_up
        self.timer: asyncio.TimerHandle | None = None
        """None while the client keeps up."""

    def begin(self) -> None:
        """Start the timer, unless it runs."""
        if self.timer is None:
            self.timer = asyncio.get_running_loop().call_later(PATIENCE, self._give_up)

    def end(self) -> None:
        """Stop the timer."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None
