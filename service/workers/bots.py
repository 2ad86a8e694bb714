"""The house's bots: what each knows is put to a thinker, and its move or answer goes the way of every command."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import structlog

from service.bot_engine.fair_queue import Claimant
from service.bot_engine.messages import Question, Subject
from service.bot_engine.pool import stand_in
from service.bot_engine.questions import Questions, Thinker, Wanted
from service.domain.room.model.commands import AnswerFor, PlayFor
from service.domain.room.model.state import Room
from service.domain.room.subjects.bots import (
    Awaited,
    awaited_answers,
    awaited_moves,
    has_secrets,
    humans_play,
    patience_with,
    time_to_think,
)
from service.domain.validation import Unfit
from service.rooms.errors import Refused
from service.rooms.requests import Player, Request
from service.rooms.room import LiveRoom
from service.rooms.service import Rooms

log = structlog.get_logger()

T = TypeVar("T")

TOO_LATE = frozenset({"nothing_due", "not_playing", "room_closed"})
"""How a move or an answer is refused that somebody else made, or that nobody needs any more."""


def claimant_of(room: Room) -> Claimant:
    """Return for whom bots think in a room: its creator, first where a human plays."""
    return Claimant(room.table.creator, humans_play(room))


class Bots:
    """Makes the moves that the house owes, and answers draw offers for the bots."""

    def __init__(self, rooms: Rooms, thinker: Thinker, key: bytes) -> None:
        """Draw the bots' chance from `key`, which clients don't know."""
        self._rooms = rooms
        self._thinker = thinker
        self._questions = Questions(rooms, key)

    async def play(self, live: LiveRoom) -> None:
        """Make the moves and give the answers that are due in a room, at the same time where several are."""
        room, now = live.room, self._rooms.fresh.now()
        moves = [self._move(live, room, wanted) for wanted in awaited_moves(room) if wanted.at <= now]
        answers = [self._answer(live, room, wanted, wanted.offer) for wanted in awaited_answers(room) if wanted.offer]
        done = await asyncio.gather(*moves, *answers, return_exceptions=True)
        for failure in done:
            if failure is not None:
                raise failure

    async def _move(self, live: LiveRoom, room: Room, wanted: Awaited) -> None:
        question = await self._question(live, room, wanted, "move")
        move = await self._thought(room, question, self._thinker.move(question, claimant_of(room)))
        try:
            await self._play(live, room, wanted, move)
        except (Refused, Unfit) as refused:
            if isinstance(refused, Refused) and refused.problem.status >= 500:
                raise
            log.exception("bot_move_refused", room=live.key.name, version=wanted.version)
            await self._play(live, room, wanted, stand_in(question))

    async def _answer(self, live: LiveRoom, room: Room, wanted: Awaited, offer: int) -> None:
        question = await self._question(live, room, wanted, "draw")
        accept = await self._thought(room, question, self._thinker.accepts_draw(question, claimant_of(room)))
        await self._execute(live, room, wanted, AnswerFor(wanted.seat, offer, accept))

    async def _question(self, live: LiveRoom, room: Room, wanted: Awaited, subject: Subject) -> Question:
        match = room.playing
        assert match is not None  # noqa: S101 - moves and answers are awaited in matches only
        now = self._rooms.fresh.now()
        seconds, patience = time_to_think(match, wanted, now), patience_with(match, wanted, now)
        asked = Wanted(wanted.seat, wanted.level, seconds, wanted.version, patience, subject)
        return await self._questions.about(live, room, match, asked)

    async def _thought(self, room: Room, question: Question, thought: Coroutine[Any, Any, T]) -> T:
        """Return the answer; among secrets it is given when the time is over: how long it took shall tell nothing."""
        thinking = asyncio.create_task(thought)
        await asyncio.sleep(question.seconds if has_secrets(room.game) else 0)
        return await thinking

    async def _play(self, live: LiveRoom, room: Room, wanted: Awaited, move: dict[str, Any]) -> None:
        await self._execute(live, room, wanted, PlayFor(wanted.seat, move, wanted.version))

    async def _execute(self, live: LiveRoom, room: Room, wanted: Awaited, command: PlayFor | AnswerFor) -> None:
        """Make a move or give an answer, unless it comes too late."""
        by = None if wanted.by is None else Player(wanted.by, room.table.members[wanted.by].nickname)
        try:
            await self._rooms.execute(live, Request(command, by))
        except Refused as refused:
            if refused.problem.code not in TOO_LATE:
                raise
