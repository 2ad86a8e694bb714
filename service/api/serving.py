"""How uvicorn speaks HTTP for us: its own protocol, with fewer system calls and less repetition.

What a system call costs is most of a short answer (see `bench/`), so its head and its body travel in one write. The
sockets are in `socket_protocol`.
"""

import asyncio
import math
import signal
import socket
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, Protocol, cast

import msgspec
import uvicorn
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from service.api.draining import Doors
from service.rooms.memo import Memo

Headers = Mapping[bytes, bytes]

TICKS = 10
"""How many of uvicorn's ticks are about a second."""


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


class ShortWay(Protocol):
    """An application that answers some requests without the ceremony of ASGI."""

    def takes(self, url: bytes, headers: Headers) -> str | None:
        """Return what a POST with a body of known length is about, None for one that goes the ordinary way."""

    async def answer(self, about: str, headers: Headers, data: bytes) -> tuple[int, bytes, bytes]:
        """Return the status, the lines of the head and the body of an answer. Raises nothing."""


class Silence(msgspec.Struct):
    """Since when a connection waits for the next request: in the place of a timer, which costs more than to look."""

    since: float = math.inf

    def cancel(self) -> None:
        """Hear that a request comes."""
        self.since = math.inf


class HttpProtocol(HttpToolsProtocol):
    """HTTP with the head and the body of an answer in one write, and with the application's short way.

    uvicorn is told of a request when its head is here and it takes the ordinary way.
    """

    cycle: "RequestResponseCycle | Exchange | None"  # type: ignore[assignment]  # uvicorn's begins as None, too
    timeout_keep_alive_task: asyncio.TimerHandle | Silence | None  # type: ignore[assignment]  # as much as uvicorn needs
    _way: ShortWay
    _joined: Joined
    _silence: Silence
    _coming: "Exchange | None" = None
    """The request that takes the short way and is not here as a whole."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Take a connection."""
        self._way, self._joined, self._silence = cast("ShortWay", self.app), Joined(transport), Silence()
        super().connection_made(cast("asyncio.Transport", self._joined))

    def on_message_begin(self) -> None:
        """Begin a request."""
        self.url, self.headers = b"", []

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header."""
        self.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Take the short way where there is one."""
        self._coming = self._short()
        if self._coming is None:
            self._take_the_ordinary_way(self.url, self.headers)
        else:
            self.cycle = self._coming

    def _take_the_ordinary_way(self, url: bytes, headers: list[tuple[bytes, bytes]]) -> None:
        super().on_message_begin()
        super().on_url(url)
        for name, value in headers:
            super().on_header(name, value)
        super().on_headers_complete()

    def _short(self) -> "Exchange | None":
        """Begin a plain POST, unless an earlier request on this connection is not answered yet."""
        parser, earlier = self.parser, self.cycle
        if parser.get_method() != b"POST" or parser.get_http_version() != "1.1" or parser.should_upgrade():
            return None
        if earlier is not None and not earlier.response_complete:
            return None
        headers = dict(self.headers)
        about = self._way.takes(self.url, headers)
        return None if about is None else Exchange(self, about, headers, parser.should_keep_alive())

    def on_body(self, body: bytes) -> None:
        """Keep a part of a body."""
        if self._coming is None:
            super().on_body(body)
        else:
            self._coming.body += body

    def on_message_complete(self) -> None:
        """Answer a request that took the short way: it is here as a whole."""
        if self._coming is None:
            super().on_message_complete()
            return
        task = self.loop.create_task(self._coming.run(self._way, self._joined))
        self._coming = None
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def go_on(self) -> None:
        """Begin what came meanwhile, or wait for a request."""
        if self.pipeline:
            self.on_response_complete()
        else:
            self.server_state.total_requests += 1
            self._silence.since = self.loop.time()
            self.timeout_keep_alive_task = self._silence

    def hang_up_if_silent(self, since: float) -> None:
        """Hang up if nothing has come since a moment of the loop's clock."""
        if self._silence.since < since:
            self.timeout_keep_alive_handler()


class Exchange(msgspec.Struct):
    """A request and its answer by the short way, where uvicorn looks for its own: hence the names."""

    protocol: HttpProtocol
    about: str
    headers: Headers
    keep_alive: bool
    body: bytes = b""
    response_complete: bool = False
    disconnected: bool = False

    @property
    def message_event(self) -> "Exchange":
        """What is set when the peer is gone."""
        return self

    def set(self) -> None:
        """Hear that the peer is gone; nobody waits for that here."""

    async def run(self, way: ShortWay, transport: Joined) -> None:
        """Answer, unless the peer is gone by then."""
        protocol = self.protocol
        try:
            status, lines, body = await way.answer(self.about, self.headers, self.body)
            if protocol.flow.write_paused and not self.disconnected:
                await protocol.flow.drain()
        except BaseException:
            transport.close()
            raise
        if not self.disconnected:
            always = joined_lines(protocol.server_state.default_headers)
            end = b"\r\n" if self.keep_alive else b"connection: close\r\n\r\n"
            transport.write_now(b"".join((STATUS_LINE[status], always, lines, end, body)))
        self.response_complete = True
        if not self.keep_alive:
            transport.close()
        protocol.go_on()


joined_lines = Memo[list[tuple[bytes, bytes]], bytes](
    lambda headers: b"".join([b"%b: %b\r\n" % header for header in headers]), size=4
)
"""The lines that stand in every head; uvicorn lists them anew each second."""


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

    async def on_tick(self, counter: int) -> bool:
        """Hang up on connections that are silent for too long, about once a second; uvicorn looks after the rest."""
        if counter % TICKS == 0:
            since = asyncio.get_running_loop().time() - self.config.timeout_keep_alive
            for connection in list(self.server_state.connections):
                if isinstance(connection, HttpProtocol):
                    connection.hang_up_if_silent(since)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop listening, then send everyone away, then let uvicorn finish what runs."""
        for server in self.servers:
            server.close()
        await self._doors.send_away(self._seconds)
        await super().shutdown(sockets)
