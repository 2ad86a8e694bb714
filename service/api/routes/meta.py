"""The API documents, their page, metrics and health."""

from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.context import context_of
from service.api.http.parameters import NEGOTIATION_CODES, STORE_CODES, HttpRequest, document_route
from service.api.http.responses import respond, respond_cacheable, respond_document, respond_in_language, respond_json
from service.domain.presentation import Language
from service.runtime import metrics
from service.runtime.settings import release
from service.streams.codes import CODES, meanings
from service.streams.errors import ServiceError

PAGES_FOLDER = Path(__file__).parents[1] / "docs_page"
SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS = [("content-security-policy", SECURITY_POLICY)]
MEDIA_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}


class HealthStatus(msgspec.Struct, frozen=True):
    """Whether the process is live or ready."""

    status: str
    """`live` or `ready`, by the check that was requested."""
    version: str
    """The release that runs, as in `0.1.0`; not the version of the API."""


def document_page(summary: str, *refusals: str) -> dict[str, Any]:
    """Return the `opt` of an HTML page."""
    return document_file(summary, "The page.", MEDIA_TYPES[".html"], refusals=refusals)


def document_file(
    summary: str, what: str, *media_types: str, refusals: tuple[str, ...] = ("not_found",)
) -> dict[str, Any]:
    """Return the `opt` of files of these media types; `what` describes one of them."""
    also = tuple((media_type, what) for media_type in media_types)
    return document_route(summary, {200: None}, refusals=refusals, tag="Pages", cacheable=True, also=also)


@cache
def page_file(name: str) -> bytes:
    """Return a file of the pages. Raises `ServiceError` with `not_found`."""
    ours = {path.name: path for path in PAGES_FOLDER.iterdir()}
    if name not in ours:
        raise ServiceError("not_found")
    return ours[name].read_bytes()


def serve_page(request: HttpRequest, name: str) -> ASGIResponse:
    """Return a file with a strict content security policy."""
    return respond_cacheable(request, page_file(name), SECURITY_HEADERS, MEDIA_TYPES[Path(name).suffix])


@get("/docs", opt=document_page("This document as a page"))
async def read_docs(request: HttpRequest) -> ASGIResponse:
    """Show the OpenAPI document as a page."""
    return serve_page(request, "docs.html")


@get("/docs/{name:str}", opt=document_file("A file of a page", "The file.", *MEDIA_TYPES.values()))
async def read_docs_file(request: HttpRequest, name: FromPath[str]) -> ASGIResponse:
    """Serve a file of the docs page."""
    return serve_page(request, name)


@get("/openapi.json", opt=document_route("This document", {200: dict[str, Any]}, tag="Pages", cacheable=True))
async def read_openapi(request: HttpRequest) -> ASGIResponse:
    """Return the OpenAPI document."""
    return await respond_document(request, "openapi")


@get(
    "/asyncapi.json",
    opt=document_route("The AsyncAPI document of the feeds", {200: dict[str, Any]}, tag="Pages", cacheable=True),
)
async def read_asyncapi(request: HttpRequest) -> ASGIResponse:
    """Return the AsyncAPI document."""
    return await respond_document(request, "asyncapi")


@get(
    "/metrics",
    opt=document_route(
        "Metrics of this process for Prometheus",
        {200: None},
        caller="none",
        tag="Health",
        also=((metrics.MEDIA_TYPE, "Counters, gauges and histograms; no label names a room or a player."),),
    ),
)
async def read_metrics() -> ASGIResponse:
    """Return this process's metrics. With `TURNSTREAM_METRICS_PORT` they are on that port only, and this is a 404."""
    return respond(metrics.text(), media_type=metrics.MEDIA_TYPE)


@get("/health/live", opt=document_route("Liveness check", {200: HealthStatus}, caller="none", tag="Health"))
async def read_live() -> ASGIResponse:
    """Return 200 while the process runs."""
    return respond_json(HealthStatus("live", release()))


@get(
    "/health/ready",
    opt=document_route(
        "Readiness check",
        {200: HealthStatus},
        refusals=(*STORE_CODES, "store_full", "store_lost_data", "store_unfit", "leaving"),
        caller="none",
        tag="Health",
    ),
)
async def read_ready(request: HttpRequest) -> ASGIResponse:
    """Return 200 if the process serves everything. Otherwise the code says why not.

    With `leaving` it shuts down. With any other code the store is the reason: then rooms in memory and open feeds are
    still served, and what needs the store is refused with the same code. A process that starts does not listen yet.
    """
    context = context_of(request)
    if context.shutdown.is_closing:
        raise ServiceError("leaving")
    context.require_ready()
    await context.rooms.check_store()
    context.require_ready()
    return respond_json(HealthStatus("ready", release()))


class RefusalCode(msgspec.Struct, frozen=True):
    """A refusal code with its HTTP status and meaning."""

    code: str
    """The code, as in problems."""
    status: int
    """The HTTP status."""
    meaning: str
    """What it means, and what to do."""


class RefusalCodes(msgspec.Struct, frozen=True):
    """Every refusal code."""

    codes: tuple[RefusalCode, ...]
    """The codes, by name."""


@cache
def codes_json(language: Language) -> bytes:
    """Return all refusal codes as JSON."""
    found = (RefusalCode(code, CODES[code].status, meaning) for code, meaning in sorted(meanings(language).items()))
    return msgspec.json.encode(RefusalCodes(tuple(found)))


@get(
    "/v1/codes",
    opt=document_route(
        "List the refusal codes", {200: RefusalCodes}, refusals=NEGOTIATION_CODES, tag="Games", translated=True
    ),
)
async def read_codes(request: HttpRequest) -> ASGIResponse:
    """List every refusal code with its status and meaning, in the language of the request."""
    return respond_in_language(request, codes_json)
