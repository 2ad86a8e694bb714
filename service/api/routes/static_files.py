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

from service.api.http.requests import Web, headers_of
from service.api.http.route_docs import described
from service.api.routes.meta import MEDIA_TYPES
from service.rooms.errors import ServiceError

HERE = Path(__file__).parents[2] / "web"
PAGE = "index.html"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Text becomes markup nowhere: with `trusted-types 'none'` a browser refuses to read any string as HTML."""


@cache
def files() -> dict[str, tuple[bytes, str]]:
    """Return the client's files by their path, each with its tag; read once a process."""
    found = {path.relative_to(HERE).as_posix(): path.read_bytes() for path in HERE.rglob("*") if path.is_file()}
    return {
        name: (data, f'"{hashlib.sha256(data).hexdigest()[:20]}"')
        for name, data in found.items()
        if Path(name).suffix in MEDIA_TYPES
    }


def served(request: Web, name: str) -> ASGIResponse:
    """Answer with a file, or with `304` where the caller has it. Refuses `not_found`."""
    if name not in files():
        raise ServiceError("not_found")
    data, tag = files()[name]
    known = headers_of(request).get(b"if-none-match", b"").decode("latin-1")
    status, body = (304, b"") if tag in known else (200, data)
    return ASGIResponse(
        body=body,
        status_code=status,
        media_type=MEDIA_TYPES[Path(name).suffix],
        headers=[("cache-control", "no-cache"), ("etag", tag), ("content-security-policy", POLICY)],
    )


def shown(summary: str) -> dict[str, Any]:
    """Return the `opt` of a page of the client."""
    return described(
        summary,
        {200: None, 304: None},
        caller="none",
        tag="Pages",
        also=((MEDIA_TYPES[".html"], "The page."),),
    )


@get("/", opt=shown("The lobby as a page"))
async def read_lobby_page(request: Web) -> ASGIResponse:
    """Show the browser client."""
    return served(request, PAGE)


@get("/r/{room:str}", opt=shown("A room as a page"))
async def read_room_page(request: Web, room: FromPath[str]) -> ASGIResponse:  # noqa: ARG001 - the page reads its address
    """Show the browser client, which opens the room that its address names."""
    return served(request, PAGE)


@get("/games/{game:str}", opt=shown("A game's help as a page"))
async def read_game_page(request: Web, game: FromPath[str]) -> ASGIResponse:  # noqa: ARG001 - the page reads its address
    """Show the browser client, which opens the help of the game that its address names."""
    return served(request, PAGE)


FILE = described(
    "A file of the browser client",
    {200: None, 304: None},
    refusals=("not_found",),
    caller="none",
    tag="Pages",
    also=tuple((media_type, "The file.") for media_type in MEDIA_TYPES.values()),
)


@get("/web/{name:str}", opt=FILE)
async def read_web_file(request: Web, name: FromPath[str]) -> ASGIResponse:
    """Serve what the pages load."""
    return served(request, name)


@get("/web/{folder:str}/{name:str}", opt=FILE)
async def read_web_part(request: Web, folder: FromPath[str], name: FromPath[str]) -> ASGIResponse:
    """Serve what the pages load from a folder of theirs."""
    return served(request, f"{folder}/{name}")
