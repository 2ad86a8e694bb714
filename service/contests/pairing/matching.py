"""Matches players in pairs at the least cost, within a window of each player's cheapest opponents.

Each gets a seat that the player had less often, and not for the third time in a row.
"""

from collections.abc import Callable, Iterator, Sequence
from heapq import nsmallest
from itertools import permutations
from random import Random
from typing import NamedTuple

import networkx as nx  # type: ignore[import-untyped]  # the package comes without types

from service.domain.ids import PlayerId
from service.domain.tournaments.pairings import MOST_DIFFERENCE, Entrant, PairingRequest, balance

TWICE = 200
"""The cost of the same seat (of two) as in the latest match."""

MORE_OFTEN = 3_000
"""The cost of a seat (of two) that the player would then have had twice more often than the other."""

THREE_TIMES = 30_000
"""The cost of the same seat (of two) for the third time in a row."""

UNBALANCED = 10**10
"""The cost of a seat (of two) that the player would then have had three times more often; exceeds all other costs."""


def seat_cost(entrant: Entrant, seat: int) -> int:
    """Return the cost of a seat (of two) for a player."""
    difference = abs(balance(entrant) + (1 if seat == 0 else -1))
    cost = UNBALANCED if difference > MOST_DIFFERENCE else MORE_OFTEN if difference == MOST_DIFFERENCE else 0
    if entrant.seats[-2:] == (seat, seat):
        return cost + THREE_TIMES
    return cost + TWICE if entrant.seats[-1:] == (seat,) else cost


def by_seat(table: Sequence[Entrant], lots: Random) -> tuple[PlayerId, ...]:
    """Return the players of a table by seat, at the least cost; ties are decided by lot."""
    orders = [(order_cost(order), lots.getrandbits(32), number) for number, order in enumerate(permutations(table))]
    best = min(orders)[-1]
    return tuple(entrant.player for entrant in list(permutations(table))[best])


def order_cost(order: Sequence[Entrant]) -> int:
    """Return the cost of an order of a table of two or three."""
    if len(order) == 2:
        return sum(seat_cost(entrant, seat) for seat, entrant in enumerate(order))
    had = (3 * (2 * entrant.seats.count(seat) + 1) for seat, entrant in enumerate(order))
    return sum(had) + sum(entrant.seats[-1:] == (seat,) for seat, entrant in enumerate(order))


def lots_of(request: PairingRequest) -> Random:
    """Return the source of all random numbers of a pairing.

    Only its `random` and `getrandbits` are used: Python promises that they do not change from release to release.
    """
    return Random(f"{request.seed}:{request.round}")  # noqa: S311 - a pairing has to be repeatable


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
