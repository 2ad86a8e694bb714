"""What the documents leave out: nothing. Each test counts one kind of gap, in all of them."""

import re
from collections.abc import Iterator

import msgspec
import pytest

from clients.spec.field_docs import CONCEPTS
from clients.spec.openapi import http_routes
from service.api.app import OPERATOR_ROUTES
from service.api.routes.games import game_details
from service.domain.catalog import GAMES, AnyGame
from service.domain.presentation import ENGLISH
from service.domain.validation import MAX_INTEGER
from tests.api.documents import DOCUMENTS, Json, Schemas, objects_in

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
VALUES = ("/examples/", "/example/", "/value/", "/payload/", "/default/")
"""The parts of a document below which there are values, not schemas."""


@pytest.fixture(params=DOCUMENTS)
def document(request: pytest.FixtureRequest) -> Json:
    """Return one of the documents."""
    found: Json = DOCUMENTS[request.param]
    return found


def schemas_in(document: Json) -> Iterator[tuple[str, Json]]:
    """Return every object that may be a schema, with its place."""
    return ((place, part) for place, part in objects_in(document) if not any(each in f"{place}/" for each in VALUES))


def parameters(document: Json) -> list[tuple[str, Json]]:
    """Return every parameter of an operation or a channel, with its place."""
    paths = [part for part in schemas_in(document) if "in" in part[1] and "schema" in part[1]]
    channels = document.get("channels", {}).items()
    return paths + [(name, each) for name, channel in channels for each in channel.get("parameters", {}).values()]


def test_every_enum_has_a_type(document: Json) -> None:
    """Generators of clients need the type."""
    assert [
        place for place, part in schemas_in(document) if isinstance(part.get("enum"), list) and "type" not in part
    ] == []


def test_every_property_has_a_description(document: Json) -> None:
    """The description is an English sentence."""
    found = [
        (f"{place}/{name}", field.get("description", ""))
        for place, part in schemas_in(document)
        if place.endswith("/properties")
        for name, field in part.items()
    ]
    assert [place for place, about in found if not about.endswith((".", ".)"))] == []
    assert len(found) > 10


def fields_of(document: Json) -> list[tuple[str, str, Json]]:
    """Return the fields of all named schemas: the schema's name, the field's name, and its schema."""
    schemas = document["components"]["schemas"].items()
    return [(name, field, part) for name, schema in schemas for field, part in schema.get("properties", {}).items()]


def kinds_of(part: Json) -> set[str]:
    """Return the kinds of values of a schema, `null` left out; all objects are of one kind."""
    if "enum" in part or "const" in part:
        return {"string" if isinstance(part.get("const", *part.get("enum", [""])[:1]), str) else "other"}
    parts = [*part.get("anyOf", ()), *part.get("oneOf", ())]
    if parts:
        return set[str]().union(*map(kinds_of, parts)) - {"null"}
    if part.get("type") == "array":
        return {f"array of {kind}" for kind in kinds_of(part.get("items", {}))}
    return {part.get("type", "object")}


def test_a_description_that_several_fields_share_is_about_one_kind_of_value() -> None:
    """What ids, objects and lists of either are is not the same; what only one type has is described there."""
    users: dict[str, set[str]] = {name: set() for name in CONCEPTS}
    kinds: dict[str, set[str]] = {name: set() for name in CONCEPTS}
    for document in DOCUMENTS.values():
        for schema, name, part in fields_of(document):
            if name in CONCEPTS and part["description"].startswith(CONCEPTS[name]):
                users[name].add(schema)
                kinds[name] |= kinds_of(part)
    assert {name: found for name, found in kinds.items() if len(found) != 1} == {}
    assert [name for name, found in users.items() if len(found) == 1] == []


def test_what_is_null_in_a_description_can_be_null(document: Json) -> None:
    """`; null while it is played` is not said of what is always there."""
    says_null = re.compile(r"(^N|; n)ull\b")
    found = [
        (f"{schema}.{name}", part)
        for schema, name, part in fields_of(document)
        if says_null.search(part["description"])
    ]
    nullable = [
        place for place, part in found if {"type": "null"} in part.get("anyOf", ()) or "null" in str(part.get("items"))
    ]
    assert [place for place, _ in found if place not in nullable] == []
    assert found or document is DOCUMENTS["admin"]


def test_every_parameter_has_a_description_and_a_valid_example(document: Json) -> None:
    """The examples look like real values."""
    found, schemas = parameters(document), Schemas(document["components"]["schemas"])
    assert [place for place, parameter in found if not parameter.get("description", "").endswith(".")] == []
    for _, parameter in found:
        examples = parameter["examples"] if "examples" in parameter else [parameter["example"]]
        for example in examples:
            schemas.validate(example, parameter.get("schema", {"type": "string"}))
    assert found


def test_every_request_has_a_valid_example(document: Json) -> None:
    """This includes each body and each frame of a feed."""
    schemas = Schemas(document["components"]["schemas"])
    bodies = [
        (part["schema"], [example["value"] for example in part["examples"].values()])
        for place, part in schemas_in(document)
        if place.endswith("/requestBody/content/application/json")
    ]
    frames = [
        (message["payload"], [example["payload"] for example in message["examples"]])
        for message in document["components"].get("messages", {}).values()
    ]
    for schema, examples in [*bodies, *frames]:
        assert examples
        for example in examples:
            schemas.validate(example, schema)
    assert bodies or frames


def test_every_integer_is_bounded(document: Json) -> None:
    """The bounds are those that every JSON parser represents exactly, or narrower ones."""
    integers = [(place, part) for place, part in schemas_in(document) if part.get("type") == "integer"]
    for place, part in integers:
        largest = max(map(abs, part.get("enum") or (part["minimum"], part["maximum"])))
        assert largest <= MAX_INTEGER, place
    assert integers


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_every_integer_of_a_game_is_bounded(game: AnyGame) -> None:
    """This checks the schemas in the catalogue of games."""
    details = msgspec.json.decode(msgspec.json.encode(game_details(game, ENGLISH)))
    for place, part in objects_in({"options": details["options"], "moves": details["moves"]}):
        if part.get("type") == "integer":
            assert part.get("maximum", MAX_INTEGER + 1) <= MAX_INTEGER, place


def test_every_time_has_its_format(document: Json) -> None:
    """A field that is a time in some example is a time in every schema."""
    times = {
        key
        for _, part in objects_in(document)
        for key, value in part.items()
        if isinstance(value, str) and TIME.fullmatch(value)
    }
    for place, part in schemas_in(document):
        if place.endswith("/properties"):
            for name in times & part.keys():
                forms = part[name].get("anyOf", [part[name]])
                assert "date-time" in {form.get("format") for form in forms}, f"{place}/{name}"
    assert times or "paths" in document


def test_no_number_is_a_time(document: Json) -> None:
    """Times are RFC 3339 everywhere, and durations are in milliseconds."""
    found = [
        place
        for place, part in schemas_in(document)
        if part.get("type") == "integer" and ("since 1970" in part.get("description", "") or "format" in part)
    ]
    assert found == []


def test_each_line_of_a_response_matches_the_schema_of_a_line(document: Json) -> None:
    """This checks exports and event streams."""
    contents = [
        part for place, part in schemas_in(document) if place.endswith(("/application/x-ndjson", "/text/event-stream"))
    ]
    assert [content for content in contents if not content["schema"].get("contentSchema")] == []
    assert bool(contents) == (document is DOCUMENTS["openapi"])


def test_operators_have_a_document_of_their_own() -> None:
    """It has all routes for operators, and no others."""
    described = {(path, method) for path, operations in DOCUMENTS["admin"]["paths"].items() for method in operations}
    assert described == {(path, method) for path, method, _ in http_routes(OPERATOR_ROUTES)}
    assert not {path for path, _ in described} & set(DOCUMENTS["openapi"]["paths"])
