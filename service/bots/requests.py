"""The interface of the bot engine, and the requests to it."""

import hmac
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from service.bots.fair_queue import Requester
from service.bots.messages import BotRequest, Subject
from service.domain.game import Evaluated, Level, Move, Seat
from service.domain.ids import PlayerId, Version
from service.domain.room.evolve import has_secrets, known_state
from service.domain.room.model.state import Match, Room
from service.rooms.repository import LoadedRoom
from service.rooms.service import RoomService


class EngineUnavailable(Exception):  # noqa: N818 - a state, not an error
    """No bot process started work on a request: none could be started, or all are stopped."""


class BotEngine(Protocol):
    """Answers requests to bots."""

    async def move(self, request: BotRequest, requester: Requester) -> dict[str, Any]:
        """Return a legal move as JSON values, found within the requester's share of time.

        May raise `EngineUnavailable`.
        """

    async def accepts_draw(self, request: BotRequest, requester: Requester) -> bool:
        """Return whether a bot agrees to a draw, decided like a move. May raise `EngineUnavailable`."""

    async def evaluate(self, request: BotRequest, requester: Requester) -> Evaluated | None:
        """Return how a position is evaluated, None if the bot failed. May raise `EngineUnavailable`."""


class BotTask(NamedTuple):
    """A move or an answer that is requested from a bot."""

    seat: Seat
    level: Level
    seconds: float
    """The bot's time for the search."""
    version: Version
    """The version of the event that the move reacts to; the same version leads to the same random choices."""
    patience: float
    """Seconds beyond the bot's time after which the requester gives up."""
    subject: Subject = "move"


class RequestBuilder:
    """Builds requests from rooms."""

    def __init__(self, rooms: RoomService, key: bytes) -> None:
        """Derive the bots' seeds from the secret `key`."""
        self._rooms = rooms
        self._key = key

    async def build(self, live: LoadedRoom, room: Room, match: Match, task: BotTask) -> BotRequest:
        """Return a request with the fold of the events redacted for the bot's seat, and nothing else."""
        secret = has_secrets(room.game)
        before = Version(match.first - 1)
        history = await self._rooms.history(live, before, room.version - before) if secret else ()
        material = f"{live.key.name}:{live.key.epoch}:{task.version}:{task.seat}".encode()
        return BotRequest(
            game=room.table.game,
            known=known_state(room, match, task.seat, history),
            seat=task.seat,
            level=task.level,
            seed=hmac.digest(self._key, material, "sha256"),
            seconds=task.seconds,
            patience=task.patience,
            subject=task.subject,
        )


SECONDS = 1.0
"""The time to evaluate a position, after which its search is less deep than that of others."""

PATIENCE = 5.0
"""Seconds after that time until the position is given up."""


async def evaluate_position(
    engine: BotEngine, game: str, state: Any, played: Mapping[Seat, Move], by: PlayerId
) -> Evaluated | None:
    """Return how a state of a match that is over, and what was played there, is evaluated; None if that failed.

    It is done in a player's share of time, behind the moves that players wait for. May raise `EngineUnavailable`.
    """
    request = BotRequest(game, state, Seat(0), "expert", b"", SECONDS, PATIENCE, "evaluate", tuple(played.items()))
    return await engine.evaluate(request, Requester(by, human=False))
