"""Absent players: what the others can claim during a match after a while, and rooms in which nobody is waiting.

The rules cannot know who is present: the service says so with `Desert` and `Return`. Claims are independent of clocks,
which keep running.
"""

from service.domain.game import Event, Rejected, Seat
from service.domain.ids import Millis, PlayerId
from service.domain.room.model import commands, events
from service.domain.room.model.state import Room, Table
from service.domain.room.subjects.bots import substitute_level
from service.domain.room.subjects.offers import make_offer, new_offer
from service.domain.room.subjects.seats import refuse_in_rated_match, require_active_player, require_match, seat_bot
from service.domain.room.subjects.timeouts import absent_since


def mark_absent(room: Room, command: commands.Desert) -> list[Event]:
    """Record that a player is absent from all their seats."""
    seats = room.table.seats_of[command.player]
    if not seats or command.player in room.table.absent or room.table.members[command.player].bot:
        raise Rejected("nothing_due")
    return [events.SeatDeserted(seat) for seat in seats]


def mark_present(room: Room, command: commands.Return) -> list[Event]:
    """Record that an absent player is present again."""
    if command.player not in room.table.absent:
        raise Rejected("nothing_due")
    return return_to_seats(room.table, command.player)


def return_to_seats(table: Table, player: PlayerId) -> list[Event]:
    """Return the events by which a player is present again, one for each seat."""
    return [events.SeatReturned(seat) for seat in table.seats_of[player]]


def abandoned_since(table: Table) -> Millis | None:
    """Return since when no person on a seat has been present; None while one is.

    Without a person on a seat, it is since the latest seat became empty.
    """
    people = {holder for holder in table.seats if holder is not None and table.members[holder].bot is None}
    if not people:
        return max(table.left.values(), default=table.opened)
    return None if people - table.absent.keys() else max(table.absent[player] for player in people)


def claim_abandoned(room: Room, command: commands.ClaimAbandoned, player: PlayerId, now: Millis) -> list[Event]:
    """Claim a win, a draw or a bot because a seat has been without its player for longer than the room's grace time."""
    match = require_match(room)
    require_active_player(match, room, player)
    seat = Seat(command.seat)
    if seat >= len(room.table.seats):
        raise Rejected("no_such_seat", seat=seat, seats=len(room.table.seats))
    if seat in match.dropped:
        raise Rejected("already_dropped", seat=seat)
    since = absent_since(room.table, seat)
    if since is None or now < since + match.settings.grace_ms:
        claimable_at = None if since is None else since + match.settings.grace_ms
        raise Rejected("not_abandoned", seat=seat, since=since, claimable_at=claimable_at)
    match command.outcome:
        case "win":
            return match.game.drop(match.state, seat, "forfeited")
        case "draw":
            return make_offer(room, new_offer(room, "draw", player, abandoned=seat))
        case "bot":
            refuse_in_rated_match(room)
            holder = room.table.seats[seat]
            left: list[Event] = [] if holder is None else [events.SeatLeft(seat, holder)]
            return [*left, *seat_bot(room.table.game, room.table.members, seat, substitute_level(room.game))]
