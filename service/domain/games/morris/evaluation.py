"""The evaluation of Nine Men's Morris: a sum of table look-ups, for three squares and two pairs of cross lines.

The values are fitted to matches of the bot against itself, by `python -m bench.morris_tables`: with 120 more, the odds
of a win are e times as high.
"""

from array import array
from functools import cache
from pkgutil import get_data
from struct import iter_unpack
from typing import TypeAlias
from zlib import decompress

from service.domain.games.morris.turns import OTHER, SQUARES, TO_PLACE, Men, Packed, split_points

ACROSS: tuple[Men, Men] = (0x222222, 0x888888)
"""The two pairs of opposite lines across the squares, six points each."""

PARTS = (*SQUARES, *ACROSS)
MASKS = tuple(part | part << OTHER for part in PARTS)

STAGES = 4
MANY = 12
"""The stages: while men are placed, with an even or an odd number in hand; later, with more than `MANY` men or not."""

Table: TypeAlias = dict[Packed, int]


def stage_of(position: Packed) -> int:
    """Return the stage of a position."""
    places = position >> TO_PLACE
    return places & 1 if places else 2 + (position.bit_count() <= MANY)


def placements(part: Men) -> list[Packed]:
    """Return the placements of both sides' men on a part.

    They are in the order of numbers in base three, the first point's digit last: 0 for an empty point, 1 for an own
    man, 2 for another's.
    """
    found = [0]
    for spot in split_points(part):
        found = [at | man for man in (0, spot, spot << OTHER) for at in found]
    return found


@cache
def pack_tables() -> bytes:
    """Return the values as 32-bit integers: for each stage those of each part's placements."""
    data = get_data(__name__, "values.zlib")
    assert data is not None  # noqa: S101 - a part of the package
    return array("i", [value for (value,) in iter_unpack("<h", decompress(data))]).tobytes()


@cache
def tables() -> list[tuple[Table, ...]]:
    """Return the values of each stage by the placements of each part."""
    values = iter(memoryview(pack_tables()).cast("i"))
    return [tuple(dict(zip(placements(part), values, strict=False)) for part in PARTS) for _ in range(STAGES)]


def evaluate(position: Packed) -> int:
    """Return the estimate of a position for the side to move."""
    return sum([table[position & mask] for table, mask in zip(tables()[stage_of(position)], MASKS, strict=True)])
