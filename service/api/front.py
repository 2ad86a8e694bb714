"""The way in: commands by POST and sockets go straight to their handlers, everything else through Litestar.

Litestar's own part of a request (routing, its request and response objects, the stack between) costs as much as
judging, storing and telling a move (see `bench/`), so the routes that are busy at every move have this shorter way.
Both ways lead to the same functions; a command with a query or from a browser's page (`Origin`) takes the long one.
"""

import re
from collections.abc import Awaitable, Callable
from typing import Any, cast

import msgspec
from litestar import Litestar

from service.api import commanding
from service.api.answers import JSON, PROBLEM_JSON, Pairs, as_problem, problem_headers
from service.api.hosts import Hosts
from service.api.house import House
from service.api.sockets import converse
from service.rooms.problems import Refused
from service.telemetry.doing import begin

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

COMMANDS = re.compile(r"/v1/rooms/([^/]+)/commands")
FEED = re.compile(r"/v1/rooms/([^/]+)/feed|/v1/feed")

ADMIN = "/v1/admin"
WATCHED = ("/health/", "/metrics")


class Front:
    """An ASGI application in front of another."""

    def __init__(self, app: Litestar, house: House, body_bytes: int) -> None:
        """Answer commands for this house, with bodies of up to `body_bytes`; leave all else to `app`."""
        self._app = cast("Callable[[Scope, Receive, Send], Awaitable[None]]", app)
        self.house = house
        self._body_bytes = body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Take the short way for a plain command and for a socket."""
        if scope["type"] != "lifespan":
            begin(scope["headers"])
            if not self.house.hosts.all and not is_called_rightly(scope, self.house.hosts):
                await self._misdirected(scope, send)
                return
        if scope["type"] == "http" and scope["method"] == "POST" and not scope["query_string"]:
            asked = COMMANDS.fullmatch(scope["path"])
            headers = dict(scope["headers"])
            if asked is not None and b"origin" not in headers:
                await self._command(asked[1], headers, receive, send)
                return
        if scope["type"] == "websocket" and (followed := FEED.fullmatch(scope["path"])):
            await receive()
            await converse(self.house, scope, followed[1], receive, send)
            return
        if scope["type"] == "http" and scope["path"].startswith(ADMIN):
            scope = without_origin(scope)
        await self._app(scope, receive, send)

    async def _misdirected(self, scope: Scope, send: Send) -> None:
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": "wrong host"})
            return
        body = msgspec.json.encode(as_problem(Refused("wrong_host")))
        await send({"type": "http.response.start", "status": 400, "headers": encoded(body, PROBLEM_JSON, [])})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    async def _command(self, room: str, headers: dict[bytes, bytes], receive: Receive, send: Send) -> None:
        status, media_type = 200, JSON
        try:
            data = await self._body(receive)
            body, more = await commanding.commanded(self.house, room, headers, data, dry_run=False)
        except Exception as failure:  # noqa: BLE001 - the edge: whatever it is becomes a problem, and faults are logged
            refusal = as_problem(failure)
            status, media_type = refusal.status, PROBLEM_JSON
            body, more = msgspec.json.encode(refusal), problem_headers(refusal)
        await send({"type": "http.response.start", "status": status, "headers": encoded(body, media_type, more)})
        await send({"type": "http.response.body", "body": body, "more_body": False})

    async def _body(self, receive: Receive) -> bytes:
        parts: list[bytes] = []
        size, more = 0, True
        while more:
            message = await receive()
            if message["type"] != "http.request":
                break
            parts.append(message["body"])
            size += len(parts[-1])
            more = message["more_body"]
            if size > self._body_bytes:
                raise Refused("body_too_large")
        return b"".join(parts)


def is_called_rightly(scope: Scope, hosts: Hosts) -> bool:
    """Tell whether a request names one of our hosts; who watches over us may call us as they like."""
    host = next((value for name, value in scope["headers"] if name == b"host"), b"")
    return hosts.allow(host) or scope["path"].startswith(WATCHED)


def without_origin(scope: Scope) -> Scope:
    """Return a request as if no page had sent it: no page of another origin gets leave to read the answer."""
    return {**scope, "headers": [(name, value) for name, value in scope["headers"] if name != b"origin"]}


def encoded(body: bytes, media_type: str, more: Pairs) -> list[tuple[bytes, bytes]]:
    """Return the headers of an answer as they are sent."""
    return [
        (b"content-type", media_type.encode()),
        (b"content-length", b"%d" % len(body)),
        (b"cache-control", b"private, no-cache"),
        *((name.encode(), value.encode()) for name, value in more),
    ]
