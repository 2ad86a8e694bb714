"""The browser client, `service/web`, and the JavaScript library, `service/client_library`.

Both have a content security policy without inline code. The library is a link to `clients/javascript`; builds of the
wheel and of the image copy its target.

The client's files are at `/static/<release>/`, where the release is a hash of all files. They may be cached forever.
Their imports are relative, so all modules of a page are of one release. A page is revalidated and names its release, so
a new one is used from the next visit on. The library is also at `/client.js`, for the authors of other clients.
"""

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import msgspec
from litestar import Response, get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.context import context_of
from service.api.http.parameters import HttpRequest
from service.api.http.responses import PRIVATE, handle_exception, respond_cacheable
from service.api.routes.meta import MEDIA_TYPES, document_file, document_page
from service.streams.errors import ServiceError

CLIENT = "web"
LIBRARY = "client_library"


class PageKind(msgspec.Struct, frozen=True):
    """The files that a page names, so that the browser requests them together instead of one after the other."""

    modules: tuple[str, ...] = ()
    """Patterns of the modules' paths."""
    like: str | None = None
    """The kind whose modules it names, too."""
    styles: tuple[str, ...] = ()
    """The style sheets that it needs in addition to the common one."""


class Page(msgspec.Struct, frozen=True):
    """A page of the client at addresses of its own; it reads the rest of its address itself."""

    path: str
    kind: str
    name: str
    summary: str
    description: str


class Pages(msgspec.Struct, frozen=True):
    """The pages in `web/pages.json`, and the kinds of pages."""

    kinds: dict[str, PageKind]
    pages: tuple[Page, ...]
    """All pages but that of an invitation, which depends on it."""


SERVICE = Path(__file__).parents[2]
LISTED = msgspec.json.decode((SERVICE / CLIENT / "pages.json").read_bytes(), type=Pages)
PAGE, OFFLINE, WORKER = f"{CLIENT}/index.html", f"{CLIENT}/install/offline.html", f"{CLIENT}/install/worker.js"
NAMING = (PAGE, OFFLINE, WORKER)
"""The files that name the release."""

SERVED_TYPES = {**MEDIA_TYPES, ".png": "image/png", ".webmanifest": "application/manifest+json", ".woff2": "font/woff2"}
SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; font-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types service-worker"
)
"""The only policy of trusted types makes the address of the service worker; no string is parsed as HTML or code."""

IMMUTABLE = "public, max-age=31536000, immutable"


@cache
def client_files() -> dict[str, bytes]:
    """Return the files of the client and the library by path; read once per process."""
    return {
        path.relative_to(SERVICE).as_posix(): path.read_bytes()
        for folder in (CLIENT, LIBRARY)
        for path in sorted((SERVICE / folder).glob("**/*"))
        if path.suffix in SERVED_TYPES
    }


@cache
def release() -> str:
    """Return the name of this release of the client: a hash of its files."""
    found = hashlib.sha256()
    for name, content in client_files().items():
        found.update(f"{name} {len(content)} ".encode() + content)
    return found.hexdigest()[:16]


def address_of(name: str) -> str:
    """Return the address of a file: the modules of the library are where the client's imports expect them."""
    return f"/static/{release()}/{name.removeprefix(f'{LIBRARY}/')}"


@cache
def page(name: str) -> bytes:
    """Return the page of this kind: the same one for all kinds, with other files named in its head."""
    modules = modules_of(name)
    styles = [f"{CLIENT}/style/{style}.css" for style in LISTED.kinds[name].styles]
    lines = [*links("stylesheet", styles), *links("modulepreload", sorted(modules))]
    if name == "lobby":  # it loads those of rooms once it is shown, so that the next tap needs none
        lines += ['<template id="room-files">', *links("modulepreload", sorted(modules_of("room") - modules))]
        lines.append("</template>")
    pictures = client_files()[f"{CLIENT}/lobby/pictures.svg"]
    written = with_release(PAGE).replace(b"<!-- {pictures} -->", pictures)
    return written.replace(b"<!-- {files} -->", "\n".join(lines).encode())


def modules_of(name: str) -> set[str]:
    """Return the modules that a page of this kind names."""
    kind = LISTED.kinds[name]
    own = {path.relative_to(SERVICE).as_posix() for pattern in kind.modules for path in SERVICE.glob(pattern)}
    return own | modules_of(kind.like) if kind.like else own


def links(relation: str, files: Iterable[str]) -> Iterator[str]:
    """Return the elements of a page's head that name these files."""
    return (f'<link rel="{relation}" href="{address_of(file)}">' for file in files)


def preview_address(game: str) -> str | None:
    """Return the address of the picture that previews of links to a game show, None if the game has none."""
    name = f"{CLIENT}/previews/{game}.png"
    return address_of(name) if name in client_files() else None


@cache
def with_release(name: str) -> bytes:
    """Return a file by its path; in those that name the release, it is filled in."""
    content = client_files()[name]
    return content.replace(b"{release}", release().encode()) if name in NAMING else content


def serve(request: HttpRequest, body: bytes, suffix: str, caching: str = "no-cache") -> ASGIResponse:
    """Return a file with the strict policy, or `304` if the client has it."""
    policy = ("content-security-policy", SECURITY_POLICY)
    return respond_cacheable(request, body, [policy], SERVED_TYPES[suffix], caching)


def serve_file(request: HttpRequest, name: str, release_name: str | None = None) -> ASGIResponse:
    """Return a file by its path; it may be cached if its address names this release. Raises `ServiceError`."""
    if name not in client_files():
        raise ServiceError("not_found")
    caching = IMMUTABLE if release_name == release() else "no-cache"
    return serve(request, with_release(name), Path(name).suffix, caching)


def handle_unknown_address(request: HttpRequest, failure: NotFoundException) -> Response[bytes]:
    """Return the page with all games if a browser opens an address that does not exist, otherwise the usual problem."""
    refused = handle_exception(request, failure)
    is_page = "text/html" in request.headers.get("accept", "") and not request.url.path.startswith(("/v1/", "/static/"))
    if not is_page:
        return refused
    headers = dict([PRIVATE, ("content-security-policy", SECURITY_POLICY)])
    return Response(page("lobby"), status_code=404, headers=headers, media_type=SERVED_TYPES[".html"])


def page_route(listed: Page) -> HTTPRouteHandler:
    """Return the route of a page."""

    async def serve_page(request: HttpRequest) -> ASGIResponse:
        return serve(request, page(listed.kind), ".html")

    serve_page.__name__, serve_page.__doc__ = f"read_{listed.name}_page", listed.description
    return get(listed.path, opt=document_page(listed.summary))(serve_page)


PAGES = tuple(map(page_route, LISTED.pages))


@get("/admin", opt=document_page("The operators' page", "not_found"))
async def read_admin(request: HttpRequest) -> ASGIResponse:
    """Show the operators' page in the browser client, if an operator token is configured."""
    if not context_of(request).has_operators:
        raise ServiceError("not_found")
    return serve(request, page("operators"), ".html")


FILE_DOCS = document_file("A file of the browser client", "The file.", *SERVED_TYPES.values())


@get("/static/{release_name:str}/{place:str}/{name:str}", opt=FILE_DOCS)
async def read_static_file(
    request: HttpRequest, release_name: FromPath[str], place: FromPath[str], name: FromPath[str]
) -> ASGIResponse:
    """Serve a file of the browser client, or a module of the library.

    During a change of releases, a page of the other one gets this one's files: they are not cached, but it works.
    """
    return serve_file(request, path_of(place, name), release_name)


@get("/static/{release_name:str}/{place:str}/{folder:str}/{name:str}", opt=FILE_DOCS)
async def read_static_part(
    request: HttpRequest,
    release_name: FromPath[str],
    place: FromPath[str],
    folder: FromPath[str],
    name: FromPath[str],
) -> ASGIResponse:
    """Serve a file from a folder of the browser client."""
    return serve_file(request, path_of(place, f"{folder}/{name}"), release_name)


def path_of(place: str, name: str) -> str:
    """Return the path of a file from its address."""
    return f"{CLIENT}/{name}" if place == CLIENT else f"{LIBRARY}/{place}/{name}"


WORKER_DOCS = document_file("The service worker of the browser client", "The worker.", MEDIA_TYPES[".js"])


@get("/worker.js", opt=WORKER_DOCS)
async def read_worker(request: HttpRequest) -> ASGIResponse:
    """Serve the service worker, which caches the client's files and shows a page without a connection."""
    return serve(request, with_release(WORKER), ".js")


LIBRARY_DOCS = document_file("A module of the JavaScript library", "The module.", MEDIA_TYPES[".js"])


@get("/client.js", opt=LIBRARY_DOCS)
async def read_library(request: HttpRequest) -> ASGIResponse:
    """Serve the library for authors of clients: `import { Client } from '/client.js'`."""
    return serve_file(request, f"{LIBRARY}/client.js")


@get("/client/{name:str}", opt=LIBRARY_DOCS)
async def read_library_part(request: HttpRequest, name: FromPath[str]) -> ASGIResponse:
    """Serve a module that the library imports."""
    return serve_file(request, f"{LIBRARY}/client/{name}")
