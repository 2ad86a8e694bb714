"""The consequences of clocks: moves that are too late, flags, absence, and extensions after down time."""

from collections.abc import Iterator, Mapping

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Event, Rejected, Seat
from service.domain.ids import Millis
from service.domain.random_player import random_legal_move
from service.domain.room.model import clock, events
from service.domain.room.model.clock import LAG, TimeClass, time_class
from service.domain.room.model.commands import CommandContext
from service.domain.room.model.state import Match, Room, Table
from service.domain.room.subjects.outcomes import draw_result, end_match

RANDOM_MOVES = 1 << 31
"""Random moves for seats that ran out of time use separate draw numbers: this one plus the room's version."""


def flag_time(room: Room, match: Match, seat: Seat) -> Millis | None:
    """Return when a seat's flag falls: at its deadline plus the allowance for network lag. None if it will not fall.

    The flag of a bot never falls, because a bot of the service is late only when the service is.
    """
    turn, end = match.clocks.turns[seat], clock.deadline(match.clocks, seat)
    if turn is None or end is None or turn.ran_out or seat in room.table.bots:
        return None
    return Millis(end + LAG)


def flag_times(room: Room, match: Match) -> Iterator[tuple[Millis, Seat]]:
    """Yield when flags will fall if nobody moves, with their seats."""
    for number in range(len(match.clocks.turns)):
        if (time := flag_time(room, match, Seat(number))) is not None:
            yield time, Seat(number)


def next_flag_time(room: Room) -> Millis | None:
    """Return when the next flag falls; None if no clock is running."""
    return None if room.match is None else min((time for time, _ in flag_times(room, room.match)), default=None)


def require_time_left(room: Room, match: Match, seat: Seat, now: Millis) -> None:
    """Reject a move that is too late, and one by a seat whose simultaneous choice is already final."""
    turn, falls = match.clocks.turns[seat], flag_time(room, match, seat)
    if turn is None:
        raise Rejected("not_your_turn")
    if turn.ran_out or (falls is not None and now >= falls):
        raise Rejected("time_is_up", seat=seat)


FIRST_MOVES: Mapping[TimeClass | None, Millis] = {"bullet": Millis(30_000), "blitz": Millis(60_000)}
SLOW_FIRST_MOVE = Millis(120_000)
"""Milliseconds after which a seat that is to move forfeits a tournament's match in which it has never moved."""


def absent_since(table: Table, seat: Seat) -> Millis | None:
    """Return since when a seat's player has been absent, or the seat empty; None if its player is present."""
    holder = table.seats[seat]
    return table.left.get(seat) if holder is None else table.absent.get(holder)


def next_forfeit(room: Room) -> tuple[Millis, Seat] | None:
    """Return when the next seat of a rated match forfeits because its player is absent, and which; None for never."""
    match = room.playing
    if match is None or not match.settings.rated:
        return None
    times = [next_absence(room, match), None if room.table.tournament is None else next_no_show(match)]
    return min((time for time in times if time is not None), default=None)


def next_no_show(match: Match) -> tuple[Millis, Seat] | None:
    """Return when the next seat forfeits because it has never moved, and which; None for never."""
    has_moved = match.moved_seats
    turns = enumerate(match.clocks.turns)
    patience = FIRST_MOVES.get(time_class(match.clocks.clock), SLOW_FIRST_MOVE)
    waiting = [(Millis(turn.began + patience), Seat(seat)) for seat, turn in turns if turn and seat not in has_moved]
    return min(waiting, default=None)


def next_absence(room: Room, match: Match) -> tuple[Millis, Seat] | None:
    """Return when the next seat forfeits because its player left, and which; None for never.

    While everybody is absent, nobody forfeits: then the clocks decide.
    """
    if not (room.table.absent or room.table.left):
        return None
    active = [Seat(seat) for seat in range(len(room.table.seats)) if seat not in match.dropped]
    since = {seat: absent_since(room.table, seat) for seat in active}
    if None not in since.values():
        return None
    times = [(Millis(time + match.settings.grace_ms), seat) for seat, time in since.items() if time is not None]
    return min(times, default=None)


def next_forfeit_time(room: Room) -> Millis | None:
    """Return when the next absent player of a rated match forfeits it; None for never."""
    forfeit = next_forfeit(room)
    return None if forfeit is None else forfeit[0]


def forfeit_followups(room: Room, match: Match, now: Millis) -> list[Event]:
    """Drop the seat of a rated match whose player has been absent for longer than the room's grace time."""
    forfeit = next_forfeit(room)
    return [] if forfeit is None or now < forfeit[0] else match.game.drop(match.state, forfeit[1], "forfeited")


def extend_clocks(room: Room, context: CommandContext) -> list[Event]:
    """Give the seats to move back the time during which the service was down."""
    match = room.playing
    if match is None or not context.outages or not match.clocks.clock.runs:
        return []
    lost = clock.lost_time(match.clocks, context.outages)
    return [events.ClocksExtended(lost)] if any(lost) else []


def clock_followups(room: Room, match: Match, context: CommandContext) -> list[Event]:
    """Return what running clocks lead to now; flags that fall at the same time are handled together."""
    if extended := extend_clocks(room, context):
        return extended
    late = [Seat(seat) for seat, turn in enumerate(match.clocks.turns) if turn is not None and turn.ran_out]
    if late and match.settings.on_timeout == "lose":
        return drop_late_seats(match, late)
    if late and match.settings.on_timeout == "random_move":
        chance = Chance(match.seed, match.salts, DrawNumber(RANDOM_MOVES + room.version))
        move = random_legal_move(match.game, match.state, late[0], chance)
        return match.game.decide(match.state, late[0], move)
    return call_flags(room, match, context.now) or forfeit_followups(room, match, context.now)


def call_flags(room: Room, match: Match, now: Millis) -> list[Event]:
    """Declare the earliest flag that has fallen, with all that fell at the same time; later ones come after it."""
    fallen = [(time, seat) for time, seat in flag_times(room, match) if time <= now]
    first = min((time for time, _ in fallen), default=None)
    return [events.TimeRanOut(seat) for time, seat in fallen if time == first]


def drop_late_seats(match: Match, late: list[Seat]) -> list[Event]:
    """Drop a seat that ran out of time; if all seats left ran out together, the match is a draw among them."""
    left = [seat for seat in range(len(match.clocks.turns)) if seat not in match.dropped]
    if len(left) > len(late):
        return match.game.drop(match.state, late[0], "timed_out")
    return [end_match(match, draw_result(match.game, match.options, match.state, match.dropped, "timed_out"))]
