"""Rating systems that predict matches and learn from them: the service's, Elo, and Glicko-2."""

import math
from collections.abc import Sequence
from typing import Protocol

from service.contests.plackett_luce import compute
from service.domain.ratings.decide import NEWCOMER
from service.domain.ratings.model import Parameters, Rating

LEAST = 1e-3
"""No outcome is predicted with a smaller probability, so that one surprise does not decide a comparison."""


class System(Protocol):
    """A rating system with the ratings of all players that it has seen."""

    def expected(self, players: Sequence[str]) -> list[list[float]]:
        """Return for each two seats the probability that the first one has the better place."""

    def learn(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Change the ratings by the places of a match."""


class Service:
    """The model of the service, as it rates rooms: ratings are rounded after each match."""

    def __init__(self, parameters: Parameters) -> None:
        """Take the parameters."""
        self._parameters = parameters
        self._known: dict[str, tuple[int, int]] = {}

    def _of(self, player: str) -> tuple[int, int]:
        return self._known.get(player, (NEWCOMER.value, NEWCOMER.deviation))

    def expected(self, players: Sequence[str]) -> list[list[float]]:
        """Return the probabilities by Plackett and Luce's likelihood, with the spread of all seats."""
        known = [(value / 100, deviation / 100) for value, deviation in map(self._of, players)]
        spread = math.sqrt(sum(deviation**2 + self._parameters.beta**2 for _, deviation in known))
        return [[logistic((one - other) / spread) for other, _ in known] for one, _ in known]

    def learn(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Rate a match as the service does."""
        before = [Rating(*self._of(player)) for player in players]
        for player, figures in zip(players, compute(self._parameters, before, places), strict=True):
            self._known[player] = (round(figures.value * 100), round(figures.deviation * 100))


class Elo:
    """Elo's system; a match of three counts as three matches of two, each with half of the weight."""

    def __init__(self, k: float) -> None:
        """Take the factor K."""
        self._k = k
        self._known: dict[str, float] = {}

    def expected(self, players: Sequence[str]) -> list[list[float]]:
        """Return the probabilities by the logistic curve of base 10 and 400 points."""
        known = [self._known.get(player, 1500.0) for player in players]
        return [[logistic((one - other) * math.log(10) / 400) for other in known] for one in known]

    def learn(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Move each rating by K for the difference of result and expectation."""
        expected, weight = self.expected(players), self._k / (len(players) - 1)
        for at, player in enumerate(players):
            gained = sum(score(places, at, other) - expected[at][other] for other in others(at, players))
            self._known[player] = self._known.get(player, 1500.0) + weight * gained


class Glicko2:
    """Glicko-2 by Glickman's paper of 2012, one period per match; a match of three is a period of two matches."""

    def __init__(self, tau: float) -> None:
        """Take the constant that limits how volatility changes."""
        self._tau = tau
        self._known: dict[str, tuple[float, float, float]] = {}

    def _of(self, player: str) -> tuple[float, float, float]:
        return self._known.get(player, (0.0, 350 / SCALE, 0.06))

    def expected(self, players: Sequence[str]) -> list[list[float]]:
        """Return the probabilities with the deviations of both players, as Glickman predicts."""
        known = list(map(self._of, players))
        return [
            [logistic(g(math.hypot(phi, other_phi)) * (mu - other_mu)) for other_mu, other_phi, _ in known]
            for mu, phi, _ in known
        ]

    def learn(self, players: Sequence[str], places: Sequence[int]) -> None:
        """Rate a period with one match against each other player."""
        known = list(map(self._of, players))
        for at, player in enumerate(players):
            met = [(known[other][0], known[other][1], score(places, at, other)) for other in others(at, players)]
            self._known[player] = self._rated(known[at], met)

    def _rated(
        self, known: tuple[float, float, float], met: Sequence[tuple[float, float, float]]
    ) -> tuple[float, float, float]:
        """Return rating, deviation and volatility after a period, by steps 3 to 7 of the paper."""
        mu, phi, sigma = known
        expected = [logistic(g(other_phi) * (mu - other_mu)) for other_mu, other_phi, _ in met]
        variance = 1 / sum(
            g(other_phi) ** 2 * mean * (1 - mean) for (_, other_phi, _), mean in zip(met, expected, strict=True)
        )
        gained = sum(g(other_phi) * (points - mean) for (_, other_phi, points), mean in zip(met, expected, strict=True))
        sigma = volatility(variance * gained, phi, variance, sigma, self._tau)
        phi = 1 / math.sqrt(1 / (phi**2 + sigma**2) + 1 / variance)
        return mu + phi**2 * gained, phi, sigma


SCALE = 173.7178
"""Points per unit of Glicko-2."""


def volatility(delta: float, phi: float, variance: float, sigma: float, tau: float) -> float:
    """Return the new volatility: step 5 of the paper, by the Illinois algorithm."""
    start = math.log(sigma**2)

    def slope(x: float) -> float:
        grown = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - grown) / (2 * grown**2) - (x - start) / tau**2

    low, high = start, math.log(delta**2 - phi**2 - variance) if delta**2 > phi**2 + variance else start - tau
    while delta**2 <= phi**2 + variance and slope(high) < 0:
        high -= tau
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > 1e-6:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        low, at_low = (high, at_high) if at_middle * at_high <= 0 else (low, at_low / 2)
        high, at_high = middle, at_middle
    return math.exp(low / 2)


def g(phi: float) -> float:
    """Return by how much the uncertainty of an opponent reduces what a result says."""
    return 1 / math.sqrt(1 + 3 * phi**2 / math.pi**2)


def logistic(x: float) -> float:
    """Return the logistic function."""
    return 1 / (1 + math.exp(-x))


def score(places: Sequence[int], one: int, other: int) -> float:
    """Return the result of one seat against another: 1, 0, or 0.5 for the same place."""
    return 0.5 if places[one] == places[other] else float(places[one] < places[other])


def others(at: int, players: Sequence[str]) -> list[int]:
    """Return the other seats."""
    return [seat for seat in range(len(players)) if seat != at]
