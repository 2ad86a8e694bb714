"""What is recorded of each request, if the operator wants it: a line of the access log, and a span.

Both name the route and not the address, which may contain the code of an invitation, and neither has a token.
"""

import time
from contextlib import suppress
from functools import partial

import structlog

from service.api.http.callers import Callers
from service.api.http.headers import Record
from service.api.http.requests import Headers
from service.runtime.current_operation import ACCESS_LOG, caller_trace, request_id
from service.runtime.tracing import TRACING, Attributes, Span, new_span_ids
from service.streams.errors import ServiceError

log = structlog.get_logger()

MONITORING = ("/health/", "/metrics")
"""Routes that proxies and Prometheus request all the time, which are not recorded."""


def recorder(callers: Callers, headers: Headers) -> Record | None:
    """Return what records a request that has just arrived, when its answer begins; None if nothing is recorded."""
    return partial(record, callers, headers, time.perf_counter()) if ACCESS_LOG.on or TRACING.on else None


def record(callers: Callers, headers: Headers, began: float, route: str, method: str, status: int) -> None:
    """Record a request whose answer begins now; it arrived at `began`, in seconds of `time.perf_counter`."""
    seconds = time.perf_counter() - began
    if route.startswith(MONITORING):
        return
    if ACCESS_LOG.on:
        facts = {"method": method, "route": route, "status": status, "ms": round(seconds * 1000, 2)}
        if b"authorization" in headers and status != 401:
            with suppress(ServiceError):
                facts["player"] = callers.of_header(headers[b"authorization"]).player.id
        log.info("request_answered", **facts)
    if TRACING.on:
        named: Attributes = {"http.request.method": method, "http.route": route, "request": request_id()}
        attributes, ended = {**named, "http.response.status_code": status}, time.time_ns()
        began_at = ended - int(seconds * 1e9)
        TRACING.record(Span(f"{method} {route}", new_span_ids(), caller_trace(), began_at, ended, attributes))
