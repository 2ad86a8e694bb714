"""Rewrites JSON Schemas in the form that generators of clients read: what is sent stays the same."""

from typing import Any

from clients.spec.json_schema import Schema
from service.domain.validation import MAX_INTEGER

JSON_TYPES: dict[type, str] = {bool: "boolean", int: "integer", float: "number", str: "string", type(None): "null"}

EXAMPLES = frozenset({"default", "example", "examples", "x-default"})
"""The keys below which there are values, not schemas."""


def portable(schema: Any) -> Any:
    """Return a schema, or a document of schemas, without what generators can't read.

    Constants become enums with a type, integers get bounds, and tuples become arrays of fixed length.
    """
    if isinstance(schema, list):
        return [portable(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: portable_part(key, part) for key, part in schema.items()}
    return with_bounds(with_array_items(with_typed_enum(parts)))


def portable_part(key: str, part: Any) -> Any:
    """Return one part of a schema; the names of properties are not keywords."""
    if key in EXAMPLES:
        return part
    if key == "properties" and isinstance(part, dict):
        return {name: portable(schema) for name, schema in part.items()}
    return portable(part)


def with_typed_enum(schema: Schema) -> Schema:
    """Return a schema with its constant as an enum, and with the type of an enum's values."""
    if "const" in schema and not isinstance(schema["const"], dict):
        schema = {**{key: value for key, value in schema.items() if key != "const"}, "enum": [schema["const"]]}
    if not isinstance(schema.get("enum"), list) or "type" in schema:
        return schema
    types = sorted({JSON_TYPES[type(value)] for value in schema["enum"]})
    return {"type": types[0] if len(types) == 1 else types, **schema}


def with_bounds(schema: Schema) -> Schema:
    """Return the schema of an integer with both bounds, which are at most those of JSON."""
    if schema.get("type") != "integer" or "enum" in schema:
        return schema
    return {**schema, "minimum": schema.get("minimum", -MAX_INTEGER), "maximum": schema.get("maximum", MAX_INTEGER)}


def with_array_items(schema: Schema) -> Schema:
    """Return the schema of a tuple as that of an array of the same length, whose items are of any of its types."""
    if not isinstance(schema.get("prefixItems"), list):
        return schema
    items = schema["prefixItems"]
    kinds = [kind for index, kind in enumerate(items) if kind not in items[:index]]
    rest = {key: value for key, value in schema.items() if key != "prefixItems"}
    return {
        **rest,
        "items": kinds[0] if len(kinds) == 1 else {"anyOf": kinds},
        "minItems": len(items),
        "maxItems": len(items),
    }
