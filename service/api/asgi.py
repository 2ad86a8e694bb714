"""The ASGI entry point: commands by POST and sockets bypass Litestar, everything else goes through it.

Litestar's share of a request (routing, request and response objects, middleware) costs as much as deciding, storing
and broadcasting a move (see `bench/`), so routes used for every move have a fast path. Both call the same functions.
A command with a query or from a browser page (`Origin`) goes through Litestar.
"""

import re
from collections.abc import Awaitable, Callable
from typing import Any, cast

import msgspec
from litestar import Litestar
from msgspec import structs

from service.api.callers.hosts import AllowedHosts
from service.api.callers.peers import peer_of
from service.api.context import AppContext
from service.api.http import commands
from service.api.http.commands import PostedCommand
from service.api.http.common_headers import COUNTED, Counted, common_headers, with_common_headers
from service.api.http.head_and_options import without
from service.api.http.operator_tokens import limit_authorization
from service.api.http.read_limits import ADMIN_PATH, UNLIMITED_PATHS
from service.api.http.requests import Headers, parse_media_range
from service.api.http.responses import JSON, PRIVATE, PROBLEM_JSON, as_problem, problem_headers, respond
from service.api.server.socket_protocol import SOCKET
from service.api.websocket.endpoint import serve_socket
from service.rooms.errors import ServiceError
from service.telemetry.current_operation import begin

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

COMMAND_PATH = re.compile(rb"/v1/rooms/([^/%]+)/commands")
FEED_PATH = re.compile(r"/v1/rooms/([^/]+)/feed|/v1/feed")

SINGLE_HEADERS = (b"host", b"authorization", b"content-length", b"content-type", b"idempotency-key")
"""Headers that may be given only once."""

GUARDED_PATHS = (ADMIN_PATH, "/admin", *UNLIMITED_PATHS)
"""Paths that a proxy may block."""
GUARDED_RAW_PATHS = tuple(path.encode() for path in GUARDED_PATHS)

SLOW_PATH_HEADERS = frozenset({b"origin", b"transfer-encoding"})
"""Headers of requests that the fast path does not handle."""

PRIVATE_RAW = (PRIVATE[0].encode(), PRIVATE[1].encode())


class FastPath:
    """An ASGI application that answers commands and sockets itself and passes everything else to Litestar."""

    def __init__(self, app: Litestar, context: AppContext, body_bytes: int) -> None:
        """Answer commands with bodies of up to `body_bytes`; pass everything else to `app`."""
        self._app = cast("Application", app)
        self.context = context
        self._body_bytes = body_bytes
        self._varies = "*" not in context.origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers, peer = dict(scope["headers"]), peer_of(scope)
        begin(headers, peer.is_gone)
        counted: Counted = []
        if scope["type"] == "http":
            scope["extensions"] = {**(scope.get("extensions") or {}), COUNTED: counted}
        if scope["type"] == "http" and (header := headers.get(b"authorization")) is not None:
            await self.context.callers.prepare_header(header)
        if (refusal := self._refusal(scope, headers)) is not None:
            await self._refuse(refusal, scope, receive, send)
        elif scope["type"] == "websocket" and (followed := FEED_PATH.fullmatch(scope["path"])):
            await receive()
            await serve_socket(self.context, scope, followed[1])
        elif scope["type"] == "http" and (asked := self._command(scope, headers)):
            await self._answer(asked, PostedCommand(headers, b"", peer), receive, send)
        elif scope["type"] == "http":
            answer = with_common_headers(send, counted, varies=self._varies)
            if scope["path"].startswith(ADMIN_PATH):
                scope = without(b"origin", scope)
            if is_gzip_refused(headers):
                scope = without(b"accept-encoding", scope)
            await self._app(scope, receive, answer)
        else:
            await self._refuse(ServiceError("not_found"), scope, receive, send)

    def _refusal(self, scope: Scope, headers: Headers) -> ServiceError | None:
        """Return why a request is refused before any route sees it, None for nearly all."""
        if not is_allowed_host(headers, scope["path"], self.context.hosts):
            return ServiceError("wrong_host")
        if (fault := fault_in_head(scope, headers)) is not None:
            return ServiceError("malformed", fault)
        if headers.get(b"content-encoding", b"identity").lower() != b"identity":
            return ServiceError("unsupported_media_type", "The body must be sent without Content-Encoding.")
        return None if is_plain_path(scope) else ServiceError("not_found")

    async def _refuse(self, refused: ServiceError, scope: Scope, receive: Receive, send: Send) -> None:
        refusal = as_problem(refused)
        if scope["type"] == "websocket":
            scope["extensions"][SOCKET].refuse(refusal)
            return
        answer = respond(msgspec.json.encode(refusal), refusal.status, media_type=PROBLEM_JSON)
        await cast("Application", answer)(scope, receive, with_common_headers(send, [], varies=self._varies))

    def _command(self, scope: Scope, headers: Headers) -> str | None:
        """Return the room's name if a POST is a plain command with a small body, None for any other request."""
        if scope["method"] != "POST" or scope["query_string"] or not SLOW_PATH_HEADERS.isdisjoint(headers):
            return None
        asked = COMMAND_PATH.fullmatch(scope["raw_path"])
        if asked is None or int(headers.get(b"content-length", b"0")) > self._body_bytes:
            return None
        return asked[1].decode("ascii")

    async def _answer(self, room: str, sent: PostedCommand, receive: Receive, send: Send) -> None:
        """Execute a plain command and send the response."""
        data = await body_of(receive)
        if data is None:
            return
        status, media_type = 200, JSON
        try:
            limit_authorization(self.context, sent.peer, sent.headers.get(b"authorization"))
            body, more = await commands.execute_posted(self.context, room, structs.replace(sent, data=data))
        except Exception as failure:  # noqa: BLE001 - the edge: whatever it is becomes a problem, and faults are logged
            refusal = as_problem(failure)
            status, media_type = refusal.status, PROBLEM_JSON
            body, more = msgspec.json.encode(refusal), problem_headers(refusal)
        headers = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in more]
        headers += [(b"content-type", media_type.encode()), (b"content-length", b"%d" % len(body)), PRIVATE_RAW]
        headers += common_headers(sent.peer.scope["extensions"][COUNTED], varies=self._varies, own=headers)
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})


async def body_of(receive: Receive) -> bytes | None:
    """Return the body of a request, None if the client disconnected before it was complete."""
    body: bytes = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return body


def is_gzip_refused(headers: Headers) -> bool:
    """Return whether a client accepts no gzip. Litestar finds the name in `Accept-Encoding`, whatever its weight is."""
    accepted = headers.get(b"accept-encoding", b"").decode("latin-1").lower()
    return "q=0" in accepted and dict(map(parse_media_range, accepted.split(","))).get("gzip") == 0


def fault_in_head(scope: Scope, headers: Headers) -> str | None:
    """Return what makes a request ambiguous for proxies and the service; None if nothing does."""
    if b"host" not in headers and scope["http_version"] != "1.0":
        return "The header Host is missing."
    if len(headers) < len(scope["headers"]):
        names = [name for name, _ in scope["headers"]]
        doubled = [name.decode() for name in SINGLE_HEADERS if names.count(name) > 1]
        if doubled:
            return f"The header {doubled[0].title()} is given more than once."
    return None


def is_plain_path(scope: Scope) -> bool:
    """Return whether a path has no doubled or encoded slash, and names a part that has its own rules in plain form.

    A proxy that blocks such a part compares the path as it was sent; so no slash follows it either.
    """
    raw, path = scope["raw_path"], scope["path"]
    if b"//" in raw or (b"%" in raw and b"%2f" in raw.lower()):
        return False
    if not path.startswith(GUARDED_PATHS):
        return True
    return raw.startswith(GUARDED_RAW_PATHS) and not raw.endswith(b"/")


def is_allowed_host(headers: Headers, path: str, hosts: AllowedHosts) -> bool:
    """Return whether the `Host` of a request is allowed; monitoring may use any."""
    return hosts.allow(headers.get(b"host", b"")) or path.startswith(UNLIMITED_PATHS)
