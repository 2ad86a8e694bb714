"""JSON Schemas that msgspec derives from types, with the docstrings of fields, hidden fields, and examples added."""

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from clients.spec.field_docs import CONCEPTS, field_docs
from clients.spec.names import component_name
from service.domain.game import Event, hidden_fields
from service.domain.ids import time_fields
from service.domain.room.model.notices import PlayerEvent

Schema = dict[str, Any]
Named = dict[str, Schema]

REF = "#/components/schemas/"

TIME_FIELDS = frozenset(
    {
        *("time", "changed", "claimable_at", "deadline", "ended", "expires", "made", "opened"),
        *("restart_at", "server_time", "started", "starts", "ends", "next_round"),
    }
)
"""Fields that are RFC 3339 times."""

ENVELOPE: Named = {
    "version": {"type": "integer", "minimum": 1, "description": "The event's number in its room."},
    "time": {"type": "string", "format": "date-time", "description": CONCEPTS["time"]},
    "match": {
        "type": "integer",
        "minimum": 1,
        "description": "The number of the match that the event belongs to, if any.",
    },
    "by": {
        "type": "string",
        "description": "The player whose command caused the event; absent if the service caused it.",
    },
}
"""The fields that every event has in JSON besides its own."""


OWN_ENVELOPE: Named = {
    "version": {"type": "integer", "minimum": 1, "description": "The event's number in its player's feed."},
    "time": ENVELOPE["time"],
}
"""The fields that every event of a player's own feed has in JSON besides its own."""


def ref(name: str) -> Schema:
    """Return a reference to a schema."""
    return {"$ref": REF + name}


def referenced_name(reference: Schema) -> str:
    """Return the name in a reference."""
    return str(reference["$ref"]).removeprefix(REF)


def array_of(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def nullable(schema: Schema) -> Schema:
    """Return a schema that also allows null."""
    return {"anyOf": [schema, {"type": "null"}]}


def derive_schemas(kinds: Sequence[Any], examples: Mapping[type, Any], begin: str = "") -> tuple[list[Schema], Named]:
    """Return the schemas of types, and those of all types that they contain by name; each name begins with `begin`."""
    schemas, found = msgspec.json.schema_components(kinds, ref_template=f"{REF}{{name}}")
    named, names = {}, {struct.__name__: begin + component_name(struct) for struct in find_structs(kinds)}
    for struct in find_structs(kinds):
        schema, name = with_one_of(found[struct.__name__]), names[struct.__name__]
        named[name] = with_references(refine(schema, struct), names) | {"title": name}
        if struct in examples:
            named[name]["examples"] = [examples[struct]]
    return [with_references(with_one_of(schema), names) for schema in schemas], named


def with_references(schema: Any, names: Mapping[str, str]) -> Any:
    """Return a schema that refers to classes by the names of their components."""
    if isinstance(schema, list):
        return [with_references(part, names) for part in schema]
    if not isinstance(schema, dict):
        return REF + names[schema.removeprefix(REF)] if isinstance(schema, str) and schema.startswith(REF) else schema
    return {key: with_references(value, names) for key, value in schema.items()}


def find_structs(kinds: Sequence[Any]) -> list[type[msgspec.Struct]]:
    """Return every struct that these types contain."""
    found: dict[type[msgspec.Struct], None] = {}

    def walk(node: object) -> None:
        if isinstance(node, tuple):
            for part in node:
                walk(part)
        elif isinstance(node, msgspec.inspect.StructType) and node.cls not in found:
            found[node.cls] = None
            walk(node.fields)
        elif isinstance(node, msgspec.inspect.Type | msgspec.inspect.Field):
            walk(tuple(getattr(node, name) for name in node.__struct_fields__))

    walk(tuple(msgspec.inspect.multi_type_info(kinds)))
    return list(found)


def with_one_of(schema: Any) -> Any:
    """Return a schema with `oneOf` in place of `anyOf` for every tagged union."""
    if isinstance(schema, list):
        return [with_one_of(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        ("oneOf" if key == "anyOf" and "discriminator" in schema else key): with_one_of(v) for key, v in schema.items()
    }


def refine(schema: Schema, struct: type[msgspec.Struct]) -> Schema:
    """Return a struct's schema with descriptions, formats and visibility of its fields."""
    properties = {name: field for name, field in schema["properties"].items() if name not in private_fields(struct)}
    properties |= {name: {"type": "string", "format": "date-time"} for name, is_time in time_fields(struct) if is_time}
    for name, about in describe_fields(struct):
        properties[name] = {**properties[name], "description": about}
    tag = struct.__struct_config__.tag_field
    if tag is not None:
        properties[tag] = {**properties[tag], "description": CONCEPTS["type"]}
    for name in TIME_FIELDS & properties.keys():
        properties[name] = with_time_format(properties[name])
    if struct.__struct_config__.omit_defaults:
        properties = {name: without_null(field) for name, field in properties.items()}
    if struct.__struct_config__.forbid_unknown_fields:
        properties = {name: with_stated_default(field) for name, field in properties.items()}
    required = list(schema["required"])
    if issubclass(struct, Event):
        envelope = OWN_ENVELOPE if issubclass(struct, PlayerEvent) else ENVELOPE
        properties = {"type": properties.pop("type"), **envelope, **properties}
        required = ["type", "version", "time", *required[1:]]
    return {**schema, "description": inspect.getdoc(struct) or "", "properties": properties, "required": required}


def private_fields(struct: type[msgspec.Struct]) -> set[str]:
    """Return the fields that are never sent."""
    return {name for name, audience in hidden_from(struct) if audience == "all"}


def describe_fields(struct: type[msgspec.Struct]) -> Iterator[tuple[str, str]]:
    """Return the description of each field: its docstring, and who may see it."""
    docs = field_docs(struct)
    secret = {name for name, audience in hidden_from(struct) if audience == "others"}
    only = "Sent to this seat only."
    for field in msgspec.structs.fields(struct):
        texts = [docs[field.encode_name]] if field.encode_name in docs else []
        texts += [only] if field.name in secret else []
        if texts and field.name not in private_fields(struct):
            yield field.encode_name, " ".join(texts)


def hidden_from(struct: type[msgspec.Struct]) -> tuple[tuple[str, str], ...]:
    """Return a struct's hidden fields, each with the audience it is hidden from."""
    return hidden_fields(struct) if issubclass(struct, Event) else ()


def with_time_format(schema: Schema) -> Schema:
    """Return the schema of a time, which stays nullable if it was."""
    if "anyOf" in schema:
        return {**schema, "anyOf": [with_time_format(part) for part in schema["anyOf"]]}
    is_text = schema.get("type") == "string" and "enum" not in schema
    return {**schema, "format": "date-time"} if is_text else schema


def with_stated_default(schema: Schema) -> Schema:
    """Return the schema of a field of a request with its default in the description, and as `x-default` for programs.

    openapi-typescript treats a field with a `default` as required.
    """
    if "default" not in schema:
        return schema
    default = schema["default"]
    fields = {key: value for key, value in schema.items() if key != "default"}
    is_stated = isinstance(default, bool | int | str)
    stated = f" `{msgspec.json.encode(default).decode()}` by default." if is_stated else ""
    return {**fields, "description": schema.get("description", "") + stated, "x-default": default}


def without_null(schema: Schema) -> Schema:
    """Return the schema of a field that is omitted instead of being null."""
    if schema.get("default", ...) is not None:
        return schema
    parts = [part for part in schema["anyOf"] if part != {"type": "null"}]
    only = parts[0] if len(parts) == 1 else {"anyOf": parts}
    return {**only, **{key: value for key, value in schema.items() if key not in {"anyOf", "default"}}}
