"""Regret matching: its mix approaches an equilibrium, and exploits a habit without exposing itself."""

import random

import pytest

from service.domain.search.regret import Payoffs, average, equilibrium

ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
ALWAYS_ROCK = [1.0, 0.0, 0.0]


def random_payoffs(seed: int) -> Payoffs:
    """Return the payoffs of a round of random size."""
    dice = random.Random(seed)  # noqa: S311 - the rounds of the law
    columns = dice.randint(1, 12)
    return [[dice.uniform(-1, 1) for _ in range(columns)] for _ in range(dice.randint(1, 12))]


def test_three_equal_choices_are_played_equally_often() -> None:
    """Rock, paper, scissors."""
    for mix in equilibrium(ROCK_PAPER_SCISSORS, 200):
        assert mix == pytest.approx([1 / 3] * 3, abs=0.01)


def test_a_mix_depends_on_the_stakes() -> None:
    """Each side plays so that the other's two choices have the same value: 3p - 2(1-p) = -p + 2(1-p), and so on."""
    row, column = equilibrium([[3, -1], [-2, 2]], 2000)
    assert row == pytest.approx([1 / 2, 1 / 2], abs=0.01)
    assert column == pytest.approx([3 / 8, 5 / 8], abs=0.01)


@pytest.mark.parametrize("seed", range(20))
def test_no_other_choice_gains_much_against_the_mixes(seed: int) -> None:
    """The definition of an equilibrium, within 0.02, for rounds of any size."""
    payoffs = random_payoffs(seed)
    row, column = equilibrium(payoffs, 1000)
    assert sum(row) == pytest.approx(1)
    assert sum(column) == pytest.approx(1)
    best = max(average(gains, column) for gains in payoffs)
    least = min(average(gains, row) for gains in zip(*payoffs, strict=True))
    assert best - least < 0.02


@pytest.mark.parametrize("seed", range(20))
def test_a_dominated_choice_is_hardly_played(seed: int) -> None:
    """A row that gains less than another one in each column."""
    payoffs = random_payoffs(seed)
    worse = [gain - 0.5 for gain in payoffs[0]]
    row, _ = equilibrium([*payoffs, worse], 200)
    assert row[-1] < 0.01


@pytest.mark.parametrize(("share", "paper"), [(0.0, 1 / 3), (0.2, 1 / 3), (0.5, 2 / 3), (1.0, 1.0)])
def test_a_habit_is_exploited(share: float, paper: float) -> None:
    """Against an opponent who plays rock in this share of rounds; below a third, the rest of its play compensates."""
    row, _ = equilibrium(ROCK_PAPER_SCISSORS, 500, ALWAYS_ROCK, share)
    assert row[1] == pytest.approx(paper, abs=0.02)


def test_the_result_is_deterministic() -> None:
    """The learning uses no chance."""
    assert equilibrium(random_payoffs(1), 50) == equilibrium(random_payoffs(1), 50)
