"""Hints: the move of the strongest bot for a player's seat, from what the player may know.

One player, and all players together, may wait for a limited number of them at a time.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec

from service.bots.fair_queue import Requester
from service.bots.requests import BotEngine, BotTask, EngineUnavailable, RequestBuilder
from service.domain.game import Rejected, Seat
from service.domain.ids import Player, RoomKey, Version
from service.domain.room.subjects.seats import require_hint_seat, require_match
from service.rooms.repository import LoadedRoom
from service.rooms.service import RoomService
from service.streams.errors import ServiceError


class WaitingLimit:
    """Counts requests while their owners wait for them."""

    def __init__(self, code: str, each: int, total: int) -> None:
        """Allow each owner and all together this many; others are refused with this code."""
        self._code, self._each, self._total = code, each, total
        self._waiting: Counter[str] = Counter()

    @contextmanager
    def hold(self, owner: str) -> Iterator[None]:
        """Count a request while its owner waits for it. Raises `ServiceError`, also if no bot process is available."""
        if self._waiting[owner] >= self._each or self._waiting.total() >= self._total:
            raise ServiceError(self._code)
        self._waiting[owner] += 1
        try:
            yield
        except EngineUnavailable:
            raise ServiceError(self._code) from None
        finally:
            self._waiting[owner] -= 1
            if not self._waiting[owner]:
                del self._waiting[owner]


SECONDS = 0.2
"""The bot's time for a hint."""

PATIENCE = 5.0
"""Seconds after that time until the hint is refused."""

HINTS_PER_PLAYER = 2
"""How many hints one player may wait for at a time."""

HINTS_IN_TOTAL = 64
"""How many hints all players may wait for at a time."""


KEPT = 10_000
"""How many hints are kept in memory."""


class Hint(msgspec.Struct, frozen=True):
    """A good move for a seat, as JSON values."""

    game: str
    version: Version
    """The version of the room for which it was computed."""
    seat: Seat
    move: dict[str, Any]
    """The move; it can be sent unchanged."""


class Hints:
    """Computes hints for players in rooms that allow them."""

    def __init__(self, rooms: RoomService, bots: BotEngine, key: bytes) -> None:
        """`key` is not the one for bots' moves, so a hint reveals nothing about their choices."""
        self._requests = RequestBuilder(rooms, key)
        self._bots = bots
        self._moves: dict[tuple[RoomKey, Version, Seat], dict[str, Any]] = {}
        self.waiting = WaitingLimit("too_many_hints", HINTS_PER_PLAYER, HINTS_IN_TOTAL)

    async def hint(self, live: LoadedRoom, player: Player, wanted: Seat | None) -> Hint:
        """Return a good move for one of the player's seats, found within the player's share of time, or before.

        Raises `Rejected` by the rules of the room, and `ServiceError` with `too_many_hints`.
        """
        room = live.state
        try:
            seat = require_hint_seat(room, player.id, wanted)
        except Rejected as rejected:
            raise ServiceError(rejected.code, params=dict(rejected.params) or None, version=room.version) from None
        match = require_match(room)
        turn = match.clocks.turns[seat]
        assert turn is not None  # noqa: S101 - a seat that is to move has a turn
        task = BotTask(seat, room.game.levels[-1], SECONDS, turn.version, PATIENCE)
        position = live.key, turn.version, seat
        if position not in self._moves:
            with self.waiting.hold(player.id):
                request = await self._requests.build(live, room, match, task)
                self._moves[position] = await self._bots.move(request, Requester(player.id, human=True))
            if len(self._moves) > KEPT:
                del self._moves[next(iter(self._moves))]
        return Hint(room.table.game, room.version, seat, self._moves[position])
