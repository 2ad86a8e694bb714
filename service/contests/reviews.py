"""Reviews of finished matches: when somebody asks, a worker has the bots evaluate each position, once.

An analysis of a match has all its positions with a number for each seat, and the review where there is one.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import msgspec
import structlog
from msgspec.structs import replace

from service.contests.notable import positions_of, readable_positions
from service.domain.catalog import GAMES, AnyGame
from service.domain.game import Evaluated, Move, Seat
from service.domain.ids import Millis, Player, PlayerId, Version
from service.domain.notation.positions import PlyPosition
from service.domain.notation.replay import spell_entry
from service.domain.notation.sheet import Entry, Ply
from service.domain.room.model import review as reviews
from service.domain.room.model.events import Result
from service.domain.room.model.review import EvaluatedPosition, Review, ReviewStatus, finish, request
from service.rooms.match_index import MatchEntry, stored_match
from service.rooms.repository import LoadedRoom
from service.rooms.service import RoomService
from service.store.contract import Store
from service.store.stream_keys import REVIEWS, KindKey
from service.streams.errors import ServiceError
from service.streams.processor import StreamProcessor
from service.streams.repository import StreamRepository

log = structlog.get_logger()

PER_PLAYER = 2
"""How many reviews one player may wait for at a time, in one process."""

PROGRESS_LASTS = Millis(60_000)
"""How long the number of plies that a worker has evaluated is kept; with each of them, that time begins again."""

PLAYERS = 10_000
"""How many players may wait in one process before those who asked first are forgotten."""


Evaluate = Callable[[str, Any, Mapping[Seat, Move], PlayerId], Awaitable[Evaluated | None]]
"""Returns how a state of a game, and what was played there, is evaluated for a player; None if that failed."""


class Reviews:
    """The reviews of a store's matches, as one process serves them."""

    def __init__(self, store: Store, rooms: RoomService, evaluate: Evaluate, now: Callable[[], Millis]) -> None:
        self._store, self._rooms, self._evaluate = store, rooms, evaluate
        self._repository: StreamRepository[Review] = StreamRepository(store, reviews.REVIEWS, size=1000)
        self._processor = StreamProcessor(self._repository, now)
        self._asked: dict[PlayerId, list[KindKey]] = {}
        self.close, self.progress = self._processor.close, store.side_channels.find_progress

    async def find(self, match_id: str) -> Review:
        """Return the review of a match, up to date."""
        return (await self._repository.current(KindKey(REVIEWS, match_id))).state

    async def request(self, entry: MatchEntry, by: Player) -> Review:
        """Have a match that is over reviewed, unless that was done or requested before, and return its review.

        Raises `ServiceError` with `no_review` or `too_many_reviews`.
        """
        if GAMES[entry.game].evaluate is None:
            raise ServiceError("no_review")
        review, key = await self.find(entry.id), KindKey(REVIEWS, entry.id)
        if review.status != "none":
            return review
        streams = await self._repository.all_current(self._asked.pop(by.id, []))
        waiting = [stream.key for stream in streams if stream.state.status == "waiting"]
        self._asked[by.id] = [each for each in waiting if isinstance(each, KindKey)]
        if len(waiting) >= PER_PLAYER:
            raise ServiceError("too_many_reviews", params={"most": PER_PLAYER})
        self._asked[by.id].append(key)
        if len(self._asked) > PLAYERS:
            del self._asked[next(iter(self._asked))]
        await self._processor.decide(key, lambda state, _: request(state, by.id))
        return await self.find(entry.id)

    # Serve as a worker

    async def proceed(self, key: KindKey) -> None:
        """Review a match if somebody waits for it. Raises what evaluating a position and the store raise."""
        review = await self.find(key.id)
        if review.status == "waiting":
            positions = await self._evaluated(key.id, review.by)
            await self._processor.decide(key, lambda state, _: finish(state, positions))
        await self._processor.proceed(key)

    async def _evaluated(self, match_id: str, by: PlayerId) -> tuple[EvaluatedPosition, ...]:
        """Return the evaluated positions of a match; none if its events can no longer be read."""
        entry = await stored_match(self._store, match_id)
        if entry is None or entry.result is None:
            return ()
        found, positions = list[EvaluatedPosition](), await readable_positions(self._rooms, entry)
        for ply, position in enumerate(positions):
            if ply and position.version == positions[ply - 1].version:
                continue
            if not position.to_move:
                found.append(EvaluatedPosition(ply, chances_at_end(entry.result, len(entry.players)), (), ()))
            elif evaluated := await self._evaluate(entry.game, position.state, played_at(position), by):
                found.append(EvaluatedPosition(ply, *evaluated))
            await self._store.side_channels.record_progress(match_id, ply, PROGRESS_LASTS)
        return tuple(found)


def played_at(position: PlyPosition) -> dict[Seat, Move]:
    """Return the first move that each seat made at a position."""
    moves = [entry for entry in position.played if isinstance(entry, Ply)]
    return {entry.seat: entry.move for entry in reversed(moves)}


def chances_at_end(result: Result, seats: int) -> tuple[int, ...]:
    """Return the chances once the result is known, in percent: winners share; without winners, all do."""
    winners = result.winners or range(seats)
    return tuple(round(100 / len(winners)) if seat in winners else 0 for seat in range(seats))


# Analyses

KEPT_POSITIONS = 100_000
"""How many positions of matches are kept in memory, a few hundred bytes each."""

SLICE = 500
"""After how many positions other requests get their turn."""

Mark = Literal["inaccuracy", "mistake", "blunder"]
"""What a move is called that lost at least 10, 20 or 30 percent."""

MARKS: tuple[tuple[int, Mark], ...] = ((30, "blunder"), (20, "mistake"), (10, "inaccuracy"))

TURN = 10
"""The least change of the winner's chance, in percent, that is called the turning point of a match."""


class SeatMove(msgspec.Struct, frozen=True):
    """Something that a seat did or could do at a position."""

    seat: Seat
    move: dict[str, Any] | None
    """The move; null for a seat that dropped out."""
    notation: str
    """Its entry in the match's text: a move, or why the seat dropped out."""
    lost: int | None = None
    """By how many percent it lowered the seat's chance to win, compared with the best move; null without a review."""
    mark: Mark | None = None
    """What it is called if it lost at least 10, 20 or 30 percent."""


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
    """The best move of each seat that is to move, found by the bots' search; null without a review."""
    chances: tuple[int, ...] | None = None
    """The chance of each seat to win in percent, found by the bots' search, a draw shared; null without a review."""


class AnalysisMeasure(msgspec.Struct, frozen=True):
    """What the values of positions are. They are computed from the position alone, without a search."""

    unit: str
    """What is counted, in the plural."""
    meaning: str
    """What it is, for people."""


class MatchAnalysis(msgspec.Struct, frozen=True):
    """A finished match: a page of its positions, or the requested one."""

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
    review: ReviewStatus | None = "none"
    """Whether the bots' review was requested and is complete; null for a game without reviews."""
    evaluated: int | None = None
    """How many plies have been evaluated of a review that is `waiting`; null for others."""
    turning_point: int | None = None
    """The ply of the position whose moves raised the winner's chance most, by 10 percent at least."""


class Analyses:
    """Analyses finished matches, and remembers the results; those of a complete review never change."""

    def __init__(self, rooms: RoomService, reviews: Reviews) -> None:
        self._rooms, self._reviews = rooms, reviews
        self.request_review = reviews.request
        self._matches: OrderedDict[tuple[str, Millis | None], MatchAnalysis] = OrderedDict()
        self._kept_positions = 0

    async def analyse(self, live: LoadedRoom, entry: MatchEntry) -> MatchAnalysis:
        """Return all positions of a match that is over, with its review if there is one."""
        key = entry.id, entry.ended  # a match that replaced another one under its id ended at another time
        match = self._matches.get(key) or await self._match(live, entry)
        if match.review in {"none", "waiting"}:
            match = reviewed(match, await self._reviews.find(entry.id), entry)
        self._keep(key, match)
        return replace(match, evaluated=await self._reviews.progress(entry.id)) if match.review == "waiting" else match

    def _keep(self, key: tuple[str, Millis | None], match: MatchAnalysis) -> None:
        """Keep a match, and drop the least recently used ones."""
        if key not in self._matches:
            self._kept_positions += len(match.positions)
        self._matches[key] = match
        self._matches.move_to_end(key)
        while len(self._matches) > 1 and self._kept_positions > KEPT_POSITIONS:
            _, forgotten = self._matches.popitem(last=False)
            self._kept_positions -= len(forgotten.positions)

    async def _match(self, live: LoadedRoom, entry: MatchEntry) -> MatchAnalysis:
        """Return all positions of a match."""
        game, positions = GAMES[entry.game], list[PositionAnalysis]()
        for ply, position in enumerate(await positions_of(self._rooms, live, entry)):
            played = tuple(seat_move(game, entry) for entry in position.played)
            positions.append(PositionAnalysis(ply, position.version, position.to_move, position.values or None, played))
            if ply % SLICE == 0:
                await asyncio.sleep(0)
        texts = game.texts.measure
        measure = AnalysisMeasure(texts.unit, texts.meaning) if texts else None
        status: ReviewStatus | None = "none" if game.evaluate else None
        return MatchAnalysis(entry.id, entry.game, len(positions) - 1, measure, tuple(positions), None, status)


def page_of(match: MatchAnalysis, first: int, limit: int) -> MatchAnalysis:
    """Return a match with the positions of one page only."""
    end = first + limit
    return replace(match, positions=match.positions[first:end], next=end if end <= match.plies else None)


def at_ply(match: MatchAnalysis, ply: int) -> MatchAnalysis:
    """Return a match with the position at a ply only. Raises `ServiceError` with `no_such_ply`."""
    if ply > match.plies:
        raise ServiceError("no_such_ply", params={"plies": match.plies})
    return replace(match, positions=(match.positions[ply],))


def seat_move(game: AnyGame, entry: Entry) -> SeatMove:
    """Return an entry in JSON form."""
    move = msgspec.to_builtins(entry.move) if isinstance(entry, Ply) else None
    return SeatMove(entry.seat, move, spell_entry(game, entry))


# The review


def reviewed(match: MatchAnalysis, review: Review, entry: MatchEntry) -> MatchAnalysis:
    """Return a match with its review; the plies of a round, which share a position, share the evaluation, too."""
    if not review.positions:
        return replace(match, review=review.status)
    game, by_ply = GAMES[match.game], {evaluated.ply: evaluated for evaluated in review.positions}
    positions, evaluated = list[PositionAnalysis](), None
    for position in match.positions:
        is_first = position.ply == 0 or position.version != match.positions[position.ply - 1].version
        evaluated = by_ply.get(position.ply) if is_first else evaluated
        positions.append(
            position if evaluated is None else with_evaluation(game, position, evaluated, is_first=is_first)
        )
    winners = entry.result.winners if entry.result else ()
    turning_point = turning_point_of(positions, winners[0]) if len(winners) == 1 else None
    return replace(match, positions=tuple(positions), review="done", turning_point=turning_point)


def with_evaluation(
    game: AnyGame, position: PositionAnalysis, evaluated: EvaluatedPosition, *, is_first: bool
) -> PositionAnalysis:
    """Return a position with its evaluation; `is_first`: the moves are those that were evaluated."""
    moves = {seat: game.notation.read(notation) for seat, notation in evaluated.best}
    best = tuple(seat_move(game, Ply(seat, move)) for seat, move in moves.items() if seat in position.to_move)
    lost, played = dict(evaluated.lost) if is_first else {}, list[SeatMove]()
    for move in position.played:
        percent = lost.pop(move.seat, None) if move.move else None
        mark = next((mark for least, mark in MARKS if percent is not None and percent >= least), None)
        played.append(replace(move, lost=percent, mark=mark))
    return replace(position, best=best, chances=evaluated.chances, played=tuple(played))


def turning_point_of(positions: Sequence[PositionAnalysis], winner: Seat) -> int | None:
    """Return the ply of the position whose moves raised the winner's chance most; None if that is not much."""
    best, found = TURN - 1, None
    for before, after in pairwise(positions):
        if before.chances and after.chances and after.version != before.version and before.played:
            gain = after.chances[winner] - before.chances[winner]
            if gain > best and before.played[0].move:
                best = gain
                found = next(each.ply for each in positions if each.version == before.version)
    return found
