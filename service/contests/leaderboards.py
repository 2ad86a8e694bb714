"""The rows of leaderboards, and how a board is brought up to date with the stream of its list."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple, TypeVar

import msgspec
import structlog

from service.domain.ids import Millis, PlayerId, Version
from service.domain.ratings.model import MatchRated, RatingVoided
from service.domain.ratings.state import Counts, RatingList, Standing, VoidedMatch, has_place, persons
from service.domain.streams import Record
from service.store.contract import Store, StoreDamaged
from service.store.projections.leaderboards import BoardPoint, BoardRow, PlacedRow, RatedMatch, RatingPoint, Stretch
from service.store.stream_keys import RATINGS, KindKey
from service.streams.errors import ServiceError
from service.streams.loaded import LoadedStream
from service.streams.repository import StreamRepository

log = structlog.get_logger()

PAGE = 256
"""How many events, or rows of a board that is rebuilt, are read or written at a time."""


REBUILD_BEHIND = 10_000
"""A board that lacks this many events is rebuilt."""


CHECK_EVERY = Millis(60_000)
"""How often a process compares the versions of a board that is read and of its stream."""

DAMAGE = (StoreDamaged, msgspec.DecodeError, UnicodeDecodeError)
"""The exceptions raised by reading a damaged board."""

Found = TypeVar("Found")


class StandingRow(msgspec.Struct, frozen=True, array_like=True):
    """A player's row as it is stored."""

    value: int
    """The rating, in hundredths of a point."""
    deviation: int
    matches: int
    wins: int
    draws: int
    opponents: int
    """How many different established opponents the player has met, up to the number that a place needs."""
    latest: str
    """The id of the latest match that everybody may see; empty without one."""
    members_only: Counts = Counts()
    """How many of the matches, wins and draws only members of their rooms may see."""
    public_opponents: int = 0
    """How many of the opponents were met in other matches."""
    voided: tuple[VoidedMatch, ...] = ()
    """The matches that were voided."""

    @property
    def public(self) -> Counts:
        """The matches that everybody may see."""
        kept = self.members_only
        return Counts(self.matches - kept.matches, self.wins - kept.wins, self.draws - kept.draws)


ROW = msgspec.json.Decoder(StandingRow)


class Ranked(NamedTuple):
    """A player in a list."""

    player: PlayerId
    row: StandingRow
    place: int | None
    """The place on the leaderboard, 0 for the first one; None for a player who is not on it."""
    provisional: bool
    """Whether everybody is on the leaderboard, because too few players have a place yet."""


class LeaderboardPage(NamedTuple):
    """A page of a leaderboard."""

    ranked: list[Ranked]
    total: int
    """How many players are on the leaderboard."""
    provisional: bool
    """Whether everybody is on it, because too few players have a place yet."""


def ratings_key(board: str) -> KindKey:
    """Return the key of the stream of a rating list."""
    return KindKey(RATINGS, board)


def row_of(player: PlayerId, standing: Standing) -> BoardRow:
    """Return a player's row."""
    rating = standing.rating
    row = StandingRow(
        rating.value,
        rating.deviation,
        standing.matches,
        standing.wins,
        standing.draws,
        standing.established,
        standing.latest,
        standing.members_only,
        standing.public_established,
        standing.voided,
    )
    is_placed = has_place(standing)
    score = rating.value if is_placed or row.public.matches else None
    return BoardRow(player, msgspec.json.encode(row), score, is_placed)


def ranked(placed: PlacedRow, place: int, *, provisional: bool) -> Ranked:
    """Return a player on a leaderboard. Raises `StoreDamaged` if the place is not that of the player's rating."""
    row = ROW.decode(placed.data)
    if row.value != placed.score:
        raise StoreDamaged(f"{placed.player} has the place of {placed.score}, but {row.value}")
    return Ranked(placed.player, row, place, provisional)


def rows_changed(state: RatingList, records: Sequence[Record]) -> list[BoardRow]:
    """Return the rows of the players in some events, as of a state."""
    changes = [record.event for record in records if isinstance(record.event, MatchRated | RatingVoided)]
    players = dict.fromkeys(player for change in changes for player in persons(change.seats))
    return [row_of(player, state.players[player]) for player in players]


def stretch_of(records: Iterable[Record]) -> Stretch:
    """Return what some events add to a board: where matches are, and the ratings after public ones."""
    rated = [(record, record.event) for record in records if isinstance(record.event, MatchRated)]
    points = [
        BoardPoint(seat.player, record.version, RatingPoint(event.ended, seat.after.value, seat.after.deviation))
        for record, event in rated
        for seat in (() if event.members_only else event.seats)
        if seat.bot is None
    ]
    return Stretch([RatedMatch(event.match, record.version) for record, event in rated], points)


class Boards:
    """Brings leaderboards up to date, and rebuilds them."""

    def __init__(self, store: Store, repository: StreamRepository[RatingList], now: Callable[[], Millis]) -> None:
        self._store = store
        self._boards = store.leaderboards
        self._now = now
        self._checked: dict[str, Millis] = {}
        """When each board was found to be up to date."""
        self._reader = repository.reader
        self._repository = repository
        self._repairing = asyncio.Lock()

    async def catch_up(self, board: str) -> None:
        """Write what a board lacks of its stream; a board that is being rebuilt catches up later.

        A damaged board is rebuilt. Raises `StoreUnavailable`, and `ServiceError` (`history_damaged`, `newer_events`).
        """
        try:
            await self._catch_up(board)
        except StoreDamaged as found:
            await self._repair(board, found)

    async def read(self, board: str, read: Callable[[], Awaitable[Found]]) -> Found:
        """Return what is read from a board, which is rebuilt before if it is damaged.

        A board that an earlier release has not written, or a writer that was killed, is brought up to date before.
        Raises what `catch_up` raises; `ServiceError` (`history_damaged`) also while another process rebuilds it.
        """
        try:
            await self._check(board)
            return await read()
        except DAMAGE as found:
            await self._repair(board, found)
        try:
            return await read()
        except DAMAGE as found:
            raise ServiceError("history_damaged") from found

    async def _check(self, board: str) -> None:
        """Bring a board up to date if it is behind its stream, unless that was checked a short time ago."""
        now = self._now()
        if now < self._checked.get(board, Millis(0)) + CHECK_EVERY:
            return
        self._checked[board] = now
        [head], version = await asyncio.gather(self._store.heads([ratings_key(board)]), self._boards.version(board))
        if head is not None and version < head.version:
            try:
                await self._catch_up(board)
            except ServiceError as unreadable:
                log.warning("leaderboard_behind", list=board, version=version, why=unreadable.problem.code)

    async def _repair(self, board: str, found: Exception) -> None:
        """Rebuild a damaged board, unless that is under way."""
        log.warning("leaderboard_damaged", list=board, why=str(found))
        async with self._repairing:
            await self.rebuild(board)

    async def _catch_up(self, board: str) -> None:
        stream = await self._repository.current(ratings_key(board))
        while (since := await self._boards.version(board)) < stream.head.version:
            if stream.head.version - since > REBUILD_BEHIND:
                if await self.rebuild(board) is None:
                    return
                continue
            records = await self._reader.records(stream, since, PAGE)
            rows, until = rows_changed(stream.state, records), records[-1].version
            await self._boards.update(board, since, until, rows, stretch_of(records))

    async def rebuild(self, board: str, *, take_over: bool = False) -> int | None:
        """Rebuild a board from its stream, and return how many rows it has.

        Return None if another rebuild is under way and this one does not take over, or if another one has taken over.
        Raises what `catch_up` raises.
        """
        stream: LoadedStream[RatingList] = await self._repository.current(ratings_key(board))
        until, state = stream.head.version, stream.state
        rebuild = await self._boards.begin(board, take_over=take_over)
        if rebuild is None:
            return None
        async for rows, stretch in self._parts(stream, state, until):
            if not await self._boards.stage(board, rebuild, rows, stretch):
                return None
        return len(state.players) if await self._boards.publish(board, rebuild, until) else None

    async def _parts(
        self, stream: LoadedStream[RatingList], state: RatingList, until: Version
    ) -> AsyncIterator[tuple[Sequence[BoardRow], Stretch]]:
        """Yield the parts of a board as of a version: its rows, then what the events up to it add."""
        for rows in batches(row_of(PlayerId(player), standing) for player, standing in state.players.items()):
            yield rows, Stretch()
        since = Version(0)
        while since < until:
            records = await self._reader.records(stream, since, min(PAGE, until - since))
            yield (), stretch_of(records)
            since = records[-1].version


def batches(rows: Iterator[BoardRow]) -> Iterator[list[BoardRow]]:
    """Yield rows in batches of `PAGE`."""
    while batch := list(islice(rows, PAGE)):
        yield batch
