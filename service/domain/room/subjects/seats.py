"""Who holds which seat."""

from service.domain.game import Event, Rejected, Seat
from service.domain.room.model import commands, events
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Room, Table
from service.domain.room.subjects.guards import require_creator, resolve_seat


def take_seat(room: Room, command: commands.TakeSeat, player: PlayerId) -> list[Event]:
    """Give a member a free seat; between matches a seated player moves to it, unless the room is a hot seat."""
    seat = free_seat_for(room, player, command.seat)
    own = room.table.seats_of[player]
    if not own or room.table.settings.hot_seat:
        return [events.SeatTaken(seat, player)]
    if room.playing:
        raise Rejected("already_seated", seat=own[0])
    return [events.SeatLeft(own[0], player), events.SeatTaken(seat, player)]


def leave_seat(room: Room, command: commands.LeaveSeat, player: PlayerId) -> list[Event]:
    """Free one of the player's seats; the player stays in the room."""
    return [events.SeatLeft(resolve_seat(room, player, command.seat), player)]


def vacate_seats(table: Table, player: PlayerId) -> list[Event]:
    """Free all seats of a player who is leaving the room."""
    return [events.SeatLeft(seat, player) for seat in table.seats_of[player]]


def free_seat_for(room: Room, player: PlayerId, wanted: int | None) -> Seat:
    """Return the seat that a player gets, as `free_seat`: in a rated match only the one with which they began it."""
    seat, match = free_seat(room.table, wanted), room.playing
    if match is None or not match.settings.rated:
        return seat
    if player not in match.players or wanted not in {None, match.players.index(player)}:
        raise Rejected("rated_match")
    return free_seat(room.table, match.players.index(player))


def free_seat(table: Table, wanted: int | None) -> Seat:
    """Return the seat named, or else the lowest free one. Raises `Rejected` if it is not free."""
    if wanted is None:
        if None not in table.seats:
            raise Rejected("room_full")
        return Seat(table.seats.index(None))
    if wanted >= len(table.seats):
        raise Rejected("no_such_seat", seat=wanted, seats=len(table.seats))
    if table.seats[wanted] is not None:
        raise Rejected("seat_taken", seat=wanted)
    return Seat(wanted)


def assign_seats(room: Room, command: commands.AssignSeats, player: PlayerId) -> list[Event]:
    """Seat the players as the creator says; bots without a seat leave the room."""
    table = room.table
    require_creator(table, player)
    if room.playing:
        raise Rejected("match_running")
    if len(command.seats) != len(table.seats):
        raise Rejected("seats_count", seats=len(table.seats))
    seated = [holder for holder in command.seats if holder is not None]
    for holder in seated:
        if holder not in table.members:
            raise Rejected("no_such_player", player=holder)
        if table.members[holder].role == "spectator":
            raise Rejected("is_spectator", player=holder)
        if seated.count(holder) > 1 and (table.members[holder].bot or not table.settings.hot_seat):
            raise Rejected("already_seated", player=holder)
    bots = [holder for holder in table.seats if holder is not None and table.members[holder].bot]
    return [events.SeatsAssigned(command.seats), *(events.PlayerLeft(bot) for bot in bots if bot not in seated)]
