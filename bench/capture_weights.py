"""Fits the weights of the evaluation of Ternio and Triboard to matches of their bots against themselves.

`python -m bench.capture_weights GAME` plays the matches with the weights that there are, on all cores, and prints the
new ones as they stand in the game's `rules.py`. With the compiled search it takes 10 to 20 minutes of a core.

The fit is a logistic regression by AdaGrad: the value of a seat is the logarithm of its odds of the first place.
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from math import exp, log, sqrt
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import fields

from bench.arena.arguments import positive
from service.domain.boards.capture_game import Position, split_cells
from service.domain.catalog import GAMES
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget
from service.domain.games.ternio.model import GRID as TERNIO_GRID
from service.domain.games.ternio.model import LAYOUTS
from service.domain.games.ternio.rules import STAGES as TERNIO_STAGES
from service.domain.games.triboard.model import GRID as TRIBOARD_GRID
from service.domain.games.triboard.rules import STAGES as TRIBOARD_STAGES
from service.domain.search.evaluation import Evaluator, Grid, Node, Weights
from service.domain.search.meter import Meter
from service.domain.search.paranoid import Search

BOTS = {"ternio": (TERNIO_GRID.stride, TERNIO_STAGES), "triboard": (TRIBOARD_GRID.stride, TRIBOARD_STAGES)}
"""By game, the bits of a row of its board, and the weights."""

NODES = 400
RANDOM_OPENING = 9
RANDOM_MOVES = (0.0, 0.05, 0.1)
EVERY = 2
"""Positions per move; the most random moves at the beginning, and the shares of later ones, one of them for each match;
and which positions of a match are kept: every second one."""

UNIT = 1000
"""The weights are in thousandths of the logarithm of odds."""

EPOCHS = 6
STEP = 40.0
"""How often each position is used, and the first change of a weight."""

ONE_EACH = [Weights(*(number == at for at in range(len(fields(Weights))))) for number in range(len(fields(Weights)))]
"""For each feature the weights that count it alone."""


class Example(NamedTuple):
    """A position: how much of the board is empty, by seat how often it has each feature, and its share of the win."""

    empty: float
    features: tuple[tuple[int, ...], ...]
    shares: tuple[float, ...]


def play(number: int, slug: str, seed: int) -> list[Example]:
    """Play a match, and return positions of it."""
    chance, (stride, stages) = Random(f"{slug} {seed} {number}"), BOTS[slug]  # noqa: S311 - matches to learn from
    position = first_position(slug, chance)
    grid = Grid(position.empty | sum(position.owned), stride)
    evaluator, node, visited = Evaluator(grid, stages), grid.node(position.owned, position.turn), list[Node]()
    left, share = chance.randint(1, RANDOM_OPENING), chance.choice(RANDOM_MOVES)
    while node.turn >= 0:
        moves = split_cells(node.reach[node.turn])
        chance.shuffle(moves)
        if left <= 0:
            visited.append(node)
            if chance.random() >= share:
                moves = [Search(evaluator, node.turn, Meter(Budget("expert", NODES))).best(node, moves)]
        node, left = grid.after(node, moves[0]), left - 1
    return examples(grid, visited[chance.randrange(EVERY) :: EVERY], node)


def first_position(slug: str, chance: Random) -> Position:
    """Return the first position of a match, in Ternio with any of the layouts."""
    game: Any = GAMES[slug]
    options = game.options(**({"start": chance.choice([*LAYOUTS])} if slug == "ternio" else {}))
    position: Position = game.start(options)
    for event in game.setup(options, Chance(chance.randbytes(32), (), DrawNumber(0))):
        position = game.evolve(position, event)
    return position


def examples(grid: Grid, visited: Sequence[Node], last: Node) -> list[Example]:
    """Return positions of a match that ended in `last`."""
    cells, counters = grid.board.bit_count(), [Evaluator(grid, [weights]) for weights in ONE_EACH]
    owned = [own.bit_count() for own in last.owned]
    shares = tuple((own == max(owned)) / owned.count(max(owned)) for own in owned)
    return [
        Example(
            node.empty.bit_count() / cells,
            tuple(zip(*(counter.evaluate(node) for counter in counters), strict=True)),
            shares,
        )
        for node in visited
    ]


class Fit:
    """The weights by stage, of a full board first."""

    def __init__(self, stages: int) -> None:
        """Begin with weights of 0."""
        self.weights = [[0.0] * len(ONE_EACH) for _ in range(stages)]
        self._squares = [[1.0] * len(ONE_EACH) for _ in range(stages)]

    def chances(self, example: Example) -> list[float]:
        """Return the chance of each seat, from weights interpolated as the bot does."""
        low, high, part = self._stages_of(example)
        weights = [
            less + (more - less) * part for less, more in zip(self.weights[low], self.weights[high], strict=True)
        ]
        values = [
            sum([weight * count for weight, count in zip(weights, features, strict=True)]) / UNIT
            for features in example.features
        ]
        odds = [exp(value - max(values)) for value in values]
        return [each / sum(odds) for each in odds]

    def learn(self, example: Example) -> None:
        """Move the weights towards those under which the result is more probable."""
        errors = [chance - share for chance, share in zip(self.chances(example), example.shares, strict=True)]
        slope = [
            sum([error * count for error, count in zip(errors, counts, strict=True)])
            for counts in zip(*example.features, strict=True)
        ]
        low, high, part = self._stages_of(example)
        for stage, factor in ((low, 1 - part), (high, part)):
            weights, squares = self.weights[stage], self._squares[stage]
            for at, each in enumerate(slope):
                change = each * factor
                squares[at] += change * change
                weights[at] -= STEP * change / sqrt(squares[at])

    def _stages_of(self, example: Example) -> tuple[int, int, float]:
        """Return the two stages that a position is between, and how far it is from the first to the second."""
        stage, last = int(5 * example.empty), len(self.weights) - 1
        return min(stage, last), min(stage + 1, last), 5 * example.empty - stage


def fitted(found: Sequence[Example], stages: int, seed: int) -> Fit:
    """Return the weights, and print how well they predict the results of the last twelfth of the positions."""
    kept, rows, fit = found[len(found) * 11 // 12 :], list(found[: len(found) * 11 // 12]), Fit(stages)
    for epoch in range(EPOCHS):
        Random(f"{seed} {epoch}").shuffle(rows)  # noqa: S311 - an order
        for example in rows:
            fit.learn(example)
        losses = [loss(fit.chances(example), example.shares) for example in kept]
        print(f"epoch {epoch + 1}: logarithmic loss {sum(losses) / len(losses):.4f}", flush=True)
    return fit


def loss(chances: Sequence[float], shares: Sequence[float]) -> float:
    """Return the logarithmic loss of chances."""
    return -sum(share * log(chance) for chance, share in zip(chances, shares, strict=True))


def main() -> int:
    """Play, fit and print."""
    parser = argparse.ArgumentParser(prog="bench.capture_weights", description="Fit the evaluation of a capture game.")
    parser.add_argument("game", choices=BOTS, metavar="GAME")
    parser.add_argument("--matches", type=positive, default=12000, help="the number of matches (default: 12000)")
    parser.add_argument("--seed", type=int, default=1, help="of everything that is random (default: 1)")
    parser.add_argument("--processes", type=positive, help="the matches played at once (default: one per core)")
    asked = parser.parse_args()
    found = list[Example]()
    with ProcessPoolExecutor(asked.processes) as pool:
        matches = pool.map(partial(play, slug=asked.game, seed=asked.seed), range(asked.matches), chunksize=20)
        for number, more in enumerate(matches, 1):
            found += more
            if number % 1000 == 0:
                print(f"{number} matches, {len(found)} positions", flush=True)
    for weights in fitted(found, len(BOTS[asked.game][1]), asked.seed).weights:
        print(f"    Weights({', '.join(str(round(weight)) for weight in weights)}),")
    return 0


if __name__ == "__main__":
    sys.exit(main())
