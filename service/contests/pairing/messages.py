"""The messages between a process and its pairing process, as JSON."""

import msgspec

from service.domain.tournaments.pairings import Pairing, PairingRequest


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
    """Return a message as bytes."""
    return msgspec.json.encode(message)


def decode_task(message: bytes) -> Task:
    """Return a task from bytes."""
    return msgspec.json.decode(message, type=Task)


def decode_answer(message: bytes) -> Answer:
    """Return an answer from bytes."""
    return msgspec.json.decode(message, type=Answer)
