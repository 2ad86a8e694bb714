"""Matches players in pairs at the least cost, within a window of each player's cheapest opponents."""

from collections.abc import Callable, Iterator
from heapq import nsmallest
from random import Random
from typing import NamedTuple

import networkx as nx  # type: ignore[import-untyped]  # the package comes without types

Cost = Callable[[int, int], int | None]
"""The cost of a match of two players, the lower number first; None if they must not meet."""

LOT_BITS = 16
"""The number of random bits that decide between matchings of the same cost."""


class Matching(NamedTuple):
    """Players in pairs."""

    pairs: tuple[tuple[int, int], ...]
    """Sorted in ascending order, as is each pair."""
    left: tuple[int, ...]
    """Players without an opponent."""


def match(size: int, cost: Cost, window: int, lots: Random, *, turn: int = 0) -> Matching:
    """Return the matching of the most players at the least cost, in a graph of each player's `window` best opponents.

    Players are numbered in an order in which neighbours are possible opponents, if not the best ones. `turn` is the
    cost of matching a player instead of the previous one in that order.
    """
    costs = dict(edges_within(size, cost, window))
    costs = {(one, other): value + turn * (one + other) for (one, other), value in costs.items()}
    most = max(costs.values(), default=0) + 1
    scale = max(1, size) << LOT_BITS
    graph = nx.Graph()
    graph.add_nodes_from(range(size))
    for (one, other), value in costs.items():
        graph.add_edge(one, other, weight=(most - value) * scale + lots.getrandbits(LOT_BITS))
    found = nx.max_weight_matching(graph, maxcardinality=True)
    pairs = tuple(sorted((min(pair), max(pair)) for pair in found))
    matched = {player for pair in pairs for player in pair}
    return Matching(pairs, tuple(player for player in range(size) if player not in matched))


def edges_within(size: int, cost: Cost, window: int) -> Iterator[tuple[tuple[int, int], int]]:
    """Yield the edges of the graph with their costs, in ascending order.

    A part of the window is for neighbours, so that groups with equally many points are connected.
    """
    possible = all_costs(size, cost)
    if window >= size - 1:
        yield from ((edge, value) for edge, value in sorted(possible.items()))
        return
    opponents: list[list[tuple[int, int]]] = [[] for _ in range(size)]
    for (one, other), value in possible.items():
        opponents[one].append((value, other))
        opponents[other].append((value, one))
    near = window // 4
    kept = {(one, other) for one, other in possible if other - one <= near}
    for player, each in enumerate(opponents):
        kept.update((min(player, other), max(player, other)) for _, other in nsmallest(window - near, each))
    yield from ((edge, possible[edge]) for edge in sorted(kept))


def all_costs(size: int, cost: Cost) -> dict[tuple[int, int], int]:
    """Return the costs of all pairs that may meet."""
    found = {}
    for one in range(size):
        for other in range(one + 1, size):
            value = cost(one, other)
            if value is not None:
                found[one, other] = value
    return found
