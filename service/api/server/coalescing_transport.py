"""A transport on which the head and the body of an answer go out in one piece, for each piece costs a system call."""

import asyncio
from typing import Any


class CoalescingTransport:
    """An asyncio transport that sends once in a turn of the loop, or when it is flushed."""

    def __init__(self, transport: asyncio.Transport) -> None:
        """Write to this transport."""
        self.direct = transport
        self.is_closing = transport.is_closing
        self._loop = asyncio.get_running_loop()
        self._waiting: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Send with what else is written in this turn."""
        if not self._waiting:
            self._loop.call_soon(self.flush)
        self._waiting.append(data)

    def flush(self) -> None:
        """Send what waits."""
        if self._waiting:
            data = b"".join(self._waiting)
            self._waiting.clear()
            self.direct.write(data)

    def close(self) -> None:
        """Send what waits, then close."""
        self.flush()
        self.direct.close()

    def __getattr__(self, name: str) -> Any:
        """Be the transport in everything else."""
        return getattr(self.direct, name)
