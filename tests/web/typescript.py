"""A document in `openapi/` as TypeScript, so that its compiler can compare it with the client's types."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = Any
"""A document, a schema or a part of one."""

DOCUMENTS = Path(__file__).parents[2] / "openapi"
BODIES = {"application/json", "application/problem+json"}
PRIMITIVES = {
    "integer": "number",
    "number": "number",
    "string": "string",
    "boolean": "boolean",
    "null": "null",
    "object": "Record<string, unknown>",
    "array": "unknown[]",
}


def document(name: str) -> Json:
    """Return a document."""
    loaded: Json = json.loads((DOCUMENTS / name).read_text())
    return loaded


@dataclass(frozen=True)
class Types:
    """Writes schemas as TypeScript types.

    A property with a default may be missing from what a client sends. The service itself sends it (`sends_defaults`).
    """

    sends_defaults: bool

    def of(self, schema: Json) -> str:
        """Return a schema as a type."""
        for key, write in WRITERS.items():
            if key in schema:
                return write(self, schema[key], {*schema.get("required", ())})
        return "unknown"

    def components(self, source: Json) -> Iterator[str]:
        """Yield the declaration of each component."""
        for name, schema in source["components"]["schemas"].items():
            yield f"type {name} = {self.of(schema)};"

    def table(self, name: str, rows: dict[str, Json]) -> str:
        """Return the declaration of types by their key."""
        lines = (f"  {json.dumps(key)}: {self.of(row)};" for key, row in sorted(rows.items()))
        return "\n".join((f"export type {name} = {{", *lines, "};"))

    def union(self, schemas: Json) -> str:
        """Return the union of these schemas."""
        return " | ".join(self.of(schema) for schema in schemas)

    def object(self, fields: Json, required: set[str]) -> str:
        """Return an object type with these properties."""
        present = {
            name
            for name, field in fields.items()
            if name in required or (self.sends_defaults and {"default", "x-default"} & field.keys())
        }
        parts = (
            f"{json.dumps(name)}{'' if name in present else '?'}: {self.of(field)};" for name, field in fields.items()
        )
        return f"{{ {' '.join(parts)} }}"


WRITERS: dict[str, Callable[[Types, Json, set[str]], str]] = {
    "$ref": lambda _, name, __: str(name).rsplit("/", 1)[-1],
    "const": lambda _, value, __: json.dumps(value),
    "enum": lambda _, values, __: " | ".join(json.dumps(value) for value in values),
    "anyOf": lambda types, schemas, _: types.union(schemas),
    "oneOf": lambda types, schemas, _: types.union(schemas),
    "allOf": lambda types, schemas, _: " & ".join(f"({types.of(schema)})" for schema in schemas),
    "properties": Types.object,
    "prefixItems": lambda types, schemas, _: f"[{', '.join(types.of(schema) for schema in schemas)}]",
    "items": lambda types, schema, _: f"({types.of(schema)})[]",
    "additionalProperties": lambda types, schema, _: f"Record<string, {types.of(schema)}>",
    "type": lambda _, name, __: PRIMITIVES[name],
}
"""How a schema is written, by the first of these keywords that it has."""


def contents(part: Json) -> Iterator[Json]:
    """Yield the JSON schemas of a body."""
    for media_type, content in part.get("content", {}).items():
        if media_type in BODIES and "schema" in content:
            yield content["schema"]


def operations(source: Json) -> Iterator[tuple[str, Json]]:
    """Yield each operation of HTTP after its method and path."""
    for path, methods in source["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation


def responses(source: Json) -> str:
    """Return the responses to successful requests, by method and path, and `problem`, the response to all others."""
    rows = {
        name: schema
        for name, operation in operations(source)
        for response in operation["responses"].values()
        for schema in contents(response)
    }
    rows["problem"] = {"$ref": "#/components/schemas/Problem"}
    types = Types(sends_defaults=True)
    return "\n".join((*types.components(source), types.table("Answers", rows)))


def bodies(source: Json) -> str:
    """Return the bodies of requests, by method and path."""
    rows = {
        name: schema for name, operation in operations(source) for schema in contents(operation.get("requestBody", {}))
    }
    types = Types(sends_defaults=False)
    return "\n".join((*types.components(source), types.table("Bodies", rows)))
