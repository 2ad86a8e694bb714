"""Who sits where."""

from service.domain.game import Event, Rejected, Seat
from service.domain.room.model import commands as asked
from service.domain.room.model import events as happened
from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Room, Table
from service.domain.room.subjects.guards import created_by


def take_seat(room: Room, command: asked.TakeSeat, player: PlayerId) -> list[Event]:
    """Seat a member; outside a hot seat this moves one who sits already, which only waits for the match to end."""
    seat = free_seat(room.table, command.seat)
    own = room.table.seats_of[player]
    if not own or room.table.settings.hot_seat:
        return [happened.SeatTaken(seat, player)]
    if room.playing:
        raise Rejected("already_seated", seat=own[0])
    return [happened.SeatLeft(own[0], player), happened.SeatTaken(seat, player)]


def free_seat(table: Table, wanted: int | None) -> Seat:
    """Return the seat asked for or the lowest free one."""
    if wanted is None:
        if None not in table.seats:
            raise Rejected("room_full")
        return Seat(table.seats.index(None))
    if wanted >= len(table.seats):
        raise Rejected("no_such_seat", seat=wanted, seats=len(table.seats))
    if table.seats[wanted] is not None:
        raise Rejected("seat_taken", seat=wanted)
    return Seat(wanted)


def assign_seats(room: Room, command: asked.AssignSeats, player: PlayerId) -> list[Event]:
    """Place the players as the creator wishes."""
    table = room.table
    created_by(table, player)
    if room.playing:
        raise Rejected("match_running")
    if len(command.seats) != len(table.seats):
        raise Rejected("seats_count", seats=len(table.seats))
    placed = [holder for holder in command.seats if holder is not None]
    for holder in placed:
        if holder not in table.members:
            raise Rejected("no_such_player", player=holder)
        if table.members[holder].role == "spectator":
            raise Rejected("is_spectator", player=holder)
        if placed.count(holder) > 1 and (table.members[holder].bot or not table.settings.hot_seat):
            raise Rejected("already_seated", player=holder)
    bots = [holder for holder in table.seats if holder is not None and table.members[holder].bot]
    return [happened.SeatsAssigned(command.seats), *(happened.PlayerLeft(bot) for bot in bots if bot not in placed)]
