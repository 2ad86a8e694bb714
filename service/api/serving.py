"""How uvicorn speaks for us: its own protocols, with fewer system calls and less repetition.

What a system call costs is most of a short answer and nearly all of a fan-out (see `bench/`), so the head and the body
of an answer travel in one write, and a frame for many sockets is put into its WebSocket form once.
"""

import asyncio
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, cast

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from service.api.draining import Doors

WRITE_FRAME = "turnstream.write_frame"
"""The ASGI extension by which a socket takes a ready-made frame."""

LEAVE = "turnstream.leave"
"""The ASGI extension by which a socket is asked to leave: a message of this type comes behind all that was received."""

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
        """Run the application with `WRITE_FRAME` and `LEAVE` among its extensions."""
        scope = cast("dict[str, Any]", self.scope)
        ours = {WRITE_FRAME: self.write_frame, LEAVE: self.leave}
        scope["extensions"] = {**(scope.get("extensions") or {}), **ours}
        await super().run_asgi()

    def leave(self) -> None:
        """Ask the application to end the conversation when it has answered all that has come."""
        self.queue.put_nowait(cast("Any", {"type": LEAVE}))

    def write_frame(self, frame: bytes) -> bool:
        """Write a whole unmasked frame if the socket is open and keeps up; else do nothing and tell so."""
        if self.disconnected or self.close_sent or not (self.handshake_complete and self.writable.is_set()):
            return False
        self.transport.write(frame)
        return True


class Server(uvicorn.Server):
    """A server that leaves in order: no newcomers, everyone asked to go on elsewhere, what runs finished, exit code 0.

    A second signal ends it at once.
    """

    def __init__(self, config: uvicorn.Config, doors: Doors, seconds: float) -> None:
        """Serve; leaving sends those who follow rooms away over this many seconds."""
        super().__init__(config)
        self._doors = doors
        self._seconds = seconds

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take SIGINT and SIGTERM as requests to leave."""
        before = [(number, signal.signal(number, self.handle_exit)) for number in (signal.SIGINT, signal.SIGTERM)]
        try:
            yield
        finally:
            for number, handler in before:
                signal.signal(number, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:  # noqa: ARG002 - a signal handler's signature
        """Leave; before the start is over there is nothing to do first, and a second request is in a hurry."""
        if not self.started:
            sys.exit(0)
        self.force_exit = self.should_exit
        self.should_exit = True
        self._doors.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, then send everyone away, then let uvicorn finish what runs."""
        for server in self.servers:
            server.close()
        await self._doors.send_away(self._seconds)
        await super().shutdown(sockets)
