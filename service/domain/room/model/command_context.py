"""What a command brings along that the room can't know."""

import msgspec

from service.domain.room.model.clock import Outage
from service.domain.room.model.ids import Millis, PlayerId


class Context(msgspec.Struct, frozen=True):
    """What a command brings along that the room can't know: who asks, when, and fresh chance."""

    by: PlayerId | None
    """None is the house."""
    nickname: str
    """The name the player goes by outside the room."""
    now: Millis
    seed: bytes
    """32 fresh random bytes, used if a match starts."""
    lock: str | None = None
    """The hash of the password that the command carries: a join's under the room's salt, a new one's under a fresh."""
    program: bool = False
    """Whether the player said that a program plays for them."""
    outages: tuple[Outage, ...] = ()
    """The latest times in which the service was down."""
    company: bool = True
    """Whether a human is present; without one no next match begins by itself."""
