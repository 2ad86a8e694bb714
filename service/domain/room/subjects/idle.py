"""Rooms in which nothing has happened for long: they close, and their names are free."""

from service.domain.game import Event
from service.domain.room.model import events as happened
from service.domain.room.model.ids import Millis
from service.domain.room.model.state import Room
from service.domain.room.subjects.moves import voided

HOUR = 3_600_000
IDLE = Millis(24 * HOUR)
"""How long a room may stand idle between matches."""

IDLE_PLAYING = Millis(35 * 24 * HOUR)
"""How long a match may wait for a move; longer than any clock."""


def idle_at(room: Room) -> Millis:
    """Return when an open room closes if nothing happens in it, up to a whole hour."""
    latest = room.time + (IDLE_PLAYING if room.table.status == "playing" else IDLE)
    return Millis((latest // HOUR + 1) * HOUR)


def closed_as_idle(room: Room, now: Millis) -> list[Event]:
    """Return the end of a room that has been idle for too long, nothing for any other."""
    if now < idle_at(room):
        return []
    return [*voided(room.playing), happened.RoomClosed("idle")]
