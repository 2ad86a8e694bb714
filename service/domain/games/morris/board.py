"""The board as integers: points are numbered in reading order, and a set of points has one bit per point."""

from functools import lru_cache
from typing import TypeAlias

from service.domain.geometry import Geometry, Point

Spots: TypeAlias = int
"""A set of points; bit n is point n."""

Mill: TypeAlias = tuple[str, str, str]
"""The names of a line's three points, from left to right or from top to bottom."""

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

POINTS = tuple(name for mill in MILLS[:8] for name in mill)  # the horizontal lines contain each point once
EDGES = tuple(edge for left, middle, right in MILLS for edge in ((left, middle), (middle, right)))

BIT: dict[str, Spots] = {name: 1 << number for number, name in enumerate(POINTS)}
ALL: Spots = (1 << len(POINTS)) - 1


NEIGHBOURS: dict[str, Spots] = {
    name: sum(BIT[a if b == name else b] for a, b in EDGES if name in (a, b)) for name in POINTS
}


def subsets(spots: Spots) -> list[Spots]:
    """Return all subsets of a set of points."""
    found = [spots]
    while found[-1]:
        found.append((found[-1] - 1) & spots)
    return found


LINES: dict[Mill, Spots] = {mill: sum(BIT[name] for name in mill) for mill in MILLS}
LINES_THROUGH = {name: [(mill, line) for mill, line in LINES.items() if name in mill] for name in POINTS}
"""By point, the two lines that it is on."""


EIGHTS = tuple(POINTS[start : start + 8] for start in (0, 8, 16))
NAMES = tuple(
    tuple(tuple(name for bit, name in enumerate(eight) if spots >> bit & 1) for spots in range(256)) for eight in EIGHTS
)
"""By eight points, the names of each set of them: looked up in three steps, which costs less than 24 comparisons."""


def names_of(spots: Spots) -> tuple[str, ...]:
    """Return the names of a set's points, in reading order."""
    first, second, third = NAMES
    return first[spots & 255] + second[spots >> 8 & 255] + third[spots >> 16]


def filled(spots: Spots, shift: int) -> int:
    """Return the lines, as bits in the order of `MILLS`, of which no point among eight is missing in a set of them."""
    rest = [line >> shift & 255 for line in LINES.values()]
    return sum(1 << number for number, part in enumerate(rest) if part & spots == part)


FILLED = tuple(tuple(filled(spots, shift) for spots in range(256)) for shift in (0, 8, 16))
"""By eight points, the same for each set of them."""


def lines_of(men: Spots) -> int:
    """Return the mills that these men of one colour form, as bits in the order of `MILLS`."""
    first, second, third = FILLED
    return first[men & 255] & second[men >> 8 & 255] & third[men >> 16]


def mills_of(men: Spots) -> tuple[Mill, ...]:
    """Return the same mills."""
    return mills_among(lines_of(men))


@lru_cache(256)  # few lines are mills at a time
def mills_among(lines: int) -> tuple[Mill, ...]:
    """Return the lines that a number names by its bits."""
    return tuple([mill for number, mill in enumerate(MILLS) if lines >> number & 1])


def mills_closed(men: Spots, at: str) -> tuple[Mill, ...]:
    """Return the mills through `at` that these men of one colour form."""
    return tuple([mill for mill, line in LINES_THROUGH[at] if men & line == line])


def in_mills(men: Spots) -> Spots:
    """Return those of one colour's men that are in a mill."""
    milled = 0
    for line in LINES.values():
        if men & line == line:
            milled |= line
    return milled


@lru_cache(4096)  # each move changes one of the two sets of men only
def reach_of(men: Spots) -> Spots:
    """Return the points next to these men, empty or not."""
    reach = 0
    for name in names_of(men):
        reach |= NEIGHBOURS[name]
    return reach


def can_slide(men: Spots, others: Spots) -> bool:
    """Return whether one of these men is next to an empty point."""
    return bool(reach_of(men) & ~(men | others))


GEOMETRY = Geometry(
    kind="graph",
    width=7,
    height=7,
    cells=tuple(Point(name, "abcdefg".index(name[0]) + 0.5, int(name[1]) - 0.5) for name in POINTS),
    edges=EDGES,
    lines=MILLS,
)
