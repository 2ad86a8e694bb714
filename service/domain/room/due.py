"""What the house owes a room next, computed from the room and never remembered elsewhere."""

from typing import Literal

import msgspec

from service.domain.room.matches import restart_at
from service.domain.room.state import Room
from service.domain.room.values import Millis


class Due(msgspec.Struct, frozen=True):
    """When the house has to act, and why."""

    at: Millis
    why: Literal["restart"]


def due(room: Room) -> Due | None:
    """Return the next thing that happens without a player's command, None where everything waits for people."""
    moment = restart_at(room)
    return None if moment is None else Due(moment, "restart")
