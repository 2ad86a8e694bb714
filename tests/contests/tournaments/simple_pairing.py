"""Pairings by search: slow, simple, and independent of those that the service computes."""

from collections.abc import Iterator
from itertools import combinations

from service.domain.ids import PlayerId
from service.domain.tournaments.pairings import (
    Entrant,
    Pairing,
    PairingRequest,
    balance,
    has_repeats,
    have_just_met,
    is_unbalanced,
    playing,
    round_robin,
)

Tables = tuple[tuple[PlayerId, ...], ...]


async def pair_simply(request: PairingRequest) -> Pairing:
    """Return the first pairing that the search finds, of a few players."""
    return pairing_of(request)


def pairing_of(request: PairingRequest) -> Pairing:
    """Return a pairing: without repeats if the search finds one."""
    if request.format == "round_robin" and request.seats == 2:
        return round_robin(request)
    entrants = playing(request)
    if request.format == "arena":
        return arena_pairing(request, list(entrants.values()))
    in_order = sorted(entrants.values(), key=lambda each: (-each.points, -each.rating, each.player))
    weakest = sorted(in_order, key=lambda each: (each.byes, each.points, each.rating, each.player))
    resting = weakest[: len(in_order) % request.seats]
    left = [each for each in in_order if each not in resting]
    tables = next(search(left, request.seats, strict=True), None) or next(search(left, request.seats, strict=False))
    byes = tuple(each.player for each in resting)
    repeats, unbalanced = has_repeats(tables, entrants), is_unbalanced(request, tables, entrants)
    return Pairing(tables, byes, repeats=repeats, unbalanced=unbalanced)


def search(left: list[Entrant], seats: int, *, strict: bool) -> Iterator[Tables]:
    """Yield tables of all players; `strict`: of players who have not met."""
    if not left:
        yield ()
        return
    first, *others = left
    for chosen in combinations(others, seats - 1):
        table = (first, *chosen)
        if strict and any(other.player in one.opponents for one, other in combinations(table, 2)):
            continue
        seated = tuple(each.player for each in sorted(table, key=balance))
        for more in search([each for each in others if each not in chosen], seats, strict=strict):
            yield (seated, *more)


def arena_pairing(request: PairingRequest, waiting: list[Entrant]) -> Pairing:
    """Return tables of those who wait, the longest waiting first, who have not met in their latest matches."""
    tables: list[tuple[PlayerId, ...]] = []
    while (table := first_table(waiting, request.seats)) is not None:
        tables.append(tuple(each.player for each in table))
        waiting = [each for each in waiting if each not in table]
    return Pairing(tuple(tables), tuple(each.player for each in waiting))


def first_table(waiting: list[Entrant], seats: int) -> tuple[Entrant, ...] | None:
    """Return the first table of players who have not met in their latest matches; None if there is none."""
    for table in combinations(waiting, seats):
        if not any(have_just_met(one, other, seats) for one, other in combinations(table, 2)):
            return table
    return None
