"""HEAD wherever there is GET, and an `Allow` that names every method of an address."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp, Message, Receive, Scope, Send

PARAMETER_TYPE = re.compile(r":[a-z]+\}")
"""The type of a parameter in an address, which Litestar leaves out of the address that it names."""

ALWAYS = frozenset({"OPTIONS"})


def methods_by_path(routes: Sequence[Any]) -> dict[str, str]:
    """Return the methods of each address as `Allow` names them; Litestar names only those that it met first."""
    found: dict[str, set[str]] = {}
    for route in routes:
        if isinstance(route, HTTPRouteHandler):
            for path in route.paths:
                found.setdefault(PARAMETER_TYPE.sub("}", path), set(ALWAYS)).update(
                    str(method) for method in route.http_methods
                )
    return {path: allow_header(methods) for path, methods in found.items()}


def allow_header(methods: set[str]) -> str:
    """Return methods as a header names them, HEAD beside every GET."""
    return ", ".join(sorted(methods | ({"HEAD"} if "GET" in methods else set())))


def as_get(scope: Any) -> Any:
    """Return the scope of a HEAD as that of a GET."""
    return {**scope, "method": "GET"}


class HeadAndOptions:
    """Answers HEAD as the GET without its body, and mends what is told of the methods of an address."""

    def __init__(self, app: ASGIApp, methods: Mapping[str, str]) -> None:
        """Stand before an application with these methods by address."""
        self._app = app
        self._methods = methods

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass everything on; a HEAD as a GET."""
        method = scope.get("method")  # a socket has none
        if method == "HEAD":
            head = HeadResponse(receive, send)
            await self._app(as_get(scope), head.receive, head.send)
        elif method == "OPTIONS":
            await self._app(scope, receive, self._mended(scope, send))
        else:
            await self._app(scope, receive, send)

    def _mended(self, scope: Any, send: Send) -> Send:
        async def mended(message: Message) -> None:
            allowed = self._methods.get(scope.get("path_template") or scope["path"])
            if message["type"] == "http.response.start" and allowed is not None:
                kept = [(name, value) for name, value in message["headers"] if name.lower() != b"allow"]
                message = {**message, "headers": [*kept, (b"allow", allowed.encode())]}
            await send(message)

        return mended


class HeadResponse:
    """One HEAD: what was answered to the GET up to its body, after which nobody is listening any more."""

    def __init__(self, receive: Receive, send: Send) -> None:
        """Answer over these."""
        self._receive = receive
        self._send = send
        self._answered = False

    async def receive(self) -> Any:
        """Return what comes in, the end of the connection once there is an answer."""
        return {"type": "http.disconnect"} if self._answered else await self._receive()

    async def send(self, message: Message) -> None:
        """Send the head, and no body; a stream that never ends is left at once."""
        if message["type"] == "http.response.start":
            self._answered = True
            await self._send(message)
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})
