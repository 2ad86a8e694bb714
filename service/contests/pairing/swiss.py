"""Rounds of a Swiss system of two: opponents with similar scores who have not met, with balanced seats."""

from collections.abc import Sequence
from itertools import groupby
from random import Random

from service.contests.pairing.matching import UNBALANCED, Cost, by_seat, lots_of, match, seat_cost
from service.domain.tournaments.pairings import Entrant, Pairing, PairingRequest, has_repeats, is_unbalanced, playing

POINTS = 1_000
"""The cost of a difference of half a point; it grows with the square."""

FOLD = 400
"""The maximum cost of not meeting the player at the same place in the other half of the group."""

REPEAT = 10**13
"""The cost of each earlier match of two players; more than all other costs together."""


def pair_swiss(request: PairingRequest, window: int, *, strict: bool) -> Pairing | None:
    """Return a round in which each player meets one of about `window` opponents; None if there is none.

    A strict round has neither repeats nor unbalanced seats; otherwise it has as few of these as possible.
    """
    lots = lots_of(request)
    order = standing_order(list(playing(request).values()), lots)
    size = len(order) + len(order) % 2
    found = match(size, cost_of(order, strict=strict), window, lots)
    if found.left:
        return None
    byes = tuple(order[one].player for one, other in found.pairs if other == len(order))
    tables = tuple(by_seat((order[one], order[other]), lots) for one, other in found.pairs if other < len(order))
    entrants = {entrant.player: entrant for entrant in order}
    repeats, unbalanced = has_repeats(tables, entrants), is_unbalanced(request, tables, entrants)
    return Pairing(tables, byes, repeats, unbalanced)


def standing_order(entrants: Sequence[Entrant], lots: Random) -> list[Entrant]:
    """Return players by points, then by rating, then by lot."""
    drawn = [(-entrant.points, -entrant.rating, lots.random(), entrant.player) for entrant in entrants]
    places = sorted(range(len(drawn)), key=drawn.__getitem__)
    return [entrants[place] for place in places]


def cost_of(order: Sequence[Entrant], *, strict: bool) -> Cost:
    """Return the costs of two players in an order; the number after the last player is the bye."""
    seats = [(seat_cost(entrant, 0), seat_cost(entrant, 1)) for entrant in order]
    halves = half_of_group(order)
    byes = bye_costs(order)

    def cost(one: int, other: int) -> int | None:
        if other == len(order):
            return byes[one]
        first, second = order[one], order[other]
        meetings = first.opponents.count(second.player)
        seating = min(seats[one][0] + seats[other][1], seats[one][1] + seats[other][0])
        if strict and (meetings or seating >= UNBALANCED):
            return None
        wanted = halves[one] if first.points == second.points else 1
        fold = min(FOLD, FOLD * abs(other - one - wanted) // max(1, halves[one]))
        return meetings * REPEAT + seating + POINTS * (first.points - second.points) ** 2 + fold

    return cost


def half_of_group(order: Sequence[Entrant]) -> list[int]:
    """Return, for each player, half the number of players with the same points."""
    sizes = [len(list(group)) for _, group in groupby(order, key=lambda entrant: entrant.points)]
    return [max(1, size // 2) for size in sizes for _ in range(size)]


def bye_costs(order: Sequence[Entrant]) -> list[int | None]:
    """Return the cost of a bye for each player: only players with the fewest byes may have it, the last ones first."""
    fewest = min((entrant.byes for entrant in order), default=0)
    lowest = min((entrant.points for entrant in order if entrant.byes == fewest), default=0)
    return [
        POINTS * (entrant.points - lowest) ** 2 + len(order) - place if entrant.byes == fewest else None
        for place, entrant in enumerate(order)
    ]
