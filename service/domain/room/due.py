"""What the house owes a room next, computed from the room and never remembered elsewhere."""

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from service.domain.room.bots import bots_turn
from service.domain.room.idle import idle_at
from service.domain.room.matches import restart_at
from service.domain.room.state import Room, Status
from service.domain.room.timing import next_flag
from service.domain.room.values import Millis

Why = Literal["restart", "flag", "bot", "idle"]


class Due(msgspec.Struct, frozen=True):
    """When the house has to act, and why."""

    at: Millis
    why: Why


OWED: Mapping[Status, tuple[tuple[Why, Callable[[Room], Millis | None]], ...]] = {
    "open": (("idle", idle_at),),
    "playing": (("flag", next_flag), ("bot", bots_turn), ("idle", idle_at)),
    "finished": (("restart", restart_at), ("idle", idle_at)),
    "closed": (),
}
"""What the house may owe a room by its status, each with when that is; None where it doesn't."""


def due(room: Room) -> Due | None:
    """Return the next thing that happens without a player's command, None where everything waits for people."""
    first: Due | None = None
    for why, when in OWED[room.table.status]:
        moment = when(room)
        if moment is not None and (first is None or moment < first.at):
            first = Due(moment, why)
    return first
