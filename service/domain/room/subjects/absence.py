"""Players who are gone during a match: how long, and what can be claimed then.

Whether somebody is there is not for the rules to know: the house says so with `Desert` and `Return`. What is claimed
has nothing to do with clocks, which run on, or with connections, which come and go.
"""

from service.domain.game import Event, Rejected, Seat
from service.domain.room.model import commands as asked
from service.domain.room.model import events as happened
from service.domain.room.model.ids import Millis, PlayerId
from service.domain.room.model.state import Room, Table
from service.domain.room.subjects.bots import seated_bot, stand_in
from service.domain.room.subjects.guards import match_of
from service.domain.room.subjects.offers import speaks_in, wish, wished


def desert(room: Room, command: asked.Desert) -> list[Event]:
    """Note that nobody is there for a player's seats."""
    seats = room.table.seats_of[command.player]
    if not seats or command.player in room.table.absent or room.table.members[command.player].bot:
        raise Rejected("nothing_due")
    return [happened.SeatDeserted(seat) for seat in seats]


def come_back(room: Room, command: asked.Return) -> list[Event]:
    """Note that a player is there again."""
    if command.player not in room.table.absent:
        raise Rejected("nothing_due")
    return returned(room.table, command.player)


def returned(table: Table, player: PlayerId) -> list[Event]:
    """Return what tells that a player is there again."""
    return [happened.SeatReturned(seat) for seat in table.seats_of[player]]


def gone_since(table: Table, seat: Seat) -> Millis | None:
    """Return since when nobody plays on a seat: its holder is away, or has left it; None where somebody is there."""
    holder = table.seats[seat]
    return table.left.get(seat) if holder is None else table.absent.get(holder)


def claim_abandoned(room: Room, command: asked.ClaimAbandoned, player: PlayerId, now: Millis) -> list[Event]:
    """Claim a match against a seat on which nobody has played for longer than the room's grace."""
    match = match_of(room)
    speaks_in(match, room, player)
    seat = Seat(command.seat)
    if seat >= len(room.table.seats):
        raise Rejected("no_such_seat", seat=seat, seats=len(room.table.seats))
    if seat in match.dropped:
        raise Rejected("already_dropped", seat=seat)
    since = gone_since(room.table, seat)
    if since is None or now < since + match.settings.grace_ms:
        at = None if since is None else since + match.settings.grace_ms
        raise Rejected("not_abandoned", seat=seat, since=since, claimable_at=at)
    match command.outcome:
        case "win":
            return match.game.drop(match.state, seat, "forfeited")
        case "draw":
            return wish(room, wished(room, "draw", player, abandoned=seat))
        case "bot":
            return handed_over(room, seat)


def handed_over(room: Room, seat: Seat) -> list[Event]:
    """Let a bot take a seat over; who held it stays in the room."""
    holder = room.table.seats[seat]
    left: list[Event] = [] if holder is None else [happened.SeatLeft(seat, holder)]
    return [*left, *seated_bot(room.table.game, room.table.members, seat, stand_in(room.game))]
