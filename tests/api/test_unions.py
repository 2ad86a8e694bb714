"""Unions in the documents: by its fields alone, a value matches exactly one member."""

import itertools
from functools import cache
from typing import Any

import jsonschema_rs
import msgspec
import pytest

from clients.spec.examples.matches import examples_of
from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.ids import Version
from service.rooms.kind import ROOMS
from service.rooms.views.event_view import event_json
from service.store.codec import decode
from service.store.contract import Entry
from tests.api.documents import ASYNCAPI, OPENAPI, SCHEMAS, Json, objects_in
from tests.store import stored

RECORDED = [(name, line) for name in (*GAMES, stored.ROOM) for line in stored.lines(name)]
NULL: Json = {"type": "null"}


def resolved(schema: Json, named: Json) -> Json:
    """Return a schema that is no reference."""
    while "$ref" in schema:
        schema = named[schema["$ref"].rpartition("/")[2]]
    return schema


def members(schema: Json, named: Json) -> list[Json]:
    """Return the members of a union, and of the unions in it; a schema that is none is its only member."""
    schema = resolved(schema, named)
    parts = schema.get("oneOf") or schema.get("anyOf")
    return [each for part in parts for each in members(part, named)] if parts else [schema]


def types_of(schema: Json) -> set[str]:
    """Return the JSON types of a schema."""
    return {schema["type"]} if isinstance(schema["type"], str) else set(schema["type"])


def are_apart(one: Json, other: Json) -> bool:
    """Return whether no value matches both: by type, by a required field's values, or by a field that one lacks."""
    if not types_of(one) & types_of(other):
        return True
    if "enum" in one and "enum" in other:
        return not set(one["enum"]) & set(other["enum"])
    required = set(one.get("required", ())) & set(other.get("required", ()))
    return any(
        not set(one["properties"][field].get("enum", "?")) & set(other["properties"][field].get("enum", "?"))
        for field in required
        if "enum" in one["properties"][field] and "enum" in other["properties"][field]
    ) or any(
        closed.get("additionalProperties") is False and set(open_["required"]) - set(closed["properties"])
        for closed, open_ in ((one, other), (other, one))
    )


@pytest.mark.parametrize("document", [OPENAPI, ASYNCAPI], ids=["openapi", "asyncapi"])
def test_the_members_of_every_union_are_apart(document: Json) -> None:
    """Null is one of them where a field may be null."""
    named, count = document["components"]["schemas"], 0
    for place, schema in objects_in(document):
        if "/examples/" not in place and ("oneOf" in schema or "anyOf" in schema) and "/mapping" not in place:
            for one, other in itertools.combinations(members(schema, named), 2):
                assert are_apart(one, other), (place, one.get("title", one), other.get("title", other))
                count += 1
    assert count > 1000


def test_every_named_union_has_a_discriminator() -> None:
    """So that generated code need not try one member after another."""
    assert [name for name, schema in SCHEMAS.items() if "oneOf" in schema and "discriminator" not in schema] == []


def test_members_that_are_not_apart_would_be_found() -> None:
    """A move of Ternio and one of Triboard look alike."""
    assert not are_apart(SCHEMAS["TernioPlaceMove"], SCHEMAS["TriboardPlaceMove"])
    assert not are_apart({"type": "integer"}, {"type": ["integer", "null"]})


def matches(value: Any, union: str) -> list[str]:
    """Return the titles of the union's members that a value matches."""
    return [title for title, validator in validators(union) if validator.is_valid(value)]


@cache
def validators(union: str) -> list[tuple[str, jsonschema_rs.Draft202012Validator]]:
    """Return a validator for each member of a union, by its title."""
    return [
        (each["title"], jsonschema_rs.Draft202012Validator({**each, "components": {"schemas": SCHEMAS}}))
        for each in members(SCHEMAS[union], SCHEMAS)
    ]


@pytest.mark.parametrize(("name", "line"), RECORDED, ids=[f"{name}-{n}" for n, (name, _) in enumerate(RECORDED)])
def test_a_recorded_event_matches_exactly_one_type(name: str, line: stored.Line) -> None:
    """As the public and as a seat receive it; an event of a game matches a type of that game."""
    game = stored.game_of(name)
    recorded = decode(ROOMS, game, Entry(Version(9), bytes(line.entry), b"")).recorded
    for seat in (None, Seat(0), Seat(1)):
        event = msgspec.json.decode(event_json(recorded, seat, game))
        [title] = matches(event, "AnyEvent")
        assert SCHEMAS[title]["properties"]["type"]["enum"] == [event["type"]]
        assert name == stored.ROOM or SCHEMAS[title]["properties"]["game"]["enum"] == [name]


@pytest.mark.parametrize("slug", GAMES)
def test_moves_and_events_match_exactly_one_type(slug: str) -> None:
    """This checks the unions over all games."""
    shown = examples_of(slug)
    for move in shown.moves.values():
        assert len(matches(move, "AnyMove")) == 1
    for event in shown.events.values():
        assert len(matches(event, "AnyEvent")) == 1
