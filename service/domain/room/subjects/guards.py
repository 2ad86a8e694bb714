"""The guards at the start of most decisions: who may do what, and for which seat."""

from service.domain.game import Rejected, Seat
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Match, Member, Room, Table


def require_member(table: Table, player: PlayerId | None) -> tuple[PlayerId, Member]:
    """Return the player as a member of the room. Raises `Rejected`."""
    if player is None or (member := table.members.get(player)) is None:
        raise Rejected("not_a_member")
    return player, member


def require_creator(table: Table, player: PlayerId) -> None:
    """Reject everybody but the room's creator."""
    if player != table.creator:
        raise Rejected("not_the_creator")


def require_match(room: Room) -> Match:
    """Return the match that is being played. Raises `Rejected`."""
    match = room.playing
    if match is None:
        raise Rejected("not_playing")
    return match


def refuse_in_rated_match(room: Room) -> None:
    """Reject what would change a rated match other than by its players' moves."""
    if room.playing is not None and room.playing.settings.rated:
        raise Rejected("rated_match")


def refuse_in_rated_room(room: Room) -> None:
    """Reject what would make the next match of a room unfit to be rated, during a match and between matches."""
    if room.table.settings.rated:
        raise Rejected("rated_match")


def require_active_player(match: Match, room: Room, player: PlayerId) -> None:
    """Reject players without a seat, and those whose seats have all dropped out of a running match."""
    own = room.table.seats_of[player]
    if not own:
        raise Rejected("not_seated")
    if match.result is None and all(seat in match.dropped for seat in own):
        raise Rejected("already_dropped", seat=own[0])


def resolve_seat(room: Room, player: PlayerId, wanted: int | None) -> Seat:
    """Return the player's seat that a command is about. Raises `Rejected`.

    That is the seat named, else the player's only seat, else the only one of their seats that is to move.
    """
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
        own = tuple(seat for seat in own if seat in match.to_move)
    if len(own) != 1:
        raise Rejected("seat_required")
    return own[0]


def require_hint_seat(room: Room, player: PlayerId, wanted: int | None) -> Seat:
    """Return the seat for which a player asks for a hint. Raises `Rejected`."""
    match = require_match(room)
    require_member(room.table, player)
    refuse_in_rated_match(room)
    seat = resolve_seat(room, player, wanted)
    if not allows_hints(room, player):
        raise Rejected("no_hints", hints=room.table.settings.hints)
    if seat not in match.to_move:
        raise Rejected("not_your_turn")
    return seat


def allows_hints(room: Room, player: PlayerId) -> bool:
    """Return whether the setting `hints` allows this player hints: by default if all other seats are held by bots."""
    match room.table.settings.hints:
        case "on":
            return True
        case "off":
            return False
    own = room.table.seats_of[player]
    return len(own) == 1 and len(room.table.bots) == len(room.table.seats) - 1
