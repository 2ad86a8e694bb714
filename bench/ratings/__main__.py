"""`python -m bench.ratings FILE ...`: print how well rating systems predict the matches in results of the arena."""

import math
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from random import Random
from statistics import fmean as mean
from typing import NamedTuple

import msgspec

from bench.arena.match_runner import Record
from bench.ratings.systems import LEAST, Elo, Glicko2, Service, System, score
from service.domain.ratings.decide import PARAMETERS
from service.domain.ratings.model import Parameters

LIFETIME = 40
"""After how many matches a bot begins again as a newcomer, so that learning counts as much as knowing."""

ORDERS = 5
"""In how many random orders the matches are played."""

BETAS = (75.0, 100.0, 125.0, 150.0, 175.0, 200.0, 250.0, 300.0)
TAUS = (0.0, 3.5, 7.0, 14.0)
KS = (16, 24, 32, 48, 64, 96)


class Played(NamedTuple):
    """A match: its players, as newcomers and as those who were newcomers before, and their places."""

    players: tuple[str, ...]
    places: tuple[int, ...]


class Row(NamedTuple):
    """A system and its log loss per pair of players, in nats."""

    name: str
    loss: float


class Calibration(NamedTuple):
    """The pairs of players for which a probability in some range was expected."""

    name: str
    expected: float
    observed: float
    pairs: int


def main(arguments: Sequence[str]) -> int:
    """Print a table per file."""
    for name in arguments:
        path = Path(name)
        print(f"\n## {path.stem}\n")
        print("\n".join(table(read(path))))
    return 0


def read(path: Path) -> list[Record]:
    """Return the matches in results of the arena."""
    return [msgspec.json.decode(line, type=Record) for line in path.read_bytes().splitlines()[1:]]


def table(records: Sequence[Record]) -> list[str]:
    """Return the results of all systems as a table, the best first."""
    pairs = sum(len(list(combinations(record.places, 2))) for record in records)
    rows = sorted((Row(name, mean_loss(records, make)) for name, make in systems().items()), key=lambda row: row.loss)
    return [
        f"{len(records)} matches, {pairs} pairs of players, each in {ORDERS} orders.",
        "",
        "| system | log loss |",
        "| --- | ---: |",
        *(f"| {row.name} | {row.loss:.4f} |" for row in rows),
        f"| always 50 % | {math.log(2):.4f} |",
        "",
        "| the service expects | on average | observed | pairs |",
        "| --- | ---: | ---: | ---: |",
        *(f"| {row.name} | {row.expected:.1%} | {row.observed:.1%} | {row.pairs} |" for row in calibration(records)),
    ]


def calibration(records: Sequence[Record]) -> list[Calibration]:
    """Return how often the service's expectations came true, by tenths; each pair is seen from its stronger seat."""
    found: dict[int, list[tuple[float, float]]] = {}
    for expected, result in outcomes(records, service_with(PARAMETERS)):
        strong, points = (expected, result) if expected >= 0.5 else (1 - expected, 1 - result)
        found.setdefault(min(9, int(strong * 10)), []).append((strong, points))
    return [calibrated(tenth, seen) for tenth, seen in sorted(found.items())]


def calibrated(tenth: int, seen: Sequence[tuple[float, float]]) -> Calibration:
    """Return the pairs of one tenth: what was expected and what happened, on average."""
    name = f"{tenth * 10} to {tenth * 10 + 10} %"
    return Calibration(name, mean(one for one, _ in seen), mean(one for _, one in seen), len(seen))


def systems() -> dict[str, Callable[[], System]]:
    """Return how each system of the comparison is made, by name."""
    found: dict[str, Callable[[], System]] = {}
    for beta in BETAS:
        for tau in TAUS:
            parameters = Parameters(beta, tau)
            mark = " (the service)" if parameters == PARAMETERS else ""
            found[f"Plackett-Luce, beta {beta:g}, tau {tau:g}{mark}"] = service_with(parameters)
    found |= {f"Elo, K {k}": elo_with(k) for k in KS}
    found |= {f"Glicko-2, tau {tau:g}": glicko_with(tau) for tau in (0.3, 0.5, 1.0)}
    return found


def service_with(parameters: Parameters) -> Callable[[], System]:
    """Return how the service's model is made."""
    return lambda: Service(parameters)


def elo_with(k: float) -> Callable[[], System]:
    """Return how Elo's system is made."""
    return lambda: Elo(k)


def glicko_with(tau: float) -> Callable[[], System]:
    """Return how Glicko-2 is made."""
    return lambda: Glicko2(tau)


def mean_loss(records: Sequence[Record], make: Callable[[], System]) -> float:
    """Return a system's log loss per pair of players, over all orders."""
    return mean(loss(expected, result) for expected, result in outcomes(records, make))


def outcomes(records: Sequence[Record], make: Callable[[], System]) -> Iterator[tuple[float, float]]:
    """Yield what a system expects of each pair of players, before it learns from the match, and the result."""
    for number in range(ORDERS):
        system = make()
        for match in in_order(records, number):
            expected = system.expected(match.players)
            for one, other in combinations(range(len(match.players)), 2):
                yield expected[one][other], score(match.places, one, other)
            system.learn(match.players, match.places)


def in_order(records: Sequence[Record], number: int) -> list[Played]:
    """Return the matches in a random order, in which each bot begins again from time to time."""
    shuffled = list(records)
    Random(number).shuffle(shuffled)  # noqa: S311 - the orders are the same in every run
    counts: dict[str, int] = {}
    played = []
    for record in shuffled:
        for player in record.seated:
            counts[player] = counts.get(player, -1) + 1
        players = tuple(f"{player} {counts[player] // LIFETIME}" for player in record.seated)
        played.append(Played(players, record.places))
    return played


def loss(expected: float, result: float) -> float:
    """Return the log loss of a prediction; a draw is half a win and half a loss."""
    bounded = min(max(expected, LEAST), 1 - LEAST)
    return -(result * math.log(bounded) + (1 - result) * math.log(1 - bounded))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
