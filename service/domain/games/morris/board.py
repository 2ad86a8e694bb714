"""The board as numbers: points are counted in reading order, a set of points is an int with a bit a point."""

from collections.abc import Sequence
from typing import Generic, TypeAlias, TypeVar

from service.domain.game import Geometry, Point

Spots: TypeAlias = int
"""A set of points: bit n stands for point n."""

Mill: TypeAlias = tuple[str, str, str]
"""The names of a line's three points, from left to right or from the top down."""

Lines: TypeAlias = int
"""A set of lines: bit n stands for line n of `MILLS`."""

T = TypeVar("T")

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


class Each(Generic[T]):
    """A table of what belongs to each member of a set, asked for half of the members at a time."""

    def __init__(self, members: Sequence[T]) -> None:
        """Take what belongs to each possible member: to point n, or to line n."""
        self._half = len(members) // 2
        self._low = (1 << self._half) - 1
        self._lower, self._higher = choices(members[: self._half]), choices(members[self._half :])

    def of(self, some: int) -> tuple[T, ...]:
        """Return what belongs to the members of a set, in ascending order."""
        return self._lower[some & self._low] + self._higher[some >> self._half]


class Union:
    """A table of what is in the set of any member of a set, asked for like `Each`."""

    def __init__(self, members: Sequence[int]) -> None:
        """Take the set of each possible member."""
        self._half = len(members) // 2
        self._low = (1 << self._half) - 1
        self._lower, self._higher = unions(members[: self._half]), unions(members[self._half :])

    def of(self, some: int) -> int:
        """Return the union of the sets of a set's members."""
        return self._lower[some & self._low] | self._higher[some >> self._half]


def choices(members: Sequence[T]) -> list[tuple[T, ...]]:
    """Return every choice from these; bit n of its place in the list tells whether it has the nth."""
    found: list[tuple[T, ...]] = [()]
    for member in members:
        found += [(*chosen, member) for chosen in found]
    return found


def unions(members: Sequence[int]) -> list[int]:
    """Return the union of every choice from these sets, in the order of `choices`."""
    found = [0]
    for member in members:
        found += [chosen | member for chosen in found]
    return found


def neighbours_of(name: str) -> Spots:
    """Return the set of the points that an edge joins to this one."""
    return sum(BIT[a if b == name else b] for a, b in EDGES if name in (a, b))


def lines_through(name: str) -> Lines:
    """Return the set of the lines on which this point lies."""
    return sum(1 << line for line, mill in enumerate(MILLS) if name in mill)


NEIGHBOURS: dict[str, Spots] = {name: neighbours_of(name) for name in POINTS}
THROUGH: dict[str, Lines] = {name: lines_through(name) for name in POINTS}

REACH = Union([*NEIGHBOURS.values()])
COVERED = Union([sum(BIT[name] for name in mill) for mill in MILLS])
NAMES = Each(POINTS)
NAMED = Each(MILLS)


HALF = 12
UPPER: Spots = (1 << HALF) - 1


def unbroken(through: Sequence[Lines]) -> list[Lines]:
    """Return by the men on some points the lines that have none of these points without a man."""
    return [ALL_LINES ^ broken for broken in reversed(unions(through))]


UPPER_UNBROKEN = unbroken([THROUGH[name] for name in POINTS[:HALF]])
LOWER_UNBROKEN = unbroken([THROUGH[name] for name in POINTS[HALF:]])


def standing(men: Spots) -> Lines:
    """Return the lines on which three of these men stand, as neither half of the board breaks them."""
    return UPPER_UNBROKEN[men & UPPER] & LOWER_UNBROKEN[men >> HALF]


def mills_in(men: Spots) -> tuple[Mill, ...]:
    """Return the mills that stand among these men of one colour."""
    return NAMED.of(standing(men))


def mills_closed(men: Spots, at: str) -> tuple[Mill, ...]:
    """Return the mills that stand among these men of one colour and run through `at`."""
    return NAMED.of(standing(men) & THROUGH[at])


def in_mills(men: Spots) -> Spots:
    """Return those of these men of one colour that stand in a mill."""
    return COVERED.of(standing(men))


def can_slide(men: Spots, empty: Spots) -> bool:
    """Tell whether one of these men has an empty point beside it."""
    return REACH.of(men) & empty != 0


GEOMETRY = Geometry(
    kind="graph",
    width=7,
    height=7,
    cells=tuple(Point(name, "abcdefg".index(name[0]) + 0.5, int(name[1]) - 0.5) for name in POINTS),
    edges=EDGES,
)
