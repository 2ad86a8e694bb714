"""The board as numbers: points are counted in reading order, a set of points is an int with a bit a point."""

from collections.abc import Sequence
from functools import cache
from typing import TypeAlias

from service.domain.boards.subset_tables import SubsetItems, SubsetUnion, subsets, unions
from service.domain.game import Geometry, Point

Spots: TypeAlias = int
"""A set of points: bit n stands for point n."""

Mill: TypeAlias = tuple[str, str, str]
"""The names of a line's three points, from left to right or from the top down."""

Lines: TypeAlias = int
"""A set of lines: bit n stands for line n of `MILLS`."""

#   a7-----------d7-----------g7
#    |   b6------d6------f6   |
#    |    |   c5-d5-e5   |    |
#   a4---b4---c4    e4---f4---g4
#    |    |   c3-d3-e3   |    |
#    |   b2------d2------f2   |
#   a1-----------d1-----------g1
MILLS: tuple[Mill, ...] = (
    ("a7", "d7", "g7"),
    ("b6", "d6", "f6"),
    ("c5", "d5", "e5"),
    ("a4", "b4", "c4"),
    ("e4", "f4", "g4"),
    ("c3", "d3", "e3"),
    ("b2", "d2", "f2"),
    ("a1", "d1", "g1"),
    ("a7", "a4", "a1"),
    ("b6", "b4", "b2"),
    ("c5", "c4", "c3"),
    ("d7", "d6", "d5"),
    ("d3", "d2", "d1"),
    ("e5", "e4", "e3"),
    ("f6", "f4", "f2"),
    ("g7", "g4", "g1"),
)

POINTS = tuple(name for mill in MILLS[:8] for name in mill)  # the lines from left to right hold each point once
EDGES = tuple(edge for left, middle, right in MILLS for edge in ((left, middle), (middle, right)))

BIT: dict[str, Spots] = {name: 1 << number for number, name in enumerate(POINTS)}
ALL: Spots = (1 << len(POINTS)) - 1
ALL_LINES: Lines = (1 << len(MILLS)) - 1


def neighbours_of(name: str) -> Spots:
    """Return the set of the points that an edge joins to this one."""
    return sum(BIT[a if b == name else b] for a, b in EDGES if name in (a, b))


def lines_through(name: str) -> Lines:
    """Return the set of the lines on which this point lies."""
    return sum(1 << line for line, mill in enumerate(MILLS) if name in mill)


NEIGHBOURS: dict[str, Spots] = {name: neighbours_of(name) for name in POINTS}
THROUGH: dict[str, Lines] = {name: lines_through(name) for name in POINTS}

NAMES = SubsetItems(POINTS)
POINTS_ON = SubsetUnion([sum(BIT[name] for name in mill) for mill in MILLS])
AROUND: dict[str, Spots] = {name: POINTS_ON.of(THROUGH[name]) for name in POINTS}
"""By point, the five points of its two lines."""

# What a set of points has is looked up by its men in the upper half of the board and those in the lower one.
HALF = 12
UPPER: Spots = (1 << HALF) - 1


def unbroken(names: Sequence[str]) -> list[Lines]:
    """Return by the men on these points, as a set, the lines that are not broken by one of them without a man."""
    return [ALL_LINES ^ broken for broken in reversed(unions([THROUGH[name] for name in names]))]


UNBROKEN_ABOVE, UNBROKEN_BELOW = unbroken(POINTS[:HALF]), unbroken(POINTS[HALF:])
REACH_ABOVE, REACH_BELOW = (unions([NEIGHBOURS[name] for name in names]) for names in (POINTS[:HALF], POINTS[HALF:]))


def standing(men: Spots) -> Lines:
    """Return the lines on which three of these men stand: those that neither half of the board breaks."""
    return UNBROKEN_ABOVE[men & UPPER] & UNBROKEN_BELOW[men >> HALF]


@cache  # nine men can stand on some hundred sets of lines
def mills_on(lines: Lines) -> tuple[Mill, ...]:
    """Return the mills on these lines, in the order of `MILLS`."""
    return tuple(mill for line, mill in enumerate(MILLS) if lines >> line & 1)


CLOSED = {
    name: {men: mills_on(standing(men) & THROUGH[name]) for men in subsets(around)} for name, around in AROUND.items()
}
"""By point and the men around it, the mills through it."""


def mills_closed(men: Spots, at: str) -> tuple[Mill, ...]:
    """Return the mills that stand among these men of one colour and run through `at`."""
    return CLOSED[at][men & AROUND[at]]


def in_mills(men: Spots) -> Spots:
    """Return those of these men of one colour that stand in a mill."""
    return POINTS_ON.of(standing(men))


def can_slide(men: Spots, others: Spots) -> bool:
    """Tell whether one of these men has a point beside it on which nobody stands."""
    return (REACH_ABOVE[men & UPPER] | REACH_BELOW[men >> HALF]) & ~(men | others) != 0


GEOMETRY = Geometry(
    kind="graph",
    width=7,
    height=7,
    cells=tuple(Point(name, "abcdefg".index(name[0]) + 0.5, int(name[1]) - 0.5) for name in POINTS),
    edges=EDGES,
)
