"""The messages between a worker and its thinking processes: a question to a bot, and what becomes of it."""

import pickle
from typing import Any, Literal, NamedTuple

from service.domain.game import Level, Seat

LARGEST = 256 * 1024
"""How many bytes a message has at most."""


Subject = Literal["move", "draw"]
"""What a bot is asked for: its move, or whether it agrees to a draw."""


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
    patience: float = 10.0
    """For how many seconds beyond its time the answer is waited for."""
    subject: Subject = "move"


class Taken(NamedTuple):
    """A process has begun with a question."""

    number: int
    """Which question."""
    process: int


class Died(NamedTuple):
    """A process has ended; the question with which it had begun stays without an answer."""

    process: int


class Thought(NamedTuple):
    """The answer to a question."""

    number: int
    """Which question."""
    answer: Any
    """The move as it stands on the wire, or whether a draw is accepted; None where the bot failed."""
    failure: str = ""
    """The traceback of a bot that failed."""


HERE = Thought(0, None)
"""What a process says when it has started; no question has this number."""

Reply = Taken | Thought | Died
"""A message to the worker."""


def packed(number: int, question: Question) -> bytes:
    """Return a question as it travels."""
    return pickle.dumps((number, tuple(question)), pickle.HIGHEST_PROTOCOL)


def unpacked(message: bytes) -> tuple[int, Question]:
    """Return a question that has travelled."""
    number, question = pickle.loads(message)  # noqa: S301 - our own parent wrote it
    return number, Question(*question)


def packed_reply(reply: Reply) -> bytes:
    """Return a message to the worker as it travels."""
    return pickle.dumps(reply, pickle.HIGHEST_PROTOCOL)


def unpacked_reply(message: bytes) -> Reply:
    """Return a message to the worker that has travelled."""
    reply: Reply = pickle.loads(message)  # noqa: S301 - our own child wrote it
    return reply
