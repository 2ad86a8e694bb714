"""The served documents as Python values, and the validation of a value by one of their schemas."""

import copy
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import msgspec
from litestar.handlers import HTTPRouteHandler, WebsocketRouteHandler

from service.api.app import ROUTES, documents
from tests.e2e.client import ApiClient, Player

Json = dict[str, Any]

OPENAPI: Json = msgspec.json.decode(documents()["openapi"])
ASYNCAPI: Json = msgspec.json.decode(documents()["asyncapi"])
SCHEMAS: Json = OPENAPI["components"]["schemas"]
OPERATIONS = [
    (path, method, operation) for path, methods in OPENAPI["paths"].items() for method, operation in methods.items()
]
HANDLERS = [handler for handler in ROUTES if isinstance(handler, HTTPRouteHandler | WebsocketRouteHandler)]


def objects_in(value: Any, at: str = "") -> Iterator[tuple[str, Json]]:
    """Return every object in a document with its place."""
    if isinstance(value, dict):
        yield at, value
        for key, part in value.items():
            yield from objects_in(part, f"{at}/{key}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from objects_in(part, f"{at}/{index}")


def strict_schemas(schemas: Json) -> Json:
    """Return schemas that allow only the fields they name, so that an undocumented field is an error."""
    strict: Json = copy.deepcopy(schemas)
    for _, schema in objects_in(strict):
        if isinstance(schema.get("properties"), dict) and "type" in schema:
            schema["additionalProperties"] = False
    return strict


def validate(example: Any, schema: Json, schemas: Json) -> None:
    """Validate an example by a schema. Raises `ValidationError`."""
    whole = {**schema, "components": {"schemas": schemas}}
    jsonschema_rs.Draft202012Validator(whole, validate_formats=True).validate(example)


def open_hot_seat_room(client: ApiClient) -> tuple[Player, Json]:
    """Return a player alone in a match, and the view of its room with the `code` of an invitation, and a `webhook`."""
    ada = client.guest("Ada")
    name = ada.open_room("ternio", seats=["me", "me", "me"], settings={"hot_seat": True, "hints": "on"}).body["room"]
    code = ada.command(name, "invite", uses=100).body["invitation"]["code"]
    webhook = ada.post("/v1/players/me/webhooks", {"url": "https://hooks.example/"}).body["webhook"]["id"]
    return ada, {**ada.read_room(name).body, "code": code, "webhook": webhook}


def address(path: str, view: Json) -> str:
    """Return a documented path with its parameters filled in."""
    real = {
        "room": view["room"],
        "game": view["game"],
        "match_id": view["match"]["id"],
        "code": view.get("code", "none"),
        "seek": "none",
        "webhook": view.get("webhook", "none"),
        "event": "1",
        "token": "none",
        "player": "p-nobody",
        "challenge": "none.p-none",
    }
    return path.format_map(
        {**real, "name": "page.css", "number": 1, "folder": "style", "place": "web", "release_name": "any"}
    )
