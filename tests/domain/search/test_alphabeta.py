"""Alpha-beta search finds the exact value, prefers the shortest win, and counts a repetition as a draw."""

import random
from collections.abc import Sequence

import pytest

from service.domain.game import Budget
from service.domain.search.alphabeta import QUIET_GAIN, WIN, Deepening, Packed, Search
from service.domain.search.meter import Meter

DEPTH = 4


class Tree:
    """An artificial game: from each position there are three turns, some of them noisy, and estimates are arbitrary."""

    def __init__(self, seed: int) -> None:
        """Generate the game from a seed."""
        self._seed = seed
        self._turns: dict[Packed, list[Packed]] = {}

    def dice(self, position: Packed) -> random.Random:
        """Return the random numbers of a position."""
        return random.Random(f"{self._seed} {position}")  # noqa: S311 - a made-up game

    def turns(self, position: Packed) -> list[Packed]:
        """Return positions, some of which other turns lead to as well; one in 30 has no turns.

        The thousands of a position count the turns.
        """
        if position not in self._turns:
            dice, next_thousand = self.dice(position), (position // 1000 + 1) * 1000
            turns = [] if dice.random() < 1 / 30 else dice.sample(range(next_thousand, next_thousand + 40), 3)
            self._turns[position] = turns
        return list(self._turns[position])

    def noisy_turns(self, position: Packed) -> list[Packed]:
        """Return the turns to even numbers, up to a limit, so that they come to an end."""
        return [after for after in self.turns(position) if after % 2 == 0 and after < (DEPTH + 2) * 1000]

    def evaluate(self, position: Packed) -> int:
        """Return an arbitrary estimate; no two differ by more than a quiet turn may add."""
        return self.dice(-position).randint(-QUIET_GAIN // 2, QUIET_GAIN // 2)

    def is_noisy(self, position: Packed, after: Packed) -> bool:
        """Return whether a turn is one to an even number."""
        del position
        return after % 2 == 0

    def remember_cutoff(self, position: Packed, after: Packed, depth: int) -> None:
        """Do nothing."""


def exact_value(tree: Tree, position: Packed, depth: int, ply: int) -> int:
    """Return the value of a position by searching every turn."""
    if depth == 0:
        return max(
            [tree.evaluate(position), *(-exact_value(tree, after, 0, ply + 1) for after in tree.noisy_turns(position))]
        )
    turns = tree.turns(position)
    return max([-exact_value(tree, after, depth - 1, ply + 1) for after in turns], default=ply - WIN)


def new_search(tree: Tree, nodes: int | None = None, seen: Sequence[Packed] = (), repetition: int = 0) -> Deepening:
    """Return a search."""
    return Deepening(Search(tree, Meter(Budget("expert", nodes)), seen, repetition))


@pytest.mark.parametrize("seed", range(12))
def test_it_finds_the_exact_value(seed: int) -> None:
    """With three turns none is searched less deeply, so the values are exact; the best turn is chosen."""
    tree = Tree(seed)
    choices = [1, 2, 3, 4]
    exact = [-exact_value(tree, choice, DEPTH - 1, 1) for choice in choices]
    assert new_search(tree).values(choices, DEPTH) == exact
    assert exact[choices.index(new_search(tree).best(choices, DEPTH))] == max(exact)


def test_it_returns_a_turn_when_the_budget_is_used_up() -> None:
    """With a single position it returns the first turn; never more positions are searched than allowed."""
    for nodes in (1, 10, 100):
        meter = Meter(Budget("expert", nodes))
        assert Deepening(Search(Tree(1), meter)).best([7, 8, 9], 50) in {7, 8, 9}
        assert meter.nodes == nodes


class Heap(Tree):
    """Take one or two from a heap; an empty heap loses. A position is the size and the turn's number."""

    def turns(self, position: Packed) -> list[Packed]:
        """Return the positions after taking one or two."""
        return [position - take for take in (1, 2) if position >= take]

    def noisy_turns(self, position: Packed) -> list[Packed]:
        """Return no turns."""
        del position
        return []

    def evaluate(self, position: Packed) -> int:
        """Return 0."""
        del position
        return 0


@pytest.mark.parametrize(("heap", "left"), [(4, 3), (5, 3), (7, 6), (8, 6), (10, 9)])
def test_it_finds_a_forced_win(heap: int, left: int) -> None:
    """Leaving a multiple of three wins."""
    assert new_search(Heap(0)).best(Heap(0).turns(heap), 20) == left


def test_a_shorter_win_is_worth_more() -> None:
    """Leaving an empty heap wins at once, leaving three two turns later; a lost side is recognised at once."""
    assert new_search(Heap(0)).values([0, 3, -5], 8) == [WIN - 1, WIN - 3, WIN]


def test_a_repeated_position_is_a_draw() -> None:
    """Its value is 0, or what the side that searches gives it, whichever side repeats the position."""
    assert new_search(Heap(0), seen=[3]).values([3, 1], 8) == [0, -WIN + 2]
    assert new_search(Heap(0), seen=[3], repetition=-25).values([3, 5], 8) == [-25, -25]


class Wide(Tree):
    """Twelve turns from each position, all of them noisy or none."""

    def __init__(self, *, noisy: bool) -> None:
        """Generate the game."""
        super().__init__(0)
        self._noisy = noisy

    def turns(self, position: Packed) -> list[Packed]:
        """Return twelve positions."""
        return list(range(position * 12 + 1, position * 12 + 13))

    def noisy_turns(self, position: Packed) -> list[Packed]:
        """Return no turns."""
        del position
        return []

    def is_noisy(self, position: Packed, after: Packed) -> bool:
        """Return the same for all turns."""
        del position, after
        return self._noisy


def test_late_turns_are_searched_less_deep_unless_they_are_noisy() -> None:
    """So the same depth takes less than half of the positions."""
    calm, noisy = Meter(Budget("expert")), Meter(Budget("expert"))
    for meter in (calm, noisy):
        Deepening(Search(Wide(noisy=meter is noisy), meter)).values([1], 5)
    assert calm.nodes < noisy.nodes / 2


class Lost(Wide):
    """After turn 1 the side that made it is far behind, after all others nobody is ahead."""

    def evaluate(self, position: Packed) -> int:
        """Return an estimate for the side to move; 13 to 24 are the positions after a reply to turn 1."""
        return -10 * QUIET_GAIN if position in range(13, 25) else 0


def test_quiet_turns_are_not_tried_in_a_hopeless_position() -> None:
    """The first reply to turn 2 shows that it is better than turn 1; others are tried only if they may change much."""
    quiet, noisy = Meter(Budget("expert")), Meter(Budget("expert"))
    for meter in (quiet, noisy):
        assert Search(Lost(noisy=meter is noisy), meter).rank([1, 2], 1) == 0
    replies = 12
    assert noisy.nodes - quiet.nodes == 2 * (replies - 1)  # turn 2 is searched twice, the first time with no window
