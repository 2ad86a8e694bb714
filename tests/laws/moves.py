"""Every move that can be said in a game, legal or not, worked out from its move types and its board."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice, product
from typing import Any, get_args, get_type_hints

import msgspec
from msgspec import inspect

from service.domain.catalog import GAMES
from service.domain.game import Move
from tests.laws.options import fields_of

MOST = 50_000
"""How many moves of one type are said at most; all five games have far fewer."""


@cache
def sayable(slug: str) -> tuple[Move, ...]:
    """Return every move that fits the game's schema, each square in lower case."""
    game = GAMES[slug]
    cells = tuple(cell.name for cell in game.geometry.cells)
    return tuple(move for kind in move_types(game.move) for move in moves_of(kind, cells))


def move_types(moves: Any) -> tuple[type[Move], ...]:
    """Return the types of a union of moves, or the only one."""
    return get_args(moves) or (moves,)


def moves_of(kind: type[Move], cells: Sequence[str]) -> Iterator[Move]:
    """Return every move of one type."""
    hints = get_type_hints(kind, include_extras=True)
    values = [fitting(hints[field.name], [*cells, *fixed_values(field.type)]) for field in fields_of(kind)]
    names = [field.name for field in fields_of(kind)]
    return (kind(**dict(zip(names, chosen, strict=True))) for chosen in islice(product(*values), MOST))


def fixed_values(kind: inspect.Type) -> Iterator[object]:
    """Return the values that a type other than text names by itself."""
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


def fitting(annotation: Any, candidates: Sequence[object]) -> list[object]:
    """Return the candidates that the schema of a field lets pass."""
    return [value for value in dict.fromkeys(candidates) if fits(value, annotation)]


def fits(value: object, annotation: Any) -> bool:
    """Tell whether a value fits a type."""
    try:
        msgspec.convert(value, annotation)
    except msgspec.ValidationError:
        return False
    return True


def shouted(move: Move, kind: Any) -> Move:
    """Return the same move with its squares in upper case, as a client may send it."""
    said = msgspec.to_builtins(move)
    hints = {field.encode_name: field.type for field in fields_of(type(move))}
    squares = {name: said[name].upper() for name, hint in hints.items() if isinstance(hint, inspect.StrType)}
    loud: Move = msgspec.convert({**said, **squares}, kind)
    return loud
