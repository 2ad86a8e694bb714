"""The browser client: the files of `service/web`, served as they stand there, under a policy without inline code.

A page asks for each file anew and gets `304` while it is unchanged, so a new release never meets old modules.
"""

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.requests import HttpRequest, headers_of
from service.api.http.route_docs import document_route
from service.api.routes.meta import MEDIA_TYPES
from service.rooms.errors import ServiceError

CLIENT_FOLDER = Path(__file__).parents[2] / "web"
PAGE = "index.html"
SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Text becomes markup nowhere: with `trusted-types 'none'` a browser refuses to read any string as HTML."""


@cache
def client_files() -> dict[str, tuple[bytes, str]]:
    """Return the client's files by their path, each with its tag; read once a process."""
    found = {
        path.relative_to(CLIENT_FOLDER).as_posix(): path.read_bytes()
        for path in CLIENT_FOLDER.rglob("*")
        if path.is_file()
    }
    return {
        name: (data, f'"{hashlib.sha256(data).hexdigest()[:20]}"')
        for name, data in found.items()
        if Path(name).suffix in MEDIA_TYPES
    }


def serve_file(request: HttpRequest, name: str) -> ASGIResponse:
    """Answer with a file, or with `304` where the caller has it. Refuses `not_found`."""
    if name not in client_files():
        raise ServiceError("not_found")
    data, tag = client_files()[name]
    known = headers_of(request).get(b"if-none-match", b"").decode("latin-1")
    status, body = (304, b"") if tag in known else (200, data)
    return ASGIResponse(
        body=body,
        status_code=status,
        media_type=MEDIA_TYPES[Path(name).suffix],
        headers=[("cache-control", "no-cache"), ("etag", tag), ("content-security-policy", SECURITY_POLICY)],
    )


def document_page(summary: str) -> dict[str, Any]:
    """Return the `opt` of a page of the client."""
    return document_route(
        summary,
        {200: None, 304: None},
        caller="none",
        tag="Pages",
        also=((MEDIA_TYPES[".html"], "The page."),),
    )


@get("/", opt=document_page("The lobby as a page"))
async def read_lobby_page(request: HttpRequest) -> ASGIResponse:
    """Show the browser client."""
    return serve_file(request, PAGE)


@get("/r/{room:str}", opt=document_page("A room as a page"))
async def read_room_page(request: HttpRequest, room: FromPath[str]) -> ASGIResponse:  # noqa: ARG001 - the page reads its address
    """Show the browser client, which opens the room that its address names."""
    return serve_file(request, PAGE)


@get("/games/{game:str}", opt=document_page("A game's help as a page"))
async def read_game_page(request: HttpRequest, game: FromPath[str]) -> ASGIResponse:  # noqa: ARG001 - the page reads its address
    """Show the browser client, which opens the help of the game that its address names."""
    return serve_file(request, PAGE)


FILE_DOCS = document_route(
    "A file of the browser client",
    {200: None, 304: None},
    refusals=("not_found",),
    caller="none",
    tag="Pages",
    also=tuple((media_type, "The file.") for media_type in MEDIA_TYPES.values()),
)


@get("/web/{name:str}", opt=FILE_DOCS)
async def read_web_file(request: HttpRequest, name: FromPath[str]) -> ASGIResponse:
    """Serve what the pages load."""
    return serve_file(request, name)


@get("/web/{folder:str}/{name:str}", opt=FILE_DOCS)
async def read_web_part(request: HttpRequest, folder: FromPath[str], name: FromPath[str]) -> ASGIResponse:
    """Serve what the pages load from a folder of theirs."""
    return serve_file(request, f"{folder}/{name}")
