"""The evaluation of Nine Men's Morris: a sum of table look-ups, for three squares and two pairs of cross lines."""

from array import array
from collections.abc import Mapping
from functools import cache
from typing import TypeAlias

import msgspec

from service.domain.games.morris.turns import (
    LINES,
    NEIGHBOURS,
    OTHER,
    SQUARES,
    TO_PLACE,
    Men,
    Packed,
    split_points,
    subsets,
)


class Weights(msgspec.Struct, frozen=True):
    """The weights of a phase of the match, in hundredths of a man in the moving phase."""

    man: int
    """A man, on the board or in hand."""
    mill: int
    """Three men on a line."""
    two: int
    """Two men on a line whose third point is empty."""
    halted: int
    """Two men on a line whose third point has a man of the other side."""
    one: int
    """A man on a line that is otherwise empty."""
    way: int
    """An empty point next to a man."""
    crossing: int
    """A man on a point with four neighbours."""
    corner: int
    """A man on a point with two neighbours."""

    @property
    def by_line(self) -> dict[tuple[int, int], int]:
        """The values of a line by the numbers of own men and of men of the other side."""
        return {(3, 0): self.mill, (2, 0): self.two, (2, 1): self.halted, (1, 0): self.one}


PLACING = Weights(man=80, mill=10, two=10, halted=-2, one=2, way=20, crossing=18, corner=-5)
"""In the placing phase, free neighbours matter more than men."""

MOVING = Weights(man=100, mill=12, two=14, halted=0, one=2, way=11, crossing=2, corner=-3)

ACROSS: tuple[Men, Men] = (0x222222, 0x888888)
"""The two pairs of opposite lines across the squares, six points each."""

Table: TypeAlias = dict[Packed, int]
Tables: TypeAlias = tuple[Table, Table, Table, Table, Table]


def tables(weights: Weights) -> Tables:
    """Return a table for each part: the value of the men on it, which is negated if the sides are exchanged."""
    counted: set[Men] = set()
    lines = {line: line_table(line, counted, weights) for line in LINES}
    first, second, third, upright, level = (
        part_table(part, {line: table for line, table in lines.items() if line & part == line})
        for part in (*SQUARES, *ACROSS)
    )
    return first, second, third, upright, level


def part_table(part: Men, lines: Mapping[Men, Table]) -> Table:
    """Return the table of a part: the sum of the tables of its lines."""
    masks = [(line | line << OTHER, table) for line, table in lines.items()]
    placements = [mine | other << OTHER for mine in subsets(part) for other in subsets(part ^ mine)]
    return {placement: sum([table[placement & mask] for mask, table in masks]) for placement in placements}


def line_table(line: Men, counted: set[Men], weights: Weights) -> Table:
    """Return the values of all placements on a line; each point's own value counts on the first of its lines only."""
    points = {spot: point_value(spot, weights) for spot in NEIGHBOURS if spot & line and spot not in counted}
    counted.update(points)
    found = {}
    for mine in subsets(line):
        for other in subsets(line ^ mine):
            worth = line_value(mine, other, line, weights) - line_value(other, mine, line, weights)
            worth += sum(value * ((spot & mine > 0) - (spot & other > 0)) for spot, value in points.items())
            found[mine | other << OTHER] = worth
    return found


def point_value(spot: Men, weights: Weights) -> int:
    """Return the value of a man on a point, without its lines."""
    return weights.man + {2: weights.corner, 3: 0, 4: weights.crossing}[NEIGHBOURS[spot].bit_count()]


def line_value(mine: Men, other: Men, line: Men, weights: Weights) -> int:
    """Return the value of one side's men on a line: of the line, and of the free neighbours along it."""
    free = line & ~(mine | other)
    ways = sum((NEIGHBOURS[spot] & free).bit_count() for spot in NEIGHBOURS if spot & mine)
    return weights.by_line.get((mine.bit_count(), other.bit_count()), 0) + weights.way * ways


PLACING_TABLES = tables(PLACING)
MOVING_TABLES = tables(MOVING)

# The bits of a position that are the key of each part's table: both sides' men on the part.
FIRST, SECOND, THIRD, UPRIGHT, LEVEL = (part | part << OTHER for part in (*SQUARES, *ACROSS))


def evaluate(position: Packed) -> int:
    """Return the estimate of a position for the side to move."""
    places = position >> TO_PLACE
    first, second, third, upright, level = PLACING_TABLES if places else MOVING_TABLES
    return (
        first[position & FIRST]
        + second[position & SECOND]
        + third[position & THIRD]
        + upright[position & UPRIGHT]
        + level[position & LEVEL]
        + (PLACING.man if places & 1 else 0)
    )


@cache
def pack_tables() -> bytes:
    """Return the tables as 32-bit integers, those for placing first, and after each phase's the value of a man.

    A part's placements are in the order of numbers in base three, the first point's digit last: 0 for an empty point,
    1 for an own man, 2 for another's.
    """
    packed = array("i")
    for weights, parts in ((PLACING, PLACING_TABLES), (MOVING, MOVING_TABLES)):
        for part, table in zip((*SQUARES, *ACROSS), parts, strict=True):
            placements = [0]
            for spot in split_points(part):
                placements = [at | man for man in (0, spot, spot << OTHER) for at in placements]
            packed.extend([table[placement] for placement in placements])
        packed.append(weights.man)
    return packed.tobytes()
