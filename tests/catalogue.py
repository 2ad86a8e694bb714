"""docs/events.md, generated from the types of the events: `python -m tests.catalogue` writes it, a test compares it."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from service.domain.catalog import GAMES
from service.domain.game import Event, hidden_fields
from service.domain.room.model.events import AnyRoomEvent

PAGE = Path(__file__).parents[1] / "docs/events.md"
HEAD = """\
# Events

All events, as they are stored and sent to clients. This page is generated from the types by
`python -m tests.catalogue`; the JSON Schemas are in `/openapi.json` and `/asyncapi.json`.

In addition to its own fields, each event sent to clients has `version` and `time`, `match` if it belongs to one, `by`
if a player's command caused it, and `game` if it is an event of a game. A field marked *hidden*
is omitted for viewers who may not know it.
"""


def page() -> str:
    """Return the page."""
    parts = [HEAD, "\n## Events of rooms\n", *tables(get_args(AnyRoomEvent))]
    for game in GAMES.values():
        kinds = get_args(game.event) or (game.event,)
        parts += [f"\n## Events of {game.texts.title} (`{game.slug}`)\n", *tables(kinds)]
    return "".join(parts)


def tables(kinds: tuple[type[Event], ...]) -> Iterator[str]:
    """Return the rows of a table of events."""
    yield "\n| event | fields | meaning |\n| --- | --- | --- |\n"
    for kind in kinds:
        about = " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())
        yield f"| `{kind.__struct_config__.tag}` | {', '.join(fields(kind))} | {about} |\n"


def fields(kind: type[Event]) -> Iterator[str]:
    """Return an event's fields by their JSON names, each with its type."""
    hidden = {name for name, _ in hidden_fields(kind)}
    hints = get_type_hints(kind, include_extras=True)
    for field in msgspec.structs.fields(kind):
        marks = " *hidden*" if field.name in hidden else ""
        yield f"`{field.encode_name}` {type_name(hints[field.name])}{marks}"


def type_name(kind: object) -> str:
    """Return a type's name in JSON, for people."""
    if get_origin(kind) is Annotated:
        return type_name(get_args(kind)[0])
    schema = msgspec.json.schema(msgspec.defstruct("Shown", [("x", kind)]))["$defs"]["Shown"]["properties"]["x"]
    return schema_name(schema)


def schema_name(schema: dict[str, Any]) -> str:
    """Return a short name of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if choices := schema.get("anyOf") or schema.get("enum"):
        return " or ".join(schema_name(choice) if isinstance(choice, dict) else str(choice) for choice in choices)
    if schema.get("type") == "array":
        return f"list of {schema_name(schema['items'])}" if isinstance(schema.get("items"), dict) else "list"
    return str(schema.get("type", "anything"))


if __name__ == "__main__":
    PAGE.write_text(page())
