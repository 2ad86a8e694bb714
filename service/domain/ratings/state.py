"""The state of a rating list, and its fold. Its maps have many keys, and changed copies share nearly everything."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import combinations
from typing import Generic, TypeVar
from zlib import crc32

import msgspec
from msgspec.structs import replace

from service.domain.ids import DAY, Millis, PlayerId
from service.domain.ratings.model import ListId, MatchId, MatchRated, RatedSeat, Rating, RatingVoided
from service.domain.streams import Record

V = TypeVar("V")

SHARDS = 256


class ShardedMap(Mapping[str, V], Generic[V]):
    """A map of text to values. A change copies one of its 256 parts."""

    __slots__ = ("_length", "_shards")

    def __init__(self, items: Mapping[str, V] | Iterable[tuple[str, V]] = ()) -> None:
        shards: list[dict[str, V]] = [{} for _ in range(SHARDS)]
        for key, value in dict(items).items():
            shards[shard_of(key)][key] = value
        self._shards = tuple(shards)
        self._length = sum(map(len, shards))

    def __getitem__(self, key: str) -> V:
        """Return a value. Raises `KeyError`."""
        return self._shards[shard_of(key)][key]

    def __iter__(self) -> Iterator[str]:
        """Iterate over the keys, in an order that depends only on the changes."""
        for shard in self._shards:
            yield from shard

    def __len__(self) -> int:
        """Return the number of keys."""
        return self._length

    def with_item(self, key: str, value: V) -> "ShardedMap[V]":
        """Return the map with another value of one key."""
        number = shard_of(key)
        changed: ShardedMap[V] = ShardedMap.__new__(ShardedMap)
        shards = self._shards
        changed._length = self._length + (key not in shards[number])
        changed._shards = (*shards[:number], {**shards[number], key: value}, *shards[number + 1 :])
        return changed


def shard_of(key: str) -> int:
    """Return the number of the part that has a key; the same in every process."""
    return crc32(key.encode()) % SHARDS


OPPONENTS_NEEDED = 10
"""How many different established opponents a place on the leaderboard requires."""

RANKED_DEVIATION = 21_000
"""The deviation of an established player is no larger, in hundredths: reached after about 20 matches."""

DAYS_KEPT = 7
"""How many days with rated matches are remembered; a match that ended before them is not rated."""


class Counts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """How many matches a player has played, won alone, and drawn by sharing the first place."""

    matches: int = 0
    wins: int = 0
    draws: int = 0

    def plus(self, number: int, *, win: bool, draw: bool) -> "Counts":
        """Return the counts after so many more matches with the same outcome."""
        return Counts(self.matches + number, self.wins + number * win, self.draws + number * draw)


class VoidedMatch(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A match of a player that was voided."""

    match: MatchId
    after: Rating
    """The player's rating after it."""


class Standing(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A player in a list."""

    rating: Rating
    matches: int = 0
    wins: int = 0
    draws: int = 0
    """Matches whose first place the player shared."""
    established: int = 0
    """How many different established opponents the player has met, up to `OPPONENTS_NEEDED`; see `established_in`."""
    opponents: tuple[str, ...] = ()
    """These opponents; no longer stored once there are enough."""
    latest: MatchId = ""
    """The latest match that everybody may see; empty without one."""
    members_only: Counts = Counts()
    """The counts of those matches that only members of their rooms may see."""
    public_established: int = 0
    """How many of them the player has met in matches that everybody may see, up to `OPPONENTS_NEEDED`."""
    public_opponents: tuple[str, ...] = ()
    """These opponents; no longer stored once there are enough."""
    voided: tuple[VoidedMatch, ...] = ()
    """The matches that were voided."""


class Day(msgspec.Struct, frozen=True):
    """The rated matches that ended on one day."""

    number: int
    """See `day_of`."""
    matches: ShardedMap[None] = ShardedMap()
    """Their ids."""
    meetings: ShardedMap[int] = ShardedMap()
    """The number of these matches in which two players met, by `pairs`."""


class RatingList(msgspec.Struct, frozen=True):
    """The state of a list's stream."""

    id: ListId
    players: ShardedMap[Standing] = ShardedMap()
    days: tuple[Day, ...] = ()
    """The latest days, in order, up to `DAYS_KEPT`."""
    voided: ShardedMap[None] = ShardedMap()
    """The matches that were voided."""

    def day(self, number: int) -> Day:
        """Return the matches of a day."""
        return next((day for day in self.days if day.number == number), Day(number))


def day_of(time: Millis) -> int:
    """Return the number of the day, UTC, to which a time belongs."""
    return time // DAY


def pairs(players: tuple[PlayerId, ...]) -> list[str]:
    """Return the keys under which the matches of each two of these players are counted."""
    return [" ".join(sorted(pair)) for pair in combinations(players, 2)]


def persons(seats: tuple[RatedSeat, ...]) -> tuple[PlayerId, ...]:
    """Return the players of a match who are not bots of the service."""
    return tuple(seat.player for seat in seats if seat.bot is None)


def evolve(state: RatingList, record: Record) -> RatingList:
    """Return the state after an event."""
    match record.event:
        case MatchRated() as rated:
            players = state.players
            for seat in rated.seats:
                if seat.bot is None:
                    players = players.with_item(seat.player, with_match(players.get(seat.player), seat, rated))
            return replace(state, players=players, days=with_day(state, rated))
        case RatingVoided(match=match) as voided:
            players = state.players
            for seat in voided.seats:
                if seat.bot is None:
                    players = players.with_item(seat.player, without_match(players[seat.player], seat, voided))
            return replace(state, players=players, voided=state.voided.with_item(match, None))
    raise NotImplementedError(type(record.event))


def with_match(known: Standing | None, seat: RatedSeat, rated: MatchRated) -> Standing:
    """Return a player's standing after one more match; `known` is None before the first one."""
    standing = known or Standing(seat.before)
    win, draw = outcome_of(seat, rated.seats)
    others = established_in(rated, seat.player)
    established, opponents = with_opponents(standing.established, standing.opponents, others)
    public_established, public_opponents = with_opponents(
        standing.public_established, standing.public_opponents, [] if rated.members_only else others
    )
    return replace(
        standing,
        rating=seat.after,
        matches=standing.matches + 1,
        wins=standing.wins + win,
        draws=standing.draws + draw,
        established=established,
        opponents=opponents,
        public_established=public_established,
        public_opponents=public_opponents,
        latest=standing.latest if rated.members_only else rated.match,
        members_only=standing.members_only.plus(rated.members_only, win=win, draw=draw),
    )


def established_in(rated: MatchRated, player: PlayerId) -> list[str]:
    """Return the established opponents of a player: those whose own deviation was small when the match ended.

    A match against bots of the service, of which there are few, counts as one more opponent.
    """
    if any(seat.bot for seat in rated.seats):
        return [rated.match]
    return [seat.player for seat in rated.seats if seat.player != player and seat.before.deviation <= RANKED_DEVIATION]


def with_opponents(met: int, opponents: tuple[str, ...], others: Iterable[str]) -> tuple[int, tuple[str, ...]]:
    """Return how many established opponents a player has met, and which, after a match with these others."""
    if met == OPPONENTS_NEEDED:
        return met, opponents
    known = tuple(dict.fromkeys((*opponents, *others)))
    return (OPPONENTS_NEEDED, ()) if len(known) >= OPPONENTS_NEEDED else (len(known), known)


def has_place(standing: Standing) -> bool:
    """Return whether a player has a place: enough established opponents, and a rating that is certain enough."""
    return standing.established >= OPPONENTS_NEEDED and standing.rating.deviation <= RANKED_DEVIATION


def without_match(standing: Standing, seat: RatedSeat, voided: RatingVoided) -> Standing:
    """Return a player's standing after a match was voided; the deviation and the opponents stay."""
    rating = Rating(standing.rating.value - (seat.after.value - seat.before.value), standing.rating.deviation)
    win, draw = outcome_of(seat, voided.seats)
    return replace(
        standing,
        rating=rating,
        matches=standing.matches - 1,
        wins=standing.wins - win,
        draws=standing.draws - draw,
        members_only=standing.members_only.plus(-voided.members_only, win=win, draw=draw),
        voided=(*standing.voided, VoidedMatch(voided.match, seat.after)),
    )


def outcome_of(seat: RatedSeat, seats: tuple[RatedSeat, ...]) -> tuple[bool, bool]:
    """Return whether a seat won, and whether it shared the first place."""
    is_shared = sum(other.place == 1 for other in seats) > 1
    return seat.place == 1 and not is_shared, seat.place == 1 and is_shared


def with_day(state: RatingList, rated: MatchRated) -> tuple[Day, ...]:
    """Return the latest days with one more match."""
    day = state.day(day_of(rated.ended))
    meetings = day.meetings
    for key in pairs(persons(rated.seats)):
        meetings = meetings.with_item(key, meetings.get(key, 0) + 1)
    changed = Day(day.number, day.matches.with_item(rated.match, None), meetings)
    others = [other for other in state.days if other.number != day.number]
    return tuple(sorted((*others, changed), key=lambda each: each.number)[-DAYS_KEPT:])
