"""How uvicorn speaks HTTP for us: its own protocol, with fewer system calls and less repetition.

What a system call costs is most of a short answer (see `bench/`), so its head and its body travel in one write. The
sockets are in `socket_protocol`.
"""

import asyncio
from collections import deque
from collections.abc import Mapping
from typing import Any, Protocol, cast

import httptools
import msgspec
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from service.api.callers.peers import IS_GONE, Peer
from service.api.http.responses import PROBLEM_JSON, head_lines
from service.api.server.coalescing_transport import Joined, joined_lines
from service.api.server.stalling import NEVER, Silence, Stall
from service.rooms.errors import problem
from service.telemetry import metrics

Headers = Mapping[bytes, bytes]

HEAD_BYTES = 64 * 1024
"""How much of a head is read while it has no end; what comes with one read may be more."""

PATIENCE = 20.0
"""Seconds in which a request has to come: its head, and then its body."""


class ShortWay(Protocol):
    """An application that answers some requests without the ceremony of ASGI."""

    def takes(self, url: bytes, headers: Headers) -> str | None:
        """Return what a POST with a body of known length is about, None for one that goes the ordinary way."""

    async def answer(self, about: str, headers: Headers, data: bytes, peer: Peer) -> tuple[int, bytes, bytes]:
        """Return the status, the lines of the head and the body of an answer. Raises nothing."""


class HttpProtocol(HttpToolsProtocol):
    """HTTP with the head and the body of an answer in one write, and with the application's short way.

    uvicorn is told of a request when its head is here and it takes the ordinary way.
    """

    cycle: "RequestResponseCycle | Exchange | None"  # type: ignore[assignment]  # uvicorn's begins as None, too
    timeout_keep_alive_task: asyncio.TimerHandle | Silence | None  # type: ignore[assignment]  # as much as uvicorn needs
    _way: ShortWay
    _joined: Joined
    _silence: Silence
    _stall: Stall
    _coming: "Exchange | None" = None
    """The request that takes the short way and is not here as a whole."""
    _size: int | None = 0
    """How much came of a head, a chunk or trailers since the read that began it; None where the length is known."""
    _declined: bytes = b""
    """The head of a request that offers to speak something else, without the offer."""
    _awaited: tuple[object, float] = (None, NEVER)
    """Behind which request the next one, or the rest of it, is awaited, and since when."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Take a connection."""
        self._way, self._joined, self._silence = cast("ShortWay", self.app), Joined(transport), Silence()
        self._stall = Stall(self._give_up)
        super().connection_made(cast("asyncio.Transport", self._joined))

    def data_received(self, data: bytes) -> None:
        """Read what has come."""
        waiting = self.timeout_keep_alive_task
        if waiting is not None:
            waiting.cancel()
            self.timeout_keep_alive_task = None
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade as upgrade:
            self._answer_offer(memoryview(data)[upgrade.args[0] :])
        except httptools.HttpParserError:
            self.send_400_response("This is no request of HTTP/1.1.")
        else:
            if self._size is not None:
                self._count(len(data))

    def _count(self, size: int) -> None:
        """Count what came of something that began with an earlier read, and refuse what has no end."""
        self._size = self._size + size if self._size else 1
        if self._size > HEAD_BYTES:
            self.send_400_response("The head of a request, or a part of its body, has no end.")

    def _answer_offer(self, rest: memoryview) -> None:
        """Begin a socket, or decline: then the request counts as if it had not offered anything (RFC 9110, 7.8)."""
        if self._declined:
            self.flow.pause_reading()
            self.loop.call_soon(self._read_on, self._declined, rest)
            self._declined = b""
        elif self._should_upgrade():
            self.handle_websocket_upgrade()

    def _read_on(self, *pieces: Any) -> None:
        for piece in pieces:
            if not self.transport.is_closing():
                self.flow.resume_reading()
                self.data_received(piece)

    def send_400_response(self, msg: str) -> None:
        """Refuse what can't be read, if nothing else is to be answered before it, and hang up."""
        if self._is_owed():
            body = msgspec.json.encode(problem("malformed", msg))
            always = joined_lines(self.server_state.default_headers)
            lines = head_lines(PROBLEM_JSON, len(body), [("connection", "close")])
            self.transport.write(b"".join((STATUS_LINE[400], always, lines, b"\r\n", body)))
        self.transport.close()

    def _is_owed(self) -> bool:
        """Tell whether the next answer on this connection would be taken for that to what comes now."""
        cycle = self.cycle
        if isinstance(cycle, RequestResponseCycle) and cycle.more_body:
            return not self.pipeline and not cycle.response_started
        return cycle is None or cycle.response_complete

    def on_message_begin(self) -> None:
        """Begin a request."""
        self.url, self.headers, self._size = b"", [], 0

    def on_header(self, name: bytes, value: bytes) -> None:
        """Keep a header."""
        self.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """Take the short way where there is one."""
        self._size = None
        coming = self._coming = self._short()
        if coming is not None:
            self.cycle = coming
        elif self._offers():
            self._declined = self._without_offer()
        else:
            self._take_the_ordinary_way(self.url, self.headers)

    def _offers(self) -> bool:
        """Tell whether a request would rather have something spoken that we don't speak, as `h2c`."""
        parser = self.parser
        return parser.should_upgrade() and parser.get_method() != b"CONNECT" and not self._should_upgrade()

    def _without_offer(self) -> bytes:
        kept = [b"%b: %b\r\n" % header for header in self.headers if header[0] != b"upgrade"]
        version = self.parser.get_http_version().encode()
        return b"%b %b HTTP/%b\r\n%b\r\n" % (self.parser.get_method(), self.url, version, b"".join(kept))

    def _take_the_ordinary_way(self, url: bytes, headers: list[tuple[bytes, bytes]]) -> None:
        super().on_message_begin()
        super().on_url(url)
        for name, value in headers:
            super().on_header(name, value)
        super().on_headers_complete()
        cast("dict[str, Any]", self.scope)["extensions"] = {IS_GONE: self._is_gone}

    def _is_gone(self) -> bool:
        """Return whether the peer has hung up."""
        return self.transport.is_closing()

    def _short(self) -> "Exchange | None":
        """Begin a plain POST, unless an earlier request on this connection is not answered yet."""
        parser, earlier = self.parser, self.cycle
        if parser.get_method() != b"POST" or parser.get_http_version() != "1.1" or parser.should_upgrade():
            return None
        if earlier is not None and not earlier.response_complete:
            return None
        headers = dict(self.headers)
        about = self._way.takes(self.url, headers)
        if about is None:
            return None
        peer = Peer({"client": self.client, "headers": self.headers}, self._is_gone)
        return Exchange(self, about, headers, parser.should_keep_alive(), peer)

    def on_chunk_header(self) -> None:
        """Begin a part of a body; what comes behind the last one are trailers, which are no headers."""
        self.headers, self._size = cast("list[tuple[bytes, bytes]]", deque(maxlen=0)), 0

    def on_body(self, body: bytes) -> None:
        """Keep a part of a body."""
        if self._coming is None:
            super().on_body(body)
        else:
            self._coming.body += body

    def on_message_complete(self) -> None:
        """Answer a request that took the short way: it is here as a whole."""
        if self._coming is None:
            if not self._declined:
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

    def hang_up_if_idle(self, kept: float) -> None:
        """Hang up if nothing has come for `kept` seconds, or for `PATIENCE` not the whole of a request."""
        now = self.loop.time()
        behind, since = self._awaited
        if not self._awaits():
            self._awaited = None, NEVER
        elif behind is not self.cycle or since > now:
            self._awaited = self.cycle, now
        elif since < now - PATIENCE:
            self.timeout_keep_alive_handler()
        if self._silence.since < now - kept:
            self.timeout_keep_alive_handler()

    def pause_writing(self) -> None:
        """Begin to count the time in which the peer does not take its answer."""
        self._stall.begin()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Go on with a peer that keeps up again."""
        self._stall.end()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """End what runs for a peer that is gone."""
        self._stall.end()
        super().connection_lost(exc)

    def _give_up(self) -> None:
        """Drop a connection whose peer does not read, with all that waits for it."""
        metrics.SLOW_CLOSES.inc()
        self.transport.abort()

    def _awaits(self) -> bool:
        """Tell whether the next thing to happen is that more comes."""
        cycle = self.cycle
        if self.pipeline:
            return False
        if cycle is None or cycle.response_complete or self._coming is not None:
            return True
        return isinstance(cycle, RequestResponseCycle) and cycle.more_body


class Exchange(msgspec.Struct):
    """A request and its answer by the short way, where uvicorn looks for its own: hence the names."""

    protocol: HttpProtocol
    about: str
    headers: Headers
    keep_alive: bool
    peer: Peer
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
            status, lines, body = await way.answer(self.about, self.headers, self.body, self.peer)
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
