"""What the house owes a room next, computed from the room and never remembered elsewhere."""

from typing import Literal

import msgspec

from service.domain.room.bots import bots_turn
from service.domain.room.idle import idle_at
from service.domain.room.matches import restart_at
from service.domain.room.state import Room
from service.domain.room.timing import next_flag
from service.domain.room.values import Millis


class Due(msgspec.Struct, frozen=True):
    """When the house has to act, and why."""

    at: Millis
    why: Literal["restart", "flag", "bot", "idle"]


def due(room: Room) -> Due | None:
    """Return the next thing that happens without a player's command, None where everything waits for people."""
    owed: list[Due] = []
    if (restart := restart_at(room)) is not None:
        owed.append(Due(restart, "restart"))
    if (flag := next_flag(room)) is not None:
        owed.append(Due(flag, "flag"))
    if (bot := bots_turn(room)) is not None:
        owed.append(Due(bot, "bot"))
    if (idle := idle_at(room)) is not None:
        owed.append(Due(idle, "idle"))
    return min(owed, key=lambda each: each.at, default=None)
