"""Headers: those that every response has, HEAD for every GET route, and a complete `Allow`, also for a preflight."""

import re
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from typing import Any

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from service.api.http.peers import Peer
from service.api.limits import RateLimiter, state_header
from service.runtime.current_operation import request_id
from service.runtime.metrics import HTTP_REQUESTS

COUNTED = "turnstream.counted"
"""The ASGI extension with the limits that a request has counted against so far, each with its client."""

ROUTE = "turnstream.route"
"""The ASGI extension with the path of the route that answers a request, once that is known."""

STATUS_CLASSES = ("", "1xx", "2xx", "3xx", "4xx", "5xx")
KNOWN_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

RawHeaders = list[tuple[bytes, bytes]]
Counted = list[tuple[RateLimiter, Hashable]]
SendMessage = Callable[[dict[str, Any]], Awaitable[None]]
Record = Callable[[str, str, int], None]
"""Records a request by its route, its method and the status of its answer."""


def count(peer: Peer, limiter: RateLimiter, client: Hashable, weight: int = 1) -> None:
    """Count a request against a limit, which its response will name. Raises `ServiceError` with `rate_limited`."""
    limiter.take(client, weight)
    counted: Counted | None = (peer.scope.get("extensions") or {}).get(COUNTED)
    if counted is not None:  # a socket has none
        counted.append((limiter, client))


def limit_headers(counted: Counted) -> RawHeaders:
    """Return `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers), none without limits."""
    policies, states = [], []
    for limiter, client in counted:
        if limiter.is_limited:
            remaining, seconds = limiter.state(client)
            policies.append(limiter.policy)
            states.append(state_header(limiter.name, remaining, seconds))
    if not states:
        return []
    return [(b"ratelimit-policy", ", ".join(policies).encode()), (b"ratelimit", ", ".join(states).encode())]


def common_headers(counted: Counted, *, varies: bool, own: Mapping[bytes, bytes]) -> RawHeaders:
    """Return the headers that a response needs besides its own; `varies`: whether only some origins are allowed."""
    headers = [(b"x-request-id", request_id().encode())]
    if b"ratelimit" not in own:
        headers += limit_headers(counted)
    if varies and b"origin" not in own.get(b"vary", b"").lower():
        headers.append((b"vary", b"Origin"))
    return headers


def with_common_headers(
    scope: Mapping[str, Any], send: SendMessage, counted: Counted, record: Record | None, *, varies: bool
) -> SendMessage:
    """Return `send` for an application that does not add the common headers; it counts and records the answer."""

    async def send_with_headers(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            route, status = scope["extensions"].get(ROUTE, "other"), message["status"]
            method = scope["method"] if scope["method"] in KNOWN_METHODS else "other"
            HTTP_REQUESTS.count(route, method, STATUS_CLASSES[status // 100])
            if record is not None:
                record(route, method, status)
            own = list(message["headers"])
            named = {name.lower(): value for name, value in own}
            message = {**message, "headers": [*own, *common_headers(counted, varies=varies, own=named)]}
        await send(message)

    return send_with_headers


PARAMETER_TYPE = re.compile(r":[a-z]+\}")
"""The type of a path parameter."""

PARAMETER = re.compile(r"{\w+}")
ALWAYS = frozenset({"OPTIONS"})
METHOD_HEADERS = (b"allow", b"access-control-allow-methods")


def methods_by_path(routes: Sequence[Any]) -> dict[str, str]:
    """Return the `Allow` header of each path; Litestar names only the methods of the route registered first."""
    found: dict[str, set[str]] = {}
    for route in routes:
        if isinstance(route, HTTPRouteHandler):
            for path in route.paths:
                found.setdefault(PARAMETER_TYPE.sub("}", path), set(ALWAYS)).update(
                    str(method) for method in route.http_methods
                )
    return {path: allow_header(methods) for path, methods in found.items()}


def allow_header(methods: set[str]) -> str:
    """Return methods as an `Allow` header, with HEAD if there is GET."""
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))


def as_get(scope: Any) -> Any:
    """Return the scope of a HEAD request as that of a GET."""
    return {**scope, "method": "GET"}


class HeadAndOptions:
    """Middleware that answers HEAD as GET without the body, and completes `Allow` in answers to OPTIONS."""

    def __init__(self, app: ASGIApp, methods: Mapping[str, str]) -> None:
        """Wrap an application; `methods` is the `Allow` header of each path."""
        self._app = app
        self._methods = [(re.compile(PARAMETER.sub("[^/]+", path)), allowed) for path, allowed in methods.items()]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; a HEAD as a GET."""
        method = scope.get("method")  # a socket has none
        if method == "HEAD":
            head = HeadResponse(receive, send)
            await self._app(as_get(scope), head.receive, head.send)
        elif method != "OPTIONS":
            await self._app(scope, receive, send)
        elif (allowed := self._allowed(scope["path"])) is None:
            # a 404, without `Origin` so that CORS never lets a page of another origin read it
            await self._app(without(b"origin", as_get(scope)), receive, send)
        else:
            await self._app(scope, receive, with_allow(allowed.encode(), send))

    def _allowed(self, path: str) -> str | None:
        """Return the `Allow` header of a path, None where there is no route."""
        return next((allowed for pattern, allowed in self._methods if pattern.fullmatch(path)), None)


def with_allow(allowed: bytes, send: Send) -> Send:
    """Return `send` with these methods as `Allow`, and as what a preflight offers."""

    async def send_with_allow(message: Message) -> None:
        if message["type"] == "http.response.start":
            others = [header for header in message["headers"] if header[0].lower() not in METHOD_HEADERS]
            offers = [(name, allowed) for name, _ in message["headers"] if name.lower() == METHOD_HEADERS[1]]
            message = {**message, "headers": [*others, (METHOD_HEADERS[0], allowed), *offers]}
        await send(message)

    return send_with_allow


def without(header: bytes, scope: Any) -> Any:
    """Return a request without a header."""
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if name != header]}


class HeadResponse:
    """The response to one HEAD: the head of the response to GET, after which the client counts as disconnected."""

    def __init__(self, receive: Receive, send: Send) -> None:
        """Respond over these ASGI callables."""
        self._receive = receive
        self._send = send
        self._answered = False

    async def receive(self) -> Any:
        """Return the next message; after the response began, a disconnect."""
        return {"type": "http.disconnect"} if self._answered else await self._receive()

    async def send(self, message: Message) -> None:
        """Send the head without a body; this also ends a stream at once."""
        if message["type"] == "http.response.start":
            self._answered = True
            await self._send(message)
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
