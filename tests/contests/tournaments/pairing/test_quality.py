"""How good pairings are: no more repeats than necessary, opponents of about the same score, few who wait."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations

import pytest

from service.contests.pairing.threes import pair_threes
from service.domain.ids import PlayerId
from service.domain.tournaments.pairings import Entrant, Format, Pairing, PairingRequest
from tests.contests.tournaments.pairing.simulated import Simulated, paired, simulate
from tests.domain.tournaments.hall import Hall, terms


def met_again(entrants: Sequence[Entrant], pairing: Pairing) -> int:
    """Return the squares of the earlier matches of all who meet, added up: what tables of three keep small."""
    by_id = {entrant.player: entrant for entrant in entrants}
    pairs = [pair for table in pairing.tables for pair in combinations(table, 2)]
    return sum(by_id[one].opponents.count(other) ** 2 for one, other in pairs)


def fewest(entrants: Sequence[Entrant]) -> int:
    """Return the least of that over all rounds in which those with the fewest byes have another one."""
    count = len(entrants) % 3
    byes = sorted(entrant.byes for entrant in entrants)[:count]
    allowed = [out for out in combinations(entrants, count) if sorted(entrant.byes for entrant in out) == byes]
    met = {(each.player, other): each.opponents.count(other) ** 2 for each in entrants for other in each.opponents}

    @cache
    def least(players: tuple[PlayerId, ...]) -> int:
        if not players:
            return 0
        one, *others = players
        return min(
            sum(met.get(pair, 0) for pair in ((one, two), (one, three), (two, three)))
            + least(tuple(player for player in others if player not in {two, three}))
            for two, three in combinations(others, 2)
        )

    return min(least(tuple(each.player for each in entrants if each not in out)) for out in allowed)


@dataclass
class Compared(Simulated):
    """A tournament in which each round is compared with all possible ones."""

    met_again: int = 0
    fewest: int = 0

    def pair(self, entrants: Sequence[Entrant], number: int) -> Pairing:
        """Pair a round and compare it."""
        pairing = super().pair(entrants, number)
        self.met_again += met_again(entrants, pairing)
        self.fewest += fewest(entrants)
        return pairing


@pytest.mark.parametrize("tournament", ["swiss", "round_robin"])
def test_tables_of_three_repeat_as_little_as_possible(tournament: Format) -> None:
    """Compared with every other round of up to eleven players."""
    for size, count in ((4, 5), (6, 5), (8, 3), (9, 3), (11, 1)):
        for seed in range(count):
            compared = simulate(tournament, 3, size, seed, Compared)
            assert compared.met_again == compared.fewest


def test_a_group_is_folded_in_the_first_round() -> None:
    """Of eight players by rating the first meets the fifth, the second the sixth, and so on."""
    players = [Entrant(PlayerId(f"p-{number}"), 0, 2000 - 100 * number) for number in range(8)]
    pairing = paired(PairingRequest("swiss", 2, 1, "seed", tuple(players)))
    assert {frozenset(table) for table in pairing.tables} == {
        frozenset({players[number].player, players[number + 4].player}) for number in range(4)
    }


def test_winners_meet_winners() -> None:
    """And the last one without a bye has it."""
    players = [Entrant(PlayerId(f"p-{number}"), 6 - number // 2, 1500) for number in range(12)]
    last = Entrant(PlayerId("p-12"), 0, 1500, byes=1)
    pairing = paired(PairingRequest("swiss", 2, 4, "seed", (*players, last)))
    points = {entrant.player: entrant.points for entrant in (*players, last)}
    assert pairing.byes in {("p-10",), ("p-11",)}
    assert all(points[one] == points[other] for one, other in pairing.tables if last.player not in {one, other})


def test_who_has_waited_longest_plays_first_in_an_arena() -> None:
    """And the others meet those with about as many points."""
    points = (0, 9, 1, 8, 0, 9, 1)
    waiting = tuple(Entrant(PlayerId(f"p-{number}"), each, 1500) for number, each in enumerate(points))
    pairing = paired(PairingRequest("arena", 2, 1, "seed", waiting))
    assert pairing.byes == ("p-6",)
    assert {frozenset(table) for table in pairing.tables} == {
        frozenset({"p-0", "p-4"}), frozenset({"p-1", "p-5"}), frozenset({"p-2", "p-3"})
    }  # fmt: skip
    pairing = paired(PairingRequest("arena", 3, 1, "seed", waiting))
    assert pairing.byes == ("p-6",)


@pytest.mark.parametrize(("players", "never", "once", "twice"), [(5, 4, 6, 0), (8, 4, 24, 0), (9, 0, 36, 0)])
def test_a_round_robin_of_three_is_as_even_as_documented(players: int, never: int, once: int, twice: int) -> None:
    """By how often each pair meets."""
    assert meetings_in(players) == {count: pairs for count, pairs in enumerate((never, once, twice)) if pairs}


@pytest.mark.parametrize("players", [10, 12, 20])
def test_most_pairs_of_a_larger_round_robin_of_three_meet_once(players: int) -> None:
    """And nobody three times."""
    found = meetings_in(players)
    assert max(found) <= 2
    assert found[1] >= 0.75 * found.total()


def meetings_in(players: int) -> Counter[int]:
    """Return how many pairs met how often in a round robin of three."""
    hall = Hall(terms("round_robin", 3), pair_threes)
    hall.enter(players)
    hall.play()
    met = Counter(pair for table in hall.state.tables.values() for pair in combinations(sorted(table.players), 2))
    return Counter(met[pair] for pair in combinations(sorted(hall.state.entries), 2))
