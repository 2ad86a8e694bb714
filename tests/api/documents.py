"""The served documents as Python values, and the validation of a value by one of their schemas."""

import copy
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import msgspec

from clients.documents import generate
from tests.api.tournaments import new_tournament
from tests.e2e.client import ApiClient, Player

Json = dict[str, Any]

DOCUMENTS: Json = {name: msgspec.json.decode(document) for name, document in generate().items()}
OPENAPI: Json = DOCUMENTS["openapi"]
ASYNCAPI: Json = DOCUMENTS["asyncapi"]
SCHEMAS: Json = OPENAPI["components"]["schemas"]
RESPONSES: Json = OPENAPI["components"]["responses"]


def with_responses(operation: Json) -> Json:
    """Return an operation with its responses in place of references to them."""
    answers = {
        status: RESPONSES[answer["$ref"].rpartition("/")[2]] if "$ref" in answer else answer
        for status, answer in operation["responses"].items()
    }
    return {**operation, "responses": answers}


OPERATIONS = [
    (path, method, with_responses(operation))
    for path, methods in OPENAPI["paths"].items()
    for method, operation in methods.items()
]


def objects_in(value: Any, at: str = "") -> Iterator[tuple[str, Json]]:
    """Return every object in a document with its place."""
    if isinstance(value, dict):
        yield at, value
        for key, part in value.items():
            yield from objects_in(part, f"{at}/{key}")
    elif isinstance(value, list):
        for index, part in enumerate(value):
            yield from objects_in(part, f"{at}/{index}")


class Schemas:
    """The schemas of a document, by which values are validated."""

    def __init__(self, schemas: Json) -> None:
        """Take the schemas by name."""
        self._registry = jsonschema_rs.Registry([("urn:document", {"components": {"schemas": schemas}})])

    def validate(self, example: Any, schema: Json) -> None:
        """Validate a value by a schema of the document. Raises `ValidationError`."""
        whole = msgspec.json.encode(schema).replace(b'"#/components/', b'"urn:document#/components/')
        validator = jsonschema_rs.Draft202012Validator(
            msgspec.json.decode(whole), registry=self._registry, validate_formats=True
        )
        validator.validate(example)


def strict(schemas: Json) -> Schemas:
    """Return schemas that allow only the fields they name, so that an undocumented field is an error."""
    closed: Json = copy.deepcopy(schemas)
    for _, schema in objects_in(closed):
        if isinstance(schema.get("properties"), dict) and "type" in schema and "oneOf" not in schema:
            schema["additionalProperties"] = False
    return Schemas(closed)


STRICT = strict(SCHEMAS)
STRICT_FRAMES = strict(ASYNCAPI["components"]["schemas"])


def open_hot_seat_room(client: ApiClient) -> tuple[Player, Json]:
    """Return a player alone in a match, and the view of its room with the `code` of an invitation, and a `webhook`."""
    ada = client.guest("Ada")
    name = ada.open_room("ternio", seats=["me", "me", "me"], settings={"hot_seat": True, "hints": "on"}).body["room"]
    code = ada.command(name, "invite", uses=100).body["invitation"]["code"]
    webhook = ada.post("/v1/players/me/webhooks", {"url": "https://hooks.example/"}).body["webhook"]["id"]
    tournament = new_tournament(ada)
    return ada, {**ada.read_room(name).body, "code": code, "webhook": webhook, "tournament_id": tournament}


def address(path: str, view: Json) -> str:
    """Return a documented path with its parameters filled in."""
    real = {
        "room": view["room"],
        "game": view["game"],
        "rating_class": "blitz",
        "channel": "best",
        "match_id": view["match"]["id"],
        "code": view.get("code", "none"),
        "seek": "none",
        "webhook": view.get("webhook", "none"),
        "event": "1",
        "token": "none",
        "player": "p-nobody",
        "other": "p-other",
        "challenge": "none.p-none",
        "tournament": view.get("tournament_id", "none"),
    }
    return path.format_map(
        {**real, "name": "page.css", "number": 1, "folder": "style", "place": "web", "release_name": "any"}
    )
