"""Bots in rooms: requests their moves and answers from the bot engine, and issues them as commands."""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, TypeVar

import structlog

from service.bots.fair_queue import Requester
from service.bots.messages import BotRequest, Choice, Subject
from service.bots.pool import any_legal_move
from service.bots.requests import BotEngine, BotTask, RequestBuilder
from service.domain.ids import Player
from service.domain.room.evolve import has_secrets
from service.domain.room.model.commands import AnswerFor, OfferFor, PlayFor, SystemCommand
from service.domain.room.model.state import Room
from service.domain.room.subjects.bots import (
    BotAction,
    allowed_overrun,
    bot_answers,
    bot_moves,
    has_active_human,
    moves_at,
    time_to_think,
)
from service.domain.room.subjects.seats import require_match
from service.domain.validation import Invalid
from service.rooms.commands.requests import CommandRequest
from service.rooms.repository import LoadedRoom
from service.rooms.service import RoomService
from service.streams.errors import ServiceError

log = structlog.get_logger()

T = TypeVar("T")

TOO_LATE = frozenset({"nothing_due", "not_playing", "room_closed"})
"""Codes for a move or an answer that another worker has already issued, or that is no longer needed."""


USUAL = 0.4
"""How hard a choice counts in games with secrets."""


def requester_of(room: Room) -> Requester:
    """Return the requester for a room's bots: its creator, and whether a human plays."""
    return Requester(room.table.creator, has_active_human(room))


class Bots:
    """Issues the bots' moves and their answers to draw offers."""

    def __init__(
        self,
        rooms: RoomService,
        engine: BotEngine,
        key: bytes,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Derive the bots' seeds from the secret `key`."""
        self._sleep = sleep
        self._rooms = rooms
        self._engine = engine
        self._requests = RequestBuilder(rooms, key)

    async def play(self, live: LoadedRoom) -> None:
        """Issue the moves and answers that are due in a room, concurrently if there are several."""
        room, now = live.state, self._rooms.now()
        moves = [self._move(live, room, wanted) for wanted in bot_moves(room) if wanted.at <= now]
        answers = [self._answer(live, room, wanted, wanted.offer) for wanted in bot_answers(room) if wanted.offer]
        done = await asyncio.gather(*moves, *answers, return_exceptions=True)
        for failure in done:
            if failure is not None:
                raise failure

    async def _move(self, live: LoadedRoom, room: Room, wanted: BotAction) -> None:
        request = await self._request(live, room, wanted, "move" if wanted.by is None else "choice")
        choice = await self._result(room, request, self._engine.choose(request, requester_of(room)))
        await self._take_time(room, wanted, choice)
        try:
            await self._play(live, room, wanted, None if choice.ending == "resign" else choice.move)
        except (ServiceError, Invalid) as refused:
            if isinstance(refused, ServiceError) and refused.problem.status >= 500:
                raise
            log.exception("bot_move_refused", room=live.key.name, version=wanted.version)
            await self._play(live, room, wanted, any_legal_move(request))
        if choice.ending == "offer_draw":
            await self._execute(live, room, wanted, OfferFor(wanted.seat))

    async def _answer(self, live: LoadedRoom, room: Room, wanted: BotAction, offer: int) -> None:
        request = await self._request(live, room, wanted, "draw")
        accept = await self._result(room, request, self._engine.accepts_draw(request, requester_of(room)))
        await self._execute(live, room, wanted, AnswerFor(wanted.seat, offer, accept))

    async def _request(self, live: LoadedRoom, room: Room, wanted: BotAction, subject: Subject) -> BotRequest:
        match = room.playing
        assert match is not None  # noqa: S101 - moves and answers are due during matches only
        now = self._rooms.now()
        seconds, patience = time_to_think(match, wanted, now), allowed_overrun(match, wanted, now)
        task = BotTask(wanted.seat, wanted.level, seconds, wanted.version, patience, subject)
        return await self._requests.build(live, room, match, task)

    async def _result(self, room: Room, request: BotRequest, result: Coroutine[Any, Any, T]) -> T:
        """Return the engine's answer; in games with secrets after the full time, so that the delay reveals nothing."""
        computing = asyncio.create_task(result)
        await asyncio.sleep(request.seconds if has_secrets(room.game) else 0)
        return await computing

    async def _take_time(self, room: Room, wanted: BotAction, choice: Choice) -> None:
        """Wait until a bot moves that needed so long to choose; in games with secrets always equally long."""
        turn = require_match(room).clocks.turns[wanted.seat]
        if turn is not None and wanted.by is not None:
            hard = USUAL if has_secrets(room.game) else choice.hard
            at = moves_at(room, require_match(room), wanted.seat, turn, hard)
            await self._sleep(max(0, at - self._rooms.now()) / 1000)

    async def _play(self, live: LoadedRoom, room: Room, wanted: BotAction, move: dict[str, Any] | None) -> None:
        await self._execute(live, room, wanted, PlayFor(wanted.seat, move, wanted.version))

    async def _execute(self, live: LoadedRoom, room: Room, wanted: BotAction, command: SystemCommand) -> None:
        """Issue what a bot does, unless it is too late."""
        by = None if wanted.by is None else Player(wanted.by, room.table.members[wanted.by].nickname)
        try:
            await self._rooms.execute(live, CommandRequest(command, by))
        except ServiceError as refused:
            if refused.problem.code not in TOO_LATE:
                raise
