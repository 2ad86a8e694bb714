"""Mixed play of a round in which both seats choose at the same time, learned by regret matching.

Each side plays in proportion to what it regrets not having played, counted from zero upwards (regret matching plus:
Tammelin, 2014), in turns; later rounds weigh more in the average, which approaches an equilibrium. Where the column
side is thought to follow a habit now and then, the row side's mix is the answer to that and to the best play otherwise
(restricted Nash response: Johanson, Zinkevich and Bowling, 2007).
"""

from collections.abc import Sequence
from operator import mul
from typing import TypeAlias

Mix: TypeAlias = Sequence[float]
"""How often each choice is to be played; adds up to 1."""

Payoffs: TypeAlias = Sequence[Sequence[float]]
"""What the row side gets, and the column side loses, by the row's choice and then the column's."""


class Learner:
    """One side, and what it regrets."""

    def __init__(self, choices: int) -> None:
        """Begin without regrets."""
        self.mix: Mix = [1 / choices] * choices
        self._regrets = [0.0] * choices
        self._sums = [0.0] * choices

    def learn(self, gains: Sequence[float], weight: int) -> None:
        """Take in what each choice would have gained in this round; `weight` is the round's share in the average."""
        got = average(gains, self.mix)
        self._regrets = [max(0.0, regret + gain - got) for regret, gain in zip(self._regrets, gains, strict=True)]
        total = sum(self._regrets)
        if total > 0:
            self.mix = [regret / total for regret in self._regrets]
        self._sums = [total + weight * share for total, share in zip(self._sums, self.mix, strict=True)]

    @property
    def average(self) -> Mix:
        """The mix over all rounds."""
        total = sum(self._sums)
        return [share / total for share in self._sums]


def equilibrium(payoffs: Payoffs, rounds: int, habit: Mix = (), share: float = 0.0) -> tuple[Mix, Mix]:
    """Return nearly the best mixes of the row side and the column side against each other; more rounds come nearer.

    The column side is bound to play the mix `habit` in this share of cases; its mix is told for the others.
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
    """Return what comes of a choice on average against a mix."""
    total: float = sum(map(mul, gains, mix))
    return total
