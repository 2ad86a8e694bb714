"""What a position of Nine Men's Morris is worth, looked up part by part: three squares and twice two lines across."""

from collections.abc import Mapping
from typing import TypeAlias

import msgspec

from service.domain.games.morris.engine.turns import BESIDE, LINES, OTHER, SQUARES, TO_PLACE, Men, Packed, subsets


class Weights(msgspec.Struct, frozen=True):
    """What is good in a phase of the match, in hundredths of a man that moves."""

    man: int
    """A man, on the board or in the hand."""
    mill: int
    """Three men on a line."""
    two: int
    """Two men on a line with an empty point."""
    halted: int
    """Two men on a line with a man of the other side."""
    one: int
    """A man on a line that is empty otherwise."""
    way: int
    """An empty point beside a man."""
    crossing: int
    """A man on a point with four neighbours."""
    corner: int
    """A man on a point with two."""

    @property
    def by_line(self) -> dict[tuple[int, int], int]:
        """The values of a line by its men and those of the other side."""
        return {(3, 0): self.mill, (2, 0): self.two, (2, 1): self.halted, (1, 0): self.one}


PLACING = Weights(man=30, mill=10, two=10, halted=-2, one=2, way=20, crossing=18, corner=-5)
"""Room to move decides what comes of the placing, more than a man does."""

MOVING = Weights(man=100, mill=12, two=14, halted=0, one=2, way=11, crossing=2, corner=-3)

ACROSS: tuple[Men, Men] = (0x222222, 0x888888)
"""Twice the six points of two opposite lines across the squares."""

Table: TypeAlias = dict[Packed, int]
Tables: TypeAlias = tuple[Table, Table, Table, Table, Table]


def tables(weights: Weights) -> Tables:
    """Return by part what its men are worth together; the sides' roles changed, it is the negative."""
    counted: set[Men] = set()
    lines = {line: line_table(line, counted, weights) for line in LINES}
    first, second, third, upright, level = (
        together(part, {line: table for line, table in lines.items() if line & part == line})
        for part in (*SQUARES, *ACROSS)
    )
    return first, second, third, upright, level


def together(part: Men, lines: Mapping[Men, Table]) -> Table:
    """Return a part's table, which is the sum of its lines'."""
    masks = [(line | line << OTHER, table) for line, table in lines.items()]
    standings = [mine | other << OTHER for mine in subsets(part) for other in subsets(part ^ mine)]
    return {standing: sum([table[standing & mask] for mask, table in masks]) for standing in standings}


def line_table(line: Men, counted: set[Men], weights: Weights) -> Table:
    """Return what each way of standing on a line is worth; each point itself counts on the first of its lines."""
    points = {spot: point(spot, weights) for spot in BESIDE if spot & line and spot not in counted}
    counted.update(points)
    found = {}
    for mine in subsets(line):
        for other in subsets(line ^ mine):
            worth = side(mine, other, line, weights) - side(other, mine, line, weights)
            worth += sum(value * ((spot & mine > 0) - (spot & other > 0)) for spot, value in points.items())
            found[mine | other << OTHER] = worth
    return found


def point(spot: Men, weights: Weights) -> int:
    """Return what a man on a point is worth by itself."""
    return weights.man + {2: weights.corner, 3: 0, 4: weights.crossing}[BESIDE[spot].bit_count()]


def side(mine: Men, other: Men, line: Men, weights: Weights) -> int:
    """Return what one side's men on a line are worth: together, and by their ways along it."""
    free = line & ~(mine | other)
    ways = sum((BESIDE[spot] & free).bit_count() for spot in BESIDE if spot & mine)
    return weights.by_line.get((mine.bit_count(), other.bit_count()), 0) + weights.way * ways


PLACING_TABLES = tables(PLACING)
MOVING_TABLES = tables(MOVING)

# Which bits of a position a part's table is asked with: both sides' men on it.
FIRST, SECOND, THIRD, UPRIGHT, LEVEL = (part | part << OTHER for part in (*SQUARES, *ACROSS))


def worth(position: Packed) -> int:
    """Estimate a position for the side to move."""
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
