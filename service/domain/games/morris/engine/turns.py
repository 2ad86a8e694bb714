"""The rules as a search needs them: whole turns, removals included, between positions that are single numbers.

A position is told by whoever is to move: bits 0 to 23 are its men, bits 24 to 47 the other side's, and from bit 48 on
stands how many men both sides together have yet to place; as they place in turn, that tells each side's hand. Where the
side to move has too few men left, the position's bits are inverted, which makes it negative. A set of points has eight
bits for each square, the outer one first, and these go around it from its top left corner:

    0 1 2
    7   3     Corners are even and the middles of sides are odd, so that a line across the squares is the same odd
    6 5 4     bit of each.
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

AROUND = (
    ("a7", "d7", "g7", "g4", "g1", "d1", "a1", "a4"),
    ("b6", "d6", "f6", "f4", "f2", "d2", "b2", "b4"),
    ("c5", "d5", "e5", "e4", "e3", "d3", "c3", "c4"),
)
NAMES = tuple(chain(*AROUND))
HERE: dict[str, Men] = {name: 1 << number for number, name in enumerate(NAMES)}
NAMED: dict[Men, str] = {bit: name for name, bit in HERE.items()}

ALL: Men = (1 << 24) - 1
OTHER = 24
"""How far to the left the other side's men stand."""

TO_PLACE = 48

SQUARES: tuple[Men, Men, Men] = (0xFF, 0xFF00, 0xFF0000)
MIDDLES: Men = 0xAAAAAA


def subsets(some: int) -> list[int]:
    """Return every set of some of its members."""
    found, part = [0], some
    while part:
        found.append(part)
        part = part - 1 & some
    return found


def split_points(men: Men) -> Bits:
    """Return the points of a set, each as a set of its own."""
    return tuple(bit for bit in NAMED if men & bit)


LINES: tuple[Men, ...] = tuple(sum(HERE[name] for name in mill) for mill in MILLS)
PARTNERS: dict[Men, tuple[Men, Men]] = {
    bit: (pair[0] ^ bit, pair[1] ^ bit) for bit in NAMED for pair in [tuple(line for line in LINES if line & bit)]
}
"""By point, the other two points of each of its two lines."""

BESIDE: dict[Men, Men] = {
    HERE[name]: sum(HERE[a if b == name else b] for a, b in EDGES if name in (a, b)) for name in NAMES
}

# What a set has or does is looked up in parts: each square by itself, and the middles, which the lines across join.
Parts: TypeAlias = tuple[dict[Men, Men], dict[Men, Men], dict[Men, Men], dict[Men, Men]]


def in_parts(meaning: Callable[[Men, Sequence[Men]], Men]) -> Parts:
    """Return tables of what a set means on the lines of each part."""
    parts = (*SQUARES, MIDDLES)
    lines = [[line for line in LINES if line & part == line] for part in parts]
    first, second, third, across = (
        {men: meaning(men, own) for men in subsets(part)} for part, own in zip(parts, lines, strict=True)
    )
    return first, second, third, across


def milled_points(men: Men, lines: Sequence[Men]) -> Men:
    """Return the points of the mills that stand on these lines."""
    points = 0
    for line in lines:
        if men & line == line:
            points |= line
    return points


def missing_points(men: Men, lines: Sequence[Men]) -> Men:
    """Return the points that alone are missing to mills on these lines."""
    points = 0
    for line in lines:
        missing = line & ~men
        if missing & missing - 1 == 0:
            points |= missing
    return points


STANDING = in_parts(milled_points)
LACKING = in_parts(missing_points)


def by_square(meaning: Callable[[Men], Bits]) -> tuple[dict[Men, Bits], dict[Men, Bits], dict[Men, Bits]]:
    """Return tables of what a set means on each square."""
    first, second, third = ({men: meaning(men) for men in subsets(square)} for square in SQUARES)
    return first, second, third


APART = by_square(split_points)
PLACED = by_square(lambda men: tuple(bit << OTHER for bit in split_points(men)))
"""What placing on a point changes in the position of the next side."""

SLID: dict[Men, dict[Men, Bits]] = {
    to: {near: tuple((bit | to) << OTHER for bit in split_points(near)) for near in subsets(BESIDE[to])} for to in NAMED
}
"""By point and own men beside it: what sliding there changes in the position of the next side."""

STEPS = [(to, BESIDE[to], SLID[to]) for to in NAMED]
CHANGES = [*(bit << OTHER for bit in NAMED), *((a | b) << OTHER for a, b in combinations(NAMED, 2))]


def points_of(men: Men) -> Bits:
    """Return the points of a set."""
    first, second, third = APART
    return first[men & 0xFF] + second[men & 0xFF00] + third[men & 0xFF0000]


def in_mills(men: Men) -> Men:
    """Return those men that stand in a mill."""
    first, second, third, across = STANDING
    return first[men & 0xFF] | second[men & 0xFF00] | third[men & 0xFF0000] | across[men & MIDDLES]


def closing_points(men: Men) -> Men:
    """Return the points that alone are missing to mills of these men."""
    first, second, third, across = LACKING
    return first[men & 0xFF] | second[men & 0xFF00] | third[men & 0xFF0000] | across[men & MIDDLES]


def translate(men: Spots) -> Men:
    """Return a set of points of the rules in the order above."""
    return sum(HERE[name] for name in names_of(men))


class Turns:
    """What a side may do in a turn, under a match's options; turns that changed much are tried first."""

    def __init__(self, options: Options) -> None:
        """Take the options."""
        self._flying = options.flying
        self._mercy = options.all_in_mills
        self._two = options.double_mill == "two"
        self.merit: dict[int, int] = dict.fromkeys(CHANGES, 0)
        """How often a change was too good for the other side, by what it changes in the next position."""

    def all(self, position: Packed) -> list[Packed]:
        """Return the positions to which the side to move can come, by removals first; none if it has lost."""
        mine, other, places = position & ALL, position >> OTHER & ALL, position >> TO_PLACE
        free = ~(mine | other) & ALL
        if places:
            return self._placings(mine, other, places, free)
        if self.flies(mine, other):
            return self._flights(mine, other, free)
        return self._slides(mine, other, free)

    def loud(self, position: Packed) -> list[Packed]:
        """Return those of the positions that have a man less."""
        mine, other, places = position & ALL, position >> OTHER & ALL, position >> TO_PLACE
        spots = closing_points(mine) & ~(mine | other)
        if not spots:
            return []
        if places:
            return self._closed_by_placing(mine, other, places, spots)
        return self._closed_by_moving(mine, other, spots)

    def flies(self, mine: Men, other: Men) -> bool:
        """Tell whether the side to move flies, once all men are placed."""
        if self._flying == "both":
            return mine.bit_count() <= 3 or other.bit_count() <= 3
        return self._flying == "reduced" and mine.bit_count() <= 3

    def note(self, position: Packed, after: Packed, depth: int) -> None:
        """Remember that this turn was too good for the other side in a search so deep."""
        change = (after >> OTHER & ALL ^ position & ALL) << OTHER
        if change in self.merit:
            self.merit[change] += depth * depth

    def _placings(self, mine: Men, other: Men, places: int, free: Men) -> list[Packed]:
        """Return what placing a man leads to."""
        spots = closing_points(mine) & free
        found = self._closed_by_placing(mine, other, places, spots) if spots else []
        if found:
            free ^= spots
        first, second, third = PLACED
        changes = [*first[free & 0xFF], *second[free & 0xFF00], *third[free & 0xFF0000]]
        changes.sort(key=self.merit.__getitem__, reverse=True)
        base = other | mine << OTHER | (places - 1) << TO_PLACE
        found += [base ^ change for change in changes]
        return found

    def _closed_by_placing(self, mine: Men, other: Men, places: int, spots: Men) -> list[Packed]:
        """Return what placing on points that close mills leads to; nothing if there is no man to remove."""
        targets = self.removable(other, places // 2)
        if not targets:
            return []
        found = []
        for spot in points_of(spots):
            men = mine | spot
            found += self.removals(men, other, places - 1, targets, self._mills(men, spot))
        return found

    def _slides(self, mine: Men, other: Men, free: Men) -> list[Packed]:
        """Return what sliding a man leads to."""
        changes = [change for to, near, slid in STEPS if free & to for change in slid[mine & near]]
        return self._moves(mine, other, free, changes)

    def _flights(self, mine: Men, other: Men, free: Men) -> list[Packed]:
        """Return what flying with a man leads to."""
        spots = points_of(free)
        changes = [(man | to) << OTHER for man in points_of(mine) for to in spots]
        return self._moves(mine, other, free, changes)

    def _moves(self, mine: Men, other: Men, free: Men, changes: list[int]) -> list[Packed]:
        """Return what these changes lead to, those first that remove a man."""
        changes.sort(key=self.merit.__getitem__, reverse=True)
        base = other | mine << OTHER
        spots = closing_points(mine) & free
        found = self._closed_by_moving(mine, other, spots) if spots else []
        if not found:
            return [base ^ change for change in changes]
        closed = {(position ^ -(position < 0)) >> OTHER for position in found}
        found += [after for change in changes if (after := base ^ change) >> OTHER not in closed]
        return found

    def _closed_by_moving(self, mine: Men, other: Men, spots: Men) -> list[Packed]:
        """Return what moving to points that may close mills leads to, where it does and a man can be removed."""
        targets = self.removable(other, 0)
        if not targets:
            return []
        flying = self.flies(mine, other)
        found = []
        for spot in points_of(spots):
            for man in points_of(mine if flying else mine & BESIDE[spot]):
                men = mine ^ man | spot
                if mills := self._mills(men, spot):
                    found += self.removals(men, other, 0, targets, mills)
        return found

    def _mills(self, men: Men, spot: Men) -> int:
        """Return how many removals the man that just came to this point gives."""
        one, two = PARTNERS[spot]
        mills = (men & one == one) + (men & two == two)
        return mills if self._two else min(mills, 1)

    def removals(self, men: Men, other: Men, places: int, targets: Men, mills: int) -> list[Packed]:
        """Return what removing a man leads to, or two if there were two mills."""
        base, hand = men << OTHER | places << TO_PLACE, (places + 1) // 2
        if other.bit_count() + hand <= 3:
            return [~(base | other ^ gone) for gone in points_of(targets)]
        if mills == 1:
            return [base | other ^ gone for gone in points_of(targets)]
        pairs = self.after_two(other, targets, hand)
        return [base | left if left.bit_count() + hand >= 3 else ~(base | left) for left in pairs]

    def after_two(self, other: Men, targets: Men, hand: int) -> list[Men]:
        """Return what can be left of a side's men when two are removed, or one where there is no second target."""
        left: dict[Men, None] = {}
        for gone in points_of(targets):
            one_less = other ^ gone
            further = points_of(self.removable(one_less, hand))
            left.update(dict.fromkeys([one_less ^ second for second in further] or [one_less]))
        return list(left)

    def removable(self, men: Men, hand: int) -> Men:
        """Return the men of a side that can be removed."""
        exposed = men & ~in_mills(men)
        if exposed or self._mercy == "none" or (self._mercy == "three" and men.bit_count() + hand > 3):
            return exposed
        return men
