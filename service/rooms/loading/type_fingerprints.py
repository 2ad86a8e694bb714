"""Fingerprints of stored types: any renamed, added or removed field gives another one."""

import hashlib
from typing import Any

import msgspec
from msgspec import inspect

FINGERPRINT_BYTES = 8


def fingerprint(*types: Any, salt: str = "") -> bytes:
    """Return a short name, in hex, of how msgspec writes and reads these types and all that they hold."""
    described = [description(kind) for kind in inspect.multi_type_info(types)]
    canonical = msgspec.json.encode([salt, described])
    return hashlib.blake2b(canonical, digest_size=FINGERPRINT_BYTES).hexdigest().encode()


def description(kind: Any) -> Any:
    """Return a type as plain data: of structs their names, tags and fields, of all others their kind and parts.

    Defaults and bounds are left out: every field is written, and what was written once fits.
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
