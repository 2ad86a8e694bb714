"""`python -m bench.ratings.anchors`: print the fixed ratings of the bots, from the results in docs/arena.

They are the ratings under which the results are most probable by the model's likelihood, without any deviation, and
with half a win and half a loss more between each two players that met, so that a bot that always won is not infinitely
strong. The mean of the six levels is 1500. Only matches under the default options and of the bots' own time, or of a
given number of positions, count; ratings are rounded to tens.
"""

import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from pathlib import Path
from typing import get_args

import msgspec

from bench.arena.match_runner import Record
from bench.arena.schedule import Plan
from service.domain.catalog import GAMES
from service.domain.game import Level
from service.domain.ratings.decide import PARAMETERS

RESULTS = Path(__file__).parents[2] / "docs/arena"
LEVELS = get_args(Level)
MEAN = 1500
STEPS = 5000

Results = Counter[tuple[tuple[str, ...], tuple[int, ...]]]
"""How often players with these places met, by players and places."""


def main() -> int:
    """Print the ratings of each game's bots."""
    for game in GAMES:
        print(f"{game}: {anchors(results_of(game))}")
    return 0


def results_of(game: str) -> Results:
    """Return the results of a game under its default options, without those made for the study of the model."""
    found: Results = Counter()
    for path in sorted(RESULTS.glob("*.jsonl")):
        heading, *lines = path.read_bytes().splitlines()
        plan = msgspec.json.decode(heading, type=Plan)
        if plan.game == game and not plan.options and not path.stem.endswith("-five-players"):
            records = (msgspec.json.decode(line, type=Record) for line in lines)
            found.update((record.seated, record.places) for record in records)
    return found


def anchors(results: Results) -> dict[str, int]:
    """Return the ratings of the levels, rounded to tens."""
    ratings = most_probable(with_half_wins(results))
    mean = sum(ratings[level] for level in LEVELS) / len(LEVELS)
    return {level: round((ratings[level] - mean + MEAN) / 10) * 10 for level in LEVELS}


def with_half_wins(results: Results) -> dict[tuple[tuple[str, ...], tuple[int, ...]], float]:
    """Return results with half a win and half a loss more between each two players that met."""
    weighted = {key: float(count) for key, count in results.items()}
    met = {pair for seated, _ in results for pair in permutations(seated, 2) if pair[0] != pair[1]}
    for pair in sorted(met):
        weighted[pair, (1, 2)] = weighted.get((pair, (1, 2)), 0.0) + 0.5
    return weighted


def most_probable(results: Mapping[tuple[tuple[str, ...], tuple[int, ...]], float]) -> dict[str, float]:
    """Return the ratings under which results are most probable, by gradient ascent."""
    ratings = dict.fromkeys(sorted({player for seated, _ in results for player in seated}), 0.0)
    total = sum(results.values())
    for _ in range(STEPS):
        slopes = dict.fromkeys(ratings, 0.0)
        for (seated, places), count in results.items():
            add_slopes(slopes, ratings, seated, places, count)
        for player, slope in slopes.items():
            ratings[player] += 50 * len(ratings) * slope / total
    return ratings


def add_slopes(
    slopes: dict[str, float],
    ratings: Mapping[str, float],
    seated: Sequence[str],
    places: Sequence[int],
    count: float,
) -> None:
    """Add the gradient of the logarithm of a result's probability; equal places share theirs."""
    spread = PARAMETERS.beta * math.sqrt(len(seated))
    strengths = [math.exp(ratings[player] / spread) for player in seated]
    for seat, player in enumerate(seated):
        behind = [other for other in range(len(seated)) if places[other] >= places[seat]]
        if len(behind) < 2:
            continue
        weight, whole = count / places.count(places[seat]), sum(strengths[other] for other in behind)
        slopes[player] += weight
        for other in behind:
            slopes[seated[other]] -= weight * strengths[other] / whole


if __name__ == "__main__":
    sys.exit(main())
