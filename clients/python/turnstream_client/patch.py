"""The operations of JSON Patch (RFC 6902) that the service sends: `add`, `remove` and `replace`."""

from collections.abc import Iterable
from typing import Any, Literal

import msgspec


class PatchOperation(msgspec.Struct, frozen=True):
    """One operation."""

    op: Literal["add", "remove", "replace"]
    path: str
    """A JSON Pointer (RFC 6901)."""
    value: Any = None


def apply_patch(value: Any, patch: Iterable[PatchOperation]) -> Any:
    """Return a JSON value after a patch; the value itself does not change.

    Raises `LookupError` for a path that does not exist.
    """
    for operation in patch:
        value = changed(value, names(operation.path), operation)
    return value


def names(pointer: str) -> list[str]:
    """Return the names in a JSON Pointer."""
    start, *parts = pointer.split("/")
    if start:
        raise LookupError(f"{pointer} is not a JSON Pointer")
    return [part.replace("~1", "/").replace("~0", "~") for part in parts]


def changed(value: Any, path: list[str], operation: PatchOperation) -> Any:
    """Return a value after the operation on the part of it at the path."""
    match value, path:
        case _, []:
            return operation.value
        case dict(), [name, *rest]:
            return changed_object(value, name, rest, operation)
        case list(), [name, *rest]:
            return changed_array(value, name, rest, operation)
    raise LookupError(f"{operation.path} leads nowhere")


def changed_object(value: dict[str, Any], name: str, rest: list[str], operation: PatchOperation) -> dict[str, Any]:
    """Return an object after the operation on one of its fields."""
    is_new = operation.op == "add" and not rest
    if not is_new and name not in value:
        raise LookupError(f"{operation.path} leads nowhere")
    if operation.op == "remove" and not rest:
        return {other: value[other] for other in value if other != name}
    return {**value, name: changed(value.get(name), rest, operation)}


def changed_array(value: list[Any], name: str, rest: list[str], operation: PatchOperation) -> list[Any]:
    """Return an array after the operation on one of its elements."""
    is_new = operation.op == "add" and not rest
    index = len(value) if is_new and name == "-" else index_of(name)
    if index is None or index >= len(value) + is_new:
        raise LookupError(f"{operation.path} leads nowhere")
    if is_new:
        return [*value[:index], operation.value, *value[index:]]
    if operation.op == "remove" and not rest:
        return [*value[:index], *value[index + 1 :]]
    return [*value[:index], changed(value[index], rest, operation), *value[index + 1 :]]


def index_of(name: str) -> int | None:
    """Return an array's index as RFC 6901 writes it: decimal digits, no leading zero."""
    is_index = name.isascii() and name.isdigit() and (name == "0" or not name.startswith("0"))
    return int(name) if is_index else None
