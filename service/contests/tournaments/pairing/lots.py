"""The random numbers of a pairing: always the same for the same request."""

from random import Random

from service.domain.tournaments.pairings import PairingRequest


def lots_of(request: PairingRequest) -> Random:
    """Return the source of all random numbers of a pairing.

    Only its `random` and `getrandbits` are used: Python promises that they do not change from release to release.
    """
    return Random(f"{request.seed}:{request.round}")  # noqa: S311 - a pairing has to be repeatable
