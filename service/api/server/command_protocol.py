"""Commands by POST, read and answered without ASGI, uvicorn's request cycle and Litestar's routing.

These cost as much as deciding, storing and broadcasting a move. A connection without an open request that receives a
plain command (`IncomingCommand.is_plain`) answers it here. Everything else goes to uvicorn unread and ends at the same
functions, so that each refusal of HTTP is made in one place.
"""

import asyncio
import re
from functools import lru_cache, partial
from http import HTTPStatus
from typing import Any

import httptools
import msgspec
import uvicorn
from uvicorn.server import ServerState

from service.api.http.commands import PostedCommand, execute_posted
from service.api.http.context import AppContext
from service.api.http.headers import COUNTED, STATUS_CLASSES, Counted, RawHeaders, common_headers
from service.api.http.peers import AllowedHosts, Peer
from service.api.http.read_limits import limit_authorization
from service.api.http.request_records import recorder
from service.api.http.requests import MAX_BODY_BYTES
from service.api.http.responses import JSON, PRIVATE, PROBLEM_JSON, as_problem, problem_headers
from service.api.http.tokens import GUEST_HEADERS
from service.api.server.http_protocol import HEAD_BYTES, HttpProtocol, header_lines
from service.runtime.current_operation import ACCESS_LOG, begin
from service.runtime.metrics import HTTP_REQUESTS
from service.runtime.tracing import TRACING

ROUTE = "/v1/rooms/{room}/commands"
ANSWERED = [(ROUTE, "POST", status) for status in STATUS_CLASSES]
"""The labels under which answers are counted, by the first digit of the status."""

BEGINNING = b"POST /v1/rooms/"
COMMAND_PATH = re.compile(rb"/v1/rooms/([^/%?#\x80-\xff]+)/commands")

SPECIAL_HEADERS = frozenset({b"transfer-encoding", b"expect", b"upgrade", b"content-encoding", b"origin"})
"""Headers of requests that are not plain."""

USED_ONCE = frozenset({b"idempotency-key", b"if-match", b"traceparent", b"x-request-id"})
"""Headers that differ from command to command, so that the same head does not come again."""

KNOWN_HEADS = LONGEST_KNOWN = 1024
"""How many heads of commands are kept, and how many bytes each of them can have."""

KnownHeads = dict[bytes, tuple[str, dict[bytes, bytes], int]]
"""Some heads of commands as they were parsed: by their bytes the room, the headers, and the length of the body."""

CONTENT = "{}: {}\r\ncontent-type: {}\r\ncontent-length: %d\r\n\r\n"
JSON_CONTENT, PROBLEM_CONTENT = (CONTENT.format(*PRIVATE, kind).encode() for kind in (JSON, PROBLEM_JSON))
default_lines = lru_cache(4)(header_lines)
"""The lines of uvicorn's own headers, which change once a second."""

STATUS_LINES = {status.value: b"HTTP/1.1 %d %b\r\n" % (status, status.phrase.encode()) for status in HTTPStatus}


class NotPlainError(Exception):
    """A request is for uvicorn."""


class IncomingCommand:
    """A request that begins like a command, as far as it has arrived. httptools calls the methods."""

    __slots__ = ("_hosts", "body", "headers", "is_complete", "messages", "names", "parser", "room", "url")

    def __init__(self, hosts: AllowedHosts) -> None:
        """Wait for a request to one of these hosts."""
        self._hosts = hosts
        self.parser = httptools.HttpRequestParser(self)
        self.expect()

    def expect(self) -> None:
        """Wait for the next request."""
        self.messages = self.names = 0
        self.url = self.body = b""
        self.room = ""
        self.headers: dict[bytes, bytes] = {}
        self.is_complete = False

    def on_message_begin(self) -> None:
        """Count a request. Raises `NotPlainError` for a second one: they are answered in their order."""
        self.messages += 1
        if self.messages > 1:
            raise NotPlainError

    def on_url(self, url: bytes) -> None:
        """Append a part of the target."""
        self.url += url

    def on_header(self, name: bytes, value: bytes) -> None:
        """Add a header."""
        self.names += 1
        self.headers[name.lower()] = value

    def on_headers_complete(self) -> None:
        """Note the room, and read no further unless the command is plain. Raises `NotPlainError`."""
        path = COMMAND_PATH.fullmatch(self.url)
        if path is None or not self.is_plain():
            raise NotPlainError
        self.room = path[1].decode("ascii")

    def on_body(self, body: bytes) -> None:
        """Append a part of the body."""
        self.body += body

    def on_message_complete(self) -> None:
        """Note that nothing is missing."""
        self.is_complete = True

    def is_plain(self) -> bool:
        """Return whether the head is that of a command with nothing to negotiate and a small body of known length."""
        headers = self.headers
        return (
            len(headers) == self.names
            and SPECIAL_HEADERS.isdisjoint(headers)
            and b"host" in headers
            and self._hosts.allow(headers[b"host"])
            and int(headers.get(b"content-length", b"0")) <= MAX_BODY_BYTES
            and self.parser.get_http_version() == "1.1"
            and self.parser.should_keep_alive()
        )


class CommandProtocol(HttpProtocol):
    """One HTTP connection; `HttpProtocol` handles all that is not a plain command."""

    _part = b""
    """What has arrived of a command that is not complete."""
    _next = b""
    """What has arrived while a command is executed."""
    _is_executing = False
    _is_last = False
    """Whether the connection is closed after the command that is executed."""

    def __init__(
        self,
        context: AppContext,
        heads: KnownHeads,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        """Serve the API of `context`, whose connections share `heads`; the rest is what uvicorn passes."""
        super().__init__(config, server_state, app_state, _loop)
        self._context, self._heads = context, heads
        self._varies = "*" not in context.origins
        self._incoming = IncomingCommand(context.hosts)

    def data_received(self, data: bytes) -> None:
        """Read a command, or leave what has arrived to uvicorn."""
        if self._is_executing:
            self._next += data
            if len(self._next) > HEAD_BYTES:
                self.transport.pause_reading()
        elif self._part or (
            data.startswith(BEGINNING) and not (self._is_reading or self._pending or self._stall.timer)
        ):
            self._read(data)
        else:
            super().data_received(data)

    def _read(self, data: bytes) -> None:
        """Read a part of a request that may be a plain command."""
        incoming = self._incoming
        if not self._part:
            self._unset_keepalive_if_required()  # uvicorn reads nothing of this request
            size = data.find(b"\r\n\r\n") + 4
            room, headers, length = self._heads.get(data[:size], ("", {}, -1))
            if len(data) - size == length:
                self._start(room, headers, data[size:])
                return
            self.wait_for_client()
        self._part += data
        try:
            incoming.parser.feed_data(data)
        except httptools.HttpParserError:
            self._give_up()
            return
        if incoming.is_complete:
            self._keep_head(incoming)
            self._part = b""
            self._start(incoming.room, incoming.headers, incoming.body)
            incoming.expect()
        elif len(self._part) > HEAD_BYTES + MAX_BODY_BYTES:
            self._give_up()

    def _keep_head(self, incoming: IncomingCommand) -> None:
        """Keep the head of a complete command: most clients send the same one again and again."""
        size = len(self._part) - len(incoming.body)
        if size <= LONGEST_KNOWN and USED_ONCE.isdisjoint(incoming.headers):
            if len(self._heads) >= KNOWN_HEADS:
                self._heads.clear()
            self._heads[self._part[:size]] = incoming.room, incoming.headers, len(incoming.body)

    def _start(self, room: str, headers: dict[bytes, bytes], body: bytes) -> None:
        """Execute a plain command that has arrived completely."""
        self._is_executing = True
        self.serve_client()
        self._task = self.loop.create_task(self._execute(room, headers, body))
        self.tasks.add(self._task)  # a shutdown waits for it

    def _give_up(self) -> None:
        """Leave to uvicorn what has arrived of a request."""
        part, self._part, self._incoming = self._part, b"", IncomingCommand(self._context.hosts)
        super().data_received(part)

    async def _execute(self, room: str, headers: dict[bytes, bytes], body: bytes) -> None:
        """Execute a plain command, answer it, and continue with what has arrived meanwhile."""
        begin(headers, self.transport.is_closing)
        counted: Counted = []
        scope = {"client": self.client, "headers": list(headers.items()), "extensions": {COUNTED: counted}}
        peer = Peer(scope, self.transport.is_closing)
        try:
            status, answer, own, content = await self._answer(room, PostedCommand(headers, body, peer))
        finally:
            self.tasks.discard(self._task)
        HTTP_REQUESTS.counts[ANSWERED[status // 100]] += 1
        own += common_headers(counted, varies=self._varies, own=dict(own))
        if self._is_last:
            own.append((b"connection", b"close"))
        if not self.transport.is_closing():
            lines = STATUS_LINES[status], default_lines((*self.server_state.default_headers,)), header_lines(own)
            self._coalescing.direct.write(b"".join((*lines, content % len(answer), answer)))
        self.server_state.total_requests += 1
        self._is_executing = False
        self._continue()

    async def _answer(self, room: str, sent: PostedCommand) -> tuple[int, bytes, RawHeaders, bytes]:
        """Execute a command, and return its answer: the status, the body, own headers, and the last ones."""
        context, status, content = self._context, 200, JSON_CONTENT
        header = sent.headers.get(b"authorization")
        try:
            if header is not None:
                if not header.startswith(GUEST_HEADERS):
                    await context.callers.prepare_header(header)
                limit_authorization(context, sent.peer, header)
            body, more = await execute_posted(context, room, sent)
        except Exception as failure:  # noqa: BLE001 - the edge: whatever it is becomes a problem, and faults are logged
            refusal = as_problem(failure)
            status, content = refusal.status, PROBLEM_CONTENT
            body, more = msgspec.json.encode(refusal), problem_headers(refusal)
        return status, body, [(name.encode("latin-1"), value.encode("latin-1")) for name, value in more], content

    def _continue(self) -> None:
        """Close the connection, or handle the bytes that arrived meanwhile."""
        if self._is_last or self.transport.is_closing():
            self.transport.close()
            return
        self.wait_for_client()
        if self._next:
            following, self._next = self._next, b""
            self.transport.resume_reading()
            self.data_received(following)

    def shutdown(self) -> None:
        """Close the connection, after the command that is executed."""
        if self._is_executing:
            self._is_last = True
        else:
            super().shutdown()


class RecordingProtocol(CommandProtocol):
    """A connection whose commands are recorded; a class of its own, so that others pay nothing for it."""

    async def _answer(self, room: str, sent: PostedCommand) -> tuple[int, bytes, RawHeaders, bytes]:
        """Execute a command, and record how it is answered."""
        record = recorder(self._context.callers, sent.headers)
        answer = await super()._answer(room, sent)
        if record is not None:
            record(ROUTE, "POST", answer[0])
        return answer


def command_protocol(context: AppContext) -> Any:
    """Return what makes the HTTP connections of the API of `context`, as uvicorn's `http` class."""
    return partial(RecordingProtocol if ACCESS_LOG.on or TRACING.on else CommandProtocol, context, {})
