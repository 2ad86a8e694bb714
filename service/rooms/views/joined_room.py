"""A room in the list of its player's rooms."""

import msgspec

from service.domain.ids import Player, PlayerId
from service.domain.room.model.state import Room


class JoinedRoom(msgspec.Struct, frozen=True):
    """A room that the caller is a member of."""

    room: str
    title: str
    game: str
    status: str
    my_turn: bool
    """Whether a seat of the caller is to move."""
    seated: tuple[Player, ...]
    """Who holds its seats, in their order, and each player once."""


def joined_room(room: Room, player: PlayerId) -> JoinedRoom:
    """Return a room for the list of its player's rooms."""
    table = room.table
    awaited = room.playing.to_move if room.playing else ()
    my_turn = any(seat in awaited for seat in table.seats_of[player])
    holders = {holder: table.members[holder] for holder in table.seats if holder and holder in table.members}
    seated = tuple(Player(holder, member.nickname, member.kind is not None) for holder, member in holders.items())
    return JoinedRoom(table.key.name, table.title, table.game, table.status, my_turn, seated)
