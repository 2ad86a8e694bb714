"""Hints: who may be told a good move, and for which seat."""

from service.domain.game import Rejected, Seat
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Room
from service.domain.room.subjects.guards import match_of, member_of, own_seat


def hinted_seat(room: Room, player: PlayerId, wanted: int | None) -> Seat:
    """Return the seat that is to be told a move. Refuses who may not be helped, and who is not to move."""
    match = match_of(room)
    member_of(room.table, player)
    seat = own_seat(room, player, wanted)
    if not may_be_helped(room, player):
        raise Rejected("no_hints", hints=room.table.settings.hints)
    if seat not in match.game.to_move(match.state):
        raise Rejected("not_your_turn")
    return seat


def may_be_helped(room: Room, player: PlayerId) -> bool:
    """Tell whether the room's setting allows this player hints: by default where they sit alone among bots."""
    match room.table.settings.hints:
        case "on":
            return True
        case "off":
            return False
    own = room.table.seats_of[player]
    return len(own) == 1 and len(room.table.bots) == len(room.table.seats) - 1
