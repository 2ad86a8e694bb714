"""The ASGI entry point: commands by POST and sockets bypass Litestar, everything else goes through it.

Litestar's share of a request (routing, request and response objects, middleware) costs as much as deciding, storing
and broadcasting a move (see `bench/`), so routes used for every move have a fast path. Both call the same functions.
A command with a query or from a browser page (`Origin`) goes through Litestar.
"""

import re
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, cast

import msgspec
from litestar import Litestar

from service.api.callers.hosts import AllowedHosts
from service.api.callers.peers import Peer, peer_of
from service.api.context import AppContext
from service.api.http import commands
from service.api.http.commands import PostedCommand
from service.api.http.operator_tokens import limit_authorization
from service.api.http.read_limits import ADMIN_PATH, UNLIMITED_PATHS
from service.api.http.requests import Headers
from service.api.http.responses import JSON, PROBLEM_JSON, as_problem, head_lines, problem_headers, respond
from service.api.websocket.endpoint import serve_socket
from service.rooms.errors import ServiceError
from service.telemetry.current_operation import begin

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

COMMAND_PATH = re.compile(rb"/v1/rooms/([^/%?#]+)/commands")
FEED_PATH = re.compile(r"/v1/rooms/([^/]+)/feed|/v1/feed")

SLOW_PATH_HEADERS = frozenset({b"origin", b"transfer-encoding", b"expect"})
"""Headers of requests that the fast path does not handle."""


class FastPath:
    """An ASGI application that answers commands and sockets itself and passes everything else to Litestar."""

    def __init__(self, app: Litestar, context: AppContext, body_bytes: int) -> None:
        """Answer commands with bodies of up to `body_bytes`; leave everything else to `app`."""
        self._app = cast("Application", app)
        self.context = context
        self._body_bytes = body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI request."""
        if scope["type"] != "lifespan":
            begin(dict(scope["headers"]), peer_of(scope).is_gone)
            if not is_allowed_host(scope["headers"], scope["path"], self.context.hosts):
                await self._misdirected(scope, receive, send)
                return
        if scope["type"] == "websocket" and (followed := FEED_PATH.fullmatch(scope["path"])):
            await receive()
            await serve_socket(self.context, scope, followed[1])
            return
        if scope["type"] == "http" and scope["path"].startswith(ADMIN_PATH):
            scope = without_origin(scope)
        await self._app(scope, receive, send)

    async def _misdirected(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "wrong host"})
            return
        refusal = as_problem(ServiceError("wrong_host"))
        answer = respond(msgspec.json.encode(refusal), refusal.status, media_type=PROBLEM_JSON)
        await cast("Application", answer)(scope, receive, send)

    def takes(self, url: bytes, headers: Headers) -> str | None:
        """Return the room's name if a POST is a plain command with a small body, None for any other request."""
        asked = COMMAND_PATH.fullmatch(url)
        if asked is None or not SLOW_PATH_HEADERS.isdisjoint(headers):
            return None
        if int(headers.get(b"content-length", b"0")) > self._body_bytes:
            return None
        if not self.context.hosts.allow(headers.get(b"host", b"")):
            return None
        return asked[1].decode("ascii")

    async def answer(self, room: str, headers: Headers, data: bytes, peer: Peer) -> tuple[int, bytes, bytes]:
        """Execute a plain command and return the status, header lines and body of the response."""
        begin(headers, peer.is_gone)
        status, media_type = 200, JSON
        try:
            limit_authorization(self.context, peer, headers.get(b"authorization"))
            body, more = await commands.execute_posted(self.context, room, PostedCommand(headers, data, peer))
        except Exception as failure:  # noqa: BLE001 - the edge: whatever it is becomes a problem, and faults are logged
            refusal = as_problem(failure)
            status, media_type = refusal.status, PROBLEM_JSON
            body, more = msgspec.json.encode(refusal), problem_headers(refusal)
        return status, head_lines(media_type, len(body), more), body


def is_allowed_host(headers: Iterable[tuple[bytes, bytes]], path: str, hosts: AllowedHosts) -> bool:
    """Return whether the `Host` of a request is allowed; monitoring may use any."""
    host = next((value for name, value in headers if name == b"host"), b"")
    return hosts.allow(host) or path.startswith(UNLIMITED_PATHS)


def without_origin(scope: Scope) -> Scope:
    """Return a request without `Origin`, so that CORS never lets a page of another origin read the answer."""
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if name != b"origin"]}
