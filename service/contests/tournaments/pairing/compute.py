"""Selects the computation for each request."""

from service.contests.tournaments.pairing.arena import pair_arena, pair_arena_of_three
from service.contests.tournaments.pairing.swiss import pair_swiss
from service.contests.tournaments.pairing.threes import pair_threes
from service.domain.tournaments.pairings import Pairing, PairingRequest, round_robin


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
