"""Alpha-beta finds what looking at everything finds, takes the shortest win, and knows a repetition for a draw."""

import random
from collections.abc import Sequence

import pytest

from service.domain.game import Budget
from service.domain.search.alphabeta import WIN, Packed, Search
from service.domain.search.meter import Meter

DEPTH = 4


class Tree:
    """A made-up game: from each position four turns lead on, some of them loud, and estimates are anything."""

    def __init__(self, seed: int) -> None:
        """Make it up."""
        self._seed = seed
        self._turns: dict[Packed, list[Packed]] = {}

    def dice(self, position: Packed) -> random.Random:
        """Return what decides about a position."""
        return random.Random(f"{self._seed} {position}")  # noqa: S311 - a made-up game

    def turns(self, position: Packed) -> list[Packed]:
        """Lead on to positions that other turns lead to as well; one in 30 has no turns. Thousands count the turns."""
        if position not in self._turns:
            dice, next_ones = self.dice(position), (position // 1000 + 1) * 1000
            turns = [] if dice.random() < 1 / 30 else dice.sample(range(next_ones, next_ones + 40), 4)
            self._turns[position] = turns
        return list(self._turns[position])

    def noisy_turns(self, position: Packed) -> list[Packed]:
        """Call turns to even numbers loud, up to a limit, so that they come to an end."""
        return [after for after in self.turns(position) if after % 2 == 0 and after < (DEPTH + 2) * 1000]

    def evaluate(self, position: Packed) -> int:
        """Estimate from nothing."""
        return self.dice(-position).randint(-500, 500)

    def remember_cutoff(self, position: Packed, after: Packed, depth: int) -> None:
        """Learn nothing."""


def in_full(tree: Tree, position: Packed, depth: int, ply: int) -> int:
    """Return what a position is worth, by looking at every turn."""
    if depth == 0:
        return max(
            [tree.evaluate(position), *(-in_full(tree, after, 0, ply + 1) for after in tree.noisy_turns(position))]
        )
    turns = tree.turns(position)
    return max([-in_full(tree, after, depth - 1, ply + 1) for after in turns], default=ply - WIN)


def searching(tree: Tree, nodes: int | None = None, seen: Sequence[Packed] = ()) -> Search:
    """Return a search."""
    return Search(tree, Meter(Budget("hard", nodes)), seen)


@pytest.mark.parametrize("seed", range(12))
def test_it_finds_what_looking_at_everything_finds(seed: int) -> None:
    """With four turns each none is tried less deeply, so the values are exact; the best one is chosen."""
    tree = Tree(seed)
    choices = [1, 2, 3, 4]
    exact = [-in_full(tree, choice, DEPTH - 1, 1) for choice in choices]
    assert searching(tree).values(choices, DEPTH) == exact
    assert exact[choices.index(searching(tree).best(choices, DEPTH))] == max(exact)


def test_it_answers_when_the_budget_is_spent() -> None:
    """With a single position the first choice stands, and no more are looked at than allowed."""
    for nodes in (1, 10, 100):
        meter = Meter(Budget("hard", nodes))
        assert Search(Tree(1), meter).best([7, 8, 9], 50) in {7, 8, 9}
        assert meter.nodes == nodes + 1


class Heap(Tree):
    """Take one or two from a heap; who finds it empty has lost. Its position is the size and the turn's number."""

    def turns(self, position: Packed) -> list[Packed]:
        """Take."""
        return [position - take for take in (1, 2) if position >= take]

    def noisy_turns(self, position: Packed) -> list[Packed]:
        """Nothing is loud."""
        del position
        return []

    def evaluate(self, position: Packed) -> int:
        """Think nothing of it."""
        del position
        return 0


@pytest.mark.parametrize(("heap", "left"), [(4, 3), (5, 3), (7, 6), (8, 6), (10, 9)])
def test_it_finds_a_sure_win(heap: int, left: int) -> None:
    """Leaving a multiple of three wins."""
    assert searching(Heap(0)).best(Heap(0).turns(heap), 20) == left


def test_a_shorter_win_is_worth_more() -> None:
    """Leaving an empty heap wins at once, leaving three two turns later; a side that has lost is told so at once."""
    assert searching(Heap(0)).values([0, 3, -5], 8) == [WIN - 1, WIN - 3, WIN]


def test_a_position_that_was_there_before_is_a_draw() -> None:
    """Coming back to it is worth nothing, neither more nor less."""
    assert searching(Heap(0), seen=[3]).values([3, 1], 8) == [0, -WIN + 2]
