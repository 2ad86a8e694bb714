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


encode = msgspec.json.encode
decode_task = msgspec.json.Decoder(Task).decode
decode_answer = msgspec.json.Decoder(Answer).decode
