"""The messages between a process and its bot processes: requests to bots, and their results."""

import pickle
from typing import Any, Literal, NamedTuple

from service.domain.game import Level, Move, Seat

Subject = Literal["choice", "move", "draw", "evaluate"]
"""What is requested of a bot: a `Choice`, only a move, whether it agrees to a draw, or how it evaluates a position."""


class Choice(NamedTuple):
    """What a bot does in its turn."""

    move: dict[str, Any]
    """The move as JSON values."""
    hard: float = 0.0
    """How hard the choice of the move was, from 0 to 1."""
    ending: Literal["resign", "offer_draw"] | None = None
    """Whether it resigns instead of the move, or offers a draw after it."""


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
    played: tuple[tuple[Seat, Move], ...] = ()
    """The moves that were played in a position that is to be evaluated."""
    resigns_after: tuple[Any, ...] = ()
    """States at the bot's latest turns: it resigns if it has lost in all of them and now. Without any it does not."""
    dead_since: tuple[Any, ...] = ()
    """States at earlier turns; it offers a draw if its chances were the same in all. Without any it does not."""


class BotResult(NamedTuple):
    """The result of a request."""

    answer: Any
    """What was requested, a move as JSON values; None if the bot failed."""
    failure: str = ""
    """The traceback of a bot that failed."""


def encode(message: BotRequest | BotResult) -> bytes:
    """Return a message as bytes."""
    return pickle.dumps(tuple(message), pickle.HIGHEST_PROTOCOL)


def decode_request(message: bytes) -> BotRequest:
    """Return a request from bytes."""
    return BotRequest(*pickle.loads(message))  # noqa: S301 - written by the parent process


def decode_result(message: bytes) -> BotResult:
    """Return a result from bytes."""
    return BotResult(*pickle.loads(message))  # noqa: S301 - written by a child process
