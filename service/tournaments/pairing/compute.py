"""Selects the computation for each request."""

from service.domain.tournaments.pairings import Pairing, PairingRequest, round_robin
from service.tournaments.pairing.arena import pair_arena, pair_arena_of_three
from service.tournaments.pairing.swiss import pair_swiss
from service.tournaments.pairing.threes import pair_threes

WINDOW = 20
"""About how many opponents each player is matched from at first."""


def compute(request: PairingRequest, window: int, *, strict: bool) -> Pairing | None:
    """Return a pairing in which each player meets one of about `window` opponents; None if the window has none.

    Only a pairing that is not strict may have repeats or unbalanced seats, or let more than one player of an
    arena wait. Tables of three need no window.
    """
    match request:
        case PairingRequest(format="round_robin", seats=2):
            return round_robin(request)
        case PairingRequest(format="arena", seats=2):
            return pair_arena(request, window, strict=strict)
        case PairingRequest(format="arena"):
            return pair_arena_of_three(request)
        case PairingRequest(seats=3):
            return pair_threes(request)
        case _:
            return pair_swiss(request, window, strict=strict)


def windows(request: PairingRequest) -> list[int]:
    """Return the windows in which opponents are searched, one after the other; the last one has everybody."""
    found, everybody = [WINDOW], len(request.entrants)
    while found[-1] < everybody:
        found.append(min(everybody, 2 * found[-1]))
    return found
