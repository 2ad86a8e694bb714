"""The options with which the laws are tested: each value at least once, and every pair of values of two options."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec
from msgspec import inspect

from service.domain.catalog import AnyGame

OptionValues = Mapping[str, Sequence[object]]
"""The values of each option to test, by its name, the default first."""

Pair = frozenset[tuple[str, object, str]]
"""The values of two options, each with its type's name, so that 1 and True differ."""


def option_values(game: AnyGame) -> OptionValues:
    """Return the values of each option to test, derived from the options' type."""
    defaults = msgspec.structs.asdict(game.options())
    return {
        field.name: [defaults[field.name], *other_values(field.type, defaults[field.name])]
        for field in fields_of(game.options)
    }


def fields_of(struct: Any) -> tuple[inspect.Field, ...]:
    """Return the fields of a struct type."""
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    return info.fields


def other_values(kind: inspect.Type, default: object) -> list[object]:
    """Return the values of a type except the default; of a number, a few from its lower bound."""
    return [value for value in values_of(kind) if (value, type(value)) != (default, type(default))]


def values_of(kind: inspect.Type) -> Iterator[object]:
    """Return the values of an option of this type. Raises `TypeError` for a type that is not allowed for options."""
    match kind:
        case inspect.LiteralType(values=values):
            yield from values
        case inspect.BoolType():
            yield from (False, True)
        case inspect.NoneType():
            yield None
        case inspect.IntType(ge=low, gt=above, le=high, lt=below):
            lowest = low if low is not None else (above or 0) + (above is not None)
            highest = min(high if high is not None else lowest + 4, (below or lowest + 5) - 1)
            yield from sorted({lowest, min(lowest + 1, highest), min(lowest + 4, highest)})
        case inspect.UnionType(types=types):
            for one in types:
                yield from values_of(one)
        case inspect.Metadata(type=inner):
            yield from values_of(inner)
        case _:
            raise TypeError(f"an option must be a literal, a boolean or a number, not {kind}")


def all_pairs(options: OptionValues) -> list[dict[str, object]]:
    """Return rows of options, the defaults first, that contain every pair of values of two options."""
    rows = [{name: values[0] for name, values in options.items()}]
    missing = {pair(a, x, b, y) for a, b in combinations(options, 2) for x in options[a] for y in options[b]}
    missing |= {pair(name, value, name, value) for name, values in options.items() for value in values}
    while missing := missing - pairs(rows[-1]):
        rows.append(row_for(missing, options))
    return rows


def pair(name: str, value: object, other: str, other_value: object) -> Pair:
    """Return the values of two options as a pair; an option with itself is one value alone."""
    return frozenset({(name, value, type(value).__name__), (other, other_value, type(other_value).__name__)})


def pairs(row: Mapping[str, object]) -> set[Pair]:
    """Return the pairs in a row or a part of one."""
    return {pair(a, x, b, y) for a, x in row.items() for b, y in row.items()}


def row_for(missing: set[Pair], options: OptionValues) -> dict[str, object]:
    """Return a row with the first missing pair and, chosen value by value, as many other missing pairs as possible."""
    first = min(missing, key=lambda missed: sorted(map(repr, missed)))
    row = {name: value for name, value, _ in first}
    for name in sorted(options.keys() - row.keys()):
        row[name] = max(options[name], key=lambda value: len(missing & pairs({**row, name: value})))
    return {name: row[name] for name in options}


def combinations_of(game: AnyGame) -> list[msgspec.Struct]:
    """Return the options with which the laws are tested, the defaults first."""
    return [msgspec.convert(row, game.options) for row in all_pairs(option_values(game))]


def describe(options: msgspec.Struct) -> str:
    """Return what differs from the defaults, for a test's id."""
    defaults = type(options)()
    changed = [name for name in options.__struct_fields__ if getattr(options, name) != getattr(defaults, name)]
    return " ".join(f"{name}={getattr(options, name)}" for name in changed) or "defaults"
