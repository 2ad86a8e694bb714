"""A question to a bot and its answer, as they travel between a worker and its thinking processes."""

import pickle
from typing import Any, NamedTuple

from service.domain.game import Level, Seat

LARGEST = 256 * 1024
"""How many bytes a message has at most."""


class Question(NamedTuple):
    """What a bot is asked. All that it knows is in here."""

    game: str
    known: Any
    """The game's state as the seat knows it."""
    seat: Seat
    level: Level
    seed: bytes
    """32 bytes from which the bot's own chance is drawn."""
    seconds: float
    """How long it may think."""


class Thought(NamedTuple):
    """The answer to a question."""

    number: int
    """Which question."""
    move: dict[str, Any] | None
    """The move as it stands on the wire; None where the bot failed."""
    failure: str = ""
    """The traceback of a bot that failed."""


HERE = Thought(0, None)
"""What a process says when it has started; no question has this number."""


def packed(number: int, question: Question) -> bytes:
    """Return a question as it travels."""
    return pickle.dumps((number, tuple(question)), pickle.HIGHEST_PROTOCOL)


def unpacked(message: bytes) -> tuple[int, Question]:
    """Return a question that has travelled."""
    number, question = pickle.loads(message)  # noqa: S301 - our own parent wrote it
    return number, Question(*question)


def packed_thought(thought: Thought) -> bytes:
    """Return an answer as it travels."""
    return pickle.dumps(tuple(thought), pickle.HIGHEST_PROTOCOL)


def unpacked_thought(message: bytes) -> Thought:
    """Return an answer that has travelled."""
    return Thought(*pickle.loads(message))  # noqa: S301 - our own child wrote it
