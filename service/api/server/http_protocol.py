"""uvicorn's HTTP protocol with limits it lacks: on the time and size of a request, and on clients that do not read.

Only this file and `command_protocol` reach into uvicorn. It replaces the attributes `app` and `parser`, and `headers`
once a body has begun, asks `_should_upgrade()`, calls `_unset_keepalive_if_required()`, and reads `url`, `headers`,
`loop`, `tasks`, `client`, `transport` and `server_state`. The names of the callbacks
are those of asyncio and of httptools. Timeouts between requests, pipelining, `Expect` and the writing of answers are
uvicorn's own.
"""

import asyncio
import math
import socket
import struct
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, cast

import httptools
import msgspec
import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn.server import ServerState

from service.api.http.peers import ABORT, IS_GONE
from service.api.http.responses import PROBLEM_JSON
from service.api.server.transport import CoalescingTransport, Stall
from service.runtime import metrics
from service.runtime.current_operation import new_request_id
from service.streams.errors import problem

HEAD_BYTES = 64 * 1024
"""The largest head, chunk header or set of trailers that is read."""

PATIENCE = 20.0
"""Seconds in which a request has to arrive: its head, and then each part of its body."""

RESET_AT_ONCE = struct.pack("ii", 1, 0)
"""The socket option that makes the kernel reset a connection when it is closed."""

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]


class HttpProtocol(HttpToolsProtocol):
    """One HTTP connection."""

    _is_reading = False
    """Whether a request has begun to arrive and is not complete."""
    _pending = 0
    """The number of requests that have begun and are not yet answered."""
    _body_is_open = False
    """Whether the body of the latest request has not arrived completely."""
    _has_begun_answer = False
    """Whether a response was begun and not finished."""
    _bytes_without_progress = 0
    """How much was read since a head or a part of a body was last complete."""
    _declined = b""
    """The head of a request that offered another protocol, without the offer."""
    _waits_since = math.inf
    """Since when the server waits for the client, in seconds of the loop's clock; infinity while the client waits."""

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Begin as uvicorn does, with an `Exchange` around the application."""
        super().__init__(config, server_state, app_state, _loop)
        self._application = cast("Application", self.app)
        self.app = cast("Any", self._exchange)
        self.parser = cast("httptools.HttpRequestParser", Parser(self))
        self._stall = Stall(self._drop)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Wait for the first request."""
        self._coalescing = CoalescingTransport(transport)
        super().connection_made(cast("asyncio.Transport", self._coalescing))
        self.wait_for_client()
        self._timer = self.loop.call_later(PATIENCE, self._check_patience)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timers."""
        self.stop_timers()
        super().connection_lost(exc)
        self.app = cast("Any", self._application)

    def data_received(self, data: bytes) -> None:
        """Read what has arrived; refuse a head or a part of a body that is too large."""
        self._bytes_without_progress += len(data)
        super().data_received(data)
        if self._bytes_without_progress > HEAD_BYTES:
            self.refuse("The head of a request, or a part of its body, has no end.")

    def on_message_begin(self) -> None:
        """Record that a request begins."""
        self._is_reading = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        """Count a request. One that offers another protocol than WebSocket is parsed again without the offer."""
        self._bytes_without_progress = 0
        if self.parser.should_upgrade() and self.parser.get_method() != b"CONNECT" and not self._should_upgrade():
            self._declined = self._head_without_offer()
            return
        super().on_headers_complete()
        self._body_is_open = True
        self._pending += 1

    def on_chunk_header(self) -> None:
        """Keep trailers, which follow the last chunk, apart from the headers."""
        self.headers = []

    def on_body(self, body: bytes) -> None:
        """Record progress."""
        self._bytes_without_progress = 0
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Record that the request is complete."""
        self._is_reading = self._body_is_open = False
        if not self._declined:
            super().on_message_complete()

    def pause_writing(self) -> None:
        """Start the timer of a client that does not read."""
        self._stall.begin()
        super().pause_writing()

    def resume_writing(self) -> None:
        """Stop that timer."""
        self._stall.end()
        super().resume_writing()

    def take_declined(self) -> bytes:
        """Return and forget the head of a request without its declined offer; empty for a WebSocket."""
        declined, self._declined = self._declined, b""
        return declined

    def _head_without_offer(self) -> bytes:
        lines = header_lines([header for header in self.headers if header[0] != b"upgrade"])
        version = self.parser.get_http_version().encode()
        return b"%b %b HTTP/%b\r\n%b\r\n" % (self.parser.get_method(), self.url, version, lines)

    def refuse(self, detail: str) -> None:
        """Close the connection, after a 400 if the client would take the next response for one to what it sends now."""
        if self.transport.is_closing():
            return
        if self._is_next_answered():
            body = msgspec.json.encode(problem("malformed", detail))
            own = [("content-type", PROBLEM_JSON), ("content-length", str(len(body))), ("connection", "close")]
            own.append(("x-request-id", new_request_id()))
            headers = [*self.server_state.default_headers, *((name.encode(), value.encode()) for name, value in own)]
            self.transport.write(b"HTTP/1.1 400 Bad Request\r\n%b\r\n%b" % (header_lines(headers), body))
        self.transport.close()

    def _is_next_answered(self) -> bool:
        """Return whether the next response would answer what the client sends now."""
        if self._body_is_open:
            return self._pending == 1 and not self._has_begun_answer
        return self._pending == 0

    def stop_timers(self) -> None:
        """Stop all timers: the connection is lost, or becomes a WebSocket."""
        self._timer.cancel()
        self._stall.end()

    def wait_for_client(self) -> None:
        """Close the connection in `PATIENCE` seconds unless `serve_client` is called before."""
        self._waits_since = self.loop.time()

    def serve_client(self) -> None:
        """Stop waiting: the client has sent what was needed."""
        self._waits_since = math.inf

    def begin_answer(self) -> None:
        """Record that a response begins."""
        self._has_begun_answer = True

    def end_answer(self) -> None:
        """Send the rest of the response and wait for the next request, or for the rest of this one."""
        self._coalescing.flush()
        self._has_begun_answer = False
        self._pending -= 1
        if not self._pending:
            self.wait_for_client()

    async def _exchange(self, scope: Message, receive: Receive, send: Send) -> None:
        """Run the application for one request."""
        scope["extensions"] = {IS_GONE: self.transport.is_closing, ABORT: self._reset}
        self.serve_client()
        exchange = Exchange(self, receive, send)
        try:
            await self._application(scope, exchange.receive, exchange.send)
        finally:
            exchange.end()

    def _check_patience(self) -> None:
        """Close the connection of a client that is late; else check again when it could be."""
        left = self._waits_since + PATIENCE - self.loop.time()
        if left <= 0:
            self.transport.close()
        else:
            self._timer = self.loop.call_later(min(left, PATIENCE), self._check_patience)

    def _reset(self) -> None:
        """Reset the connection; the end of a response in HTTP/1.0 looks like that of a connection that is closed."""
        connection = self.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_AT_ONCE)
        self.transport.abort()

    def _drop(self) -> None:
        """Drop the connection of a client that does not read, with all unsent bytes."""
        metrics.SLOW_CLOSES.inc()
        self.transport.abort()


def header_lines(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return headers as they are sent."""
    return b"".join(map(b"%b: %b\r\n".__mod__, headers))


class Exchange:
    """Wraps `receive` and `send` of one request so that its connection knows which side waits for the other."""

    __slots__ = ("_connection", "_has_all", "_is_over", "_receive", "_send")

    def __init__(self, connection: HttpProtocol, receive: Receive, send: Send) -> None:
        """Wrap uvicorn's functions."""
        self._connection = connection
        self._receive = receive
        self._send = send
        self._has_all = False
        self._is_over = False

    async def receive(self) -> Message:
        """Return the next part of the body, or the message that the client disconnected."""
        if self._has_all or self._is_over:
            return await self._receive()
        self._connection.wait_for_client()
        message = await self._receive()
        self._has_all = not message.get("more_body", False)
        if not self._is_over:
            self._connection.serve_client()
        return message

    async def send(self, message: Message) -> None:
        """Send a part of the response."""
        if message["type"] == "http.response.start":
            self._connection.begin_answer()
        await self._send(message)
        if message["type"] == "http.response.body" and not message.get("more_body", False):
            self.end()

    def end(self) -> None:
        """Record that the response is complete, or that there will be none."""
        if not self._is_over:
            self._is_over = True
            self._connection.end_answer()


class Parser:
    """httptools' parser for uvicorn, which continues after an offer of another protocol than WebSocket, such as `h2c`.

    Such a request is answered as if it had offered nothing (RFC 9110, 7.8), and so are those after it.
    """

    def __init__(self, connection: HttpProtocol) -> None:
        """Parse for this connection."""
        self._connection = connection
        self._begin()

    def _begin(self) -> None:
        """Create a new parser: one that has found an offer parses nothing after it."""
        parser = httptools.HttpRequestParser(self._connection)
        parser.set_dangerous_leniencies(lenient_data_after_close=True)  # as uvicorn sets it
        self._feed = parser.feed_data
        self.should_upgrade = parser.should_upgrade
        self.should_keep_alive = parser.should_keep_alive
        self.get_http_version = parser.get_http_version
        self.get_method = parser.get_method

    def feed_data(self, data: bytes) -> None:
        """Parse. Raises `httptools.HttpParserUpgrade` for a WebSocket."""
        pieces = [memoryview(data)]
        while pieces:
            piece = pieces.pop()
            try:
                self._feed(piece)
            except httptools.HttpParserUpgrade as upgrade:
                declined = self._connection.take_declined()
                if not declined:
                    self._connection.stop_timers()
                    raise
                pieces += piece[upgrade.args[0] :], memoryview(declined)
                self._begin()
            except httptools.HttpParserError:
                self._connection.refuse("The request is not valid HTTP/1.1.")
                return
