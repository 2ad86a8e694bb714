"""Who may do what: the guards that open most decisions."""

from service.domain.game import Rejected, Seat
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Match, Member, Room, Table


def member_of(table: Table, player: PlayerId | None) -> tuple[PlayerId, Member]:
    """Return the commanding player as a member of the room."""
    if player is None or (member := table.members.get(player)) is None:
        raise Rejected("not_a_member")
    return player, member


def created_by(table: Table, player: PlayerId) -> None:
    """Refuse anyone but the creator."""
    if player != table.creator:
        raise Rejected("not_the_creator")


def match_of(room: Room) -> Match:
    """Return the match that is being played."""
    match = room.playing
    if match is None:
        raise Rejected("not_playing")
    return match


def own_seat(room: Room, player: PlayerId, wanted: int | None) -> Seat:
    """Return the seat a command speaks for: the one named, the only own one, or the only own one that is to move."""
    own = room.table.seats_of[player]
    if wanted is None and len(own) == 1:
        return own[0]
    if wanted is not None:
        if wanted not in own:
            raise Rejected("not_your_seat", seat=wanted)
        return Seat(wanted)
    if not own:
        raise Rejected("not_seated")
    if match := room.playing:
        awaited = match.game.to_move(match.state)
        own = tuple(seat for seat in own if seat in awaited)
    if len(own) != 1:
        raise Rejected("seat_required")
    return own[0]
