"""What a worker has to do next in a room, and when: computed from the room, never stored separately."""

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec

from service.domain.ids import Millis
from service.domain.room.model.state import Room, Status
from service.domain.room.subjects.bots import has_active_human, next_bot_action_time
from service.domain.room.subjects.lifecycle import NOT_KEPT, idle_deadline
from service.domain.room.subjects.matches import needs_presence, restart_at
from service.domain.room.subjects.timeouts import next_flag_time, next_forfeit_time

Why = Literal["restart", "flag", "absence", "bot", "idle", "rules"]


class Due(msgspec.Struct, frozen=True):
    """When a worker has to act on a room, and why."""

    at: Millis
    why: Why


DueTimes = tuple[tuple[Why, Callable[[Room], Millis | None]], ...]
"""Reasons to act, each with the function that returns when; None if never."""

IDLE_ONLY: DueTimes = (("idle", idle_deadline),)
"""The reason in a room that only waits for people."""

DUE_TIMES: Mapping[Status, DueTimes] = {
    "open": (("restart", restart_at), *IDLE_ONLY),
    "playing": (
        ("rules", lambda room: room.time if room.is_outdated else None),  # it ends now
        ("flag", next_flag_time),
        ("absence", next_forfeit_time),
        ("bot", next_bot_action_time),
        *IDLE_ONLY,
    ),
    "finished": (("restart", restart_at), *IDLE_ONLY),
    "closed": (),
}


def due(room: Room, *, all_present: bool = True, kept_until: Millis = NOT_KEPT) -> Due | None:
    """Return the next thing that happens without a player's command; None if the room only waits for people.

    Without `all_present` it is the next one that happens even though the humans are not present that it needs.
    `kept_until` is the time until which its creator's requests keep a room open that no other player has entered.
    """
    first: Due | None = None
    for why, time_of in IDLE_ONLY if waits_for_people(room) else DUE_TIMES[room.table.status]:
        time = time_of(room) if all_present or not needs_human(room, why) else None
        if kept_until and why == "idle":
            time = idle_deadline(room, kept_until)
        if time is not None and (first is None or time < first.at):
            first = Due(time, why)
    return first


def due_at(room: Room) -> Millis | None:
    """Return when the next thing happens without a player's command; None if nothing does."""
    if waits_for_people(room):  # asked after every move
        return idle_deadline(room)
    first = due(room)
    return None if first is None else first.at


def needs_human(room: Room, why: Why) -> bool:
    """Return whether this happens only while humans are present: most next matches, and moves among bots only.

    A bot answers a draw offer in any case, because only a human who plays can make one.
    """
    if why == "restart":
        return needs_presence(room.table)
    return why == "bot" and not has_active_human(room)


def waits_for_people(room: Room) -> bool:
    """Return whether a match without clocks and without bots is being played, as most are."""
    match = room.playing
    return match is not None and not (room.is_outdated or match.clocks.clock.runs or room.table.bots)
