"""What a bot is asked, and who answers."""

import hmac
from typing import Any, NamedTuple, Protocol

from service.bot_engine.fair_queue import Claimant
from service.bot_engine.messages import Question, Subject
from service.domain.game import Level, Seat
from service.domain.room.model.ids import Version
from service.domain.room.model.state import Match, Room
from service.domain.room.subjects.bots import has_secrets, known
from service.rooms.room import LiveRoom
from service.rooms.service import Rooms


class ThinkingUnavailable(Exception):  # noqa: N818 - what became of the processes
    """No process began with a question for long: none could be started, or all of them are stopped."""


class Thinker(Protocol):
    """Whoever answers questions."""

    async def move(self, question: Question, claimant: Claimant) -> dict[str, Any]:
        """Return a legal move in the form in which it is sent, thought of in the claimant's share of time.

        May raise `ThinkingUnavailable`.
        """

    async def accepts_draw(self, question: Question, claimant: Claimant) -> bool:
        """Return whether a bot agrees to a draw, thought of like a move. May raise `ThinkingUnavailable`."""


class Wanted(NamedTuple):
    """A move or an answer that a bot is to think of."""

    seat: Seat
    level: Level
    seconds: float
    """How long it may think."""
    version: Version
    """The latest event that the move answers; the same one gives the same chance."""
    patience: float
    """For how many seconds beyond its time the answer is waited for."""
    subject: Subject = "move"


class Questions:
    """Puts positions into questions."""

    def __init__(self, rooms: Rooms, key: bytes) -> None:
        """Draw the bots' chance from `key`, which clients don't know."""
        self._rooms = rooms
        self._key = key

    async def about(self, live: LiveRoom, room: Room, match: Match, wanted: Wanted) -> Question:
        """Return what a bot is asked: the fold of the events redacted for its seat, and nothing else."""
        secret = has_secrets(room.game)
        before = Version(match.first - 1)
        history = await self._rooms.history(live, before, room.version - before) if secret else ()
        material = f"{live.key.name}:{live.key.epoch}:{wanted.version}:{wanted.seat}".encode()
        return Question(
            game=room.table.game,
            known=known(room, match, wanted.seat, history),
            seat=wanted.seat,
            level=wanted.level,
            seed=hmac.digest(self._key, material, "sha256"),
            seconds=wanted.seconds,
            patience=wanted.patience,
            subject=wanted.subject,
        )
