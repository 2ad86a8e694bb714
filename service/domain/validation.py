"""Conversion of plain data to structs, with a JSON pointer to what is invalid."""

import re
from typing import Any, get_args

import msgspec

from service.domain.caching import IdentityCache

MAX_INTEGER = 2**53 - 1
"""The largest integer that every JSON parser represents exactly, with all below it (RFC 8259, 6)."""


ENCODER = msgspec.json.Encoder()

PLACE = re.compile(r" - at `\$([^`]*)`\Z")
UNKNOWN_FIELD = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)


class Invalid(Exception):  # noqa: N818 - an answer to a client, not an error of the service
    """Data that does not match its schema: `pointer` is the JSON pointer to the invalid value."""

    def __init__(self, detail: str, pointer: str = "", *, parameter: str | None = None) -> None:
        """`pointer` is the place in the data; `parameter` names a parameter or a header."""
        super().__init__(detail)
        self.detail = detail
        self.pointer = pointer
        self.parameter = parameter


def convert(data: object, kind: Any, at: str = "") -> Any:
    """Return plain data converted to `kind`. Raises `Invalid` with a pointer that begins with `at`."""
    if isinstance(data, dict):
        tag = data.get("type")
        if isinstance(tag, str):
            kind = by_tag(kind).get(tag, kind)  # faster than converting to the union
        elif "type" not in data and by_tag(kind):  # msgspec requires a tag in a union, but not in a single struct
            raise Invalid("Object missing required field `type`", at)
    try:
        return msgspec.convert(data, kind)
    except msgspec.ValidationError as invalid:
        raise as_invalid(invalid, at) from None


def structs_by_tag(kind: Any) -> dict[str, Any]:
    """Return the structs of a union, or a single struct, by their tags; none for a type without tags."""
    kinds = get_args(kind) or (kind,)
    tags = [getattr(one, "__struct_config__", None) for one in kinds]
    return {tag.tag: one for tag, one in zip(tags, kinds, strict=True) if tag is not None and isinstance(tag.tag, str)}


KNOWN_MOVES = 4096
"""How many moves are kept."""

known_moves: dict[tuple[str, bytes], Any] = {}
"""Valid moves by their game and JSON: the same few are played again and again."""


def known_move(game: str, kind: Any, move: dict[str, Any]) -> Any:
    """Return a move of a game, converted to `kind` once. Raises `Invalid` with a pointer below `/move`."""
    key = game, ENCODER.encode(move)
    known = known_moves.get(key)
    if known is None:
        known = convert(move, kind, at="/move")
        if len(known_moves) >= KNOWN_MOVES:
            known_moves.clear()
        known_moves[key] = known
    return known


by_tag = IdentityCache(structs_by_tag, size=256)
"""`structs_by_tag`, cached by identity: hashing a union is slower than converting a move."""


def as_invalid(invalid: msgspec.ValidationError, at: str = "") -> Invalid:
    """Translate msgspec's `... - at `$.a[0].b`` into a detail and the JSON pointer `/a/0/b`.

    msgspec names the object that has an unknown field; the pointer is that of the field.
    """
    text = str(invalid)
    place = PLACE.search(text)
    detail, path = (text, "") if place is None else (text[: place.start()], place[1])
    steps = [name or index for name, index in re.findall(r"\.([^.\[]+)|\[(\d+)\]", path)]
    if unknown := UNKNOWN_FIELD.fullmatch(detail):
        steps.append(unknown[1].replace("~", "~0").replace("/", "~1"))
    return Invalid(detail, at + "".join(f"/{step}" for step in steps))
