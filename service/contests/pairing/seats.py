"""Assigns the seats of a table: those that players had less often, and not for the third time in a row."""

from collections.abc import Sequence
from itertools import permutations
from random import Random

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
