"""What the house owes a room next, computed from the room and never remembered elsewhere."""

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from service.domain.room.model.ids import Millis
from service.domain.room.model.state import Room, Status
from service.domain.room.subjects.bots import bots_turn, humans_play
from service.domain.room.subjects.idle import idle_at
from service.domain.room.subjects.matches import restart_at
from service.domain.room.subjects.moves import outdated
from service.domain.room.subjects.timeouts import next_flag

Why = Literal["restart", "flag", "bot", "idle", "rules"]


class Due(msgspec.Struct, frozen=True):
    """When the house has to act, and why."""

    at: Millis
    why: Why


def rules_changed_at(room: Room) -> Millis | None:
    """Return that a match under other rules has to end now, None for any other match."""
    return room.time if outdated(room.playing) else None


Owed = tuple[tuple[Why, Callable[[Room], Millis | None]], ...]
"""What the house may owe a room, each with when that is; None where it doesn't."""

PATIENCE: Owed = (("idle", idle_at),)
"""What it owes a room in which it waits for people only."""

OWED: Mapping[Status, Owed] = {
    "open": PATIENCE,
    "playing": (("rules", rules_changed_at), ("flag", next_flag), ("bot", bots_turn), *PATIENCE),
    "finished": (("restart", restart_at), *PATIENCE),
    "closed": (),
}


def due(room: Room, *, company: bool = True) -> Due | None:
    """Return the next thing that happens without a player's command, None where everything waits for people.

    Without `company` it is the next one that happens although no human is present.
    """
    first: Due | None = None
    for why, when in PATIENCE if is_left_to_people(room) else OWED[room.table.status]:
        moment = when(room) if company or not needs_company(room, why) else None
        if moment is not None and (first is None or moment < first.at):
            first = Due(moment, why)
    return first


def needs_company(room: Room, why: Why) -> bool:
    """Return whether this happens only while a human is present: the next match, and moves where only bots play.

    A bot answers a draw offer in any case, because only a human who plays can make one.
    """
    return why == "restart" or (why == "bot" and not humans_play(room))


def is_left_to_people(room: Room) -> bool:
    """Tell whether a match is played in which nobody's time is limited and no bot sits, as in most."""
    match = room.playing
    return match is not None and not (outdated(match) or match.clocks.clock.runs or room.table.bots)
