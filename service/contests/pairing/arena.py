"""Matches of an arena: the longest waiting players first, never against the latest opponent, with close scores."""

from collections.abc import Sequence
from itertools import combinations
from random import Random

from service.contests.pairing.matching import UNBALANCED, Cost, Matching, by_seat, lots_of, match, seat_cost
from service.domain.tournaments.pairings import Entrant, Pairing, PairingRequest, have_just_met, playing

POINTS = 100
"""The cost of a difference of half a point."""

MEETING = 300
"""The cost of each recent match in which two players met."""

REMEMBERED = 10
"""How many of a player's latest opponents count as recent."""

WAITING = 10**9
"""What it costs to let a player wait rather than the next one in the list; more than all other costs together."""

CANDIDATES = 16
"""From how many candidates the opponents at a table of three are chosen, if possible."""

ATTEMPTS = 24
"""How many orders are tried for tables of three if more players wait than necessary."""


def pair_arena(request: PairingRequest, window: int, *, strict: bool) -> Pairing | None:
    """Return the matches of two that begin now; None if a strict one lets more than one player wait."""
    lots, order = lots_of(request), list(playing(request).values())
    cost = cost_of(order)
    found = match_all(order, window, lots) if strict else match(len(order), cost, window, lots, turn=WAITING)
    if found is None:
        return None
    tables = tuple(by_seat((order[one], order[other]), lots) for one, other in found.pairs)
    return Pairing(tables, tuple(order[player].player for player in found.left))


def match_all(order: Sequence[Entrant], window: int, lots: Random) -> Matching | None:
    """Return a matching of all players, except one of the last if their number is odd; None if there is none."""
    last, cost = len(order), cost_of(order)

    def cost_or_wait(one: int, other: int) -> int | None:
        return cost(one, other) if other < last else WAITING * (last - one)

    found = match(last + last % 2, cost_or_wait, window, lots)
    pairs = tuple(pair for pair in found.pairs if pair[1] < last)
    return None if found.left else Matching(pairs, tuple(one for one, other in found.pairs if other == last))


def cost_of(order: Sequence[Entrant]) -> Cost:
    """Return the costs of two players who wait."""
    seats = [[min(seat_cost(entrant, seat), UNBALANCED // 10**4) for seat in (0, 1)] for entrant in order]

    def cost(one: int, other: int) -> int | None:
        first, second = order[one], order[other]
        if have_just_met(first, second, 2):
            return None
        seating = min(seats[one][0] + seats[other][1], seats[one][1] + seats[other][0])
        return distance(first, second) + seating

    return cost


def distance(one: Entrant, other: Entrant) -> int:
    """Return how unsuitable two players are for each other: by points, rating and recent matches."""
    meetings = one.opponents[-REMEMBERED:].count(other.player)
    return (
        POINTS * min(abs(one.points - other.points), 100)
        + min(abs(one.rating - other.rating), 2_000)
        + (MEETING * meetings)
    )


def pair_arena_of_three(request: PairingRequest) -> Pairing:
    """Return the matches of three that begin now, found greedily in the order of waiting.

    If more players wait than necessary, further orders are tried, in which the player who has waited longest is also
    first; the order with the most tables is used.
    """
    lots, order = lots_of(request), list(playing(request).values())
    best = greedy_tables(order, range(len(order)))
    for _ in range(ATTEMPTS):
        if len(order) - 3 * len(best) < 3:
            break
        keys = [-1.0, *(lots.random() for _ in order[1:])]
        other = greedy_tables(order, sorted(range(len(order)), key=keys.__getitem__))
        best = other if len(other) > len(best) else best
    seated = {player for table in best for player in table}
    tables = tuple(by_seat([order[player] for player in table], lots) for table in best)
    return Pairing(tables, tuple(entrant.player for place, entrant in enumerate(order) if place not in seated))


def greedy_tables(order: Sequence[Entrant], turns: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return tables of three, each with the first player who has none and two opponents at the least cost."""
    free, tables = dict.fromkeys(turns), list[tuple[int, int, int]]()
    for player in turns:
        if player not in free:
            continue
        del free[player]
        table = best_table(order, player, list(free))
        if table is not None:
            tables.append(table)
            del free[table[1]], free[table[2]]
    return tables


def best_table(order: Sequence[Entrant], player: int, free: Sequence[int]) -> tuple[int, int, int] | None:
    """Return the best table of a player with two free players, if there is one."""
    one = order[player]
    possible = [other for other in free if not have_just_met(one, order[other], 3)]
    near = sorted(possible, key=lambda other: (distance(one, order[other]), other))[:CANDIDATES]
    for candidates in (near, possible):
        costs = (
            (
                distance(one, order[first]) + distance(one, order[second]) + distance(order[first], order[second]),
                first,
                second,
            )
            for first, second in combinations(sorted(candidates), 2)
            if not have_just_met(order[first], order[second], 3)
        )
        if (found := min(costs, default=None)) is not None:
            return player, found[1], found[2]
    return None
