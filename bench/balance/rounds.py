"""The rounds of the search, and the results of the layouts in them."""

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct

from bench.balance.arguments import Round
from bench.balance.blocks import BlockText
from bench.balance.matches import BATCH_SIZE, Batch, Task


class Plan(Struct, frozen=True):
    """Everything that determines the search."""

    rounds: tuple[Round, ...]
    seed: int


class Share(Struct, frozen=True):
    """A layout's result in a round: each seat's share of the wins (ties are divided equally) and its standard error."""

    block: BlockText
    round: int
    matches: int
    shares: tuple[float, float, float]
    errors: tuple[float, float, float]

    @property
    def distance(self) -> float:
        """The distance of the shares from one third each."""
        return math.dist(self.shares, (1 / 3, 1 / 3, 1 / 3))


def tasks(plan: Plan, number: int, blocks: Sequence[BlockText]) -> list[Task]:
    """Return the tasks of a round, the layouts in turn."""
    this = plan.rounds[number]
    return [
        Task(number, block, first, min(BATCH_SIZE, this.matches - first), this.nodes, plan.seed)
        for first in range(0, this.matches, BATCH_SIZE)
        for block in blocks
    ]


def shares(batches: Iterable[Batch]) -> list[Share]:
    """Return the results of a round's batches, the most balanced layout first."""
    of_block: dict[BlockText, list[Batch]] = {}
    for batch in batches:
        of_block.setdefault(batch.block, []).append(batch)
    return sorted((share(block, own) for block, own in of_block.items()), key=lambda one: (one.distance, one.block))


def share(block: BlockText, batches: Sequence[Batch]) -> Share:
    """Return the result of one layout's batches."""
    counts = [item for batch in batches for item in batch.winners.items()]
    matches = sum(count for _, count in counts)
    red, green, blue = (points(counts, seat) for seat in "012")
    return Share(block, batches[0].round, matches, *zip(red, green, blue, strict=True))


def points(counts: Sequence[tuple[str, int]], seat: str) -> tuple[float, float]:
    """Return the mean of a seat's points, one per match in total, and the standard error of the mean."""
    matches = sum(count for _, count in counts)
    sixths = [(6 // len(winners) * (seat in winners), count) for winners, count in counts]
    mean = sum(won * count for won, count in sixths) / matches
    square = sum(won * won * count for won, count in sixths) / matches
    return mean / 6, math.sqrt((square - mean * mean) / matches) / 6


def left(plan: Plan, number: int, blocks: Sequence[BlockText], batches: Iterable[Batch]) -> tuple[BlockText, ...]:
    """Return the layouts of a round: all in the first, then the most balanced of the round before."""
    if number == 0:
        return tuple(blocks)
    before = shares(batch for batch in batches if batch.round == number - 1)
    return tuple(one.block for one in before[: plan.rounds[number].layouts])
