"""Whether plain data fits a type, and if not, where: the one way from JSON to structs."""

import re
from typing import Any, get_args

import msgspec

from service.domain.caching import IdentityCache


class Invalid(Exception):  # noqa: N818 - an answer to a client, not an error of ours
    """Data that doesn't fit its schema; `pointer` is the JSON pointer to what doesn't."""

    def __init__(self, detail: str, pointer: str) -> None:
        """Name the misfit and its place."""
        super().__init__(detail)
        self.detail = detail
        self.pointer = pointer


def convert(data: object, kind: Any, at: str = "") -> Any:
    """Return plain data as `kind`. Raises `Invalid` with a pointer that begins with `at`."""
    if isinstance(data, dict):
        tag = data.get("type")
        if isinstance(tag, str):
            kind = by_tag(kind).get(tag, kind)  # the one of a union is found faster so
        elif "type" not in data and by_tag(kind):  # msgspec asks a union for its tag, but no single struct
            raise Invalid("Object missing required field `type`", at)
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as misfit:
        raise as_invalid(misfit, at) from None


def structs_by_tag(kind: Any) -> dict[str, Any]:
    """Return the structs of a union by their tags, or the only one by its; none for a type without tags."""
    kinds = get_args(kind) or (kind,)
    tags = [getattr(one, "__struct_config__", None) for one in kinds]
    return {tag.tag: one for tag, one in zip(tags, kinds, strict=True) if tag is not None and isinstance(tag.tag, str)}


by_tag = IdentityCache(structs_by_tag, size=256)
"""The same, worked out once a type; to hash a union costs more than to fit a move."""


def as_invalid(misfit: msgspec.ValidationError, at: str = "") -> Invalid:
    """Translate msgspec's `... - at `$.a[0].b`` into a detail and the JSON pointer `/a/0/b`."""
    detail, _, path = str(misfit).partition(" - at `$")
    steps = re.findall(r"\.([^.\[`]+)|\[(\d+)\]", path)
    return Invalid(detail, at + "".join(f"/{name or index}" for name, index in steps))
