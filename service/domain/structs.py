"""Structs that have fields in common."""

from typing import Any, TypeVar

import msgspec

T = TypeVar("T", bound=msgspec.Struct)


def copied(kind: type[T], source: object, /, **others: Any) -> T:
    """Return a struct with the values of a source's attributes of the same names, except `others`.

    Fields that neither has keep their defaults. Raises `TypeError` for one without a default.
    """
    same = {
        name: getattr(source, name) for name in kind.__struct_fields__ if name not in others and hasattr(source, name)
    }
    return kind(**same, **others)
