"""How uvicorn speaks for us: its own protocols, with fewer system calls and less repetition.

What a system call costs is most of a short answer and nearly all of a fan-out (see `bench/`), so the head and the body
of an answer travel in one write, and a frame for many sockets is put into its WebSocket form once.
"""

import asyncio
from collections.abc import Callable
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

WRITE_FRAME = "turnstream.write_frame"
"""The ASGI extension by which a socket takes a ready-made frame."""

WriteFrame = Callable[[bytes], bool]


class Joined:
    """A transport that sends what is written in one turn of the loop with one write."""

    def __init__(self, transport: asyncio.Transport) -> None:
        """Write through this transport."""
        self.direct = transport
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

    def _flush(self) -> None:
        if self._held:
            data = b"".join(self._held)
            self._held.clear()
            self.direct.write(data)

    def __getattr__(self, name: str) -> Any:
        """Be the transport in everything else."""
        return getattr(self.direct, name)


class HttpProtocol(HttpToolsProtocol):
    """HTTP with the head and the body of an answer in one write."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Take a connection."""
        super().connection_made(cast("asyncio.Transport", Joined(transport)))


class SocketProtocol(WebSocketsSansIOProtocol):
    """WebSocket that takes ready-made frames beside messages."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take over the connection that was upgraded, with writes that go out at once."""
        super().connection_made(getattr(transport, "direct", transport))

    async def run_asgi(self) -> None:
        """Run the application with `WRITE_FRAME` among its extensions."""
        scope = cast("dict[str, Any]", self.scope)
        scope["extensions"] = {**(scope.get("extensions") or {}), WRITE_FRAME: self.write_frame}
        await super().run_asgi()

    def write_frame(self, frame: bytes) -> bool:
        """Write a whole unmasked frame if the socket is open and keeps up; else do nothing and tell so."""
        if self.disconnected or self.close_sent or not (self.handshake_complete and self.writable.is_set()):
            return False
        self.transport.write(frame)
        return True
