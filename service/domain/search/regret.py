"""Mixed strategies for a round in which both seats choose at the same time, computed by regret matching.

Each side plays its choices in proportion to their regrets, which never fall below zero (regret matching plus: Tammelin,
2014). The sides learn alternately, and later rounds have more weight in the average strategy, which approaches an
equilibrium. If the column side is assumed to follow a habit in some cases, the row side's strategy is a response to
that habit and to best play in all other cases (restricted Nash response: Johanson, Zinkevich and Bowling, 2007).
"""

from collections.abc import Sequence
from operator import mul
from typing import TypeAlias

Mix: TypeAlias = Sequence[float]
"""A mixed strategy: the probability of each choice; the sum is 1."""

Payoffs: TypeAlias = Sequence[Sequence[float]]
"""What the row side wins and the column side loses, indexed by the row's choice and then by the column's."""


class Learner:
    """One side, with the regret of each of its choices."""

    def __init__(self, choices: int) -> None:
        """Start with no regrets and a uniform strategy."""
        self.mix: Mix = [1 / choices] * choices
        self._regrets = [0.0] * choices
        self._sums = [0.0] * choices

    def learn(self, gains: Sequence[float], weight: int) -> None:
        """Update the regrets with the gain of each choice in this round, which counts `weight` times in the average."""
        got = average(gains, self.mix)
        self._regrets = [max(0.0, regret + gain - got) for regret, gain in zip(self._regrets, gains, strict=True)]
        total = sum(self._regrets)
        if total > 0:
            self.mix = [regret / total for regret in self._regrets]
        self._sums = [total + weight * share for total, share in zip(self._sums, self.mix, strict=True)]

    @property
    def average(self) -> Mix:
        """The average strategy over all rounds."""
        total = sum(self._sums)
        return [share / total for share in self._sums]


def equilibrium(payoffs: Payoffs, rounds: int, habit: Mix = (), share: float = 0.0) -> tuple[Mix, Mix]:
    """Return approximate equilibrium strategies of the row side and the column side; more rounds are more exact.

    The column side plays the strategy `habit` in this share of cases; the one returned for it applies to the others.
    """
    losses = [[-payoff for payoff in column] for column in zip(*payoffs, strict=True)]
    used = [average(gains, habit) * share for gains in payoffs] if share else [0.0] * len(payoffs)
    row, column = Learner(len(payoffs)), Learner(len(losses))
    for weight in range(1, rounds + 1):
        free = (average(gains, column.mix) for gains in payoffs)
        row.learn([known + (1 - share) * gain for known, gain in zip(used, free, strict=True)], weight)
        column.learn([average(gains, row.mix) for gains in losses], weight)
    return row.average, column.average


def average(gains: Sequence[float], mix: Mix) -> float:
    """Return the expected value of a choice, with these gains, against a mixed strategy."""
    total: float = sum(map(mul, gains, mix))
    return total
