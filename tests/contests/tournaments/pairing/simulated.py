"""Tournaments that are played by chance, with withdrawals, late entries and byes; every pairing is checked."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from random import Random
from typing import Literal, TypeVar

from msgspec.structs import replace

from service.contests.pairing.child import compute
from service.contests.pairing.process import windows
from service.domain.ids import PlayerId
from service.domain.tournaments.pairings import (
    Entrant,
    Format,
    Pairing,
    PairingRequest,
    balance,
    check,
    have_just_met,
    is_balanced,
    latest_opponents,
)
from service.domain.tournaments.standings import bye_points, points_of

Seats = Literal[2, 3]

EXHAUSTIVE = 10
"""Up to how many players a round with exceptions is compared with all rounds."""


def paired(request: PairingRequest) -> Pairing:
    """Return what the pairing process answers if no computation is too slow."""
    for window in windows(request):
        if (pairing := compute(request, window, strict=True)) is not None:
            return pairing
    last = compute(request, windows(request)[-1], strict=False)
    assert last is not None
    return last


Kind = TypeVar("Kind", bound="Simulated")


@dataclass
class Simulated:
    """A tournament in a test."""

    format: Format
    seats: Seats
    random: Random
    entrants: dict[PlayerId, Entrant] = field(default_factory=dict)
    gone: set[PlayerId] = field(default_factory=set)
    tables: int = 0
    rounds: int = 0
    repeats: int = 0
    unbalanced: int = 0
    byes: int = 0
    in_a_row: int = 0

    def enter(self, number: int) -> None:
        """Let a player enter."""
        player = PlayerId(f"p-{number}")
        self.entrants[player] = Entrant(player, 0, self.random.choice((1500, self.random.randint(1000, 2000))))

    @property
    def active(self) -> list[Entrant]:
        """Those who have not withdrawn."""
        return [entrant for player, entrant in self.entrants.items() if player not in self.gone]

    def pair(self, entrants: Sequence[Entrant], number: int) -> Pairing:
        """Pair a round, and check the pairing twice: as the service does, and by rules that are written apart."""
        request = PairingRequest(self.format, self.seats, number, f"{self.random.random()}", tuple(entrants))
        pairing = paired(request)
        check(request, pairing)
        self.check_again(request, pairing)
        self.rounds += 1
        self.tables += len(pairing.tables)
        self.repeats += pairing.repeats
        self.unbalanced += pairing.unbalanced
        return pairing

    def check_again(self, request: PairingRequest, pairing: Pairing) -> None:
        """Check a pairing by what the players have had, without the code under test."""
        here = {entrant.player: entrant for entrant in request.entrants if not entrant.is_out}
        assert sorted(here) == sorted([*pairing.byes, *(player for table in pairing.tables for player in table)])
        if self.format == "arena":
            for one, other in met_at(pairing):
                assert other not in here[one].opponents[-self.seats + 1 :]
        elif not pairing.repeats:
            for one, other in met_at(pairing):
                assert other not in here[one].opponents
        elif self.format == "swiss" and self.seats == 2 and len(here) <= EXHAUSTIVE:
            assert not any(exhaustive(list(here.values()), balanced=False)), "a round without repeats exists"
        if pairing.unbalanced and not pairing.repeats and len(here) <= EXHAUSTIVE:
            assert not any(exhaustive(list(here.values()), balanced=True)), "a round within the rules exists"

    def play(self, table: Sequence[PlayerId]) -> None:
        """Play a match: the better player wins more often."""
        strength = [self.entrants[player].rating + self.random.gauss(0, 200) for player in table]
        places = [1 + sum(other > one for other in strength) for one in strength]
        if self.random.random() < 0.15:
            places = [1] * len(table)
        for seat, (player, points) in enumerate(zip(table, points_of(places), strict=True)):
            entrant = self.entrants[player]
            others = tuple(other for other in table if other != player)
            self.entrants[player] = replace(
                entrant,
                points=entrant.points + points,
                opponents=entrant.opponents + others,
                seats=(*entrant.seats, seat),
            )
            self.in_a_row += len(entrant.seats) > 1 and {*entrant.seats[-2:]} == {seat}

    def give_byes(self, players: Sequence[PlayerId]) -> None:
        """Give byes."""
        for player in players:
            entrant = self.entrants[player]
            points = entrant.points + bye_points(self.format, self.seats)
            self.entrants[player] = replace(entrant, points=points, byes=entrant.byes + 1)
            self.byes += 1

    def leave_and_enter(self, number: int) -> None:
        """Let a player withdraw now and then, and in all but a round robin another one enter."""
        if self.random.random() < 0.15 and len(self.active) > self.seats:
            self.gone.add(self.random.choice(self.active).player)
        if self.random.random() < 0.15 and self.format != "round_robin":
            self.enter(1000 + number)


def met_at(pairing: Pairing) -> Iterator[tuple[PlayerId, PlayerId]]:
    """Yield who meets whom."""
    for table in pairing.tables:
        yield from combinations(table, 2)


def exhaustive(entrants: Sequence[Entrant], *, balanced: bool) -> Iterator[bool]:
    """Yield True for each round of two without repeats, and with balanced seats if that is asked for.

    If the number of players is odd, one of those with the fewest byes has another one.
    """
    if len(entrants) % 2:
        fewest = min(entrant.byes for entrant in entrants)
        for bye in entrants:
            if bye.byes == fewest:
                yield from exhaustive([each for each in entrants if each is not bye], balanced=balanced)
    elif not entrants:
        yield True
    else:
        first, *rest = entrants
        for other in rest:
            fits = not balanced or is_balanced(first, other) or is_balanced(other, first)
            if fits and other.player not in first.opponents:
                yield from exhaustive([each for each in rest if each is not other], balanced=balanced)


def rounds_of(tournament: Format, seats: Seats, size: int) -> int:
    """Return how many rounds a tournament has: in a Swiss system some more than it needs for a winner."""
    everybody = -(-(size - 1) // (seats - 1)) + (size % 2 if seats == 2 else 0)
    return everybody if tournament == "round_robin" else min(everybody, size.bit_length() + 2)


def simulate(tournament: Format, seats: Seats, size: int, seed: int, kind: type[Kind]) -> Kind:
    """Play a tournament of this size."""
    random = Random(f"{tournament} {seats} {size} {seed}")  # noqa: S311 - the same ones in every run
    simulated = kind(tournament, seats, random)
    for number in range(size):
        simulated.enter(number)
    (play_arena if tournament == "arena" else play_rounds)(simulated, rounds_of(tournament, seats, size))
    return simulated


def play_rounds(simulated: Simulated, rounds: int) -> None:
    """Play the rounds of a round robin or of a Swiss system."""
    whole_list = (simulated.format, simulated.seats) == ("round_robin", 2)
    for number in range(1, rounds + 1):
        entrants = (
            [replace(each, is_out=each.player in simulated.gone) for each in simulated.entrants.values()]
            if whole_list
            else simulated.active
        )
        pairing = simulated.pair(entrants, number)
        simulated.give_byes(pairing.byes)
        for table in pairing.tables:
            simulated.play(table)
        simulated.leave_and_enter(number)
    if (simulated.format, simulated.seats) == ("swiss", 2) and not simulated.unbalanced:
        assert all(abs(balance(entrant)) <= 2 for entrant in simulated.entrants.values())


def play_arena(simulated: Simulated, rounds: int) -> None:
    """Play an arena: now and then some matches end, and those who are free are paired."""
    running: list[tuple[PlayerId, ...]] = []
    waiting = [entrant.player for entrant in simulated.active]
    for number in range(1, 3 * rounds + 1):
        pairing = simulated.pair([simulated.entrants[player] for player in waiting], number)
        simulated.byes += len(pairing.byes)
        check_waiting(simulated, waiting, pairing)
        running += pairing.tables
        waiting = [player for player in waiting if player in pairing.byes]
        for table in [table for table in running if simulated.random.random() < 0.4]:
            running.remove(table)
            simulated.play(table)
            waiting += table
        simulated.leave_and_enter(number)
        playing = {player for table in running for player in table}
        entered = [entrant.player for entrant in simulated.active if entrant.player not in {*playing, *waiting}]
        waiting = [player for player in (*waiting, *entered) if player not in simulated.gone]


def check_waiting(simulated: Simulated, waiting: Sequence[PlayerId], pairing: Pairing) -> None:
    """Check that who has waited longest plays, if there are two others who did not meet the player or each other."""
    if not waiting or waiting[0] not in pairing.byes:
        return
    first, *others = (simulated.entrants[player] for player in waiting)
    free = [other for other in others if not have_just_met(first, other, simulated.seats)]
    if simulated.seats == 3:
        free = [one for one, other in combinations(free, 2) if not have_just_met(one, other, 3)]
    met = {player for other in others for player in latest_opponents(other, simulated.seats)}
    assert not free or first.player in met, "the player who has waited longest waits on"
