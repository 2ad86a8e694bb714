"""The headers of responses, to which the operations of an OpenAPI document refer."""

from clients.spec.json_schema import Named, Schema
from service.domain.presentation import LANGUAGES

HEADERS: dict[str, Schema] = {
    "ETag": {
        "description": 'The tag of the response: `"<epoch>.<version>"` for a room, else a weak one of the content.',
        "schema": {"type": "string"},
    },
    "Content-Language": {
        "description": "The language of the texts, as chosen by `Accept-Language`.",
        "schema": {"enum": list(LANGUAGES)},
    },
    "Link": {"description": 'The next page with `rel="next"`, if there is one.', "schema": {"type": "string"}},
    "Location": {"description": "The room's URL.", "schema": {"type": "string", "format": "uri-reference"}},
    "Idempotency-Replayed": {
        "description": "`true` if the key was used before and this repeats the first answer.",
        "schema": {"enum": ["true"]},
    },
    "Preference-Applied": {
        "description": "`return=minimal` if the view was left out because the request preferred that.",
        "schema": {"enum": ["return=minimal"]},
    },
    "Retry-After": {"description": "The number of seconds to wait before retrying.", "schema": {"type": "integer"}},
    "RateLimit": {
        "description": "Each limit: how many requests remain (`r`), and after how many seconds there are more (`t`).",
        "schema": {"type": "string"},
    },
    "RateLimit-Policy": {
        "description": "The same limits: how many requests (`q`) in how many seconds (`w`).",
        "schema": {"type": "string"},
    },
    "X-Request-Id": {
        "description": "The id of the request, as in the service's log; that of its own `X-Request-Id` if it had one.",
        "schema": {"type": "string"},
    },
    "WWW-Authenticate": {"description": "`Bearer`.", "schema": {"type": "string"}},
    "Allow": {"description": "The methods of this path.", "schema": {"type": "string"}},
}


def header_references(*names: str) -> Named:
    """Return the headers of a response, as references."""
    return {name: {"$ref": f"#/components/headers/{name}"} for name in names}


def used_headers(paths: Named, responses: Named) -> Named:
    """Return the headers of all responses: those of operations, and those that operations refer to."""
    answers = [answer for path in paths.values() for each in path.values() for answer in each["responses"].values()]
    used = {name for answer in [*answers, *responses.values()] for name in answer.get("headers", ())}
    return {name: header for name, header in HEADERS.items() if name in used}
