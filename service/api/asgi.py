"""The ASGI entry point: what is refused before any route, sockets, and everything else, which Litestar answers."""

import re
from collections.abc import Awaitable, Callable
from typing import Any, cast

import msgspec
from litestar import Litestar

from service.api.http.context import AppContext
from service.api.http.headers import COUNTED, Counted, Record, with_common_headers, without
from service.api.http.peers import peer_of
from service.api.http.read_limits import ADMIN_PATH, UNLIMITED_PATHS
from service.api.http.request_records import recorder
from service.api.http.requests import Headers, accepts_gzip
from service.api.http.responses import PROBLEM_JSON, as_problem, respond
from service.api.server.socket_protocol import SOCKET
from service.api.websocket.endpoint import serve_socket
from service.runtime.current_operation import begin
from service.streams.errors import ServiceError

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

FEED_PATH = re.compile(r"/v1/rooms/([^/]+)/feed|/v1/feed")

SINGLE_HEADERS = (b"host", b"authorization", b"content-length", b"content-type", b"idempotency-key")
"""Headers that may be given only once."""

GUARDED_PATHS = (ADMIN_PATH, "/admin", *UNLIMITED_PATHS)
"""Paths that a proxy may block."""
GUARDED_RAW_PATHS = tuple(path.encode() for path in GUARDED_PATHS)


class EntryPoint:
    """An ASGI application that serves sockets itself and passes requests to Litestar."""

    def __init__(self, app: Litestar, context: AppContext) -> None:
        """Pass requests to `app`."""
        self._app = cast("Application", app)
        self.context = context
        self._varies = "*" not in context.origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer an ASGI request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        headers, peer = dict(scope["headers"]), peer_of(scope)
        begin(headers, peer.is_gone)
        record = recorder(self.context.callers, headers)
        counted: Counted = []
        if scope["type"] == "http":
            scope["extensions"] = {**(scope.get("extensions") or {}), COUNTED: counted}
        if scope["type"] == "http" and (header := headers.get(b"authorization")) is not None:
            await self.context.callers.prepare_header(header)
        if (refusal := self._refusal(scope, headers)) is not None:
            await self._refuse(refusal, scope, receive, send, record)
        elif scope["type"] == "websocket" and (followed := FEED_PATH.fullmatch(scope["path"])):
            await receive()
            await serve_socket(self.context, scope, followed[1])
        elif scope["type"] == "http":
            answer = with_common_headers(scope, send, counted, record, varies=self._varies)
            if scope["path"].startswith(ADMIN_PATH):
                scope = without(b"origin", scope)
            if not accepts_gzip(headers):  # Litestar finds the name in the header, whatever its weight is
                scope = without(b"accept-encoding", scope)
            await self._app(scope, receive, answer)
        else:
            await self._refuse(ServiceError("not_found"), scope, receive, send, record)

    def _refusal(self, scope: Scope, headers: Headers) -> ServiceError | None:
        """Return why a request is refused before any route sees it, None for nearly all."""
        if not (self.context.hosts.allow(headers.get(b"host", b"")) or scope["path"].startswith(UNLIMITED_PATHS)):
            return ServiceError("wrong_host")
        if (fault := fault_in_head(scope, headers)) is not None:
            return ServiceError("malformed", fault)
        if headers.get(b"content-encoding", b"identity").lower() != b"identity":
            return ServiceError("unsupported_media_type", "The body must be sent without Content-Encoding.")
        return None if is_plain_path(scope) else ServiceError("not_found")

    async def _refuse(
        self, refused: ServiceError, scope: Scope, receive: Receive, send: Send, record: Record | None
    ) -> None:
        refusal = as_problem(refused)
        if scope["type"] == "websocket":
            scope["extensions"][SOCKET].refuse(refusal)
            return
        answer = respond(msgspec.json.encode(refusal), refusal.status, media_type=PROBLEM_JSON)
        with_headers = with_common_headers(scope, send, [], record, varies=self._varies)
        await cast("Application", answer)(scope, receive, with_headers)


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
