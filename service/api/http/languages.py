"""The language of an answer: what `Accept-Language` asks for, and the headers that say which one it is."""

from collections.abc import Callable, Collection

from litestar.response.base import ASGIResponse

from service.api.http.parameters import HttpRequest
from service.api.http.requests import Headers, headers_of, negotiate, parse_media_range
from service.api.http.responses import JSON, respond_cacheable
from service.domain.translation import ENGLISH, LANGUAGES, Language


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
