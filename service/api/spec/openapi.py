"""The API document: OpenAPI 3.1, from the routes, what is described beside them, and the types that they speak."""

import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from litestar.handlers import HTTPRouteHandler
from litestar.types import ControllerRouterHandler

from service.api.http.read_limits import UNCOUNTED
from service.api.http.responses import JSON, PROBLEM_JSON
from service.api.http.route_docs import Described, Parameter
from service.api.spec.json_schema import Schema, ref
from service.api.spec.schemas import Schemas
from service.rooms.errors import CODES, problem

ABOUT = """\
Board games as event streams. A **room** is one stream of numbered events; **matches** follow each other in it. Whoever
plays sends commands (`POST /v1/rooms/{room}/commands`) and reads the room's view, its events, or its feed.

- **Who.** `POST /v1/players` makes a guest at once; its token goes into `Authorization: Bearer ...`. Reading needs \
none: a reader without a token is a spectator.
- **Moves.** `legal_moves` of a room's match lists every move of your seat; each entry can be sent back as it is.
- **Once and only once.** A command with an `Idempotency-Key` can be repeated until an answer comes: it is done once, \
and answered alike with `Idempotency-Replayed: true`. With `If-Match` it is done only at the version that you know.
- **Refusals** are `application/problem+json` with a stable `code`; `GET /v1/codes` lists all. Beside those shown \
with each route, a known address answers 405 to other methods, an unknown one 404, and what is no HTTP gets 400.
- **Names.** `snake_case`; times are RFC 3339 in UTC, durations milliseconds, seats numbers from 0 in turn order.
- **Feeds** over WebSocket and server-sent events are described in [asyncapi.json](/asyncapi.json).
"""

TAGS = {
    "Players": "Guests and their tokens.",
    "Games": "What can be played here.",
    "Rooms": "Where players meet and matches follow each other.",
    "Matches": "Matches, readable for ever.",
    "Chat": "What is said in the rooms and in the lobby.",
    "Feeds": "What happens, as it happens.",
    "Health": "For whoever watches over the service.",
    "Pages": "The documents, and pages for people.",
}

IN_PATHS = {
    "room": "The room's name; case and spaces don't matter.",
    "game": "The game's slug, as in GET /v1/games.",
    "match_id": "The match's id, as in the view of its room.",
    "folder": "The file's folder.",
    "name": "The file's name.",
}

HEADERS: dict[str, Schema] = {
    "ETag": {"description": 'The state of the room, `"<epoch>.<version>"`.', "schema": {"type": "string"}},
    "Location": {"description": "The room's address.", "schema": {"type": "string", "format": "uri-reference"}},
    "Idempotency-Replayed": {
        "description": "`true`: the key came before, and this is its first answer.",
        "schema": {"enum": ["true"]},
    },
    "Retry-After": {"description": "Seconds to wait before trying again.", "schema": {"type": "integer"}},
    "RateLimit": {
        "description": "The limit that was reached, what is left (`r`), and in how many seconds there is more (`t`).",
        "schema": {"type": "string"},
    },
    "RateLimit-Policy": {
        "description": "That limit: how much (`q`) in how many seconds (`w`).",
        "schema": {"type": "string"},
    },
    "WWW-Authenticate": {"description": "`Bearer`.", "schema": {"type": "string"}},
    "Allow": {"description": "The methods that this address answers.", "schema": {"type": "string"}},
}

BODY_REFUSALS = ("malformed", "body_too_large", "unsupported_media_type", "unfit")


def routes_in(routes: Sequence[ControllerRouterHandler]) -> Iterator[tuple[str, str, HTTPRouteHandler]]:
    """Return each HTTP route: its path as the document writes it, its method, its handler."""
    for handler in routes:
        if isinstance(handler, HTTPRouteHandler):
            for path in sorted(handler.paths):
                for method in sorted(handler.http_methods):
                    yield re.sub(r"{(\w+):\w+}", r"{\1}", path), method.lower(), handler


def openapi(routes: Sequence[ControllerRouterHandler]) -> bytes:
    """Return the API document of these routes; those without a description are left out."""
    listed = [(path, method, handler) for path, method, handler in routes_in(routes) if "described" in handler.opt]
    schemas = Schemas([kind for *_, handler in listed for kind in kinds_of(handler.opt["described"])])
    paths: dict[str, Schema] = {}
    for path, method, handler in listed:
        paths.setdefault(path, {})[method] = operation(path, handler, schemas)
    used = {handler.opt["described"].tag for *_, handler in listed}
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Turnstream", "version": "1", "summary": "Board games over HTTP.", "description": ABOUT},
        "tags": [{"name": name, "description": about} for name, about in TAGS.items() if name in used],
        "paths": paths,
        "components": {
            "schemas": schemas.needed([paths, ref("Problem")]),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": "A guest's token."}},
        },
    }
    return written(document)


def written(document: Schema) -> bytes:
    """Return a document as it is served and committed."""
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


def kinds_of(described: Described) -> Iterator[Any]:
    """Return the types of a route's bodies."""
    yield from (kind for kind in (described.body, *described.answers.values()) if kind is not None)


def operation(path: str, handler: HTTPRouteHandler, schemas: Schemas) -> Schema:
    """Return one route as the document tells it."""
    described: Described = handler.opt["described"]
    function = handler.fn
    return {
        "operationId": function.__name__,
        "summary": described.summary,
        "description": inspect.getdoc(function) or "",
        "tags": [described.tag],
        **secured(described),
        **asked(path, described, schemas),
        "responses": {
            **{str(status): answer(described, status, kind, schemas) for status, kind in described.answers.items()},
            **{str(status): refusal(status, codes) for status, codes in by_status(path, handler).items()},
        },
    }


def secured(described: Described) -> Schema:
    """Return whether a token is needed; an empty choice makes it optional."""
    return {"security": {"required": [{"token": []}], "optional": [{}, {"token": []}], "none": []}[described.caller]}


def asked(path: str, described: Described, schemas: Schemas) -> Schema:
    """Return a route's parameters and body."""
    in_path = [
        {"name": name, "in": "path", "required": True, "description": about, "schema": {"type": "string"}}
        for name in re.findall(r"{(\w+)}", path)
        for about in [IN_PATHS[name]]
    ]
    parameters = [*in_path, *map(parameter, described.parameters)]
    told: Schema = {"parameters": parameters} if parameters else {}
    if described.body is not None:
        schema = schemas.of(described.body)
        media_type = {"schema": schema, "examples": schemas.examples(schema)}
        told["requestBody"] = {"required": True, "content": {JSON: media_type}}
    return told


def parameter(told: Parameter) -> Schema:
    """Return a parameter outside the path."""
    schema = msgspec.json.schema(told.kind)
    return {"name": told.name, "in": told.where, "description": told.about, "schema": schema}


def content(media_type: str, schema: Schema) -> Schema:
    """Return the content of one media type."""
    return {media_type: {"schema": schema}}


def answer(described: Described, status: int, kind: Any, schemas: Schemas) -> Schema:
    """Return an answer that is no refusal."""
    bodies = {} if kind is None else content(JSON, schemas.of(kind))
    for media_type, what in described.also if status == 200 else ():
        bodies |= content(media_type, {"type": "string", "description": what})
    headers = {name: HEADERS[name] for name in described.headers}
    struct = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    about = inspect.getdoc(kind) if struct else {304: "What the caller has is still so."}.get(status)
    return {
        "description": about or f"{described.summary}.",
        **({"headers": headers} if headers else {}),
        **({"content": bodies} if bodies else {}),
    }


def by_status(path: str, handler: HTTPRouteHandler) -> dict[int, list[str]]:
    """Return every code that a route refuses with, by status."""
    described: Described = handler.opt["described"]
    codes = {*described.refusals}
    codes |= {"rate_limited"} if "GET" in handler.http_methods and not path.startswith(UNCOUNTED) else set()
    codes |= {"unauthenticated", "banned"} if described.caller != "none" else set()
    codes |= {"unfit"} if described.parameters else set()
    codes |= set(BODY_REFUSALS) if described.body is not None else set()
    statuses = sorted({CODES[code].status for code in codes})
    return {status: sorted(code for code in codes if CODES[code].status == status) for status in statuses}


def refusal(status: int, codes: list[str]) -> Schema:
    """Return the refusals of one status: their codes, each with its meaning and an example."""
    narrowed = {"properties": {"status": {"const": status}, "code": {"enum": codes}}}
    examples = {code: {"summary": CODES[code].meaning, "value": problem(code)} for code in codes}
    headers = {
        401: ("WWW-Authenticate",),
        429: ("Retry-After", "RateLimit", "RateLimit-Policy"),
        503: ("Retry-After",),
    }.get(status, ())
    schema = {"allOf": [ref("Problem"), narrowed]}
    return {
        "description": "\n".join(f"- `{code}`: {CODES[code].meaning}" for code in codes),
        **({"headers": {name: HEADERS[name] for name in headers}} if headers else {}),
        "content": {PROBLEM_JSON: {"schema": schema, "examples": examples}},
    }
