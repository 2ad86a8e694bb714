"""Analyses of finished matches: all positions with a number for each seat, and the bot's move at one of them."""

import asyncio
from collections import OrderedDict
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from service.bots.fair_queue import Requester
from service.bots.requests import BotEngine, BotTask, RequestBuilder
from service.bots.waiting_limit import WaitingLimit
from service.domain.catalog import GAMES, AnyGame
from service.domain.game import Move, Seat
from service.domain.ids import Millis, Version
from service.domain.notation.positions import MatchPositions, PlyPosition
from service.domain.notation.replay import spell_entry
from service.domain.notation.sheet import Entry, Ply
from service.domain.room.model.state import Room
from service.domain.validation import convert
from service.rooms.match_index import MatchEntry
from service.rooms.repository import LoadedRoom
from service.rooms.service import RoomService
from service.streams.errors import ServiceError

SECONDS = 0.3
"""The bot's time for a move."""

PATIENCE = 5.0
"""Seconds after that time until the request is given up."""

PER_READER = 2
"""How many analyses one reader may wait for at a time."""

IN_TOTAL = 32
"""How many analyses all readers may wait for at a time."""

KEPT_POSITIONS = 100_000
"""How many positions of matches are kept in memory, a few hundred bytes each."""

KEPT_MOVES = 10_000
"""The number of positions for which the bot's moves are kept."""


SLICE = 500
"""After how many positions other requests get their turn."""


class SeatMove(msgspec.Struct, frozen=True):
    """Something that a seat did or could do at a position."""

    seat: Seat
    move: dict[str, Any] | None
    """The move; null for a seat that dropped out."""
    notation: str
    """Its entry in the match's text: a move, or why the seat dropped out."""


class PositionAnalysis(msgspec.Struct, frozen=True):
    """A position of a match."""

    ply: int
    """How many entries of the match's text have been made, moves and drop-outs, without those taken back."""
    version: Version
    """The version of the room at which the position is on the board, for `at`."""
    to_move: tuple[Seat, ...]
    values: tuple[int, ...] | None
    """The value of each seat, as `measure` describes; null without a measure."""
    played: tuple[SeatMove, ...]
    """What was played here: usually one move; in a simultaneous game, those of the round; nothing at the end."""
    best: tuple[SeatMove, ...] | None = None
    """The move of the strongest bot for each seat that is to move; null unless `ply` was requested."""


class AnalysisMeasure(msgspec.Struct, frozen=True):
    """What the values of positions are. They are computed from the position alone, without a search."""

    unit: str
    """What is counted, in the plural."""
    meaning: str
    """What it is, for people."""


class MatchAnalysis(msgspec.Struct, frozen=True):
    """A finished match for review: a page of its positions, or the requested one with the bot's moves."""

    match: str
    """The match's id."""
    game: str
    plies: int
    """The number of entries of the match's text, moves and drop-outs, without those taken back."""
    measure: AnalysisMeasure | None
    """What the values are; null in a game without a measure."""
    positions: tuple[PositionAnalysis, ...]
    """The positions by ply, from 0 to `plies`; with `ply`, only that one."""
    next: int | None
    """The cursor of the next page."""


class MatchKey(NamedTuple):
    """A match in the cache; one that replaced it under the same id ended at another time."""

    id: str
    ended: Millis | None


class Analyses:
    """Analyses finished matches, and remembers the results, which never change."""

    def __init__(self, rooms: RoomService, bots: BotEngine, key: bytes) -> None:
        """`key` is not that for bots' moves in matches."""
        self._rooms, self._bots = rooms, bots
        self._requests = RequestBuilder(rooms, key)
        self.waiting = WaitingLimit("too_many_analyses", PER_READER, IN_TOTAL)
        self._matches: OrderedDict[MatchKey, MatchAnalysis] = OrderedDict()
        self._kept_positions = 0
        self._moves: OrderedDict[tuple[MatchKey, int], tuple[SeatMove, ...]] = OrderedDict()

    def known(self, entry: MatchEntry, ply: int | None) -> MatchAnalysis | None:
        """Return an analysis that has been made. Raises `ServiceError` with `no_such_ply`."""
        key = MatchKey(entry.id, entry.ended)
        match = self._matches.get(key)
        if match is None:
            return None
        self._matches.move_to_end(key)
        if ply is None:
            return match
        position = position_at(match, ply)
        best = self._moves.get((key, ply))
        return None if best is None else replace(match, positions=(replace(position, best=best),))

    async def analyse(self, live: LoadedRoom, entry: MatchEntry, ply: int | None, reader: str) -> MatchAnalysis:
        """Return all positions of a match that is over, or one with the moves that the bot would make.

        Raises `ServiceError` with `no_such_ply` or `too_many_analyses`.
        """
        with self.waiting.hold(reader):
            key = MatchKey(entry.id, entry.ended)
            match = self._matches.get(key) or await self._match(live, entry)
            self._keep(key, match)
            if ply is None:
                return match
            position = position_at(match, ply)
            best = self._moves.get((key, ply)) or await self._best(live, position, Requester(reader, human=True))
            self._moves[key, ply] = best
            if len(self._moves) > KEPT_MOVES:
                self._moves.popitem(last=False)
            return replace(match, positions=(replace(position, best=best),))

    def _keep(self, key: MatchKey, match: MatchAnalysis) -> None:
        """Keep a match, and drop the least recently used ones."""
        if key not in self._matches:
            self._kept_positions += len(match.positions)
        self._matches[key] = match
        self._matches.move_to_end(key)
        while len(self._matches) > 1 and self._kept_positions > KEPT_POSITIONS:
            _, forgotten = self._matches.popitem(last=False)
            self._kept_positions -= len(forgotten.positions)

    async def _match(self, live: LoadedRoom, entry: MatchEntry) -> MatchAnalysis:
        """Return all positions of a match, from one fold of its events."""
        assert entry.last is not None  # noqa: S101 - the match is over
        before = Version(entry.first - 1)
        found = MatchPositions(await self._rooms.at(live, before))
        async for page in self._rooms.pages(live, before, entry.last):
            found.add(page)
            await asyncio.sleep(0)
        game, positions = GAMES[entry.game], list[PositionAnalysis]()
        for ply, position in enumerate(found.all()):
            positions.append(position_analysis(game, ply, position))
            if ply % SLICE == 0:
                await asyncio.sleep(0)
        measure = AnalysisMeasure(game.measure.unit, game.measure.meaning) if game.measure else None
        return MatchAnalysis(entry.id, entry.game, len(positions) - 1, measure, tuple(positions), None)

    async def _best(self, live: LoadedRoom, position: PositionAnalysis, requester: Requester) -> tuple[SeatMove, ...]:
        """Return the bot's move for each seat that is to move, from what the seat knew."""
        room = await self._rooms.at(live, position.version)
        return tuple(await asyncio.gather(*(self._move(live, room, seat, requester) for seat in position.to_move)))

    async def _move(self, live: LoadedRoom, room: Room, seat: Seat, requester: Requester) -> SeatMove:
        match = room.match
        assert match is not None  # noqa: S101 - positions are of matches
        task = BotTask(seat, room.game.levels[-1], SECONDS, room.version, PATIENCE)
        request = await self._requests.build(live, room, match, task)
        plain = await self._bots.move(request, requester)
        move: Move = convert(plain, room.game.move, "/move")
        return SeatMove(seat, plain, room.game.notation.spell(move))


def page_of(match: MatchAnalysis, first: int, limit: int) -> MatchAnalysis:
    """Return a match with the positions of one page only."""
    end = first + limit
    return replace(match, positions=match.positions[first:end], next=end if end <= match.plies else None)


def position_at(match: MatchAnalysis, ply: int) -> PositionAnalysis:
    """Return the position at a ply. Raises `ServiceError` with `no_such_ply`."""
    if ply > match.plies:
        raise ServiceError("no_such_ply", params={"plies": match.plies})
    return match.positions[ply]


def position_analysis(game: AnyGame, ply: int, position: PlyPosition) -> PositionAnalysis:
    """Return a position in JSON form."""
    played = tuple(seat_move(game, entry) for entry in position.played)
    return PositionAnalysis(ply, position.version, position.to_move, position.values or None, played)


def seat_move(game: AnyGame, entry: Entry) -> SeatMove:
    """Return an entry in JSON form."""
    move = msgspec.to_builtins(entry.move) if isinstance(entry, Ply) else None
    return SeatMove(entry.seat, move, spell_entry(game, entry))
