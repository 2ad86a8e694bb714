"""What goes out together: the writes of one turn of the loop, and the lines that stand in every head."""

import asyncio
from typing import Any

from service.domain.caching import Memo


class Joined:
    """A transport that sends what is written in one turn of the loop with one write."""

    def __init__(self, transport: asyncio.Transport) -> None:
        """Write through this transport."""
        self.direct = transport
        self.is_closing = transport.is_closing
        self._loop = asyncio.get_running_loop()
        self._held: list[bytes] = []

    def write(self, data: bytes) -> None:
        """Hold the data until the end of this turn."""
        if not self._held:
            self._loop.call_soon(self._flush)
        self._held.append(data)

    def close(self) -> None:
        """Send what is held, then close."""
        self._flush()
        self.direct.close()

    def write_now(self, data: bytes) -> None:
        """Send what is held, then the data."""
        self._flush()
        self.direct.write(data)

    def _flush(self) -> None:
        if self._held:
            data = b"".join(self._held)
            self._held.clear()
            self.direct.write(data)

    def __getattr__(self, name: str) -> Any:
        """Be the transport in everything else."""
        return getattr(self.direct, name)


joined_lines = Memo[list[tuple[bytes, bytes]], bytes](
    lambda headers: b"".join([b"%b: %b\r\n" % header for header in headers]), size=4
)
"""The lines that stand in every head; uvicorn lists them anew each second."""
