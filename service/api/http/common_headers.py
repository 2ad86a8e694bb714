"""Headers that every response has: the request's id, the limits that it counted against, and `Vary`."""

from collections.abc import Awaitable, Callable, Hashable, Mapping
from typing import Any

from service.api.http.peers import Peer
from service.api.limits import RateLimiter, state_header
from service.runtime.current_operation import request_id

COUNTED = "turnstream.counted"
"""The ASGI extension with the limits that a request has counted against so far, each with its client."""

RawHeaders = list[tuple[bytes, bytes]]
Counted = list[tuple[RateLimiter, Hashable]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


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


def with_common_headers(send: Send, counted: Counted, *, varies: bool) -> Send:
    """Return `send` for an application that does not add the common headers itself."""

    async def send_with_headers(message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            own = list(message["headers"])
            named = {name.lower(): value for name, value in own}
            message = {**message, "headers": [*own, *common_headers(counted, varies=varies, own=named)]}
        await send(message)

    return send_with_headers
