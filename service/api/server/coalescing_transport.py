"""A transport that sends the head and the body of a response with one system call."""

import asyncio
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
