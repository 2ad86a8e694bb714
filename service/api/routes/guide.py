"""The documents as a site, which `make guide` builds; wheels and images have it."""

from pathlib import Path

from litestar import get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath
from litestar.response.base import ASGIResponse

from service.api.http.parameters import HttpRequest
from service.api.http.responses import respond, respond_cacheable
from service.api.routes.meta import document_file, page_file
from service.api.routes.static_files import SECURITY_POLICY, SERVED_TYPES

FOLDER = Path(__file__).parents[2] / "guide"
HEADERS = [("content-security-policy", SECURITY_POLICY)]
DOCS = document_file("A page of the guide, or what belongs to it", "The file.", *SERVED_TYPES.values())


def serve_guide(request: HttpRequest, name: str) -> ASGIResponse:
    """Return a file of the guide, or how to build it where there is none. Raises `NotFoundException`."""
    path = FOLDER / name
    if not (FOLDER / "index.html").is_file():
        return respond(page_file("no_guide.html"), 200, HEADERS, SERVED_TYPES[".html"])
    if path.suffix not in SERVED_TYPES or ".." in path.parts or not path.is_file():
        raise NotFoundException
    return respond_cacheable(request, path.read_bytes(), HEADERS, SERVED_TYPES[path.suffix])


@get("/guide", opt=DOCS)
async def read_guide(request: HttpRequest) -> ASGIResponse:
    """Serve the first page of the guide."""
    return serve_guide(request, "index.html")


@get("/guide/{name:str}", opt=DOCS)
async def read_guide_page(request: HttpRequest, name: FromPath[str]) -> ASGIResponse:
    """Serve a page of the guide."""
    return serve_guide(request, name)


@get("/guide/{folder:str}/{name:str}", opt=DOCS)
async def read_guide_part(request: HttpRequest, folder: FromPath[str], name: FromPath[str]) -> ASGIResponse:
    """Serve a picture, a style or a script of the guide."""
    return serve_guide(request, f"{folder}/{name}")
