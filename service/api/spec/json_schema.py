"""JSON Schemas as msgspec derives them from types, with what the source says of fields, secrets, and examples."""

import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from service.api.spec.field_docs import told_fields
from service.domain.game import Event
from service.domain.redaction import hidden_fields

Schema = dict[str, Any]
Named = dict[str, Schema]

REF = "#/components/schemas/"

MOMENTS = frozenset({"time", "claimable_at", "started", "ended", "opened", "restart_at", "server_time"})
"""Fields that are times in RFC 3339."""

ENVELOPE: Named = {
    "version": {"type": "integer", "minimum": 1, "description": "The event's number in its room."},
    "time": {"type": "string", "format": "date-time"},
    "match": {"type": "integer", "minimum": 1, "description": "The number of the match that it belongs to, if any."},
    "by": {"type": "string", "description": "The player whose command it was; absent where the house acted."},
}
"""What stands on the wire beside every event's own fields."""


def ref(name: str) -> Schema:
    """Return a reference to a schema."""
    return {"$ref": REF + name}


def name_of(reference: Schema) -> str:
    """Return the name that a reference refers to."""
    return str(reference["$ref"]).removeprefix(REF)


def listed(items: Schema) -> Schema:
    """Return the schema of a list."""
    return {"type": "array", "items": items}


def nullable(schema: Schema) -> Schema:
    """Return the schema of something that may be null."""
    return {"anyOf": [schema, {"type": "null"}]}


def derived(kinds: Sequence[Any], examples: Mapping[type, Any], begin: str = "") -> tuple[list[Schema], Named]:
    """Return the schemas of types, and all that they refer to by name; every name begins with `begin`."""
    schemas, found = msgspec.json.schema_components(kinds, ref_template=f"{REF}{begin}{{name}}")
    named = {begin + name: one_of(schema) for name, schema in found.items()}
    for struct in structs_in(kinds):
        name = begin + struct.__name__
        named[name] = refined(named[name], struct) | {"title": name}
        if struct in examples:
            named[name]["examples"] = [examples[struct]]
    return [one_of(schema) for schema in schemas], named


def structs_in(kinds: Sequence[Any]) -> list[type[msgspec.Struct]]:
    """Return every struct that these types consist of."""
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


def one_of(schema: Any) -> Any:
    """Return a schema in which every union told apart by its tag says `oneOf`."""
    if isinstance(schema, list):
        return [one_of(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {("oneOf" if key == "anyOf" and "discriminator" in schema else key): one_of(v) for key, v in schema.items()}


def refined(schema: Schema, struct: type[msgspec.Struct]) -> Schema:
    """Return a struct's schema with all that is known of its fields."""
    properties = {name: field for name, field in schema["properties"].items() if name not in unspoken(struct)}
    for name, about in told(struct):
        properties[name] = {**properties[name], "description": about}
    for name in MOMENTS & properties.keys():
        properties[name] = moment(properties[name])
    if struct.__struct_config__.omit_defaults:
        properties = {name: without_null(field) for name, field in properties.items()}
    required = list(schema["required"])
    if issubclass(struct, Event):
        properties = {"type": properties.pop("type"), **ENVELOPE, **properties}
        required = ["type", "version", "time", *required[1:]]
    return {**schema, "description": inspect.getdoc(struct) or "", "properties": properties, "required": required}


def unspoken(struct: type[msgspec.Struct]) -> set[str]:
    """Return the fields that never leave the server."""
    return {name for name, hidden_from in hidden(struct) if hidden_from == "all"}


def told(struct: type[msgspec.Struct]) -> Iterator[tuple[str, str]]:
    """Return what is to be said of fields: what the source says, and who may not know."""
    said = told_fields(struct)
    secret = {name for name, hidden_from in hidden(struct) if hidden_from == "others"}
    only = "Known to this seat; left out for all others."
    for field in msgspec.structs.fields(struct):
        words = [said[field.encode_name]] if field.encode_name in said else []
        words += [only] if field.name in secret else []
        if words and field.name not in unspoken(struct):
            yield field.encode_name, " ".join(words)


def hidden(struct: type[msgspec.Struct]) -> tuple[tuple[str, str], ...]:
    """Return a struct's hidden fields, each with whom it is hidden from."""
    return hidden_fields(struct) if issubclass(struct, Event) else ()


def moment(schema: Schema) -> Schema:
    """Return the schema of a time, which may be null where it could be before."""
    if "anyOf" in schema:
        return {**schema, "anyOf": [moment(part) for part in schema["anyOf"]]}
    return {**schema, "format": "date-time"} if schema.get("type") == "string" else schema


def without_null(schema: Schema) -> Schema:
    """Return the schema of a field that is left out instead of being null."""
    if schema.get("default", ...) is not None:
        return schema
    (only,) = [part for part in schema["anyOf"] if part != {"type": "null"}]
    return {**only, **{key: value for key, value in schema.items() if key not in {"anyOf", "default"}}}
