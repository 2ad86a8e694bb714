"""The rows of leaderboards, and how a board is brought up to date with the stream of its list."""

from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from itertools import islice

import msgspec

from service.domain.ratings.decide import has_place
from service.domain.ratings.model import MatchRated, RatingVoided
from service.domain.ratings.state import Counts, RatingList, Standing, VoidedMatch, persons
from service.domain.room.model.ids import PlayerId, Version
from service.domain.streams import Record
from service.store.contract import Store
from service.store.projections.leaderboards import BoardPoint, BoardRow, RatedMatch, RatingPoint, Stretch
from service.store.stream_keys import RATINGS, KindKey
from service.streams.loaded import LoadedStream
from service.streams.reader import StreamReader
from service.streams.repository import StreamRepository

PAGE = 256
"""How many events, or rows of a board that is rebuilt, are read or written at a time."""


REBUILD_BEHIND = 10_000
"""A board that lacks this many events is rebuilt."""


class StandingRow(msgspec.Struct, frozen=True, array_like=True):
    """A player's row as it is stored."""

    value: int
    """The rating, in hundredths of a point."""
    deviation: int
    matches: int
    wins: int
    draws: int
    opponents: int
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


def ratings_key(board: str) -> KindKey:
    """Return the key of the stream of a rating list."""
    return KindKey(RATINGS, board)


def row_of(state: RatingList, player: PlayerId, standing: Standing) -> BoardRow:
    """Return a player's row."""
    rating = standing.rating
    row = StandingRow(
        rating.value,
        rating.deviation,
        standing.matches,
        standing.wins,
        standing.draws,
        standing.met,
        standing.latest,
        standing.members_only,
        standing.public_met,
        standing.voided,
    )
    return BoardRow(player, msgspec.json.encode(row), rating.value if has_place(state, standing) else None)


def rows_changed(state: RatingList, records: Sequence[Record]) -> list[BoardRow]:
    """Return the rows of the players in some events, as of a state."""
    changes = [record.event for record in records if isinstance(record.event, MatchRated | RatingVoided)]
    players = dict.fromkeys(player for change in changes for player in persons(change.seats))
    return [row_of(state, player, state.players[player]) for player in players]


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

    def __init__(self, store: Store, repository: StreamRepository[RatingList]) -> None:
        """Take the store of the boards, and the streams from which they are made."""
        self._boards = store.leaderboards
        self._reader = StreamReader(repository)
        self._repository = repository

    async def catch_up(self, board: str) -> None:
        """Write what a board lacks of its stream; a board that is being rebuilt catches up later.

        Raises `StoreUnavailable`, and `ServiceError` (`history_damaged`, `newer_events`).
        """
        stream = await self._repository.current(ratings_key(board))
        while (since := await self._boards.version(board)) < stream.head.version:
            if stream.head.version - since > REBUILD_BEHIND:
                if await self.rebuild(board) is None:
                    return
                continue
            records = await self._reader.page(stream, since, PAGE)
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
        for rows in batches(row_of(state, PlayerId(player), standing) for player, standing in state.players.items()):
            yield rows, Stretch()
        since = Version(0)
        while since < until:
            records = await self._reader.page(stream, since, min(PAGE, until - since))
            yield (), stretch_of(records)
            since = records[-1].version


def batches(rows: Iterator[BoardRow]) -> Iterator[list[BoardRow]]:
    """Yield rows in batches of `PAGE`."""
    while batch := list(islice(rows, PAGE)):
        yield batch
