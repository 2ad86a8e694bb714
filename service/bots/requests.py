"""The interface of the bot engine, and the requests to it."""

import hmac
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple, Protocol

from service.bots.fair_queue import Requester
from service.bots.messages import BotRequest, Choice, Subject
from service.domain.catalog import GAMES
from service.domain.game import Evaluated, Level, Move, Seat
from service.domain.ids import PlayerId, Version
from service.domain.room.evolve import has_secrets, known_states
from service.domain.room.model.state import Match, Room
from service.domain.room.subjects.bots import may_resign
from service.rooms.repository import LoadedRoom
from service.rooms.service import RoomService

LOST_TURNS = 3
"""In how many of its turns, one after another, a bot must have lost before it resigns."""

DEAD_ROUNDS = 20
"""For how many rounds a bot's chances must have been the same before it offers a draw, and again before the next."""

LOOKED_AT = 5
"""Every how many of these rounds are looked at."""


class EngineUnavailable(Exception):  # noqa: N818 - a state, not an error
    """No bot process started work on a request: none could be started, or all are stopped."""


class BotEngine(Protocol):
    """Answers requests to bots."""

    async def choose(self, request: BotRequest, requester: Requester) -> Choice:
        """Return what a bot does in its turn, found within the requester's share of time.

        May raise `EngineUnavailable`.
        """

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
        states = known_states(room, match, task.seat, history)
        known = next(states)
        material = f"{live.key.name}:{live.key.epoch}:{task.version}:{task.seat}".encode()
        request = BotRequest(
            game=room.table.game,
            known=known,
            seat=task.seat,
            level=task.level,
            seed=hmac.digest(self._key, material, "sha256"),
            seconds=task.seconds,
            patience=task.patience,
            subject=task.subject,
        )
        return (
            request if task.subject != "choice" else with_endings(request, states, resigns=may_resign(room, task.level))
        )


def with_endings(request: BotRequest, earlier: Iterator[Any], *, resigns: bool) -> BotRequest:
    """Return a request with the states at earlier turns of the bot, latest first, by which it may end the match."""
    quiet_rounds = GAMES[request.game].quiet_rounds
    quiet = quiet_rounds(request.known) if quiet_rounds else 0
    before = tuple(islice(earlier, DEAD_ROUNDS if quiet and not quiet % DEAD_ROUNDS else LOST_TURNS - 1))
    return request._replace(
        resigns_after=before[: LOST_TURNS - 1] if resigns and len(before) >= LOST_TURNS - 1 else (),
        dead_since=before[LOOKED_AT - 1 :: LOOKED_AT],
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
