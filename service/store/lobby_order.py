"""The order of the lobby, and cursors into it."""

import base64
import re
from typing import NewType

from service.domain.ids import Millis, RoomKey
from service.store.stream_keys import member, room_of

Place = NewType("Place", bytes)
"""A room's place in the lobby: `<opened in 16 digits>:<name>:<epoch>`. Later rooms have greater places."""

PLACE = re.compile(rb"\d{16}:[^:]+:.+", re.DOTALL)


def place_in_lobby(opened: Millis, key: RoomKey) -> Place:
    """Return the place of a room that was opened at this time."""
    return Place(b"%016d:%b" % (opened, member(key)))


def room_at(place: Place) -> RoomKey:
    """Return the room at a place."""
    return room_of(place[17:])


def cursor_after(place: Place) -> str:
    """Return the cursor that continues after a place. Clients treat it as opaque."""
    return base64.urlsafe_b64encode(place).rstrip(b"=").decode()


def place_before(cursor: str) -> Place:
    """Return the place that a cursor continues after. Raises `ValueError` for an invalid cursor."""
    padding = "=" * (-len(cursor) % 4)
    place = base64.b64decode(cursor + padding, altchars=b"-_", validate=True)
    if not PLACE.fullmatch(place):
        raise ValueError("invalid cursor")
    return Place(place)
