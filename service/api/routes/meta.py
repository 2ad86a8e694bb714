"""Pages for people and for machines that watch over us: the documents, the docs page, and health."""

import importlib.util
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.requests import HttpRequest, context_of
from service.api.http.responses import respond, respond_json
from service.api.http.route_docs import STORE_CODES, document_route
from service.rooms.errors import ServiceError
from service.telemetry import metrics

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
SWAGGER_FILES = ("swagger-ui.css", "swagger-ui-bundle.js")
"""What the docs page takes from the package that carries Swagger UI."""


class HealthStatus(msgspec.Struct, frozen=True):
    """Whether the service can be used."""

    status: str


def document_page(summary: str) -> dict[str, Any]:
    """Return the `opt` of a page for people."""
    return document_route(summary, {200: None}, caller="none", tag="Pages", also=((MEDIA_TYPES[".html"], "The page."),))


@cache
def page_file(name: str) -> bytes:
    """Return a file of a page, ours or Swagger UI's. Refuses `not_found`."""
    if name in SWAGGER_FILES:
        return (swagger_ui() / name).read_bytes()
    ours = {path.name: path for path in PAGES_FOLDER.iterdir()}
    if name not in ours:
        raise ServiceError("not_found")
    return ours[name].read_bytes()


def swagger_ui() -> Path:
    """Return the folder with Swagger UI's assets; the package itself is never imported."""
    found = importlib.util.find_spec("swagger_ui")
    if found is None or found.origin is None:
        raise FileNotFoundError("swagger-ui-py is not installed")
    return Path(found.origin).parent / "static"


def serve_page(name: str) -> ASGIResponse:
    """Answer with a file under the strict content security policy."""
    return respond(page_file(name), headers=SECURITY_HEADERS, media_type=MEDIA_TYPES[Path(name).suffix])


@get("/admin")
async def read_admin(request: HttpRequest) -> ASGIResponse:
    """Show the page for operators, where there is a token for them."""
    if context_of(request).admin_token is None:
        raise ServiceError("not_found")
    return serve_page("admin.html")


@get("/docs", opt=document_page("This document as a page"))
async def read_docs() -> ASGIResponse:
    """Show the API document for people."""
    return serve_page("docs.html")


@get(
    "/docs/{name:str}",
    opt=document_route(
        "A file of a page",
        {200: None},
        refusals=("not_found",),
        caller="none",
        tag="Pages",
        also=tuple((media_type, "The file.") for media_type in MEDIA_TYPES.values()),
    ),
)
async def read_docs_file(name: FromPath[str]) -> ASGIResponse:
    """Serve what the docs page needs."""
    return serve_page(name)


@get("/openapi.json", opt=document_route("This document", {200: dict[str, Any]}, caller="none", tag="Pages"))
async def read_openapi(request: HttpRequest) -> ASGIResponse:
    """Serve the API document."""
    return respond(request.app.state.openapi)


@get("/asyncapi.json", opt=document_route("The feeds' document", {200: dict[str, Any]}, caller="none", tag="Pages"))
async def read_asyncapi(request: HttpRequest) -> ASGIResponse:
    """Serve the document of the feeds."""
    return respond(request.app.state.asyncapi)


@get(
    "/metrics",
    opt=document_route(
        "The figures of this process, for Prometheus, unless they have a port of their own",
        {200: None},
        caller="none",
        tag="Health",
        also=((metrics.MEDIA_TYPE, "Counters, gauges and histograms; no label names a room or a player."),),
    ),
)
async def read_metrics() -> ASGIResponse:
    """Tell how this process does. With `TURNSTREAM_METRICS_PORT` this is a 404, and that port has the figures."""
    return respond(metrics.text(), media_type=metrics.MEDIA_TYPE)


@get("/health/live", opt=document_route("Whether the process runs", {200: HealthStatus}, caller="none", tag="Health"))
async def read_live() -> ASGIResponse:
    """Tell that the process runs."""
    return respond_json(HealthStatus("live"))


@get(
    "/health/ready",
    opt=document_route(
        "Whether the service can be used",
        {200: HealthStatus},
        refusals=(*STORE_CODES, "store_lost_data", "store_unfit", "leaving"),
        caller="none",
        tag="Health",
    ),
)
async def read_ready(request: HttpRequest) -> ASGIResponse:
    """Tell whether newcomers are welcome: the store answers and is complete, and this process isn't about to leave."""
    context = context_of(request)
    if context.shutdown.is_closing:
        raise ServiceError("leaving")
    context.refuse_unready()
    await context.rooms.store.time()
    context.refuse_unready()
    return respond_json(HealthStatus("ready"))
