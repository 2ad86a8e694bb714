"""docs/events.md, from the types of the events: `python -m tests.catalogue` writes it, a test compares."""

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin, get_type_hints

import msgspec

from service.domain.catalog import GAMES
from service.domain.game import Event
from service.domain.redaction import hidden_fields
from service.domain.room.model.events import AnyRoomEvent

PAGE = Path(__file__).parents[1] / "docs/events.md"
HEAD = """\
# The events

Everything that happens in a room, in the words in which it is stored for ever and told to clients. Written by
`python -m tests.catalogue` from the types; the JSON Schemas are in `/openapi.json` and `/asyncapi.json`.

On the wire each event has beside its own fields `version` and `time`, `match` where one was played, and `by` where
somebody commanded it. A field marked *hidden* is left out for everyone who may not know it.
"""


def page() -> str:
    """Return the page."""
    parts = [HEAD, "\n## Of every room\n", *tables(get_args(AnyRoomEvent))]
    for game in GAMES.values():
        kinds = get_args(game.event) or (game.event,)
        parts += [f"\n## Of {game.title} (`{game.slug}`)\n", *tables(kinds)]
    return "".join(parts)


def tables(kinds: tuple[type[Event], ...]) -> Iterator[str]:
    """Return the rows of a table of events."""
    yield "\n| event | fields | what happened |\n| --- | --- | --- |\n"
    for kind in kinds:
        about = " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())
        yield f"| `{kind.__struct_config__.tag}` | {', '.join(fields(kind))} | {about} |\n"


def fields(kind: type[Event]) -> Iterator[str]:
    """Return an event's fields by their names on the wire, each with its type."""
    hidden = {name for name, _ in hidden_fields(kind)}
    hints = get_type_hints(kind, include_extras=True)
    for field in msgspec.structs.fields(kind):
        marks = " *hidden*" if field.name in hidden else ""
        yield f"`{field.encode_name}` {shown(hints[field.name])}{marks}"


def shown(kind: object) -> str:
    """Return a type for people: what stands in its JSON."""
    if get_origin(kind) is Annotated:
        return shown(get_args(kind)[0])
    schema = msgspec.json.schema(msgspec.defstruct("Shown", [("x", kind)]))["$defs"]["Shown"]["properties"]["x"]
    return word(schema)


def word(schema: dict[str, Any]) -> str:
    """Return a schema in a word or two."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if choices := schema.get("anyOf") or schema.get("enum"):
        return " or ".join(word(choice) if isinstance(choice, dict) else str(choice) for choice in choices)
    if schema.get("type") == "array":
        return f"list of {word(schema['items'])}" if isinstance(schema.get("items"), dict) else "list"
    return str(schema.get("type", "anything"))


if __name__ == "__main__":
    PAGE.write_text(page())
