"""The application's only entry to ratings: rating ended matches, and reading lists and leaderboards."""

import asyncio
from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple, Protocol

import msgspec
import structlog

from service.contests.leaderboards import ROW, Boards, LeaderboardPage, Ranked, StandingRow, ranked, ratings_key
from service.contests.plackett_luce import compute
from service.domain.catalog import GAMES
from service.domain.game import Event
from service.domain.ids import Millis, PlayerId, Version
from service.domain.ratings.decide import (
    NEWCOMER,
    PARAMETERS,
    PLACES_NEEDED,
    BadFigures,
    rate,
    rating_before,
    reason_not_rated,
    void,
)
from service.domain.ratings.kind import RATINGS
from service.domain.ratings.model import CLASSES, ListId, MatchId, MatchRated, RatedMatchEnded, Rating, list_id
from service.domain.ratings.state import RatingList, evolve, persons
from service.domain.room.model.clock import Clock, time_class
from service.domain.streams import Change, Record
from service.runtime import metrics
from service.store.contract import NOT_BEGUN, Head, Store, StoreDamaged
from service.streams.errors import ServiceError
from service.streams.outboxes import Arrivals, changes_of
from service.streams.processor import StreamProcessor
from service.streams.reader import chained_head, decode_entry, signed_up_to
from service.streams.repository import StreamRepository

log = structlog.get_logger()

ENDED: "msgspec.json.Decoder[Event]" = msgspec.json.Decoder(RatedMatchEnded)


LISTS = tuple(list_id(game, rating_class) for game in GAMES for rating_class in CLASSES)
"""All rating lists."""


class RatedPoint(NamedTuple):
    """A player's rating after a match."""

    time: Millis
    value: int
    """In hundredths of a point, like the deviation."""
    deviation: int
    voided: bool
    """Whether the match was voided."""


class RatedIn(NamedTuple):
    """How a match was rated."""

    list: ListId
    version: Version
    """The version of its event in the list's stream."""
    rated: MatchRated
    voided: bool


StateInList = Literal["counted", "voided"]
"""Whether a match in a rating list counts, or an operator voided it."""


class RatingOf(Protocol):
    """Looks up ratings."""

    async def __call__(self, player: PlayerId, game: str, clock: Clock, *, bot: bool) -> int | None:
        """Return a player's rating in a game with a clock, in points; None if there are none for this clock."""


class RatingService:
    """The ratings of a store, as one process serves them."""

    def __init__(self, store: Store, now: Callable[[], Millis], size: int = 100) -> None:
        """Keep up to `size` lists in memory; `now` returns the service's time."""
        self._store = store
        self._repository: StreamRepository[RatingList] = StreamRepository(store, RATINGS, size)
        self._processor = StreamProcessor(self._repository, now)
        self._boards = Boards(store, self._repository, now)
        self.close = self._processor.close

    # Read

    async def leaderboard(self, name: ListId, start: int, limit: int) -> LeaderboardPage:
        """Return the players with the places from `start` on, 0 for the first one."""
        boards = self._store.leaderboards

        async def read() -> LeaderboardPage:
            total, is_provisional = await self._size(name)
            page = await boards.page(name, start, limit, everybody=is_provisional)
            found = [ranked(placed, place, provisional=is_provisional) for place, placed in enumerate(page, start)]
            return LeaderboardPage(found, total, is_provisional)

        return await self._boards.read(name, read)

    async def _size(self, name: ListId) -> tuple[int, bool]:
        """Return how many players are on a leaderboard, and whether it is provisional and everybody is on it."""
        size = await self._store.leaderboards.size(name)
        is_provisional = size.places < PLACES_NEEDED
        return size.players if is_provisional else size.places, is_provisional

    async def place(self, name: ListId, player: PlayerId) -> int | None:
        """Return the place of a player, 0 for the first one; None for a player who is not on the leaderboard."""
        standing = await self.standing(name, player)
        return None if standing is None else standing.place

    async def standing(self, name: ListId, player: PlayerId) -> Ranked | None:
        """Return a player in a list; None for a player who is not in it."""
        row = await self._row(name, player)
        if row is None:
            return None
        boards = self._store.leaderboards

        async def read() -> Ranked:
            _, is_provisional = await self._size(name)
            place = await boards.place(name, player, everybody=is_provisional)
            if place is not None:
                for placed in await boards.page(name, place, 1, everybody=is_provisional):
                    ranked(placed, place, provisional=is_provisional)  # raises for a place that is not that of a rating
            return Ranked(player, row, place, is_provisional)

        return await self._boards.read(name, read)

    async def _row(self, name: ListId, player: PlayerId) -> StandingRow | None:
        async def read() -> StandingRow | None:
            [row] = await self._store.leaderboards.rows(name, [player])
            return None if row is None else ROW.decode(row)

        return await self._boards.read(name, read)

    async def standings(self, player: PlayerId) -> list[tuple[ListId, Ranked]]:
        """Return a player in all lists in which they are."""
        found = await asyncio.gather(*(self.standing(name, player) for name in LISTS))
        return [(name, standing) for name, standing in zip(LISTS, found, strict=True) if standing is not None]

    async def history(self, name: ListId, player: PlayerId) -> list[RatedPoint]:
        """Return a player's ratings after public matches of a list, the oldest first; at most 500, evenly spread."""
        points = await self._boards.read(name, lambda: self._store.leaderboards.points(name, player))
        row = await self._row(name, player)
        voided = set() if row is None else {each.after for each in row.voided}
        return [RatedPoint(*point, voided=Rating(point.value, point.deviation) in voided) for point in points]

    async def points(self, player: PlayerId, game: str, clock: Clock, *, bot: bool) -> int | None:
        """Return a player's rating in a game with a clock, rounded to points; None if there are none for this clock.

        A declared bot has that of the list `bots`, in which its matches count.
        """
        rating_class = time_class(clock)
        if rating_class is None:
            return None
        standing = await self.standing(list_id(game, "bots" if bot else rating_class), player)
        return round((NEWCOMER.value if standing is None else standing.row.value) / 100)

    async def match(self, game: str, match_id: MatchId) -> RatedIn | None:
        """Return how a match of a game was rated; None if it was not. Raises `ServiceError` (`newer_events`)."""
        lists = [list_id(game, rating_class) for rating_class in CLASSES]
        entries = await asyncio.gather(*(self._entry(name, match_id) for name in lists))
        found = [(name, record) for name, record in zip(lists, entries, strict=True) if record is not None]
        return await self._rated_in(*found[0]) if found else None

    async def state_in(self, name: ListId, match_id: MatchId, player: PlayerId) -> StateInList | None:
        """Return whether a match of a player counts in a list; None if the list does not have it."""
        found = await self._boards.read(name, lambda: self._store.leaderboards.match(name, match_id))
        if found is None:
            return None
        row = await self._row(name, player)
        return "voided" if row is not None and match_id in {each.match for each in row.voided} else "counted"

    async def _entry(self, name: ListId, match_id: MatchId) -> Record | None:
        """Return the entry of a match in a list, None if it has none."""

        async def read() -> Record | None:
            version = await self._store.leaderboards.match(name, match_id)
            if version is None:
                return None
            entries = await self.entries(name, Version(version - 1), 1)
            if not entries or not isinstance(rated := entries[0].event, MatchRated) or rated.match != match_id:
                raise StoreDamaged(f"version {version} of {name} is not the entry of {match_id}")
            return entries[0]

        return await self._boards.read(name, read)

    async def _rated_in(self, name: ListId, record: Record) -> RatedIn | None:
        rated = record.event
        if not isinstance(rated, MatchRated):
            return None
        row = await self._row(name, persons(rated.seats)[0])
        voided = () if row is None else row.voided
        return RatedIn(name, record.version, rated, voided=rated.match in {each.match for each in voided})

    async def entries(self, name: ListId, after: Version, limit: int) -> list[Record]:
        """Return events of a list after a version. Raises `ServiceError` (`newer_events`, `history_damaged`).

        They are checked from the event before them on, which has a digest of everything before.
        """
        key, first = ratings_key(name), Version(max(0, after - 1))
        entries = await self._store.read(key, first, limit + after - first)
        base = Head(after, entries[0].digest) if after and entries else NOT_BEGUN
        chained_head(key, base, wanted := entries[after - first :])
        for entry in wanted:
            signed_up_to(self._store, key, [entry])
        return [decode_entry(RATINGS, key, "", entry).recorded for entry in wanted]

    # Serve as a worker

    async def receive(self, arrivals: Arrivals) -> None:
        """Rate what outboxes deliver: the ends of matches, by list.

        Raises `StoreUnavailable`, and `ServiceError` (`newer_events`) for an event that only a newer release knows.
        """
        await asyncio.gather(*(self._rate(board, changes_of(ended, ENDED)) for board, ended in arrivals.items()))

    async def _rate(self, board: str, ended: Sequence[Change]) -> None:
        """Append the matches that count, in this order and each once, and bring the leaderboard up to date."""
        try:
            records = await self._processor.execute(ratings_key(board), lambda state, now: rated(state, ended, now))
            metrics.RATED_MATCHES.labels(board).inc(len(records))
            await self._boards.catch_up(board)
        except ServiceError as refused:
            if refused.problem.code != "history_damaged":
                raise
            log.error("ratings_damaged", list=board, matches=len(ended))  # noqa: TRY400 - one line is enough

    # Serve operators

    async def rebuild(self, board: str) -> int | None:
        """Rebuild a leaderboard, and return how many rows it has; it takes over from a rebuild under way.

        Return None if another rebuild has taken over. Raises what `receive` raises.
        """
        return await self._boards.rebuild(board, take_over=True)

    async def void(self, match_id: MatchId, reason: str) -> ListId | None:
        """Void a match, unless that was done before, and return its list; None if no list has it.

        Raises what `receive` raises.
        """
        for name in LISTS:
            record = await self._entry(name, match_id)
            if record is not None:
                await self._void(name, record, reason)
                return name
        return None

    async def _void(self, name: ListId, record: Record, reason: str) -> None:
        event = record.event
        if not isinstance(event, MatchRated):
            raise TypeError(type(event))
        await self._processor.decide(ratings_key(name), lambda state, _: void(state, event, reason))
        await self._boards.catch_up(name)


def rated(state: RatingList, ended: Sequence[Change], now: Millis) -> list[Change]:
    """Return what to append for the ends of matches, each computed from the ratings after the one before it."""
    changes: list[Change] = []
    for change in ended:
        event = change.event
        if isinstance(event, RatedMatchEnded) and (match := rated_match(state, event)) is not None:
            changes.append(Change(match, change.source))
            state = evolve(state, Record(Version(0), now, match))
    return changes


def rated_match(state: RatingList, ended: RatedMatchEnded) -> Event | None:
    """Return the event of a rated match; None, with the reason in the log, if it does not count."""
    why = reason_not_rated(state, ended)
    if why is not None:
        log.info("match_not_rated", match=ended.match, list=state.id, why=why)
        return None
    before = [rating_before(state, seat) for seat in ended.seats]
    try:
        return rate(state, ended, compute(PARAMETERS, before, [seat.place for seat in ended.seats]))
    except BadFigures as bad:
        log.error("match_not_rated", match=ended.match, list=state.id, why=str(bad))  # noqa: TRY400 - one line is enough
        return None
