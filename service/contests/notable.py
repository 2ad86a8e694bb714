"""The application's only entry to notable matches: what can be notable about a match, and in which period.

Matches are examined when they have ended.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Literal, NamedTuple, get_args

import msgspec
import structlog

from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.ids import DAY, Millis, RoomKey, Version
from service.domain.notation.positions import MatchPositions, PlyPosition
from service.domain.room.model.events import Result
from service.rooms.match_index import MatchEntry, can_be_notable, is_match_id, room_of_match, stored_match
from service.rooms.repository import LoadedRoom
from service.rooms.service import RoomService
from service.store.contract import Store, StoreDamaged
from service.store.projections.notable_matches import MOST_MATCHES, BestMatches, NotableRow
from service.streams.errors import ServiceError
from service.streams.outboxes import Arrivals

Fact = Literal["comeback", "shortest_win", "longest"]
"""By how much the winner had been behind; the fewest moves to a win; the most moves."""

Period = Literal["day", "week", "all"]
"""A day or a week (from Monday) in UTC, or all time."""

FACTS: tuple[Fact, ...] = get_args(Fact)
PERIODS: tuple[Period, ...] = get_args(Period)

WEEK = 7 * DAY
MONDAY = 3 * DAY
"""1970 began on a Thursday, three days after a Monday."""


class Found(NamedTuple):
    """Something notable about a match."""

    fact: Fact
    value: int


async def readable_positions(rooms: RoomService, entry: MatchEntry) -> list[PlyPosition]:
    """Return all positions of a match; none if its events are damaged or no longer stored, which is logged.

    Raises `StoreUnavailable`, and `ServiceError` (`newer_events`) for events that only a newer release can read.
    """
    try:
        return await positions_of(rooms, await rooms.by_key(room_of_match(entry.id)[0]), entry)
    except ServiceError as refused:
        if refused.problem.code == "newer_events":
            raise
        log.info("match_not_read", match=entry.id, code=refused.problem.code)
        return []


async def positions_of(rooms: RoomService, live: LoadedRoom, entry: MatchEntry) -> list[PlyPosition]:
    """Return all positions of a match, from one fold of its events. Raises what reading the room raises."""
    before = Version(entry.first - 1)
    found = MatchPositions(await rooms.at(live, before))
    async for page in rooms.pages(live, before, entry.last or entry.first):
        found.add(page)
        await asyncio.sleep(0)
    return list(found.all())


def facts_of(result: Result, positions: Sequence[PlyPosition]) -> Iterator[Found]:
    """Yield what is notable about a match, from all its positions."""
    plies = len(positions) - 1
    yield Found("longest", plies)
    if len(result.winners) == 1:
        yield Found("shortest_win", plies)
        behind = max((deficit(result.winners[0], position.values) for position in positions), default=0)
        if behind > 0:
            yield Found("comeback", behind)


def deficit(seat: Seat, values: Sequence[int]) -> int:
    """Return by how much a seat is behind the best of the others, in the game's measure; 0 if it is not."""
    others = [value for other, value in enumerate(values) if other != seat]
    return max(0, max(others) - values[seat]) if others else 0


def rows_of(match: str, ended: Millis, found: Sequence[Found]) -> list[NotableRow]:
    """Return the rows of a match on the boards of its time."""
    scores = [(fact, -value if fact == "shortest_win" else value) for fact, value in found]
    return [
        NotableRow(board_of(fact, period, ended), match, score, end_of(period, ended))
        for fact, score in scores
        for period in PERIODS
    ]


def board_of(fact: Fact, period: Period, time: Millis) -> str:
    """Return the board of a fact for the period that contains a time."""
    match period:
        case "day":
            return f"{fact}:day:{time // DAY}"
        case "week":
            return f"{fact}:week:{(time + MONDAY) // WEEK}"
        case "all":
            return f"{fact}:all"


def end_of(period: Period, time: Millis) -> Millis | None:
    """Return when the board of a period may be deleted: a week after its end."""
    match period:
        case "day":
            return Millis((time // DAY + 1) * DAY + WEEK)
        case "week":
            return Millis(((time + MONDAY) // WEEK + 1) * WEEK - MONDAY + WEEK)
        case "all":
            return None


log = structlog.get_logger()

MATCH_ID = msgspec.json.Decoder(str)


class NotableMatch(NamedTuple):
    """A match on a board."""

    fact: Fact
    period: Period
    value: int
    key: RoomKey
    entry: MatchEntry


class NotableService:
    """The notable matches of a store, as one process serves them."""

    def __init__(self, store: Store, rooms: RoomService, now: Callable[[], Millis]) -> None:
        self._store = store
        self._rooms = rooms
        self._now = now

    async def best(self, games: Sequence[str], limit: int) -> list[NotableMatch]:
        """Return the best matches of each board of some games for the current day and week, and for all time."""
        boards = [(game, fact, period) for game in games for fact in FACTS for period in PERIODS]
        found = await asyncio.gather(*(self._board(*board, limit) for board in boards))
        return [match for matches in found for match in matches]

    async def _board(self, game: str, fact: Fact, period: Period, limit: int) -> list[NotableMatch]:
        board = board_of(fact, period, self._now())
        rows, damaged = await self._read(game, board, limit)
        if damaged:
            for match_id in damaged:
                await self._repair(game, board, match_id)
            rows, _ = await self._read(game, board, limit)
        entries = await asyncio.gather(*(self._entry(match) for match, _ in rows))
        return [
            NotableMatch(fact, period, abs(score), room_of_match(match)[0], entry)
            for (match, score), entry in zip(rows, entries, strict=True)
            if entry is not None
        ]

    async def _read(self, game: str, board: str, limit: int) -> BestMatches:
        """Return the best matches of a board; what is no match's id is damaged, too."""
        rows, damaged = await self._store.notable_matches.best(game, board, limit)
        wrong = [match_id for match_id, _ in rows if not is_match_id(match_id)]
        return BestMatches([row for row in rows if row[0] not in wrong], [*damaged, *wrong])

    async def _repair(self, game: str, board: str, match_id: str) -> None:
        """Delete a match from a board on which it is not what was written, and look at it again if there is one."""
        log.warning("notable_match_damaged", board=board, match=match_id)
        await self._store.notable_matches.remove(game, board, match_id)
        if not is_match_id(match_id):
            return
        entry = await stored_match(self._store, match_id)
        if entry is not None and entry.game == game:
            await self.look_at(entry)

    async def _entry(self, match: str) -> MatchEntry | None:
        entry = await stored_match(self._store, match)
        return None if entry is None else await self._rooms.named_match(entry)

    # Serve as a worker

    async def receive(self, arrivals: Arrivals) -> None:
        """Look at the matches that outboxes deliver: the ids of ended matches, by game.

        Raises what `look_at` raises.
        """
        for ended in arrivals.values():
            for arrival in ended:
                entry = await stored_match(self._store, MATCH_ID.decode(arrival.event))
                if entry is not None:
                    await self.look_at(entry)

    async def look_at(self, entry: MatchEntry) -> bool:
        """Put a match on the boards if it is notable, and return whether it could be. Raises what `_rows` raises."""
        rows = await self._rows(entry)
        if rows is not None:
            await self._store.notable_matches.add(entry.game, rows)
        return rows is not None

    async def _rows(self, entry: MatchEntry) -> list[NotableRow] | None:
        """Return the rows of a match, or None if it cannot be notable, or its events cannot be read.

        Raises `StoreUnavailable`, and `ServiceError` (`newer_events`) for events that only a newer release can read.
        """
        if not can_be_notable(entry) or entry.result is None or entry.ended is None:
            return None
        positions = await readable_positions(self._rooms, entry)
        return rows_of(entry.id, entry.ended, list(facts_of(entry.result, positions))) if positions else None

    # Serve operators

    async def problems(self) -> AsyncIterator[str]:
        """Yield what is wrong with the matches on the boards. Raises `StoreUnavailable`."""
        for game, board in self._shown_boards():
            try:
                rows, damaged = await self._read(game, board, MOST_MATCHES)
            except StoreDamaged as fault:
                yield f"{game} {board}: {fault}"
                continue
            for match in damaged:
                yield f"{game} {board}: {match} is not what was stored; it is rebuilt when it is read"
            for match, score in rows:
                if not await self._has_score(board, match, score):
                    yield f"{game} {board}: {match} differs from its events; `turnstream notable rebuild`"

    async def _has_score(self, board: str, match: str, score: int) -> bool:
        """Return whether a match has a score on a board, as far as its events can be read."""
        entry = await stored_match(self._store, match)
        if entry is None or not can_be_notable(entry):
            return entry is None
        try:
            rows = await self._rows(entry)
        except ServiceError:  # only a newer release can read it
            return True
        return rows is None or (board, score) in {(row.board, row.score) for row in rows}

    def _shown_boards(self) -> list[tuple[str, str]]:
        """Return the boards of all time, and those of the current day and week, each with its game."""
        now = self._now()
        return [(game, board_of(fact, period, now)) for game in GAMES for fact in FACTS for period in PERIODS]

    async def discard_all(self) -> None:
        """Delete the boards of all time, and those of the current day and week."""
        for game, board in self._shown_boards():
            await self._store.notable_matches.discard(game, board)
