"""The board as numbers: points are counted in reading order, a set of points is an int with a bit a point."""

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import TypeAlias

from service.domain.game import Geometry, Point

Spot: TypeAlias = int
"""A point's number: its place in `POINTS`, and its bit in a set."""

Spots: TypeAlias = int
"""A set of points: bit n stands for point n."""

Mill: TypeAlias = tuple[str, str, str]
"""The names of a line's three points, from left to right or from the top down."""

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

SPOT: dict[str, Spot] = {name: spot for spot, name in enumerate(POINTS)}
BIT: dict[str, Spots] = {name: 1 << spot for name, spot in SPOT.items()}
ALL: Spots = (1 << len(POINTS)) - 1


def spots_named(names: tuple[str, ...]) -> Spots:
    """Return the set of the points with these names."""
    return sum(BIT[name] for name in names)


def neighbours_of(name: str) -> Spots:
    """Return the set of the points that an edge joins to this one."""
    return spots_named(tuple(a if b == name else b for a, b in EDGES if name in (a, b)))


NEIGHBOURS: tuple[Spots, ...] = tuple(neighbours_of(name) for name in POINTS)
MILL_SETS: tuple[tuple[Spots, Mill], ...] = tuple((spots_named(mill), mill) for mill in MILLS)
MILLS_THROUGH = {name: tuple(pair for pair in MILL_SETS if name in pair[1]) for name in POINTS}


def union(sets: Iterable[Spots]) -> Spots:
    """Return the points that are in any of these sets."""
    return reduce(or_, sets, 0)


# Sets are taken apart eight points at a time: a table for the outer, middle and inner third of the bits.
THIRDS = tuple(
    tuple(tuple(first + n for n in range(8) if byte >> n & 1) for byte in range(256)) for first in (0, 8, 16)
)


def each_of(spots: Spots) -> tuple[Spot, ...]:
    """Return the numbers of the points in a set, in ascending order."""
    return THIRDS[0][spots & 255] + THIRDS[1][spots >> 8 & 255] + THIRDS[2][spots >> 16]


def mills_in(men: Spots) -> tuple[Mill, ...]:
    """Return the mills that stand among these men of one colour."""
    return tuple([mill for line, mill in MILL_SETS if men & line == line])


def mills_closed(men: Spots, at: str) -> tuple[Mill, ...]:
    """Return the mills that stand among these men of one colour and run through `at`."""
    return tuple(mill for line, mill in MILLS_THROUGH[at] if men & line == line)


def in_mills(men: Spots) -> Spots:
    """Return those of these men of one colour that stand in a mill."""
    standing = 0
    for line, _ in MILL_SETS:
        if men & line == line:
            standing |= line
    return standing


# The points beside any of a third's men, by the third's bits.
REACH = tuple(tuple(union(NEIGHBOURS[spot] for spot in spots) for spots in third) for third in THIRDS)


def can_slide(men: Spots, empty: Spots) -> bool:
    """Tell whether one of these men has an empty point beside it."""
    return bool((REACH[0][men & 255] | REACH[1][men >> 8 & 255] | REACH[2][men >> 16]) & empty)


GEOMETRY = Geometry(
    kind="graph",
    width=7,
    height=7,
    cells=tuple(Point(name, "abcdefg".index(name[0]) + 0.5, int(name[1]) - 0.5) for name in POINTS),
    edges=EDGES,
)
