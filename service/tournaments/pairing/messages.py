"""The messages between a process and its pairing process, each one line of JSON."""

import msgspec

from service.domain.tournaments.pairings import Pairing, PairingRequest

LONGEST_LINE = 4 * 1024 * 1024
"""In bytes; a request of 512 players with 62 opponents each has half a megabyte."""


class Task(msgspec.Struct, frozen=True):
    """A request to compute a pairing within a window."""

    request: PairingRequest
    window: int
    strict: bool


class Answer(msgspec.Struct, frozen=True):
    """The result of a computation."""

    pairing: Pairing | None
    """None if there is none within the window."""
    failure: str = ""
    """The traceback of a computation that failed."""


def encode(message: Task | Answer) -> bytes:
    """Return a message as a line."""
    return msgspec.json.encode(message) + b"\n"


def decode_task(line: bytes) -> Task:
    """Return a task from its line."""
    return msgspec.json.decode(line, type=Task)


def decode_answer(line: bytes) -> Answer:
    """Return an answer from its line. Raises `msgspec.DecodeError` for one that was cut off."""
    return msgspec.json.decode(line, type=Answer)
