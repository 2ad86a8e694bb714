"""A room in the list of its player's rooms."""

from collections.abc import Iterable

import msgspec

from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Room


class JoinedRoom(msgspec.Struct, frozen=True):
    """A room that the caller is a member of."""

    room: str
    title: str
    game: str
    status: str
    my_turn: bool
    """Whether a seat of the caller is to move."""


def joined_rooms(rooms: Iterable[Room], player: PlayerId) -> tuple[JoinedRoom, ...]:
    """Return the list of a player's rooms."""
    return tuple(joined_room(room, player) for room in rooms)


def joined_room(room: Room, player: PlayerId) -> JoinedRoom:
    """Return a room for the list of its player's rooms."""
    table = room.table
    awaited = room.playing.to_move if room.playing else ()
    my_turn = any(seat in awaited for seat in table.seats_of[player])
    return JoinedRoom(table.key.name, table.title, table.game, table.status, my_turn)
