"""Fingerprints of stored types: any renamed, added or removed field gives another one."""

import hashlib
from typing import Any

import msgspec
from msgspec import inspect

FINGERPRINT_BYTES = 8


def fingerprint(*types: Any, salt: str = "") -> bytes:
    """Return a short hash, in hex, of how msgspec encodes these types and all types that they contain."""
    described = [description(kind) for kind in inspect.multi_type_info(types)]
    canonical = msgspec.json.encode([salt, described])
    return hashlib.blake2b(canonical, digest_size=FINGERPRINT_BYTES).hexdigest().encode()


def description(kind: Any) -> Any:
    """Return a type as plain data: the name, tag and fields of a struct, the kind and parts of any other type.

    Defaults and bounds are left out: every field is written, and values that were written are within their bounds.
    """
    if isinstance(kind, inspect.StructType):
        fields = [[field.encode_name, description(field.type)] for field in kind.fields]
        return ["struct", kind.cls.__name__, kind.tag_field, kind.tag, kind.array_like, fields]
    if isinstance(kind, inspect.Metadata):
        return description(kind.type)
    parts = {name: part(getattr(kind, name)) for name in kind.__struct_fields__ if name in PARTS}
    return [type(kind).__name__, parts]


PARTS = frozenset({"types", "item_type", "item_types", "key_type", "value_type", "values", "cls", "fields"})
"""What distinguishes two types of the same kind."""


def part(value: Any) -> Any:
    """Return a part of a type as plain data."""
    if isinstance(value, inspect.Type):
        return description(value)
    if isinstance(value, tuple | list):
        return [part(each) for each in value]
    if isinstance(value, inspect.Field):
        return [value.encode_name, description(value.type)]
    return getattr(value, "__name__", value)
