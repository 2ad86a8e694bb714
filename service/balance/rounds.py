"""The rounds of the search: how many layouts are left in each, and what their matches say of them."""

import math
from collections.abc import Iterable, Sequence

from msgspec import Struct

from service.balance.blocks import Written
from service.balance.matches import TOGETHER, Batch, Task


class Round(Struct, frozen=True):
    """So many layouts play so many matches each, with so many positions a move."""

    layouts: int
    """At most; the first round takes all that there are."""
    matches: int
    nodes: int


class Plan(Struct, frozen=True):
    """Everything that decides how the search goes."""

    rounds: tuple[Round, ...]
    seed: int


class Share(Struct, frozen=True):
    """What a round says of a layout: each seat's share of the wins, ties in equal parts, and its standard error."""

    block: Written
    round: int
    matches: int
    shares: tuple[float, float, float]
    errors: tuple[float, float, float]

    @property
    def distance(self) -> float:
        """How far the shares lie from one third each."""
        return math.dist(self.shares, (1 / 3, 1 / 3, 1 / 3))


def tasks(plan: Plan, number: int, blocks: Sequence[Written]) -> list[Task]:
    """Return the matches of a round, some at a time, all layouts in turn."""
    this = plan.rounds[number]
    return [
        Task(number, block, first, min(TOGETHER, this.matches - first), this.nodes, plan.seed)
        for first in range(0, this.matches, TOGETHER)
        for block in blocks
    ]


def shares(batches: Iterable[Batch]) -> list[Share]:
    """Return what a round's batches say, the most balanced layout first."""
    of_block: dict[Written, list[Batch]] = {}
    for batch in batches:
        of_block.setdefault(batch.block, []).append(batch)
    return sorted((share(block, own) for block, own in of_block.items()), key=lambda one: (one.distance, one.block))


def share(block: Written, batches: Sequence[Batch]) -> Share:
    """Return what the batches of one layout say."""
    counts = [item for batch in batches for item in batch.winners.items()]
    matches = sum(count for _, count in counts)
    red, green, blue = (points(counts, seat) for seat in "012")
    return Share(block, batches[0].round, matches, *zip(red, green, blue, strict=True))


def points(counts: Sequence[tuple[str, int]], seat: str) -> tuple[float, float]:
    """Return the mean of a seat's points, of which a match has one, and the standard error of that mean."""
    matches = sum(count for _, count in counts)
    sixths = [(6 // len(winners) * (seat in winners), count) for winners, count in counts]
    mean = sum(won * count for won, count in sixths) / matches
    square = sum(won * won * count for won, count in sixths) / matches
    return mean / 6, math.sqrt((square - mean * mean) / matches) / 6


def left(plan: Plan, number: int, blocks: Sequence[Written], batches: Iterable[Batch]) -> tuple[Written, ...]:
    """Return the layouts of a round: all in the first, then the most balanced of the round before."""
    if number == 0:
        return tuple(blocks)
    before = shares(batch for batch in batches if batch.round == number - 1)
    return tuple(one.block for one in before[: plan.rounds[number].layouts])
