"""Ratios of interleaved rounds: their middle, how far they spread, and what they show."""

from collections.abc import Sequence
from statistics import median, quantiles
from typing import Literal

import msgspec

WIDEST = 0.2
"""How far apart the quartiles may be, as a part of the middle, where they do not agree on the goal."""

Verdict = Literal["met", "not met", "unclear"]


class Spread(msgspec.Struct, frozen=True):
    """Figures of several rounds: the middle one and the quartiles."""

    low: float
    middle: float
    high: float

    @property
    def width(self) -> float:
        """How far apart the quartiles are, as a part of the middle."""
        return (self.high - self.low) / self.middle if self.middle else 0.0

    def words(self, digits: int = 2) -> str:
        """Return the middle, with the quartiles."""
        middle, low, high = (f"{round(each, digits) + 0.0:,.{digits}f}" for each in (self.middle, self.low, self.high))
        return f"{middle} ({low} to {high})"


def spread(figures: Sequence[float]) -> Spread:
    """Return the middle and the quartiles of some figures."""
    if len(figures) < 2:
        return Spread(figures[0], figures[0], figures[0])
    low, _, high = quantiles(figures, n=4, method="inclusive")
    return Spread(low, median(figures), high)


class Goal(msgspec.Struct, frozen=True):
    """What a figure has to be: at most, or at least."""

    bound: float
    at_least: bool = False

    @property
    def words(self) -> str:
        """The goal in signs."""
        return f"{'≥' if self.at_least else '≤'} {self.bound:g}"

    def is_met(self, figure: float) -> bool:
        """Return whether a figure reaches it."""
        return figure >= self.bound if self.at_least else figure <= self.bound

    def verdict(self, found: Spread) -> Verdict:
        """Return whether it is met, which is unclear where the quartiles disagree and are far apart."""
        if self.is_met(found.low) != self.is_met(found.high) and found.width > WIDEST:
            return "unclear"
        return "met" if self.is_met(found.middle) else "not met"
