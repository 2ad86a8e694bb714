"""The catalogue of refusal codes."""

from functools import cache

import msgspec
from litestar import get
from litestar.response.base import ASGIResponse

from service.api.http.languages import respond_in_language
from service.api.http.parameters import HttpRequest
from service.api.http.route_docs import NEGOTIATION_CODES, document_route
from service.domain.translation import Language
from service.rooms.code_meanings import meanings
from service.streams.codes import CODES


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
