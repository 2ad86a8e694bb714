"""Every move that a game's types can express, legal or not, computed from its move types and its board."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, product
from typing import Any, get_args, get_type_hints

import msgspec
from msgspec import inspect

from service.domain.catalog import GAMES
from service.domain.game import Move
from tests.laws.options import fields_of

LIMIT = 50_000
"""The maximal number of moves of one type; all five games have far fewer."""


@cache
def all_moves(slug: str) -> tuple[Move, ...]:
    """Return every move that matches the game's schema, with squares in lower case."""
    game = GAMES[slug]
    cells = tuple(cell.name for cell in game.geometry.cells)
    return tuple(move for kind in move_types(game.move) for move in moves_of(kind, cells))


def move_types(moves: Any) -> tuple[type[Move], ...]:
    """Return the types of a union of moves, or the only one."""
    return get_args(moves) or (moves,)


def moves_of(kind: type[Move], cells: Sequence[str]) -> Iterator[Move]:
    """Return every move of one type."""
    hints = get_type_hints(kind, include_extras=True)
    values = [valid_values(hints[field.name], [*cells, *fixed_values(field.type)]) for field in fields_of(kind)]
    names = [field.name for field in fields_of(kind)]
    return (kind(**dict(zip(names, chosen, strict=True))) for chosen in islice(product(*values), LIMIT))


def fixed_values(kind: inspect.Type) -> Iterator[object]:
    """Return the values that a type other than text allows."""
    match kind:
        case inspect.LiteralType(values=values):
            yield from values
        case inspect.BoolType():
            yield from (False, True)
        case inspect.IntType(ge=low):
            yield from range(low or 0, (low or 0) + 20)
        case inspect.UnionType(types=types):
            yield None
            for one in types:
                yield from fixed_values(one)


def valid_values(annotation: Any, candidates: Sequence[object]) -> list[object]:
    """Return the candidates that a field's schema accepts."""
    return [value for value in dict.fromkeys(candidates) if is_valid(value, annotation)]


def is_valid(value: object, annotation: Any) -> bool:
    """Return whether a value matches a type."""
    try:
        msgspec.convert(value, annotation)
    except msgspec.ValidationError:
        return False
    return True


def in_upper_case(move: Move, kind: Any) -> Move:
    """Return the same move with its squares in upper case, as a client may send it."""
    fields = msgspec.to_builtins(move)
    hints = {field.encode_name: field.type for field in fields_of(type(move))}
    squares = {name: fields[name].upper() for name, hint in hints.items() if isinstance(hint, inspect.StrType)}
    converted: Move = msgspec.convert({**fields, **squares}, kind)
    return converted
