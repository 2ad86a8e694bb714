"""The browser client, `service/web`, and the JavaScript library, `service/client_library`.

Both have a content security policy without inline code. The library is a link to `clients/javascript`; builds of the
wheel and of the image copy what it leads to. Its addresses are its paths, so its modules find each other.

A page revalidates each file and gets `304` if it is unchanged, so a new release is never mixed with old modules.
"""

from functools import cache
from pathlib import Path

from litestar import get
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.requests import HttpRequest
from service.api.http.responses import respond_cacheable
from service.api.routes.meta import MEDIA_TYPES, document_file, document_page
from service.rooms.errors import ServiceError

SERVICE = Path(__file__).parents[2]
CLIENT = "web"
LIBRARY = "client_library"
PAGE = f"{CLIENT}/index.html"
SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""With `trusted-types 'none'` the browser refuses to parse any string as HTML."""


@cache
def client_files() -> dict[str, bytes]:
    """Return the files of the client and the library by path; read once per process."""
    return {
        path.relative_to(SERVICE).as_posix(): path.read_bytes()
        for folder in (CLIENT, LIBRARY)
        for path in (SERVICE / folder).glob("**/*")
        if path.suffix in MEDIA_TYPES
    }


def serve_file(request: HttpRequest, name: str) -> ASGIResponse:
    """Return a file, or `304` if the client has it. Raises `ServiceError` with `not_found`."""
    if name not in client_files():
        raise ServiceError("not_found")
    policy = ("content-security-policy", SECURITY_POLICY)
    return respond_cacheable(request, client_files()[name], [policy], MEDIA_TYPES[Path(name).suffix])


@get("/", opt=document_page("The lobby as a page"))
async def read_lobby_page(request: HttpRequest) -> ASGIResponse:
    """Show the lobby in the browser client."""
    return serve_file(request, PAGE)


@get("/r/{room:str}", opt=document_page("A room as a page"))
async def read_room_page(request: HttpRequest, room: FromPath[str]) -> ASGIResponse:  # noqa: ARG001 - the page reads its address
    """Show the room in the browser client."""
    return serve_file(request, PAGE)


@get("/games/{game:str}", opt=document_page("A game's help as a page"))
async def read_game_page(request: HttpRequest, game: FromPath[str]) -> ASGIResponse:  # noqa: ARG001 - the page reads its address
    """Show the help of the game in the browser client."""
    return serve_file(request, PAGE)


FILE_DOCS = document_file("A file of the browser client", "The file.", *MEDIA_TYPES.values())


@get("/web/{name:str}", opt=FILE_DOCS)
async def read_web_file(request: HttpRequest, name: FromPath[str]) -> ASGIResponse:
    """Serve a file of the browser client."""
    return serve_file(request, f"{CLIENT}/{name}")


@get("/web/{folder:str}/{name:str}", opt=FILE_DOCS)
async def read_web_part(request: HttpRequest, folder: FromPath[str], name: FromPath[str]) -> ASGIResponse:
    """Serve a file from a folder of the browser client."""
    return serve_file(request, f"{CLIENT}/{folder}/{name}")


LIBRARY_DOCS = document_file("A module of the JavaScript library", "The module.", MEDIA_TYPES[".js"])


@get("/client.js", opt=LIBRARY_DOCS)
async def read_library(request: HttpRequest) -> ASGIResponse:
    """Serve the library for authors of clients: `import { Client } from '/client.js'`."""
    return serve_file(request, f"{LIBRARY}/client.js")


@get("/client/{name:str}", opt=LIBRARY_DOCS)
async def read_library_part(request: HttpRequest, name: FromPath[str]) -> ASGIResponse:
    """Serve a module that the library imports."""
    return serve_file(request, f"{LIBRARY}/client/{name}")
