"""The catalogue of refusal codes."""

from functools import cache

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from service.api.http.requests import HttpRequest, headers_of, negotiate
from service.api.http.responses import JSON, respond_cacheable
from service.api.http.route_docs import NEGOTIATION_CODES, document_route
from service.rooms.codes import CODES


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
def codes_json() -> bytes:
    """Return all refusal codes as JSON."""
    return msgspec.json.encode(RefusalCodes(tuple(RefusalCode(code, *entry) for code, entry in sorted(CODES.items()))))


@get(
    "/v1/codes",
    opt=document_route(
        "List the refusal codes", {200: RefusalCodes}, refusals=NEGOTIATION_CODES, tag="Games", cacheable=True
    ),
)
async def read_codes(request: HttpRequest) -> ASGIResponse:
    """List every refusal code with its status and meaning."""
    negotiate(headers_of(request), JSON)
    return respond_cacheable(request, codes_json())
