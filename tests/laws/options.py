"""Which options the laws are tried under: each value at least once, and every two values of two options together."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

import msgspec
from msgspec import inspect

from service.domain.catalog import AnyGame

Table = Mapping[str, Sequence[object]]
"""The values to try of each option by its name, the default first."""

Pair = frozenset[tuple[str, object, str]]
"""Two options' values, each with its type's name, so that 1 and True stay apart."""


def option_values(game: AnyGame) -> Table:
    """Return the values of each option that are worth trying, read off the options' type."""
    defaults = msgspec.structs.asdict(game.options())
    return {
        field.name: [defaults[field.name], *others(field.type, defaults[field.name])]
        for field in fields_of(game.options)
    }


def fields_of(struct: Any) -> tuple[inspect.Field, ...]:
    """Return the fields of a struct type."""
    described = inspect.type_info(struct)
    assert isinstance(described, inspect.StructType)
    return described.fields


def others(kind: inspect.Type, default: object) -> list[object]:
    """Return the values of a type beside the default; of a number, a few at its lower bound."""
    return [value for value in each(kind) if (value, type(value)) != (default, type(default))]


def each(kind: inspect.Type) -> Iterator[object]:
    """Return what an option of this type can be; fails for a type that is none for an option."""
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
                yield from each(one)
        case inspect.Metadata(type=bare):
            yield from each(bare)
        case _:
            raise TypeError(f"an option is a literal, a boolean or a number, not {kind}")


def all_pairs(table: Table) -> list[dict[str, object]]:
    """Return rows of options, the defaults first, in which every two values of two options stand together once."""
    rows = [{name: values[0] for name, values in table.items()}]
    missing = {pair(a, x, b, y) for a, b in combinations(table, 2) for x in table[a] for y in table[b]}
    missing |= {pair(name, value, name, value) for name, values in table.items() for value in values}
    while missing := missing - pairs(rows[-1]):
        rows.append(row_for(missing, table))
    return rows


def pair(name: str, value: object, other: str, other_value: object) -> Pair:
    """Return two options' values as a pair; one option with itself is that value alone."""
    return frozenset({(name, value, type(value).__name__), (other, other_value, type(other_value).__name__)})


def pairs(row: Mapping[str, object]) -> set[Pair]:
    """Return the pairs that stand in a row or a part of one."""
    return {pair(a, x, b, y) for a, x in row.items() for b, y in row.items()}


def row_for(missing: set[Pair], table: Table) -> dict[str, object]:
    """Return a row with the first missing pair and, value by value, as many others as it can hold."""
    wanted = min(missing, key=lambda missed: sorted(map(repr, missed)))
    row = {name: value for name, value, _ in wanted}
    for name in sorted(table.keys() - row.keys()):
        row[name] = max(table[name], key=lambda value: len(missing & pairs({**row, name: value})))
    return {name: row[name] for name in table}


def combinations_of(game: AnyGame) -> list[msgspec.Struct]:
    """Return the options that the laws are tried under, the defaults first."""
    return [msgspec.convert(row, game.options) for row in all_pairs(option_values(game))]


def named(options: msgspec.Struct) -> str:
    """Return what differs from the defaults, for a test's id."""
    defaults = type(options)()
    changed = [name for name in options.__struct_fields__ if getattr(options, name) != getattr(defaults, name)]
    return " ".join(f"{name}={getattr(options, name)}" for name in changed) or "defaults"
