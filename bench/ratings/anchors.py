"""`python -m bench.ratings.anchors`: print the fixed ratings of the bots and of other players, from docs/arena.

Those of the bots are the ratings under which the results are most probable by the model's likelihood, without any
deviation, and with half a win and half a loss more between each two players that met, so that a bot that always won is
not infinitely strong. The mean of the six levels is 1500. Only matches under the default options and of the bots' own
time, or of a given number of positions, count; ratings are rounded to tens. Other players are rated afterwards, against
these ratings, by all of their matches: some play only under the options of their own rules.
"""

import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import permutations
from operator import itemgetter
from pathlib import Path
from typing import get_args

import msgspec

from bench.arena.match_runner import Record
from bench.arena.schedule import Plan
from service.domain.catalog import GAMES, texts_of
from service.domain.game import Level
from service.domain.presentation import ENGLISH
from service.domain.ratings.decide import PARAMETERS

RESULTS = Path(__file__).parents[2] / "docs/arena"
LEVELS = get_args(Level)
MEAN = 1500
STEPS, SETTLED = 5000, 0.0001
"""The most steps, and the changes of the last one: the ratings are then exact to much less than a point."""


NOBODY: Mapping[str, float] = {}

Results = Counter[tuple[tuple[str, ...], tuple[int, ...]]]
"""How often players with these places met, by players and places."""


def main() -> int:
    """Print the ratings as the table of docs/ratings.md."""
    print(f"| game | {' | '.join(LEVELS)} | others |")
    print(f"| --- |{' ---: |' * len(LEVELS)} --- |")
    for game in GAMES:
        print(row(game, anchors(results_of(game))))
    return 0


def row(game: str, levels: Mapping[str, int]) -> str:
    """Return a row of the table: the ratings of the levels, and of the other players that these have met."""
    others = sorted(others_of(results_of(game, any_options=True), levels).items(), key=itemgetter(1))
    named = ", ".join(f"`{name}` {rating}" for name, rating in others)
    return f"| {texts_of(GAMES[game], ENGLISH).title} | {' | '.join(map(str, levels.values()))} | {named} |"


def results_of(game: str, *, any_options: bool = False) -> Results:
    """Return the results of a game without those made for the study of the model.

    Only those under the default options count, unless `any_options`.
    """
    found: Results = Counter()
    for path in sorted(RESULTS.glob("*.jsonl")):
        heading, *lines = path.read_bytes().splitlines()
        plan = msgspec.json.decode(heading, type=Plan)
        if plan.game == game and (any_options or not plan.options) and not path.stem.endswith("-five-players"):
            records = (msgspec.json.decode(line, type=Record) for line in lines)
            found.update((record.seated, record.places) for record in records)
    return found


def anchors(results: Results) -> dict[str, int]:
    """Return the ratings of the levels, rounded to tens."""
    ratings = most_probable(with_half_wins(results))
    mean = sum(ratings[level] for level in LEVELS) / len(LEVELS)
    return {level: round((ratings[level] - mean + MEAN) / 10) * 10 for level in LEVELS}


def others_of(results: Results, levels: Mapping[str, int]) -> dict[str, int]:
    """Return the ratings of the other players, rounded to tens, against levels with these ratings."""
    met = Counter({key: count for key, count in results.items() if set(key[0]) - levels.keys()})
    ratings = most_probable(with_half_wins(met), {level: float(rating) for level, rating in levels.items()})
    return {player: round(rating / 10) * 10 for player, rating in ratings.items() if player not in levels}


def with_half_wins(results: Results) -> dict[tuple[tuple[str, ...], tuple[int, ...]], float]:
    """Return results with half a win and half a loss more between each two players that met."""
    weighted = {key: float(count) for key, count in results.items()}
    met = {pair for seated, _ in results for pair in permutations(seated, 2) if pair[0] != pair[1]}
    for pair in sorted(met):
        weighted[pair, (1, 2)] = weighted.get((pair, (1, 2)), 0.0) + 0.5
    return weighted


def most_probable(
    results: Mapping[tuple[tuple[str, ...], tuple[int, ...]], float], known: Mapping[str, float] = NOBODY
) -> dict[str, float]:
    """Return the ratings under which results are most probable, by gradient ascent; those of `known` players stay."""
    players = sorted({player for seated, _ in results for player in seated})
    ratings = {player: known.get(player, MEAN if known else 0.0) for player in players}
    total = sum(results.values())
    for _ in range(STEPS):
        slopes = dict.fromkeys(ratings, 0.0)
        for (seated, places), count in results.items():
            add_slopes(slopes, ratings, seated, places, count)
        changes = {player: 50 * len(ratings) * slopes[player] / total for player in slopes.keys() - known.keys()}
        ratings |= {player: ratings[player] + change for player, change in changes.items()}
        if max(map(abs, changes.values()), default=0.0) < SETTLED:
            break
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
