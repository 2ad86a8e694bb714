"""The served documents: complete, valid, the same as the committed ones, and true in every example."""

import ast
import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import Any, get_args

import jsonschema_rs
import msgspec
import pytest
import schemathesis

from clients.documents import generate
from clients.spec.asyncapi import asyncapi
from clients.spec.names import component_name, pascal_case
from clients.spec.openapi import http_routes, openapi
from clients.spec.schemas import BY_GAME
from service.api.app import ROUTES
from service.domain.catalog import GAMES
from service.domain.game import Rejected
from service.domain.room.model.events import AnyRoomEvent
from service.domain.room.subjects.invitations import decline_invitation
from service.domain.room.subjects.matches import ready, unready
from service.domain.room.subjects.members import join
from service.streams.codes import CATALOGUE, CODES
from tests.api.documents import (
    ASYNCAPI,
    DOCUMENTS,
    OPENAPI,
    OPERATIONS,
    RESPONSES,
    SCHEMAS,
    STRICT,
    Json,
    address,
    objects_in,
    open_hot_seat_room,
)
from tests.e2e.client import ApiClient, Player

COMMITTED = Path(__file__).parent.parent.parent / "openapi"

REFERENCE = re.compile(rb'"\$ref": ?"#/([^"]+)"')


@pytest.mark.parametrize("name", ["openapi", "asyncapi", "admin"])
def test_the_committed_document_is_the_generated_one(name: str) -> None:
    """If this fails after a change, run `make openapi`."""
    assert generate()[name] == (COMMITTED / f"{name}.json").read_bytes(), "run `make openapi` and look at the change"


@pytest.mark.parametrize("name", ["openapi", "asyncapi"])
def test_the_committed_document_is_the_served_one(name: str, anonymous: Player) -> None:
    """Byte by byte."""
    served = anonymous.get(f"/{name}.json")
    assert (served.status, served.headers["content-type"]) == (200, "application/json")
    assert served.content == (COMMITTED / f"{name}.json").read_bytes()


def test_a_running_service_loads_no_generator_and_no_cryptography() -> None:
    """Generating the documents takes a third of a second and some megabytes, and few trust tokens of other issuers."""
    program = "import sys, service.serving; print(*sys.modules)"
    loaded = subprocess.run((sys.executable, "-c", program), capture_output=True, text=True, check=True).stdout.split()
    assert "service.api.app" in loaded
    assert [name for name in loaded if name.startswith(("clients", "cryptography", "jwt"))] == []


def test_every_route_is_described() -> None:
    """The documents have no route without a handler."""
    assert [handler.paths for handler in ROUTES if not {"docs", "feed_docs"} & handler.opt.keys()] == []
    assert {(path, method) for path, method, _ in http_routes(ROUTES)} == {op[:2] for op in OPERATIONS}
    parameters = [parameter for _, _, operation in OPERATIONS for parameter in operation.get("parameters", [])]
    assert [parameter["name"] for parameter in parameters if not parameter["description"]] == []


def test_the_api_document_is_openapi() -> None:
    """The document is valid OpenAPI, each schema is valid JSON Schema 2020-12, and names suit generators."""
    schemathesis.openapi.from_dict(OPENAPI).validate()
    for name, schema in SCHEMAS.items():
        jsonschema_rs.meta.validate({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
        assert re.fullmatch(r"[A-Z][A-Za-z0-9]+", name)
        assert schema["title"] == name, name
    ids = [part["operationId"] for _, _, part in OPERATIONS]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("name", ["openapi", "asyncapi"])
def test_every_reference_has_a_target_and_every_schema_is_used(name: str) -> None:
    """References include those of discriminators."""
    text, document = generate()[name], {"openapi": OPENAPI, "asyncapi": ASYNCAPI}[name]
    found = {match.decode() for match in REFERENCE.findall(text)}
    for reference in found:
        part: Any = document
        for step in reference.split("/"):
            part = part[step.replace("~1", "/")]
    used = {reference.removeprefix("components/schemas/") for reference in found}
    assert set(document["components"]["schemas"]) - used == set()
    mappings = [part["mapping"] for _, part in objects_in(document) if isinstance(part.get("mapping"), dict)]
    assert {target.rpartition("/")[2] for mapping in mappings for target in mapping.values()} - set(SCHEMAS) == set()


@pytest.mark.parametrize("slug", GAMES)
def test_every_game_stands_under_names_of_its_own(slug: str) -> None:
    """Moves, events, state and options of each game; the unions over all games lead to each."""
    begin, game = pascal_case(slug), GAMES[slug]
    for kind, parts in (("Move", game.move), ("Event", game.event)):
        named = {part["$ref"].rpartition("/")[2] for part in SCHEMAS[f"{begin}{kind}"]["oneOf"]}
        assert named == {f"{begin}{part.__name__}{kind}" for part in get_args(parts) or (parts,)}
    events = SCHEMAS["AnyEvent"]["discriminator"]["mapping"]
    for part in SCHEMAS[f"{begin}Event"]["oneOf"]:
        [kind] = SCHEMAS[part["$ref"].rpartition("/")[2]]["properties"]["type"]["enum"]
        named = SCHEMAS[events[kind].rpartition("/")[2]]
        assert events[kind] == part["$ref"] or named["discriminator"]["mapping"][slug] == part["$ref"]
    for name in BY_GAME:
        assert SCHEMAS[name]["discriminator"]["mapping"][slug].endswith(f"/{begin}{name}")
    assert "last" in SCHEMAS[SCHEMAS[f"{begin}MatchView"]["properties"]["state"]["$ref"].rpartition("/")[2]]["required"]


def test_a_sixth_game_needs_no_line_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that is in the catalogue is in the documents."""
    morris = GAMES["morris"]
    fields = {name: getattr(morris, name) for name in morris.__dataclass_fields__}
    monkeypatch.setitem(GAMES, "sixth-game", type(morris)(**{**fields, "slug": "sixth-game"}))
    for document in (openapi(ROUTES), asyncapi(ROUTES)):
        schemas = msgspec.json.decode(document)["components"]["schemas"]
        assert {"SixthGameMove", "SixthGamePlacedEvent", "SixthGameRoomView", "SixthGameMatchView"} <= set(schemas)
        assert {"$ref": "#/components/schemas/SixthGamePlacedEvent"} in schemas["AnyPlacedEvent"]["oneOf"]


def test_hidden_fields_are_optional_and_private_fields_are_absent() -> None:
    """A selection is left out for others; a seed is published when the match is over."""
    selected = SCHEMAS["TurncoatSelectedEvent"]
    assert "at" in selected["properties"]
    assert "at" not in selected["required"]
    assert "seed" not in SCHEMAS["MatchStartedEvent"]["properties"]
    assert not {"next_seed"} & {*SCHEMAS["RoomOpenedEvent"]["properties"], *SCHEMAS["MatchStartedEvent"]["properties"]}
    assert "seed" in SCHEMAS["MatchEndedEvent"]["required"]


@pytest.mark.parametrize("name", sorted(component_name(kind) for kind in get_args(AnyRoomEvent)))
def test_every_event_has_an_envelope(name: str) -> None:
    """Version and time always, match and player where there is one."""
    event = SCHEMAS[name]
    assert event["required"][:3] == ["type", "version", "time"]
    assert {"match", "by"} <= set(event["properties"]) - set(event["required"])


WIDE = {
    "PatchOperation/properties/value",
    "GameDetails/properties/options",
    "GameDetails/properties/moves",
    "SeatsByOptions/properties/options",
    "GeometryByOptions/properties/options",
}
"""Fields that may have any form: JSON Schemas, parts of options and of views. So do the `params` of problems."""


def test_no_field_is_left_without_a_form() -> None:
    """A field encoded ahead, or one that depends on the game, has its form in the table of schemas."""
    wide = set()
    for document in (OPENAPI, ASYNCAPI):
        for place, properties in objects_in(document["components"]["schemas"]):
            if place.endswith("/properties"):
                bare = [
                    name
                    for name, field in properties.items()
                    if not field.keys() - {"description", "default", "x-default"}
                ]
                loose = [
                    name
                    for name, field in properties.items()
                    if field.keys() - {"description", "default", "x-default"} == {"type"}
                ]
                loose = [name for name in loose if properties[name]["type"] in {"object", "array"}]
                wide |= {f"{place.removeprefix('/')}/{name}" for name in bare + loose}
    assert {field for field in wide - WIDE if not field.endswith("/params")} == set()


def test_every_code_is_documented_where_it_can_come() -> None:
    """Each code of the catalogue is listed at some route, except those of no documented route and of the service."""
    documented = set()
    for _, _, operation in OPERATIONS:
        for status, answer in operation["responses"].items():
            for code in answer.get("content", {}).get("application/problem+json", {}).get("examples", {}):
                assert str(OPENAPI["components"]["examples"][code]["value"]["status"]) == status
                documented.add(code)
    undocumented = {"method_not_allowed", "internal", "too_many_subscriptions", "wrong_host", "nothing_due"}
    of_operators = {"admin_only", "no_such_report"}
    assert of_operators <= DOCUMENTS["admin"]["components"]["examples"].keys()
    assert set(CODES) - documented == undocumented | of_operators


def test_refusals_are_shared() -> None:
    """Operations only refer to them, no two are the same, and the schema of all is `Problem` with their codes."""
    refusals = [
        answer
        for methods in OPENAPI["paths"].values()
        for operation in methods.values()
        for status, answer in operation["responses"].items()
        if status >= "400"
    ]
    assert [answer for answer in refusals if answer.keys() != {"$ref"}] == []
    codes = []
    for answer in RESPONSES.values():
        [content] = answer["content"].values()
        assert content["schema"]["$ref"] == "#/components/schemas/Problem"
        assert content["schema"]["properties"]["code"]["enum"] == list(content["examples"])
        codes.append(tuple(content["examples"]))
    assert len(set(codes)) == len(codes)
    assert "code" in SCHEMAS["Problem"]["required"]


def rule_codes(function: Any) -> set[str]:
    """Return the codes with which a function, and those that it calls by name, reject a command."""
    found: dict[Any, set[str]] = {}
    waiting = [function]
    while waiting:
        each = waiting.pop()
        if not inspect.isfunction(each) or each in found:
            continue
        calls = [node for node in ast.walk(ast.parse(inspect.getsource(each))) if isinstance(node, ast.Call)]
        found[each] = {
            str(ast.literal_eval(call.args[0])) for call in calls if ast.unparse(call.func) == Rejected.__name__
        }
        for call in calls:
            first, *rest = ast.unparse(call.func).split(".")
            waiting.append(reduce(lambda owner, name: getattr(owner, name, None), rest, each.__globals__.get(first)))
    return set().union(*found.values())


@pytest.mark.parametrize(
    ("operation_id", "rules", "others"),
    [
        ("accept_invitation", (join,), set()),
        ("decline_invitation", (decline_invitation,), {"no_such_room"}),
        ("say_in_room", (ready, unready), {"no_such_room", "not_a_member", "members_only"}),
    ],
)
def test_an_operation_lists_what_its_rules_refuse(operation_id: str, rules: tuple[Any, ...], others: set[str]) -> None:
    """No more, no less, besides a room that is closed in the meantime; `/ready` has no salt."""
    [operation] = [operation for _, _, operation in OPERATIONS if operation["operationId"] == operation_id]
    listed = {
        code
        for answer in operation["responses"].values()
        for code in answer.get("content", {}).get("application/problem+json", {}).get("examples", {})
    }
    refused = set().union(*map(rule_codes, rules)) - {"salt_too_early"}
    games = {code for game in GAMES.values() for code in game.texts.refusals}
    assert listed & {*CATALOGUE.rooms, *games, "no_such_room"} == refused | {"room_closed"} | others


def examples() -> Iterator[tuple[str, Any, Json]]:
    """Return every example in the API document: its place, itself, its schema."""
    for name, schema in SCHEMAS.items():
        for example in schema.get("examples", []):
            yield name, example, {"$ref": f"#/components/schemas/{name}"}
    for place, part in objects_in(OPENAPI["paths"]):
        if "schema" in part and isinstance(part.get("examples"), dict):
            for name, example in part["examples"].items():
                yield f"{place} {name}", example["value"], part["schema"]


def test_every_example_is_as_its_schema_says() -> None:
    """Not one field more, less or otherwise: they were made by the code that serves."""
    places = []
    for place, example, schema in examples():
        STRICT.validate(example, schema)
        places.append(place)
    assert {f"{pascal_case(slug)}RoomView" for slug in GAMES} <= set(places)
    assert len(places) > 100


def test_a_wrong_example_would_be_found() -> None:
    """What the test above relies on: a field too much and a field too few."""
    view = SCHEMAS["TernioRoomView"]["examples"][0]
    for wrong in ({**view, "secret": 1}, {name: part for name, part in view.items() if name != "version"}):
        with pytest.raises(jsonschema_rs.ValidationError):
            STRICT.validate(wrong, {"$ref": "#/components/schemas/RoomView"})


@pytest.fixture(scope="module")
def table(client: ApiClient) -> tuple[Player, Json]:
    """Return a player at a table of their own, and the view of its room."""
    return open_hot_seat_room(client)


@pytest.fixture(scope="module")
def over(client: ApiClient) -> tuple[Player, Json]:
    """Return a player whose match is over after a move, and the view of its room."""
    ada, view = open_hot_seat_room(client)
    assert ada.play(view["room"], view["match"]["legal_moves"][0]).status == 200
    for seat in (0, 1):
        assert ada.command(view["room"], "resign", seat=seat).status == 200
    return ada, view


@pytest.mark.parametrize("query", [{}, {"ply": 0}])
def test_an_analysis_has_only_documented_fields(over: tuple[Player, Json], query: dict[str, int]) -> None:
    """Of all positions, and of one with the bot's move."""
    ada, view = over
    answer = ada.get(address("/v1/matches/{match_id}/analysis", view), **query)
    STRICT.validate(answer.body, {"$ref": "#/components/schemas/MatchAnalysis"})


IMAGE = {"accept": "image/png"}
NOBODY = {"authorization": "Bearer nobody"}
PLAIN = {"content-type": "text/plain"}


@pytest.mark.parametrize(
    ("path", "method", "operation"), OPERATIONS, ids=lambda part: part if isinstance(part, str) else ""
)
def test_a_route_refuses_what_it_says_and_nothing_else(
    path: str, method: str, operation: Json, table: tuple[Player, Json]
) -> None:
    """A bad token, an unserved media type, a body that is no JSON: refused where documented, else not looked at."""
    ada, view = table
    tries = ((401, NOBODY), (406, IMAGE), (415, PLAIN)) if method == "post" else ((401, NOBODY), (406, IMAGE))
    for status, headers in tries:
        body = {"content": b"nothing"} if method == "post" else {}
        answer = ada.send(method.upper(), address(path, view), headers, **body)
        assert (answer.status == status) == (str(status) in operation["responses"]), (status, answer.status)


def json_answers() -> Iterator[tuple[str, Json]]:
    """Return every path that answers JSON, with the schema of the answer."""
    for path, method, operation in OPERATIONS:
        content = operation["responses"].get("200", {}).get("content", {})
        if method == "get" and "application/json" in content:
            yield path, content["application/json"]["schema"]


@pytest.mark.parametrize(
    ("path", "schema"), list(json_answers()), ids=lambda part: part if isinstance(part, str) else ""
)
def test_responses_have_only_documented_fields(
    path: str, schema: Json, table: tuple[Player, Json], over: tuple[Player, Json]
) -> None:
    """A real answer fits its schema when that is closed to every other field."""
    ada, view = over if path.endswith(("/analysis", "/{webhook}")) else table
    answer = ada.get(address(path, view))
    assert answer.status == 200
    STRICT.validate(answer.body, schema)
