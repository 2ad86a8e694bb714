"""What is drawn by lot in a pairing: always the same for the same request."""

from random import Random

from service.domain.tournaments.pairings import PairingRequest


def lots_of(request: PairingRequest) -> Random:
    """Return the source of all lots of a pairing.

    Only `random` and `getrandbits` of it are used: Python promises that they do not change from release to release.
    """
    return Random(f"{request.seed}:{request.round}")  # noqa: S311 - a pairing has to be repeatable
