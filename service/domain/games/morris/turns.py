"""A fast copy of the rules for the search: complete turns, with removals, between positions encoded as integers.

A position is encoded from the point of view of the side to move: bits 0 to 23 are its men, bits 24 to 47 the other
side's, and the bits from 48 on are the number of men that both sides together have in hand; as they place alternately,
each side's hand follows from it. If the side to move has too few men left, the bits are inverted, so that the integer
is negative. A set of points has eight bits for each square, the outer square first, clockwise from its top left corner:

    0 1 2
    7   3     Corners have even bits and middles of sides odd bits, so a line across the squares has the same odd bit
    6 5 4     of each square.
"""

from collections.abc import Callable, Sequence
from itertools import chain, combinations
from typing import TypeAlias

from service.domain.games.morris.board import EDGES, MILLS, Spots, names_of
from service.domain.games.morris.model import Options

Men: TypeAlias = int
"""A set of points, in the order above."""

Packed: TypeAlias = int
Bits: TypeAlias = tuple[int, ...]

RINGS = (
    ("a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4"),
    ("b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4"),
    ("c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4"),
)
NAMES = tuple(chain(*RINGS))
BIT_OF: dict[str, Men] = {name: 1 << number for number, name in enumerate(NAMES)}
NAME_OF: dict[Men, str] = {bit: name for name, bit in BIT_OF.items()}

ALL: Men = (1 << 24) - 1
OTHER = 24
"""The number of the first bit of the other side's men."""

TO_PLACE = 48

SQUARES: tuple[Men, Men, Men] = (0xFF, 0xFF00, 0xFF0000)
MIDDLES: Men = 0xAAAAAA


def subsets(some: int) -> list[int]:
    """Return all subsets of a set, the empty one first."""
    found, part = [0], some
    while part:
        found.append(part)
        part = part - 1 & some
    return found


def split_points(men: Men) -> Bits:
    """Return the points of a set, each as a set with one bit."""
    return tuple(bit for bit in NAME_OF if men & bit)


LINES: tuple[Men, ...] = tuple(sum(BIT_OF[name] for name in mill) for mill in MILLS)
PARTNERS: dict[Men, tuple[Men, Men]] = {
    bit: (pair[0] ^ bit, pair[1] ^ bit) for bit in NAME_OF for pair in [tuple(line for line in LINES if line & bit)]
}
"""By point, the two other points of each of its two lines."""

NEIGHBOURS: dict[Men, Men] = {
    BIT_OF[name]: sum(BIT_OF[a if b == name else b] for a, b in EDGES if name in (a, b)) for name in NAMES
}

# Properties of a set are looked up in four parts: each square, and the middles, which have the lines across.
Parts: TypeAlias = tuple[dict[Men, Men], dict[Men, Men], dict[Men, Men], dict[Men, Men]]


def tabulate_parts(meaning: Callable[[Men, Sequence[Men]], Men]) -> Parts:
    """Return for each part a table from sets of points to `meaning` of the set and the part's lines."""
    parts = (*SQUARES, MIDDLES)
    lines = [[line for line in LINES if line & part == line] for part in parts]
    first, second, third, across = (
        {men: meaning(men, own) for men in subsets(part)} for part, own in zip(parts, lines, strict=True)
    )
    return first, second, third, across


def milled_points(men: Men, lines: Sequence[Men]) -> Men:
    """Return the points of the mills that a set has on these lines."""
    points = 0
    for line in lines:
        if men & line == line:
            points |= line
    return points


def missing_points(men: Men, lines: Sequence[Men]) -> Men:
    """Return the points that complete a mill on one of these lines."""
    points = 0
    for line in lines:
        missing = line & ~men
        if missing & missing - 1 == 0:
            points |= missing
    return points


MILLED = tabulate_parts(milled_points)
MISSING = tabulate_parts(missing_points)


def tabulate_squares(meaning: Callable[[Men], Bits]) -> tuple[dict[Men, Bits], dict[Men, Bits], dict[Men, Bits]]:
    """Return for each square a table from sets of points to `meaning` of the set."""
    first, second, third = ({men: meaning(men) for men in subsets(square)} for square in SQUARES)
    return first, second, third


POINTS = tabulate_squares(split_points)
PLACED = tabulate_squares(lambda men: tuple(bit << OTHER for bit in split_points(men)))
"""By point, the bits that a placement changes in the position from the next side's point of view."""

SLID: dict[Men, dict[Men, Bits]] = {
    to: {near: tuple((bit | to) << OTHER for bit in split_points(near)) for near in subsets(NEIGHBOURS[to])}
    for to in NAME_OF
}
"""By point and neighbouring own men, the bits that each slide to it changes, from the next side's point of view."""

STEPS = [(to, NEIGHBOURS[to], SLID[to]) for to in NAME_OF]
CHANGES = [*(bit << OTHER for bit in NAME_OF), *((a | b) << OTHER for a, b in combinations(NAME_OF, 2))]


def points_of(men: Men) -> Bits:
    """Return the points of a set."""
    first, second, third = POINTS
    return first[men & 0xFF] + second[men & 0xFF00] + third[men & 0xFF0000]


def in_mills(men: Men) -> Men:
    """Return the men that are in a mill."""
    first, second, third, across = MILLED
    return first[men & 0xFF] | second[men & 0xFF00] | third[men & 0xFF0000] | across[men & MIDDLES]


def closing_points(men: Men) -> Men:
    """Return the points that complete a mill of these men."""
    first, second, third, across = MISSING
    return first[men & 0xFF] | second[men & 0xFF00] | third[men & 0xFF0000] | across[men & MIDDLES]


def translate(men: Spots) -> Men:
    """Convert a set of points from the order of `board` to the order above."""
    return sum(BIT_OF[name] for name in names_of(men))


class Turns:
    """Generates the turns of a side under a match's options; turns that often caused cutoffs come first."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self._flying = options.flying
        self._all_in_mills = options.all_in_mills
        self._double_mill = options.double_mill == "two"
        self.history: dict[int, int] = dict.fromkeys(CHANGES, 0)
        """The history heuristic: how often a turn caused a cutoff, by the bits that it changes."""

    def turns(self, position: Packed) -> list[Packed]:
        """Return the positions that the side to move can reach, those with removals first; none if it has lost."""
        mine, other, places = position & ALL, position >> OTHER & ALL, position >> TO_PLACE
        free = ~(mine | other) & ALL
        if places:
            return self._placings(mine, other, places, free)
        if self.flies(mine, other):
            return self._flights(mine, other, free)
        return self._slides(mine, other, free)

    def noisy_turns(self, position: Packed) -> list[Packed]:
        """Return those of the positions in which a man was removed."""
        mine, other, places = position & ALL, position >> OTHER & ALL, position >> TO_PLACE
        spots = closing_points(mine) & ~(mine | other)
        if not spots:
            return []
        if places:
            return self._closed_by_placing(mine, other, places, spots)
        return self._closed_by_moving(mine, other, spots)

    def is_noisy(self, position: Packed, after: Packed) -> bool:
        """Return whether a man was removed by the turn to `after`."""
        return bool((position >> OTHER ^ after) & ALL)

    def flies(self, mine: Men, other: Men) -> bool:
        """Return whether the side to move flies, once all men are placed."""
        if self._flying == "both":
            return mine.bit_count() <= 3 or other.bit_count() <= 3
        return self._flying == "reduced" and mine.bit_count() <= 3

    def remember_cutoff(self, position: Packed, after: Packed, depth: int) -> None:
        """Record that this turn caused a beta cutoff in a search of this depth."""
        change = (after >> OTHER & ALL ^ position & ALL) << OTHER
        if change in self.history:
            self.history[change] += depth * depth

    def _placings(self, mine: Men, other: Men, places: int, free: Men) -> list[Packed]:
        """Return the positions after placing a man."""
        spots = closing_points(mine) & free
        found = self._closed_by_placing(mine, other, places, spots) if spots else []
        if found:
            free ^= spots
        first, second, third = PLACED
        changes = [*first[free & 0xFF], *second[free & 0xFF00], *third[free & 0xFF0000]]
        changes.sort(key=self.history.__getitem__, reverse=True)
        base = other | mine << OTHER | (places - 1) << TO_PLACE
        found += [base ^ change for change in changes]
        return found

    def _closed_by_placing(self, mine: Men, other: Men, places: int, spots: Men) -> list[Packed]:
        """Return the positions after placing on points that close mills; none if no man can be removed."""
        targets = self.removable(other, places // 2)
        if not targets:
            return []
        found = []
        for spot in points_of(spots):
            men = mine | spot
            found += self.removals(men, other, places - 1, targets, self._mills(men, spot))
        return found

    def _slides(self, mine: Men, other: Men, free: Men) -> list[Packed]:
        """Return the positions after sliding a man."""
        changes = [change for to, near, slid in STEPS if free & to for change in slid[mine & near]]
        return self._moves(mine, other, free, changes)

    def _flights(self, mine: Men, other: Men, free: Men) -> list[Packed]:
        """Return the positions after flying with a man."""
        spots = points_of(free)
        changes = [(man | to) << OTHER for man in points_of(mine) for to in spots]
        return self._moves(mine, other, free, changes)

    def _moves(self, mine: Men, other: Men, free: Men, changes: list[int]) -> list[Packed]:
        """Return the positions after these changes, those with removals first."""
        changes.sort(key=self.history.__getitem__, reverse=True)
        base = other | mine << OTHER
        spots = closing_points(mine) & free
        found = self._closed_by_moving(mine, other, spots) if spots else []
        if not found:
            return [base ^ change for change in changes]
        closed = {(position ^ -(position < 0)) >> OTHER for position in found}
        found += [after for change in changes if (after := base ^ change) >> OTHER not in closed]
        return found

    def _closed_by_moving(self, mine: Men, other: Men, spots: Men) -> list[Packed]:
        """Return the positions after moves to these points that close mills; none if no man can be removed."""
        targets = self.removable(other, 0)
        if not targets:
            return []
        flying = self.flies(mine, other)
        found = []
        for spot in points_of(spots):
            for man in points_of(mine if flying else mine & NEIGHBOURS[spot]):
                men = mine ^ man | spot
                if mills := self._mills(men, spot):
                    found += self.removals(men, other, 0, targets, mills)
        return found

    def _mills(self, men: Men, spot: Men) -> int:
        """Return how many removals the man that was just moved to this point allows."""
        one, two = PARTNERS[spot]
        mills = (men & one == one) + (men & two == two)
        return mills if self._double_mill else min(mills, 1)

    def removals(self, men: Men, other: Men, places: int, targets: Men, mills: int) -> list[Packed]:
        """Return the positions after removing one man, or two after closing two mills."""
        base, hand = men << OTHER | places << TO_PLACE, (places + 1) // 2
        if other.bit_count() + hand <= 3:
            return [~(base | other ^ gone) for gone in points_of(targets)]
        if mills == 1:
            return [base | other ^ gone for gone in points_of(targets)]
        pairs = self.pairs_removed(other, targets, hand)
        return [base | left if left.bit_count() + hand >= 3 else ~(base | left) for left in pairs]

    def pairs_removed(self, other: Men, targets: Men, hand: int) -> list[Men]:
        """Return the possible sets of a side's men after two removals, or after one if there is no second target."""
        left: dict[Men, None] = {}
        for gone in points_of(targets):
            one_less = other ^ gone
            further = points_of(self.removable(one_less, hand))
            left.update(dict.fromkeys([one_less ^ second for second in further] or [one_less]))
        return list(left)

    def removable(self, men: Men, hand: int) -> Men:
        """Return the men of a side that can be removed."""
        exposed = men & ~in_mills(men)
        if exposed or self._all_in_mills == "none" or (self._all_in_mills == "three" and men.bit_count() + hand > 3):
            return exposed
        return men
