"""Pairings: who plays whom in a round of a tournament, and the rules that every pairing has to meet."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Literal

import msgspec

from service.domain.ids import PlayerId

Format = Literal["round_robin", "swiss", "arena"]
"""Everybody meets everybody; rounds of players with similar scores; matches whenever players are free."""

MOST_DIFFERENCE = 2
"""By how much a player's numbers of matches in the two seats may differ in a Swiss system."""


class BadPairing(ValueError):  # noqa: N818 - what was found
    """A pairing breaks the rules; the message says which one."""


class Entrant(msgspec.Struct, frozen=True):
    """A player who is to be paired."""

    player: PlayerId
    points: int
    """In halves of a point."""
    rating: int
    """In points; it orders players with equally many points, and the starting list."""
    opponents: tuple[PlayerId, ...] = ()
    """The opponents in all matches of this tournament, in order, with repeats; two for each match of three."""
    seats: tuple[int, ...] = ()
    """The seats in these matches."""
    byes: int = 0
    """In how many rounds the player had no opponent."""
    is_out: bool = False
    """In a round robin of two: the player has withdrawn, and their remaining opponents have byes."""


class PairingRequest(msgspec.Struct, frozen=True):
    """What is to be paired. The same request always has the same pairing."""

    format: Format
    seats: Literal[2, 3]
    round: int
    """The number of the round, from 1."""
    seed: str
    """Determines all random decisions."""
    entrants: tuple[Entrant, ...]
    """In a round robin of two, the whole starting list, in the same order every round; in an arena, the players who
    wait for a match, the longest waiting first; otherwise all players who have not left."""


class Pairing(msgspec.Struct, frozen=True):
    """The tables of a round."""

    tables: tuple[tuple[PlayerId, ...], ...]
    """The tables, each with its players by seat."""
    byes: tuple[PlayerId, ...]
    """The players without a match; in an arena, those who keep waiting."""
    repeats: bool = False
    """Whether some players meet again because nothing else was possible; always false in an arena."""
    unbalanced: bool = False
    """Whether, in a Swiss system of two, a player's seat counts differ by more than two because nothing else was
    possible."""


def playing(request: PairingRequest) -> dict[PlayerId, Entrant]:
    """Return the entrants who have not withdrawn. Raises `BadPairing` if one of them is listed twice."""
    found = {entrant.player: entrant for entrant in request.entrants if not entrant.is_out}
    if len({entrant.player for entrant in request.entrants}) != len(request.entrants):
        raise BadPairing("an entrant is listed twice")
    return found


def latest_opponents(entrant: Entrant, seats: int) -> tuple[PlayerId, ...]:
    """Return the opponents of a player in the latest match."""
    return entrant.opponents[-(seats - 1) :]


def have_just_met(one: Entrant, other: Entrant, seats: int) -> bool:
    """Return whether one of two players met the other in the latest match."""
    return other.player in latest_opponents(one, seats) or one.player in latest_opponents(other, seats)


def balance(entrant: Entrant) -> int:
    """Return how much more often a player of two seats had the first seat than the second."""
    return len(entrant.seats) - 2 * sum(entrant.seats)


def is_balanced(first: Entrant, second: Entrant) -> bool:
    """Return whether two players' seat counts stay balanced after a match in which they sit in this order."""
    return balance(first) + 1 <= MOST_DIFFERENCE and balance(second) - 1 >= -MOST_DIFFERENCE


def check(request: PairingRequest, pairing: Pairing) -> None:
    """Check that a pairing keeps the rules of its format. Raises `BadPairing`.

    Whether another pairing would have had fewer repeats is not checked.
    """
    entrants = playing(request)
    check_places(request, pairing, entrants)
    if request.format == "arena":
        check_arena(request, pairing, entrants)
    elif request.format == "round_robin" and request.seats == 2:
        if pairing != round_robin(request):
            raise BadPairing("a round of a round robin is not the one of the circle method")
    else:
        check_round(request, pairing, entrants)


def check_places(request: PairingRequest, pairing: Pairing, entrants: dict[PlayerId, Entrant]) -> None:
    """Check that every entrant has one place, and that every table is full. Raises `BadPairing`."""
    placed = [*pairing.byes, *(player for table in pairing.tables for player in table)]
    if sorted(placed) != sorted(entrants):
        raise BadPairing("not every entrant is paired or has a bye exactly once")
    if any(len(table) != request.seats for table in pairing.tables):
        raise BadPairing(f"a table does not have {request.seats} players")


def check_arena(request: PairingRequest, pairing: Pairing, entrants: dict[PlayerId, Entrant]) -> None:
    """Check that nobody meets a latest opponent, and that nobody who could play waits. Raises `BadPairing`."""
    seats = request.seats
    if pairing.repeats or pairing.unbalanced:
        raise BadPairing("a pairing of an arena has no exceptions")
    for one, other in pairs(pairing.tables):
        if have_just_met(entrants[one], entrants[other], seats):
            raise BadPairing(f"{one} and {other} met in the latest match of one of them")
    for table in combinations(pairing.byes, seats):
        if not any(have_just_met(entrants[one], entrants[other], seats) for one, other in combinations(table, 2)):
            raise BadPairing(f"{', '.join(table)} wait and could play")


def check_round(request: PairingRequest, pairing: Pairing, entrants: dict[PlayerId, Entrant]) -> None:
    """Check byes, repeats and the balance of seats. Raises `BadPairing`."""
    if len(pairing.byes) != len(entrants) % request.seats:
        raise BadPairing(f"there are {len(pairing.byes)} byes among {len(entrants)} players")
    playing_on = set(entrants) - set(pairing.byes)
    fewest = min((entrants[player].byes for player in playing_on), default=0)
    if playing_on and any(entrants[player].byes > fewest for player in pairing.byes):
        raise BadPairing("a player has another bye although somebody had fewer")
    if pairing.repeats != has_repeats(pairing.tables, entrants):
        raise BadPairing("a pairing has to say whether players meet again")
    if pairing.unbalanced != is_unbalanced(request, pairing.tables, entrants):
        raise BadPairing("a pairing has to say whether the seats of a player differ by more than two")


def has_repeats(tables: Sequence[tuple[PlayerId, ...]], entrants: dict[PlayerId, Entrant]) -> bool:
    """Return whether two players of a table have met before."""
    return any(other in entrants[one].opponents or one in entrants[other].opponents for one, other in pairs(tables))


def is_unbalanced(
    request: PairingRequest, tables: Sequence[tuple[PlayerId, ...]], entrants: dict[PlayerId, Entrant]
) -> bool:
    """Return whether a player's seat counts would differ by more than two, in a Swiss system of two."""
    if (request.format, request.seats) != ("swiss", 2):
        return False
    return any(not is_balanced(entrants[first], entrants[second]) for first, second in tables)


def pairs(tables: Sequence[tuple[PlayerId, ...]]) -> Iterator[tuple[PlayerId, PlayerId]]:
    """Yield each pair of players at each table."""
    for table in tables:
        yield from combinations(table, 2)


def round_robin(request: PairingRequest) -> Pairing:
    """Return a round of a round robin of two by the circle method, in the order and the seats of Berger's tables.

    With an even number of players, n, everybody meets everybody in n - 1 rounds; with an odd number in n rounds, with
    a bye each. Each player's seat counts differ by at most one, and nobody has the same seat three times in a row.
    After that, the same rounds follow with seats exchanged.
    """
    players: list[Entrant | None] = [*request.entrants]
    if len(players) % 2:
        players.append(None)
    cycle, index = divmod(request.round - 1, max(1, len(players) - 1))
    tables, byes = list[tuple[PlayerId, PlayerId]](), list[PlayerId]()
    for one, other in circle(len(players), index):
        first, second = (players[one], players[other])[:: -1 if cycle % 2 else 1]
        here = [each.player for each in (first, second) if each is not None and not each.is_out]
        if len(here) == 2:
            tables.append((here[0], here[1]))
        else:
            byes += here
    return Pairing(tuple(tables), tuple(byes), repeats=cycle > 0 and bool(tables))


def plain_pairing(request: PairingRequest) -> Pairing:
    """Return a pairing that keeps the rules but is not chosen among others: neighbours in the standings meet.

    It is used if no other pairing could be computed, so that a tournament never stops.
    """
    entrants = playing(request)
    if request.format == "arena":
        return plain_arena(request.seats, list(entrants.values()))
    if request.format == "round_robin" and request.seats == 2:
        return round_robin(request)
    order = sorted(entrants.values(), key=lambda each: (-each.points, -each.rating, each.player))
    resting = sorted(order, key=lambda each: (each.byes, each.points, each.rating))[: len(order) % request.seats]
    left = [each for each in order if each not in resting]
    grouped = (left[at : at + request.seats] for at in range(0, len(left), request.seats))
    tables = tuple(tuple(each.player for each in sorted(table, key=balance)) for table in grouped)
    byes = tuple(each.player for each in resting)
    return Pairing(tables, byes, has_repeats(tables, entrants), is_unbalanced(request, tables, entrants))


def plain_arena(seats: int, free: list[Entrant]) -> Pairing:
    """Return tables of the longest waiting players who have not just met, as many as follow from that."""
    tables = list[tuple[PlayerId, ...]]()

    def can_meet(table: Sequence[Entrant]) -> bool:
        return not any(have_just_met(one, other, seats) for one, other in combinations(table, 2))

    while table := next(filter(can_meet, combinations(free, seats)), None):
        tables.append(tuple(each.player for each in table))
        free = [each for each in free if each not in table]
    return Pairing(tuple(tables), tuple(each.player for each in free))


def circle(size: int, index: int) -> Iterator[tuple[int, int]]:
    """Yield the pairs of a round of the circle method for an even number of players, each in the order of its seats.

    The last player keeps its place; of the others, two players meet if their numbers add up to the index, modulo the
    number of the others.
    """
    others = size - 1
    for one in range(others):
        other = (index - one) % others
        if one == other:
            yield (one, others) if one < size // 2 else (others, one)
        elif one < other:
            yield (one, other) if (one + other) % 2 else (other, one)
