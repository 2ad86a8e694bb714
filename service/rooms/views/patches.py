"""JSON Patches (RFC 6902): the operations that turn one value into another."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import compress
from operator import is_not
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

encode = msgspec.json.Encoder().encode
ARRAYS = (list, tuple)


class PatchOperation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One operation of a JSON Patch (RFC 6902)."""

    op: Literal["add", "remove", "replace"]
    """What is done at the path."""
    path: str
    """A JSON Pointer (RFC 6901) into the view."""
    value: Any | UnsetType = UNSET
    """Left out with `remove`."""


Operations = list[bytes]
"""Encoded operations."""

ABSENT = object()


def paths_at(path: str, *names: str) -> tuple[bytes, ...]:
    """Return the paths of fields of what is at a path."""
    return tuple(path.encode() + step(name) for name in names)


def add_field_operations(
    changes: Operations, paths: Sequence[bytes], old: Sequence[object], new: Sequence[object]
) -> None:
    """Add the operations that turn the values of some fields, which are at these paths, into other ones."""
    for at, after in enumerate(new):  # a `zip` of all three costs more than the loop
        before = old[at]
        if before is after:  # as nearly always
            continue
        if before is UNSET:
            changes.append(addition(paths[at], after))
        elif after is UNSET:
            changes.append(removal(paths[at]))
        elif before != after:
            add_changes(changes, paths[at], before, after)


def add_operations(changes: Operations, path: bytes, old: Any, new: Any) -> None:
    """Add the operations that turn the value at a path into another one; none if they are equal.

    Objects are dicts and arrays are lists or tuples. Anything else is replaced as a whole, structs and arrays of one
    element as well. Two values that are equal have to be the same JSON. The path is a JSON Pointer as in a
    JSON string.
    """
    if old is not new and old != new:
        add_changes(changes, path, old, new)


def add_changes(changes: Operations, path: bytes, old: Any, new: Any) -> None:
    """Add the operations that turn the value at a path into one that is not equal, as `add_operations` does."""
    kind = type(new)
    if kind is dict and type(old) is dict:
        add_object_operations(changes, path, old, new)
    elif kind in ARRAYS and type(old) in ARRAYS and old and len(new) > 1:
        changes += array_operations(path, old, new)
    else:
        changes.append(replacement(path, new))


def add_object_operations(changes: Operations, path: bytes, old: dict[str, Any], new: dict[str, Any]) -> None:
    """Add the operations that turn one object into another."""
    names = [*new]
    if [*old] == names:  # as in most objects, which have the same names at all times
        for name in compress(names, map(is_not, old.values(), new.values())):  # few are not the same object
            if old[name] != new[name]:
                add_changes(changes, path + step(name), old[name], new[name])
        return
    for name, value in new.items():
        before = old.get(name, ABSENT)
        if before is ABSENT:
            changes.append(addition(path + step(name), value))
        elif before != value:
            add_changes(changes, path + step(name), before, value)
    if not old.keys() <= new.keys():
        changes += [removal(path + step(name)) for name in old if name not in new]


def array_operations(path: bytes, old: Sequence[Any], new: Sequence[Any]) -> Operations:
    """Return the operations that turn one array into another: on its elements, or a replacement where that is shorter.

    Elements are compared by position, after those that are the same at the beginning and at the end.
    """
    whole = replacement(path, new)
    shorter = min(len(old), len(new))
    start = next((index for index in range(shorter) if old[index] != new[index]), shorter)
    end = next((back for back in range(shorter - start) if old[-1 - back] != new[-1 - back]), shorter - start)
    at = shorter - end
    changes: Operations = []
    for index in range(start, at):
        add_operations(changes, path + b"/%d" % index, old[index], new[index])
        if sum(map(len, changes)) > len(whole):
            return [whole]
    changes += [removal(path + b"/%d" % at)] * (len(old) - shorter)
    changes += [addition(path + b"/%d" % index, new[index]) for index in range(at, at + len(new) - shorter)]
    return changes if len(b",".join(changes)) <= len(whole) else [whole]


def replacement(path: bytes, value: Any) -> bytes:
    """Return the operation that replaces the value at a path."""
    return b"".join((b'{"op":"replace","path":"', path, b'","value":', encode(value), b"}"))


def addition(path: bytes, value: Any) -> bytes:
    """Return the operation that adds a value at a path."""
    return b'{"op":"add","path":"' + path + b'","value":' + encode(value) + b"}"


def removal(path: bytes) -> bytes:
    """Return the operation that removes the value at a path."""
    return b'{"op":"remove","path":"' + path + b'"}'


@lru_cache(4096)
def step(name: str) -> bytes:
    """Return a slash and a field's name, as parts of a JSON Pointer in a JSON string."""
    return b"/" + encode(name.replace("~", "~0").replace("/", "~1"))[1:-1]
