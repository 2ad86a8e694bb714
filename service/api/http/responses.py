"""Responses: JSON, problems, and their headers."""

from typing import Any

import msgspec
import structlog
from litestar import Response
from litestar.exceptions import HTTPException
from litestar.response.base import ASGIResponse

from service.api.http.head_and_options import allow_header
from service.api.http.requests import HttpRequest
from service.domain.room.model.state import Room
from service.rooms.errors import Problem, problem, problem_of
from service.telemetry import metrics
from service.telemetry.current_operation import request_id

log = structlog.get_logger()

JSON = "application/json"
NDJSON = "application/x-ndjson"
PROBLEM_JSON = "application/problem+json"
LITESTAR_CODES = {400: "malformed", 404: "not_found", 405: "method_not_allowed", 413: "body_too_large"}
"""The codes of errors that Litestar raises, by status."""

HeaderList = list[tuple[str, str]]

PRIVATE = ("cache-control", "private, no-cache")
"""The header of nearly all responses: shared caches may not store them."""


def respond(body: bytes, status: int = 200, headers: HeaderList | None = None, media_type: str = JSON) -> ASGIResponse:
    """Return a response with this body, which shared caches may not store."""
    return ASGIResponse(
        body=body,
        status_code=status,
        media_type=media_type,
        headers=[PRIVATE, *(headers or [])],
    )


def respond_json(value: Any, status: int = 200, headers: HeaderList | None = None) -> ASGIResponse:
    """Return a response with a value as JSON."""
    return respond(msgspec.json.encode(value), status, headers)


def etag(room: Room) -> tuple[str, str]:
    """Return the `ETag` header of a room's state."""
    return ("etag", f'"{room.table.key.epoch}.{room.version}"')


def as_problem(failure: Exception) -> Problem:
    """Return the problem for an exception, and count it."""
    found = problem_of(failure) or problem_of_fault(failure)
    metrics.PROBLEMS.labels(found.code).inc()
    return found


def problem_of_fault(failure: Exception) -> Problem:
    """Return the problem for an error that Litestar raised, or for a bug, which is logged."""
    if isinstance(failure, HTTPException) and failure.status_code in LITESTAR_CODES:
        return problem(LITESTAR_CODES[failure.status_code])
    log.error("request_failed", exc_info=failure)
    return problem("internal", params={"request": request_id()})


def problem_headers(refusal: Problem) -> HeaderList:
    """Return the headers that belong to a problem."""
    headers = [("www-authenticate", "Bearer")] if refusal.status == 401 else []
    if refusal.retry_after is not None:
        headers.append(("retry-after", str(refusal.retry_after)))
    if refusal.code == "rate_limited" and refusal.params:
        limit, quota, seconds = (refusal.params[name] for name in ("limit", "quota", "seconds"))
        headers.append(("ratelimit-policy", f'"{limit}";q={quota};w={seconds}'))
        headers.append(("ratelimit", f'"{limit}";r=0;t={refusal.retry_after}'))
    return headers


def handle_exception(_request: HttpRequest, failure: Exception) -> Response[bytes]:
    """Return the response to an exception: a problem with its headers."""
    refusal = as_problem(failure)
    headers = {**dict([PRIVATE, *problem_headers(refusal)]), **(getattr(failure, "headers", None) or {})}
    named = headers.pop("Allow", None) or headers.pop("allow", None)
    if named is not None:
        headers["Allow"] = allow_header({method for method in named.split(", ") if method.isupper()})
    body = msgspec.json.encode(refusal)
    return Response(body, status_code=refusal.status, headers=headers, media_type=PROBLEM_JSON)
