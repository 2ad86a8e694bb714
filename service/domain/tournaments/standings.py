"""Standings: the points of a tournament's players, and the tie-breaks between players with the same points.

Everything is a whole number. Points are counted in halves: a win is 2, a draw 1. At a table of three, the first has 4,
the second 2 and the last 0; players who share places have the mean of their points.
"""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Literal

import msgspec

from service.domain.ids import PlayerId
from service.domain.tournaments.pairings import Format

TieBreak = Literal["buchholz", "sonneborn_berger", "wins"]

TIE_BREAKS: Mapping[Format, tuple[TieBreak, ...]] = {
    "swiss": ("buchholz", "sonneborn_berger"),
    "round_robin": ("sonneborn_berger", "wins"),
    "arena": ("wins", "sonneborn_berger"),
}
"""The tie-breaks of each format, in order.

Buchholz is the sum of the opponents' points, in halves. Sonneborn-Berger is the sum of the points of the opponents who
had a worse place than the player at the same table, and half of the points of those who shared the place, in quarters.
"""


class PlayedTable(msgspec.Struct, frozen=True):
    """A match that has ended."""

    round: int
    players: tuple[PlayerId, ...]
    places: tuple[int, ...]
    """By seat, from 1; players who share a place have the same number: 1 1 3."""
    absent: tuple[int, ...] = ()
    """The seats that never moved."""
    is_walkover: bool = False
    """Whether it was not played, because the loser had left a round robin."""


class Row(msgspec.Struct, frozen=True):
    """A player in the standings."""

    player: PlayerId
    rank: int
    """From 1; equal rows share it."""
    points: int
    """In halves of a point."""
    tie_breaks: tuple[int, ...]
    """Those in `TIE_BREAKS`, in their order: Buchholz in halves, Sonneborn-Berger in quarters of a point."""
    played: int
    wins: int
    """Matches in which the player did not share the first place, with those against players who had left."""
    draws: int
    """Matches with a shared first place."""

    @property
    def order(self) -> tuple[int, ...]:
        """The key by which rows are sorted, the largest first."""
        return (self.points, *self.tie_breaks)


class Score(msgspec.Struct):
    """The counts of a player."""

    points: int = 0
    played: int = 0
    wins: int = 0
    draws: int = 0
    unplayed: int = 0
    """Ended rounds in which the player had neither a match nor a bye."""
    buchholz: int = 0
    sonneborn_berger: int = 0


def points_of(places: Sequence[int]) -> tuple[int, ...]:
    """Return the points of a match by seat, in halves; players who share places have the mean of their points."""
    most = 2 * (len(places) - 1)
    return tuple(most - 2 * (place - 1) - (places.count(place) - 1) for place in places)


def bye_points(tournament: Format, seats: int) -> int:
    """Return the points of a bye, in halves: those of a win in a Swiss system.

    In a round robin everybody has as many byes, and in an arena a player who waits has none.
    """
    return 2 * (seats - 1) if tournament == "swiss" else 0


def without_leavers(
    tables: Sequence[PlayedTable], players: Sequence[PlayerId], left: Collection[PlayerId]
) -> list[PlayedTable]:
    """Return the results that count in a round robin of two, in which everybody has one match with everybody.

    Of a player who left before half of their matches were played, none counts. If a player left later, the opponents of
    the remaining matches have won them. A match to which the player did not come was not played. (The usual rule, as in
    FIDE's General Regulations for Competitions.)
    """
    came = Counter(player for table in tables for seat, player in enumerate(table.players) if seat not in table.absent)
    annulled = {player for player in left if 2 * came[player] < len(players) - 1}
    counted = [table for table in tables if annulled.isdisjoint(table.players)]
    met = {frozenset(table.players) for table in tables}
    walkovers = [
        PlayedTable(0, (winner, loser), (1, 2), is_walkover=True)
        for loser in players
        for winner in players
        if loser in left and loser not in annulled and winner not in left and frozenset((winner, loser)) not in met
    ]
    return [*counted, *walkovers]


def standings(
    tournament: Format,
    seats: int,
    players: Sequence[PlayerId],
    tables: Sequence[PlayedTable],
    byes: Mapping[PlayerId, int],
    rounds: int = 0,
) -> list[Row]:
    """Return the standings, the best first, and equal rows in the order of `players`.

    `rounds` is the number of ended rounds. In a Swiss system, a bye counts for tie-breaks as a win against an opponent
    with as many points as the player, and a round that the player missed as a loss to such an opponent. In the points
    of an opponent, each round that the opponent missed counts as a draw, so that a withdrawal costs earlier opponents
    little. In substance, these are the tie-break regulations of FIDE (C.07, 16). Players of `tables` who are not in
    `players` count only as opponents.
    """
    scores = {player: Score() for player in (*players, *(each for table in tables for each in table.players))}
    for table in tables:
        count_table(scores, table)
    for player, score in scores.items():
        had = byes.get(player, 0)
        score.points += had * bye_points(tournament, seats)
        score.unplayed = max(0, rounds - score.played - had) if tournament == "swiss" else 0
    draw = seats - 1
    adjusted = {player: score.points + score.unplayed * draw for player, score in scores.items()}
    for table in tables:
        count_opponents(scores, adjusted, table)
    for player, score in scores.items():
        if tournament == "swiss":
            had, own = byes.get(player, 0), score.points * (seats - 1)
            score.buchholz += own * (had + score.unplayed)
            score.sonneborn_berger += 2 * own * had
    return list(ranked([row_of(tournament, player, scores[player]) for player in players]))


def count_table(scores: Mapping[PlayerId, Score], table: PlayedTable) -> None:
    """Count the points of a match."""
    for player, place, points in zip(table.players, table.places, points_of(table.places), strict=True):
        score, shares = scores[player], table.places.count(place) > 1
        score.points += points
        score.played += not table.is_walkover
        score.wins += place == 1 and not shares
        score.draws += place == 1 and shares


def count_opponents(scores: Mapping[PlayerId, Score], adjusted: Mapping[PlayerId, int], table: PlayedTable) -> None:
    """Count the opponents of a match for tie-breaks."""
    seated = list(zip(table.players, table.places, strict=True))
    for player, place in seated:
        score = scores[player]
        for other, others in seated:
            if other != player:
                score.buchholz += adjusted[other]
                score.sonneborn_berger += adjusted[other] * (2 * (others > place) + (others == place))


def row_of(tournament: Format, player: PlayerId, score: Score) -> Row:
    """Return a player's row, without a rank."""
    tie_breaks = tuple(int(getattr(score, name)) for name in TIE_BREAKS[tournament])
    return Row(player, 0, score.points, tie_breaks, score.played, score.wins, score.draws)


def ranked(rows: Sequence[Row]) -> Iterator[Row]:
    """Yield rows by their order, with ranks."""
    rank = 1
    for _, equal in groupby(sorted(rows, key=lambda row: row.order, reverse=True), key=lambda row: row.order):
        same = list(equal)
        yield from (msgspec.structs.replace(row, rank=rank) for row in same)
        rank += len(same)
