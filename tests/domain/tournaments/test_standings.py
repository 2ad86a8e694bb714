"""Standings: points, tie-breaks and ranks, compared with a slow recount that was written apart from them."""

from dataclasses import dataclass
from fractions import Fraction
from random import Random

import pytest

from service.domain.ids import PlayerId
from service.domain.tournaments.pairings import Format
from service.domain.tournaments.standings import TIE_BREAKS, PlayedTable, Row, bye_points, points_of, standings

ANNA, BEN, CLARA, DORA, EMIL = (PlayerId(f"p-{name}") for name in ("anna", "ben", "clara", "dora", "emil"))


@pytest.mark.parametrize(
    ("places", "points"),
    [
        ((1, 2), (2, 0)),
        ((2, 1), (0, 2)),
        ((1, 1), (1, 1)),
        ((3, 1, 2), (0, 4, 2)),
        ((1, 3, 1), (3, 0, 3)),
        ((2, 2, 1), (1, 1, 4)),
        ((1, 1, 1), (2, 2, 2)),
    ],
)
def test_those_who_share_places_share_their_points(places: tuple[int, ...], points: tuple[int, ...]) -> None:
    """In halves of a point; a match always gives as many."""
    assert points_of(places) == points


def test_a_swiss_system_by_hand() -> None:
    """Two rounds of five players.

    round 1  Anna 1-0 Ben, Clara draws Dora, Emil has the bye
    round 2  Emil 0-1 Anna, Ben 1-0 Clara, Dora has the bye
    """
    tables = [
        PlayedTable(1, (ANNA, BEN), (1, 2)),
        PlayedTable(1, (CLARA, DORA), (1, 1)),
        PlayedTable(2, (EMIL, ANNA), (2, 1)),
        PlayedTable(2, (BEN, CLARA), (1, 2)),
    ]
    assert standings("swiss", 2, [ANNA, BEN, CLARA, DORA, EMIL], tables, {EMIL: 1, DORA: 1}, 2) == [
        Row(ANNA, 1, 4, (2 + 2, 2 * 2 + 2 * 2), 2, 2, 0),
        Row(DORA, 2, 3, (1 + 3, 1 + 2 * 3), 1, 0, 1),
        Row(EMIL, 3, 2, (4 + 2, 2 * 2), 1, 0, 0),
        Row(BEN, 4, 2, (4 + 1, 2 * 1), 2, 1, 0),
        Row(CLARA, 5, 1, (3 + 2, 3), 2, 0, 1),
    ]


def test_equal_rows_share_a_rank() -> None:
    """And are in the order of the players; the next rank counts them all."""
    tables = [PlayedTable(1, (ANNA, BEN), (1, 1)), PlayedTable(1, (DORA, CLARA), (2, 1))]
    rows = standings("round_robin", 2, [DORA, CLARA, BEN, ANNA], tables, {})
    assert [(row.player, row.rank) for row in rows] == [(CLARA, 1), (BEN, 2), (ANNA, 2), (DORA, 4)]


def test_a_missed_round_of_an_opponent_counts_as_a_draw() -> None:
    """In the tie-breaks of those who met the player; the player's own points have nothing for it."""
    tables = [PlayedTable(1, (ANNA, BEN), (1, 2))]
    [first, second] = standings("swiss", 2, [ANNA, BEN], tables, {ANNA: 2}, 3)
    assert (first.player, first.points, first.tie_breaks) == (ANNA, 6, (2 + 2 * 6, 2 * 2 + 2 * 2 * 6))
    assert (second.player, second.points, second.tie_breaks) == (BEN, 0, (6, 0))


def test_a_bye_counts_as_a_win_in_a_swiss_system_only() -> None:
    """In a round robin everybody has as many."""
    assert [bye_points("swiss", 2), bye_points("swiss", 3)] == [2, 4]
    assert [bye_points("round_robin", 2), bye_points("arena", 3)] == [0, 0]


@dataclass
class Recount:
    """A tournament, counted again for each question, table by table, by the definitions, in points."""

    tournament: Format
    seats: int
    tables: list[PlayedTable]
    byes: dict[PlayerId, int]
    rounds: int

    def had(self, player: PlayerId) -> list[PlayedTable]:
        """Return a player's matches."""
        return [table for table in self.tables if player in table.players]

    def points_at(self, player: PlayerId, table: PlayedTable) -> Fraction:
        """Return what a player got for a match: the mean of the prizes of those who share the place."""
        own = place(player, table)
        prizes = PRIZES[self.seats][own - 1 : own - 1 + table.places.count(own)]
        return Fraction(sum(prizes), len(prizes))

    def free(self, player: PlayerId) -> int:
        """Return how many byes count for something."""
        return self.byes.get(player, 0) if self.tournament == "swiss" else 0

    def missed(self, player: PlayerId) -> int:
        """Return how many rounds of a Swiss system a player was not there."""
        return max(0, self.rounds - len(self.had(player)) - self.free(player)) if self.tournament == "swiss" else 0

    def points(self, player: PlayerId) -> Fraction:
        """Return a player's points."""
        return sum(
            (self.points_at(player, table) for table in self.had(player)), Fraction(self.free(player) * self.most)
        )

    @property
    def most(self) -> int:
        """The points of a win."""
        return PRIZES[self.seats][0]

    def seen_by_others(self, player: PlayerId) -> Fraction:
        """Return a player's points as they count for opponents."""
        return self.points(player) + self.missed(player) * Fraction(sum(PRIZES[self.seats]), self.seats)

    def buchholz(self, player: PlayerId) -> Fraction:
        """Return the points of all opponents."""
        met = [other for table in self.had(player) for other in table.players if other != player]
        alone = (self.free(player) + self.missed(player)) * (self.seats - 1)
        return sum(map(self.seen_by_others, met), alone * self.points(player))

    def sonneborn_berger(self, player: PlayerId) -> Fraction:
        """Return the points of those who were behind, and half of those who were equal."""
        total = self.free(player) * (self.seats - 1) * self.points(player)
        for table in self.had(player):
            for other in set(table.players) - {player}:
                ahead = place(other, table) - place(player, table)
                total += self.seen_by_others(other) * (1 if ahead > 0 else Fraction(ahead == 0, 2))
        return total

    def wins(self, player: PlayerId) -> Fraction:
        """Return how often a player alone was first."""
        return Fraction(sum(place(player, table) == 1 == table.places.count(1) for table in self.had(player)))

    def rows(self, players: list[PlayerId]) -> list[tuple[PlayerId, int, tuple[Fraction, ...]]]:
        """Return players with ranks, points and tie-breaks, the best first."""
        keys = {player: self.key(player) for player in players}
        order = sorted(players, key=lambda player: keys[player], reverse=True)
        return [(player, 1 + sum(other > keys[player] for other in keys.values()), keys[player]) for player in order]

    def key(self, player: PlayerId) -> tuple[Fraction, ...]:
        """Return what a player is placed by."""
        tie_breaks = {
            "swiss": (self.buchholz, self.sonneborn_berger),
            "round_robin": (self.sonneborn_berger, self.wins),
            "arena": (self.wins, self.sonneborn_berger),
        }[self.tournament]
        return self.points(player), *(each(player) for each in tie_breaks)


def place(player: PlayerId, table: PlayedTable) -> int:
    """Return a player's place in a match."""
    return table.places[table.players.index(player)]


PRIZES = {2: [1, 0], 3: [2, 1, 0]}
PLACES: dict[int, list[tuple[int, ...]]] = {
    2: [(1, 2), (2, 1), (1, 1)],
    3: [(1, 2, 3), (3, 1, 2), (1, 1, 3), (2, 2, 1), (1, 1, 1), (2, 1, 2)],
}
UNITS = {"buchholz": 2, "sonneborn_berger": 4, "wins": 1}


def random_tournament(tournament: Format, seats: int, seed: int) -> tuple[list[PlayerId], Recount]:
    """Return a tournament in which players miss rounds and have byes."""
    random = Random(seed)  # noqa: S311 - the same ones in every run
    players = [PlayerId(f"p-{number}") for number in range(random.randint(seats, 14))]
    played = Recount(tournament, seats, [], {}, random.randint(1, 7))
    for number in range(1, played.rounds + 1):
        there = [player for player in players if random.random() < 0.9]
        random.shuffle(there)
        while len(there) >= seats:
            table = tuple(there.pop() for _ in range(seats))
            played.tables.append(PlayedTable(number, table, random.choice(PLACES[seats])))
        played.byes.update({player: played.byes.get(player, 0) + 1 for player in there})
    return players, played


@pytest.mark.parametrize("tournament", ["swiss", "round_robin", "arena"])
@pytest.mark.parametrize("seats", [2, 3])
def test_standings_equal_a_slow_recount(tournament: Format, seats: int) -> None:
    """Of random tournaments; some of those who played are no longer shown."""
    for seed in range(20):
        players, played = random_tournament(tournament, seats, seed)
        shown = players[seed % 2 :]
        rows = standings(tournament, seats, shown, played.tables, played.byes, played.rounds)
        units = [2, *(UNITS[name] for name in TIE_BREAKS[tournament])]
        assert [
            (row.player, row.rank, tuple(Fraction(*each) for each in zip(row.order, units, strict=True)))
            for row in rows
        ] == played.rows(shown)
