"""The application's only entry to ratings: rating ended matches, and reading lists and leaderboards."""

import asyncio
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
import structlog

from service.domain.catalog import GAMES
from service.domain.game import Event
from service.domain.ratings.classes import CLASSES, ListId, list_id, time_class
from service.domain.ratings.decide import NEWCOMER, PARAMETERS, BadFigures, rate, rating_before, reason_not_rated, void
from service.domain.ratings.kind import RATINGS
from service.domain.ratings.model import MatchId, MatchRated, RatedMatchEnded, Rating
from service.domain.ratings.state import RatingList, evolve, persons
from service.domain.room.model.clock import Clock
from service.domain.room.model.ids import Epoch, Millis, PlayerId, RoomKey, RoomName, Version
from service.domain.streams import Change, Record
from service.ratings.board import ROW, Boards, StandingRow, ratings_key
from service.ratings.plackett_luce import compute
from service.rooms.errors import ServiceError
from service.rooms.loading.nicknames import name_match
from service.rooms.match_index import MatchEntry
from service.store.codec import UnknownEvent
from service.store.contract import Store
from service.store.integrity import BrokenHistory
from service.store.stream_codec import decode_record
from service.streams.outboxes import Arrivals, changes_of
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository
from service.telemetry import metrics

log = structlog.get_logger()

ENDED: "msgspec.json.Decoder[Event]" = msgspec.json.Decoder(RatedMatchEnded)


MATCH = msgspec.json.Decoder(MatchEntry)

LISTS = tuple(list_id(game, rating_class) for game in GAMES for rating_class in CLASSES)
"""All rating lists."""


class Ranked(NamedTuple):
    """A player in a list."""

    player: PlayerId
    row: StandingRow
    place: int | None
    """The place on the leaderboard, 0 for the first one; None without a place."""


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


class RatingService:
    """The ratings of a store, as one process serves them."""

    def __init__(self, store: Store, now: Callable[[], Millis], size: int = 100) -> None:
        """Keep up to `size` lists in memory; `now` returns the service's time."""
        self._store = store
        self._repository: StreamRepository[RatingList] = StreamRepository(store, RATINGS, size)
        self._processor = StreamProcessor(self._repository, now)
        self._boards = Boards(store, self._repository)

    # Read

    async def leaderboard(self, name: ListId, start: int, limit: int) -> list[Ranked]:
        """Return the players with the places from `start` on, 0 for the first one."""
        rows = await self._store.leaderboards.page(name, start, limit)
        return [Ranked(player, ROW.decode(row), place) for place, (player, row) in enumerate(rows, start)]

    async def places(self, name: ListId) -> int:
        """Return how many players have a place on a leaderboard."""
        return await self._store.leaderboards.places(name)

    async def place(self, name: ListId, player: PlayerId) -> int | None:
        """Return the place of a player, 0 for the first one; None for a player without a place."""
        return await self._store.leaderboards.place(name, player)

    async def standing(self, name: ListId, player: PlayerId) -> Ranked | None:
        """Return a player in a list; None for a player who is not in it."""
        [row] = await self._store.leaderboards.rows(name, [player])
        return None if row is None else Ranked(player, ROW.decode(row), await self.place(name, player))

    async def standings(self, player: PlayerId) -> list[tuple[ListId, Ranked]]:
        """Return a player in all lists in which they are."""
        found = await asyncio.gather(*(self.standing(name, player) for name in LISTS))
        return [(name, standing) for name, standing in zip(LISTS, found, strict=True) if standing is not None]

    async def history(self, name: ListId, player: PlayerId) -> list[RatedPoint]:
        """Return a player's ratings after public matches of a list, the oldest first; at most 500, evenly spread."""
        boards = self._store.leaderboards
        points, [row] = await asyncio.gather(boards.points(name, player), boards.rows(name, [player]))
        voided = {each.after for each in ROW.decode(row).voided} if row is not None else set()
        return [RatedPoint(*point, voided=Rating(point.value, point.deviation) in voided) for point in points]

    async def points(self, player: PlayerId, game: str, clock: Clock) -> int | None:
        """Return a player's rating in a game with a clock, rounded to points; None if there are none for this clock."""
        rating_class = time_class(clock)
        if rating_class is None:
            return None
        standing = await self.standing(list_id(game, rating_class), player)
        return round((NEWCOMER.value if standing is None else standing.row.value) / 100)

    async def nickname(self, ranked: Ranked) -> str | None:
        """Return the nickname of a player of a list in their latest match there that everybody may see."""
        if not ranked.row.latest:
            return None
        key, number = place_of_match(ranked.row.latest)
        try:
            [entry] = await self._store.matches(key, [number])
        except BrokenHistory:
            return None
        if entry is None:
            return None
        known = await name_match(self._store.player_names, MATCH.decode(entry))
        return dict(zip(known.players, known.nicknames, strict=True)).get(ranked.player)

    async def match(self, game: str, match_id: MatchId) -> RatedIn | None:
        """Return how a match of a game was rated; None if it was not. Raises `ServiceError` (`newer_events`)."""
        lists = [list_id(game, rating_class) for rating_class in CLASSES]
        versions = await asyncio.gather(*(self._store.leaderboards.match(name, match_id) for name in lists))
        for name, version in zip(lists, versions, strict=True):
            if version is not None:
                [record] = await self.entries(name, Version(version - 1), 1)
                return await self._rated_in(name, record)
        return None

    async def _rated_in(self, name: ListId, record: Record) -> RatedIn | None:
        rated = record.event
        if not isinstance(rated, MatchRated):
            return None
        [row] = await self._store.leaderboards.rows(name, persons(rated.seats)[:1])
        voided = () if row is None else ROW.decode(row).voided
        return RatedIn(name, record.version, rated, voided=rated.match in {each.match for each in voided})

    async def entries(self, name: ListId, after: Version, limit: int) -> list[Record]:
        """Return events of a list after a version. Raises `ServiceError` (`newer_events`)."""
        entries = await self._store.read(ratings_key(name), after, limit)
        try:
            return [decode_record(RATINGS.event, entry) for entry in entries]
        except UnknownEvent as unknown:
            raise ServiceError("newer_events", params={"event": str(unknown)}) from unknown

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
            version = await self._store.leaderboards.match(name, match_id)
            if version is not None:
                [record] = await self.entries(name, Version(version - 1), 1)
                await self._void(name, record, reason)
                return name
        return None

    async def _void(self, name: ListId, record: Record, reason: str) -> None:
        event = record.event
        if not isinstance(event, MatchRated):
            raise TypeError(type(event))
        await self._processor.decide(ratings_key(name), lambda state, _: void(state, event, reason))
        await self._boards.catch_up(name)

    async def close(self) -> None:
        """Finish all background work."""
        await self._processor.close()


def place_of_match(match_id: MatchId) -> tuple[RoomKey, int]:
    """Return the room of a match, and its number there."""
    room, epoch, number = match_id.split(".")
    return RoomKey(RoomName(room), Epoch(epoch)), int(number)


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
