"""Changes of a view as JSON Patches (RFC 6902), for subscribers that apply them to the view that they have."""

from collections.abc import Iterator
from typing import Any, Literal

import msgspec
from msgspec import UNSET, UnsetType

from service.domain.game import Seat
from service.domain.room.model.ids import Version


class PatchOperation(msgspec.Struct, frozen=True, omit_defaults=True):
    """One operation of a JSON Patch (RFC 6902)."""

    op: Literal["add", "remove", "replace"]
    path: str
    """A JSON Pointer (RFC 6901) into the view."""
    value: Any | UnsetType = UNSET
    """Left out with `remove`."""


class SentView:
    """A view that was sent, on which the next patch is based."""

    def __init__(self, seat: Seat | None, version: Version, json: bytes) -> None:
        """Take the view, with the seat to which it was sent (None: the public) and its version."""
        self.seat = seat
        self.version = version
        self.json = json
        self._decoded: Any = UNSET

    @property
    def decoded(self) -> Any:
        """The view as plain data, which all subscribers with the same view share."""
        if self._decoded is UNSET:
            self._decoded = msgspec.json.decode(self.json)
        return self._decoded


def patch_json(old: SentView, new: SentView) -> bytes:
    """Return the JSON Patch that turns the old view into the new one."""
    return msgspec.json.encode(list(operations(old.decoded, new.decoded, "")))


def operations(old: Any, new: Any, path: str) -> Iterator[PatchOperation]:
    """Yield the operations that turn one JSON value at a path into another."""
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        yield from object_operations(old, new, path)
    elif isinstance(old, list) and isinstance(new, list):
        yield from array_operations(old, new, path)
    else:
        yield PatchOperation("replace", path, new)


def object_operations(old: dict[str, Any], new: dict[str, Any], path: str) -> Iterator[PatchOperation]:
    """Yield the operations that turn one object into another."""
    for name, value in old.items():
        if name not in new:
            yield PatchOperation("remove", f"{path}/{escaped(name)}")
        else:
            yield from operations(value, new[name], f"{path}/{escaped(name)}")
    for name, value in new.items():
        if name not in old:
            yield PatchOperation("add", f"{path}/{escaped(name)}", value)


def array_operations(old: list[Any], new: list[Any], path: str) -> Iterator[PatchOperation]:
    """Yield the operations that turn one array into another: on its elements, or a replacement where that is shorter.

    Elements are compared by position, after those that are the same at the beginning and at the end.
    """
    shorter = min(len(old), len(new))
    start = next((index for index in range(shorter) if old[index] != new[index]), shorter)
    end = next((back for back in range(shorter - start) if old[-1 - back] != new[-1 - back]), shorter - start)
    at = shorter - end
    changed: list[PatchOperation] = []
    for index in range(start, at):
        changed += operations(old[index], new[index], f"{path}/{index}")
    changed += [PatchOperation("remove", f"{path}/{at}") for _ in range(len(old) - shorter)]
    changed += [PatchOperation("add", f"{path}/{at + more}", new[at + more]) for more in range(len(new) - shorter)]
    whole = PatchOperation("replace", path, new)
    yield from changed if len(msgspec.json.encode(changed)) < len(msgspec.json.encode([whole])) else [whole]


def escaped(name: str) -> str:
    """Return a field's name as a part of a JSON Pointer."""
    return name.replace("~", "~0").replace("/", "~1")
