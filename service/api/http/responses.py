"""Responses: JSON, problems, and their headers."""

import asyncio
import gzip
import hashlib
from collections.abc import Callable, Collection
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import msgspec
import structlog
from litestar import Response
from litestar.exceptions import HTTPException, MethodNotAllowedException
from litestar.response.base import ASGIResponse
from msgspec.structs import replace

from service.api.http.headers import allow_header
from service.api.http.parameters import HttpRequest
from service.api.http.requests import Headers, accepts_gzip, headers_of, names_tag, negotiate, parse_media_range
from service.api.limits import policy_header, state_header
from service.domain.ids import rfc3339
from service.domain.presentation import ENGLISH, LANGUAGES, Language
from service.domain.room.model.state import Room
from service.runtime import metrics
from service.runtime.current_operation import request_id
from service.streams.errors import Problem, problem, problem_of

log = structlog.get_logger()

JSON = "application/json"
NDJSON = "application/x-ndjson"
PROBLEM_JSON = "application/problem+json"
GZIP_LEVEL = 6
"""Between the time that it takes and the size."""
LITESTAR_CODES = {400: "malformed", 404: "not_found", 405: "method_not_allowed", 413: "body_too_large"}
"""The codes of errors that Litestar raises, by status."""

DOCUMENTS = Path(__file__).parents[2] / "documents"
"""The documents of the API, a link to `openapi/`; builds of the wheel and of the image copy its target."""

TIMES = frozenset({"begins", "claimable_at", "since", "until"})
"""The parameters of problems that are times: RFC 3339, as everywhere."""

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


class Content(msgspec.Struct, frozen=True):
    """What a process serves unchanged as long as it runs."""

    plain: bytes
    packed: bytes
    """Compressed, or the same as `plain` if that is not shorter."""
    tag: str
    """A hash. It is weak, because compressed and plain bytes have the same tag."""


@cache
def content_of(body: bytes) -> Content:
    """Return what is computed once of bytes that do not change."""
    packed = gzip.compress(body, GZIP_LEVEL, mtime=0)
    return Content(body, min(body, packed, key=len), f'W/"{hashlib.sha256(body).hexdigest()[:20]}"')


def respond_cacheable(
    request: HttpRequest,
    body: bytes,
    headers: HeaderList | None = None,
    media_type: str = JSON,
    caching: str = "no-cache",
) -> ASGIResponse:
    """Return a response with content that is the same for everyone and never changes; 304 if the client has it.

    With the usual `caching` it may be stored, and is revalidated each time. The route's documentation has to have
    `compressed=False` or what includes it, because the content is compressed here.
    """
    content, asked = content_of(body), headers_of(request)
    own = [("cache-control", caching), ("etag", content.tag), ("vary", "Accept-Encoding"), *(headers or [])]
    if names_tag(asked, content.tag):
        return ASGIResponse(status_code=304, media_type=media_type, headers=own)
    if content.packed is not content.plain and accepts_gzip(asked):
        return ASGIResponse(body=content.packed, media_type=media_type, headers=[*own, ("content-encoding", "gzip")])
    return ASGIResponse(body=body, media_type=media_type, headers=own)


async def respond_document(request: HttpRequest, name: str) -> ASGIResponse:
    """Return a document of the API, which is compressed in a thread, so that other requests do not wait."""
    return respond_cacheable(request, await asyncio.to_thread(document, name))


@cache
def document(name: str) -> bytes:
    """Return a document by its name, ready to be sent."""
    return content_of((DOCUMENTS / f"{name}.json").read_bytes()).plain


def next_link(request: HttpRequest, name: str, value: object) -> HeaderList:
    """Return the header `Link` to the next page, whose parameter `name` has this value; no header if that is None.

    `around` is left out: the page after the one around a player is named by its cursor alone.
    """
    if value is None:
        return []
    query = urlencode({**{key: kept for key, kept in request.query_params.items() if key != "around"}, name: value})
    return [("link", f'<{request.scope["raw_path"].decode("ascii")}?{query}>; rel="next"')]


def etag(room: Room) -> tuple[str, str]:
    """Return the `ETag` header of a room's state."""
    return ("etag", f'"{room.table.key.epoch}.{room.version}"')


def as_problem(failure: Exception) -> Problem:
    """Return the problem for an exception as clients get it, and count it."""
    found = problem_of(failure) or problem_of_fault(failure)
    metrics.PROBLEMS.labels(found.code).inc()
    params = found.params or {}
    times = {name: each and rfc3339(each) for name, each in params.items() if name in TIMES}
    return replace(found, params={**params, **times}) if times else found


def problem_of_fault(failure: Exception) -> Problem:
    """Return the problem for an error that Litestar raised, or for a bug, which is logged."""
    if isinstance(failure, MethodNotAllowedException) and not allowed_methods(failure):
        return problem("not_found", "This address is for WebSockets only.")
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
        headers.append(("ratelimit-policy", policy_header(limit, quota, seconds)))
        headers.append(("ratelimit", state_header(limit, 0, refusal.retry_after or 0)))
    return headers


def allowed_methods(failure: MethodNotAllowedException) -> set[str]:
    """Return the methods of a path that was requested with another one; none for a path of WebSockets."""
    return {method for method in (failure.headers or {}).get("allow", "").split(", ") if method.isupper()}


def handle_exception(_request: HttpRequest, failure: Exception) -> Response[bytes]:
    """Return the response to an exception: a problem with its headers."""
    refusal = as_problem(failure)
    headers = dict([PRIVATE, *problem_headers(refusal)])
    if isinstance(failure, MethodNotAllowedException) and (methods := allowed_methods(failure)):
        headers["allow"] = allow_header(methods)
    body = msgspec.json.encode(refusal)
    return Response(body, status_code=refusal.status, headers=headers, media_type=PROBLEM_JSON)


def language_of(headers: Headers, available: Collection[Language] = LANGUAGES) -> Language:
    """Return the best language of `Accept-Language` (RFC 9110, 12.5.4), by lookup (RFC 4647, 3.4): `de` for `de-AT`.

    Where none of them is available, or any is welcome, it is English.
    """
    header = headers.get(b"accept-language", b"").decode("latin-1").lower()
    weights = [parse_media_range(part) for part in header.split(",")]
    for wanted, weight in sorted(weights, key=lambda each: -each[1]):
        primary = wanted.partition("-")[0]
        found = ENGLISH if wanted == "*" else next((each for each in available if each == primary), None)
        if found and weight > 0:
            return found
    return ENGLISH


def respond_in_language(
    request: HttpRequest, body: Callable[[Language], bytes], available: Collection[Language] = LANGUAGES
) -> ASGIResponse:
    """Return JSON that is the same for everyone with the same language, with a tag. Raises `ServiceError`."""
    headers = headers_of(request)
    negotiate(headers, JSON)
    language = language_of(headers, available)
    said = [("content-language", language), ("vary", "Accept-Language")]
    return respond_cacheable(request, body(language), said)
