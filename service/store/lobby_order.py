"""The lobby's order, and the cursor that names a place in it."""

import base64
import re
from typing import NewType

from service.domain.room.model.ids import Millis, RoomKey
from service.store.redis.keys import member, room_of

Place = NewType("Place", bytes)
"""Where a room stands in the lobby: `<opened in 16 digits>:<name>:<epoch>`. The later, the greater."""

PLACE = re.compile(rb"\d{16}:[^:]+:.+", re.DOTALL)


def place_in_lobby(opened: Millis, key: RoomKey) -> Place:
    """Return the place of a room that opened at this moment."""
    return Place(b"%016d:%b" % (opened, member(key)))


def room_at(place: Place) -> RoomKey:
    """Return the room that stands at a place."""
    return room_of(place[17:])


def cursor_behind(place: Place) -> str:
    """Return the cursor that continues behind a place; it says nothing to a client."""
    return base64.urlsafe_b64encode(place).rstrip(b"=").decode()


def place_before(cursor: str) -> Place:
    """Return the last place before a cursor. Raises `ValueError` for what was never a cursor."""
    padding = "=" * (-len(cursor) % 4)
    place = base64.b64decode(cursor + padding, altchars=b"-_", validate=True)
    if not PLACE.fullmatch(place):
        raise ValueError("no such cursor")
    return Place(place)
