"""Hints: what the best bot would play on a player's seat, knowing what the player knows."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from service.bot_engine.fair_queue import Claimant
from service.bot_engine.questions import Questions, Thinker, ThinkingUnavailable, Wanted
from service.domain.game import Rejected, Seat
from service.domain.room.model.ids import PlayerId, Version
from service.domain.room.subjects.guards import match_of
from service.domain.room.subjects.hints import hinted_seat
from service.rooms.errors import Refused
from service.rooms.requests import Player
from service.rooms.room import LiveRoom
from service.rooms.service import Rooms

SECONDS = 0.5
"""How long a hint is thought about."""

PATIENCE = 5.0
"""For how many seconds beyond its time the answer is waited for."""

AT_ONCE = 2
"""How many hints one player may wait for at a time."""

WAITING = 64
"""How many hints all players may wait for at a time."""


class Hint(msgspec.Struct, frozen=True):
    """A good move of the caller's seat, in the form in which it is sent."""

    version: Version
    seat: Seat
    move: dict[str, Any]


class Hints:
    """Tells players good moves, where their room allows it."""

    def __init__(self, rooms: Rooms, thinker: Thinker, key: bytes) -> None:
        """Think with `thinker`; `key` is another one than the bots', so that a hint gives away nothing of theirs."""
        self._questions = Questions(rooms, key)
        self._thinker = thinker
        self._waiting: Counter[PlayerId] = Counter()

    async def hint(self, live: LiveRoom, player: Player, wanted: Seat | None) -> Hint:
        """Return a good move for a seat of the player's, thought of in the player's share of time.

        Refuses as the room's rules do, and `too_many_hints`.
        """
        room = live.room
        try:
            seat = hinted_seat(room, player.id, wanted)
        except Rejected as rejected:
            raise Refused(rejected.code, params=dict(rejected.params) or None, version=room.version) from None
        match = match_of(room)
        turn = match.clocks.turns[seat]
        assert turn is not None  # noqa: S101 - a seat that is to move has a turn
        asked = Wanted(seat, room.game.levels[-1], SECONDS, turn.version, PATIENCE)
        with self._place(player.id):
            question = await self._questions.about(live, room, match, asked)
            move = await self._thinker.move(question, Claimant(player.id, human=True))
        return Hint(room.version, seat, move)

    @contextmanager
    def _place(self, player: PlayerId) -> Iterator[None]:
        """Count a hint while the player waits for it. Refuses `too_many_hints`."""
        if self._waiting[player] >= AT_ONCE or self._waiting.total() >= WAITING:
            raise Refused("too_many_hints")
        self._waiting[player] += 1
        try:
            yield
        except ThinkingUnavailable:
            raise Refused("too_many_hints") from None
        finally:
            self._waiting[player] -= 1
            if not self._waiting[player]:
                del self._waiting[player]
