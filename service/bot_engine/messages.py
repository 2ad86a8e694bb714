"""The messages between a process and its bot processes: requests to bots, and their results."""

import pickle
from typing import Any, Literal, NamedTuple

from service.domain.game import Level, Seat

LARGEST = 256 * 1024
"""The largest size of a message in bytes."""


Subject = Literal["move", "draw"]
"""What is requested of a bot: a move, or whether it agrees to a draw."""


class BotRequest(NamedTuple):
    """A request to a bot, with everything that the bot may know."""

    game: str
    known: Any
    """The game's state as the seat knows it."""
    seat: Seat
    level: Level
    seed: bytes
    """32 bytes from which the bot draws its random choices."""
    seconds: float
    """The bot's time for the search."""
    patience: float = 10.0
    """Seconds beyond the bot's time after which the requester gives up."""
    subject: Subject = "move"


class Begun(NamedTuple):
    """A process has started work on a request."""

    number: int
    """The request's number."""
    process: int


class Died(NamedTuple):
    """A process has died; the request that it worked on gets no result."""

    process: int


class BotResult(NamedTuple):
    """The result of a request."""

    number: int
    """The request's number."""
    answer: Any
    """The move as JSON values, or whether a draw is accepted; None if the bot failed."""
    failure: str = ""
    """The traceback of a bot that failed."""


READY = BotResult(0, None)
"""Sent by a process that has started; no request has this number."""

Reply = Begun | BotResult | Died
"""A message from a bot process or the fork server."""


def encode_request(number: int, request: BotRequest) -> bytes:
    """Return a request as bytes."""
    return pickle.dumps((number, tuple(request)), pickle.HIGHEST_PROTOCOL)


def decode_request(message: bytes) -> tuple[int, BotRequest]:
    """Return the request and its number from bytes."""
    number, request = pickle.loads(message)  # noqa: S301 - written by the parent process
    return number, BotRequest(*request)


def encode_reply(reply: Reply) -> bytes:
    """Return a reply as bytes."""
    return pickle.dumps(reply, pickle.HIGHEST_PROTOCOL)


def decode_reply(message: bytes) -> Reply:
    """Return a reply from bytes."""
    reply: Reply = pickle.loads(message)  # noqa: S301 - written by a child process
    return reply
