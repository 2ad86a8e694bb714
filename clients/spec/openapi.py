"""The API document: OpenAPI 3.1, from the routes, their documentation, and the types of their bodies."""

import inspect
import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec
from litestar.handlers import HTTPRouteHandler
from litestar.types import ControllerRouterHandler

from clients.spec.headers import header_references, used_headers
from clients.spec.json_schema import Schema
from clients.spec.messages import TO_OPERATOR, TO_PLAYERS, Messages, webhooks
from clients.spec.path_parameters import PATH_PARAMETERS
from clients.spec.portable import portable
from clients.spec.problems import Problems
from clients.spec.schemas import Schemas
from service.api.http.parameters import Parameter, RouteDocs
from service.api.http.read_limits import UNLIMITED_PATHS
from service.api.http.responses import JSON, NDJSON
from service.streams.codes import CODES

DESCRIPTION = """\
Board games as event streams. A **room** is a stream of numbered events in which **matches** follow each other. \
Players send commands (`POST /v1/rooms/{room}/commands`) and read the room's view, its events, or its feed.

- **Players.** `POST /v1/players` creates a guest; send its token as `Authorization: Bearer ...`. Reading needs no \
token: without one you are a spectator. `POST /v1/players/me/tokens` creates further tokens with \
limited scopes.
- **Moves.** `legal_moves` in a room's match lists every move of your seat; send an entry back unchanged to play it.
- **Idempotency.** Repeat a command with the same `Idempotency-Key` until you get an answer: it is executed once, and \
later answers repeat the first with `Idempotency-Replayed: true`. With `If-Match` it is executed only if the room is \
at the version that you name.
- **Refusals** are `application/problem+json` with a stable `code`; `GET /v1/codes` lists all codes. In addition to \
those listed for each route, a known path answers 405 `method_not_allowed` to other methods, an unknown path 404 \
`not_found`, and invalid HTTP gets 400 `malformed`. Any request can get 400 `wrong_host` for the name of another host, \
and 500 `internal` for an error of the service.
- **Formats.** Names are in `snake_case`, times are RFC 3339 in UTC, durations are in milliseconds, and seats are \
numbered from 0 in turn order.
- **Feeds** over WebSocket and server-sent events are described in [asyncapi.json](/asyncapi.json).
"""


class Audience(msgspec.Struct, frozen=True):
    """The readers of a document: its title, summary and description, their token, and what webhooks send."""

    title: str
    summary: str
    description: str
    token: str
    messages: Messages


CLIENTS = Audience("Turnstream", "Board games over HTTP.", DESCRIPTION, "A guest's token.", TO_PLAYERS)
OPERATORS = Audience(
    "Turnstream for operators",
    "Rooms, moderation and the audit log.",
    "The routes of operators. Without the setting `TURNSTREAM_ADMIN_TOKEN` they answer 404. A closed room is named by "
    "`<name>:<epoch>`.",
    "The operator token, from the setting `TURNSTREAM_ADMIN_TOKEN`.",
    TO_OPERATOR,
)

LICENSE = {"name": "MIT", "identifier": "MIT"}

TAGS = {
    "Players": "Guests and their tokens.",
    "Games": "The games, with their rules and options.",
    "Rooms": "Where players meet and play matches.",
    "Matches": "Matches, kept forever unless the operator limits their age.",
    "Chat": "Chat in rooms and in the lobby.",
    "Feeds": "Live updates.",
    "Seeks": "Quick play: finding other players with compatible wishes.",
    "Challenges": "Asking particular players to play.",
    "Tournaments": "Round robins, Swiss systems and arenas.",
    "Ratings": "Ratings of players and matches, and leaderboards; docs/ratings.md says what counts.",
    "Webhooks": "Events that are sent to endpoints; see `webhooks` for the messages.",
    "Health": "For monitoring.",
    "Operators": "What only operators may do.",
    "Pages": "The API documents, and pages for people.",
}

NOT_MODIFIED = "Not modified: the state named by `If-None-Match` is current."

WITH_LINES = (NDJSON, "text/event-stream")
"""Media types of lines of JSON; `contentSchema` is the schema of one line, in a stream of its `data`."""

CALLER_CODES: dict[str, set[str]] = {
    "required": {"unauthenticated", "banned", "player_erased", "scope_missing"},
    "optional": {"unauthenticated", "banned", "player_erased"},
    "operator": {"unauthenticated"},
    "none": set(),
}
"""The refusals of tokens, by who may call a route."""

BODY_CODES = ("malformed", "body_too_large", "unsupported_media_type", "unfit")


def http_routes(routes: Sequence[ControllerRouterHandler]) -> Iterator[tuple[str, str, HTTPRouteHandler]]:
    """Return each HTTP route: its path as OpenAPI writes it, its method, its handler."""
    for handler in routes:
        if isinstance(handler, HTTPRouteHandler):
            for path in sorted(handler.paths):
                for method in sorted(handler.http_methods):
                    yield re.sub(r"{(\w+):\w+}", r"{\1}", path), method.lower(), handler


def openapi(routes: Sequence[ControllerRouterHandler], audience: Audience = CLIENTS) -> bytes:
    """Return the OpenAPI document of these routes; those without `RouteDocs` are left out."""
    listed = [(path, method, handler) for path, method, handler in http_routes(routes) if "docs" in handler.opt]
    bodies = [kind for *_, handler in listed for kind in body_types(handler.opt["docs"])]
    schemas = Schemas([*bodies, *audience.messages.values()])
    problems = Problems()
    paths: dict[str, Schema] = {}
    for path, method, handler in listed:
        paths.setdefault(path, {})[method] = operation(path, handler, schemas, problems)
    messages, shared = webhooks(audience.messages, schemas), problems.components()
    used = {handler.opt["docs"].tag for *_, handler in listed} | {"Webhooks"}
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": audience.title,
            "version": "1",
            "summary": audience.summary,
            "description": audience.description,
            "license": LICENSE,
        },
        "servers": [{"url": "/", "description": "The service that serves this document."}],
        "tags": [{"name": name, "description": about} for name, about in TAGS.items() if name in used],
        "paths": paths,
        "webhooks": messages,
        "components": {
            "schemas": schemas.needed([paths, messages, shared]),
            **shared,
            "headers": used_headers(paths, shared["responses"]),
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer", "description": audience.token}},
        },
    }
    return serialize(document)


def serialize(document: Schema) -> bytes:
    """Return a document as JSON, as served and committed."""
    return msgspec.json.format(msgspec.json.encode(portable(document)), indent=1) + b"\n"


def body_types(docs: RouteDocs) -> Iterator[Any]:
    """Return the types of a route's bodies."""
    yield from (kind for kind in (docs.body, *docs.answers.values(), docs.line) if kind is not None)


def operation(path: str, handler: HTTPRouteHandler, schemas: Schemas, problems: Problems) -> Schema:
    """Return the operation of one route."""
    docs: RouteDocs = handler.opt["docs"]
    function, refusals = handler.fn, codes_by_status(path, handler)
    return {
        "operationId": function.__name__,
        "summary": docs.summary,
        "description": inspect.getdoc(function) or "",
        "tags": [docs.tag],
        **security(docs),
        **request_parts(path, docs, schemas),
        "responses": {
            **{
                str(status): response(docs, status, kind, schemas, is_limited=429 in refusals)
                for status, kind in docs.answers.items()
            },
            **{str(status): problems.reference(function.__name__, status, codes) for status, codes in refusals.items()},
        },
    }


def security(docs: RouteDocs) -> Schema:
    """Return the security requirement; an empty alternative makes the token optional."""
    return {
        "security": {
            "required": [{"token": []}],
            "operator": [{"token": []}],
            "optional": [{}, {"token": []}],
            "none": [],
        }[docs.caller]
    }


def request_parts(path: str, docs: RouteDocs, schemas: Schemas) -> Schema:
    """Return a route's parameters and body."""
    in_path = [
        {**parameter_object(Parameter(name, str, *PATH_PARAMETERS[name], "path")), "required": True}
        for name in re.findall(r"{(\w+)}", path)
    ]
    parameters = [*in_path, *map(parameter_object, docs.parameters)]
    parts: Schema = {"parameters": parameters} if parameters else {}
    if docs.body is not None:
        schema = schemas.of(docs.body)
        media_type = {"schema": schema, "examples": schemas.examples(schema)}
        parts["requestBody"] = {"required": True, "content": {JSON: media_type}}
    return parts


def parameter_object(parameter: Parameter[Any]) -> Schema:
    """Return a query parameter or header."""
    schema = msgspec.json.schema(parameter.kind)
    return {
        "name": parameter.name,
        "in": parameter.where,
        "description": parameter.about,
        "schema": schema,
        "example": parameter.example,
    }


def content(media_type: str, schema: Schema) -> Schema:
    """Return the content of one media type."""
    return {media_type: {"schema": schema}}


def response(docs: RouteDocs, status: int, kind: Any, schemas: Schemas, *, is_limited: bool) -> Schema:
    """Return a successful response, which names the limits that it counted against."""
    bodies = {} if kind is None else content(JSON, schemas.of(kind))
    for media_type, what in docs.also if status == 200 else ():
        lines = {"contentMediaType": JSON, "contentSchema": schemas.of(docs.line)} if media_type in WITH_LINES else {}
        bodies |= content(media_type, {"type": "string", "description": what, **lines})
    limited = ("RateLimit", "RateLimit-Policy") if is_limited else ()
    headers = header_references(*docs.headers, "X-Request-Id", *limited)
    struct = isinstance(kind, type) and issubclass(kind, msgspec.Struct)
    about = inspect.getdoc(kind) if struct else {304: NOT_MODIFIED}.get(status)
    return {
        "description": about or f"{docs.summary}.",
        "headers": headers,
        **({"content": bodies} if bodies else {}),
    }


def codes_by_status(path: str, handler: HTTPRouteHandler) -> dict[int, tuple[str, ...]]:
    """Return every refusal code of a route, by status."""
    docs: RouteDocs = handler.opt["docs"]
    codes = {*docs.refusals}
    codes |= {"rate_limited"} if "GET" in handler.http_methods and not path.startswith(UNLIMITED_PATHS) else set()
    codes |= {"store_lost_data", "store_unfit"} if "outcome_unknown" in codes else set()  # it writes
    codes |= {"store_full"} if "store_unavailable" in codes and "GET" not in handler.http_methods else set()
    codes |= CALLER_CODES[docs.caller]
    # a token that may not read reads what everybody may
    codes |= {"scope_missing"} if docs.caller == "optional" and "GET" not in handler.http_methods else set()
    codes |= {"unfit"} if path.startswith("/v1/") else set()
    codes |= set(BODY_CODES) if docs.body is not None else set()
    statuses = sorted({CODES[code].status for code in codes})
    return {status: tuple(sorted(code for code in codes if CODES[code].status == status)) for status in statuses}
