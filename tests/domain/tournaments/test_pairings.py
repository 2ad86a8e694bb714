"""Pairings: the rounds of a round robin, and what a pairing of each format has to fulfil."""

import random
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from service.domain.ids import PlayerId
from service.domain.tournaments.pairings import (
    BadPairing,
    Entrant,
    Pairing,
    PairingRequest,
    balance,
    check,
    plain_pairing,
    round_robin,
)

ANNA, BEN, CLARA, DORA, EMIL, FINN = (
    PlayerId(f"p-{name}") for name in ("anna", "ben", "clara", "dora", "emil", "finn")
)


def new(player: PlayerId, *opponents: PlayerId, seats: tuple[int, ...] = (), byes: int = 0) -> Entrant:
    """Return a player to be paired."""
    return Entrant(player, 0, 1500, opponents, seats, byes)


def robin(size: int, number: int, *, out: frozenset[int] = frozenset()) -> PairingRequest:
    """Return a request for a round of a round robin."""
    players = tuple(Entrant(PlayerId(f"p-{index}"), 0, 1500, is_out=index in out) for index in range(size))
    return PairingRequest("round_robin", 2, number, "seed", players)


@pytest.mark.parametrize("size", [*range(2, 13), 31, 32])
def test_everybody_meets_everybody_in_a_round_robin(size: int) -> None:
    """Once; with an odd number of players each has one bye."""
    rounds = [round_robin(robin(size, number)) for number in range(1, size + size % 2)]
    met = Counter(frozenset(table) for one in rounds for table in one.tables)
    assert met == Counter(map(frozenset, combinations((PlayerId(f"p-{index}") for index in range(size)), 2)))
    assert Counter(player for one in rounds for player in one.byes) == (
        {PlayerId(f"p-{index}"): 1 for index in range(size)} if size % 2 else {}
    )


@pytest.mark.parametrize("size", [*range(2, 13), 31, 32])
def test_the_seats_of_a_round_robin_alternate(size: int) -> None:
    """They differ by one at most, and nobody has the same one three times in a row."""
    for index in range(size):
        player = PlayerId(f"p-{index}")
        pairings = (round_robin(robin(size, number)) for number in range(1, size + size % 2))
        seats = tuple(table.index(player) for one in pairings for table in one.tables if player in table)
        assert abs(balance(new(player, seats=seats))) <= 1
        assert not any(len(set(seats[first : first + 3])) == 1 for first in range(len(seats) - 2))


def test_a_second_cycle_has_the_seats_exchanged() -> None:
    """And says that players meet again."""
    first, again = round_robin(robin(4, 1)), round_robin(robin(4, 4))
    assert again == Pairing(tuple((two, one) for one, two in first.tables), (), repeats=True)


def test_who_is_to_meet_a_player_who_withdrew_has_a_bye() -> None:
    """Nobody else's match changes."""
    before, after = round_robin(robin(6, 2)), round_robin(robin(6, 2, out=frozenset({3})))
    [gone] = set(before.tables) - set(after.tables)
    assert PlayerId("p-3") in gone
    assert after.byes == tuple(player for player in gone if player != "p-3")
    check(robin(6, 2, out=frozenset({3})), after)


GOOD = [
    ("swiss", 2, [new(ANNA, BEN), new(BEN, ANNA), new(CLARA, DORA), new(DORA, CLARA)],
     Pairing(((ANNA, CLARA), (DORA, BEN)), ())),
    ("swiss", 2, [new(ANNA, BEN), new(BEN, ANNA)], Pairing(((BEN, ANNA),), (), repeats=True)),
    ("swiss", 2, [new(ANNA, seats=(0, 0)), new(BEN, seats=(0, 0))], Pairing(((BEN, ANNA),), (), unbalanced=True)),
    ("swiss", 2, [new(ANNA, byes=1), new(BEN), new(CLARA)], Pairing(((ANNA, CLARA),), (BEN,))),
    ("swiss", 2, [new(ANNA)], Pairing((), (ANNA,))),
    ("swiss", 3, [new(ANNA), new(BEN), new(CLARA), new(DORA), new(EMIL)], Pairing(((EMIL, ANNA, BEN),), (CLARA, DORA))),
    ("arena", 2, [new(ANNA, BEN), new(BEN, ANNA), new(CLARA)], Pairing(((ANNA, CLARA),), (BEN,))),
    ("arena", 2, [new(ANNA, BEN, CLARA), new(BEN, ANNA, DORA)], Pairing(((ANNA, BEN),), ())),
    ("arena", 2, [new(ANNA, BEN), new(BEN, ANNA)], Pairing((), (ANNA, BEN))),
    ("arena", 3, [new(ANNA, BEN, CLARA), new(BEN), new(DORA)], Pairing((), (ANNA, BEN, DORA))),
    ("round_robin", 3, [new(ANNA), new(BEN), new(CLARA), new(DORA)], Pairing(((ANNA, BEN, CLARA),), (DORA,))),
]  # fmt: skip


@pytest.mark.parametrize(("tournament", "seats", "entrants", "pairing"), GOOD)
def test_a_pairing_within_the_rules_passes(
    tournament: str, seats: int, entrants: list[Entrant], pairing: Pairing
) -> None:
    """Of every format and both numbers of seats."""
    check(PairingRequest(tournament, seats, 3, "", tuple(entrants)), pairing)  # type: ignore[arg-type]  # literals of the table


FOUR = [new(ANNA, BEN), new(BEN, ANNA), new(CLARA, DORA), new(DORA, CLARA)]
BAD = [
    ("swiss", 2, [*FOUR, new(ANNA)], Pairing(((ANNA, CLARA), (BEN, DORA)), (ANNA,)), "listed twice"),
    ("swiss", 2, FOUR, Pairing(((ANNA, CLARA),), (BEN,)), "exactly once"),
    ("swiss", 2, FOUR, Pairing(((ANNA, CLARA), (BEN, BEN)), (DORA,)), "exactly once"),
    ("swiss", 2, FOUR, Pairing(((ANNA, CLARA), (BEN, EMIL)), ()), "exactly once"),
    ("swiss", 2, FOUR, Pairing(((ANNA, CLARA, BEN),), (DORA,)), "does not have 2 players"),
    ("swiss", 2, FOUR, Pairing(((ANNA, CLARA),), (BEN, DORA)), "2 byes among 4"),
    ("swiss", 2, FOUR, Pairing(((ANNA, BEN), (CLARA, DORA)), ()), "meet again"),
    ("swiss", 2, FOUR, Pairing(((ANNA, CLARA), (BEN, DORA)), (), repeats=True), "meet again"),
    ("swiss", 2, FOUR, Pairing(((ANNA, CLARA), (BEN, DORA)), (), unbalanced=True), "more than two"),
    ("swiss", 2, [new(ANNA, seats=(0, 0)), new(BEN)], Pairing(((ANNA, BEN),), ()), "more than two"),
    ("swiss", 2, [new(ANNA), new(BEN, seats=(1, 1))], Pairing(((ANNA, BEN),), ()), "more than two"),
    ("swiss", 2, [new(ANNA, byes=1), new(BEN), new(CLARA)], Pairing(((BEN, CLARA),), (ANNA,)), "another bye"),
    ("swiss", 3, [new(ANNA, BEN, CLARA), new(BEN), new(CLARA)], Pairing(((BEN, ANNA, CLARA),), ()), "meet again"),
    ("arena", 2, FOUR, Pairing(((ANNA, BEN), (CLARA, DORA)), ()), "latest match"),
    ("arena", 2, [new(ANNA, BEN), new(BEN, CLARA)], Pairing(((BEN, ANNA),), ()), "latest match"),
    ("arena", 2, FOUR, Pairing(((ANNA, CLARA),), (BEN, DORA)), "could play"),
    ("arena", 2, FOUR, Pairing(((ANNA, CLARA), (BEN, DORA)), (), repeats=True), "no exceptions"),
    ("arena", 3, [new(ANNA, BEN, CLARA), new(BEN), new(DORA)], Pairing(((ANNA, DORA, BEN),), ()), "latest match"),
    ("arena", 3, [new(ANNA), new(BEN), new(DORA)], Pairing((), (ANNA, BEN, DORA)), "could play"),
    ("round_robin", 2, [new(ANNA), new(BEN)], Pairing(((BEN, ANNA),), ()), "circle method"),
    ("round_robin", 3, [new(ANNA), new(BEN), new(CLARA)], Pairing((), (ANNA, BEN, CLARA)), "3 byes"),
]  # fmt: skip


@pytest.mark.parametrize(("tournament", "seats", "entrants", "pairing", "said"), BAD)
def test_a_pairing_that_breaks_a_rule_is_refused(
    tournament: str, seats: int, entrants: list[Entrant], pairing: Pairing, said: str
) -> None:
    """With what is wrong."""
    with pytest.raises(BadPairing, match=said):
        check(PairingRequest(tournament, seats, 3, "", tuple(entrants)), pairing)  # type: ignore[arg-type]  # literals of the table


def test_a_player_who_is_out_has_no_place() -> None:
    """Neither at a table nor among the byes."""
    request = PairingRequest("swiss", 2, 1, "", (new(ANNA), new(BEN), replace(new(CLARA), is_out=True)))
    check(request, Pairing(((ANNA, BEN),), ()))
    with pytest.raises(BadPairing, match="exactly once"):
        check(request, Pairing(((ANNA, BEN),), (CLARA,)))


@settings(max_examples=60)
@given(
    seed=st.integers(0, 10_000),
    form=st.sampled_from(["swiss", "round_robin", "arena"]),
    seats=st.sampled_from([2, 3]),
    size=st.integers(3, 20),
)
def test_a_plain_pairing_keeps_the_rules(seed: int, form: Any, seats: Any, size: int) -> None:
    """Whatever has been played before."""
    chance = random.Random(seed)  # noqa: S311 - a seed that can be repeated
    players = [PlayerId(f"p-{number}") for number in range(size)]
    entrants = []
    for player in players:
        others = [each for each in players if each != player]
        opponents = tuple(chance.choice(others) for _ in range(chance.randrange(4) * (seats - 1)))
        played = tuple(chance.randrange(seats) for _ in range(len(opponents) // (seats - 1)))
        entrants.append(Entrant(player, chance.randrange(8), 1500, opponents, played, chance.randrange(3)))
    request = PairingRequest(form, seats, 1 + seed % 5, "seed", tuple(entrants))
    check(request, plain_pairing(request))
