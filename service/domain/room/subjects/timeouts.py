"""What the clocks lead to: flags, what follows them, and time given back."""

from collections.abc import Iterator

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Event, Rejected, Seat
from service.domain.random_player import any_move
from service.domain.room.model import clock
from service.domain.room.model import events as happened
from service.domain.room.model.clock import LAG
from service.domain.room.model.command_context import Context
from service.domain.room.model.ids import Millis, Version
from service.domain.room.model.state import Match, Room
from service.domain.room.subjects.outcomes import drawn, ended

RANDOM_MOVES = 1 << 31
"""Random moves for seats that ran out of time have draws of their own, from this number on: this plus the version."""


def flag_falls(room: Room, match: Match, seat: Seat) -> Millis | None:
    """Return when a seat's flag falls: at its deadline and the allowance for the way of its move; a bot's never does.

    A bot of the house is late only where the house is.
    """
    turn, end = match.clocks.turns[seat], clock.deadline(match.clocks, seat)
    if turn is None or end is None or turn.ran_out or seat in room.table.bots:
        return None
    return Millis(end + LAG)


def flags(room: Room, match: Match) -> Iterator[tuple[Millis, Seat]]:
    """Yield the flags that will fall if nobody moves."""
    for number in range(len(match.clocks.turns)):
        if (moment := flag_falls(room, match, Seat(number))) is not None:
            yield moment, Seat(number)


def next_flag(room: Room) -> Millis | None:
    """Return when the next flag falls; none does once the match is over, as nobody is awaited then."""
    return None if room.match is None else min((moment for moment, _ in flags(room, room.match)), default=None)


def in_time(room: Room, match: Match, seat: Seat, now: Millis) -> None:
    """Where time is limited, refuse a move that comes too late, and one by a seat whose commitment is final by that."""
    turn, falls = match.clocks.turns[seat], flag_falls(room, match, seat)
    if turn is None:
        raise Rejected("not_your_turn")
    if turn.ran_out or (falls is not None and now >= falls):
        raise Rejected("time_is_up", seat=seat)


def given_back(room: Room, context: Context) -> list[Event]:
    """Give the seats to move the time back in which the service was down."""
    match = room.playing
    if match is None or not match.clocks.clock.runs:
        return []
    lost = clock.owed(match.clocks, context.outages)
    return [happened.ClocksExtended(lost)] if any(lost) else []


def on_time(room: Room, match: Match, context: Context) -> list[Event]:
    """Return what the clocks lead to at this moment: seats that ran out together are told together."""
    if not match.clocks.clock.runs:
        return []
    if lost := given_back(room, context):
        return lost
    late = [Seat(seat) for seat, turn in enumerate(match.clocks.turns) if turn is not None and turn.ran_out]
    if late and match.settings.on_timeout == "lose":
        return dropped(match, late)
    if late and match.settings.on_timeout == "random_move":
        move = any_move(match.game, match.state, late[0], timeouts_chance(match, room.version))
        return match.game.decide(match.state, late[0], move)
    return fallen_flags(room, match, context.now)


def fallen_flags(room: Room, match: Match, now: Millis) -> list[Event]:
    """Tell the flags that have fallen, the earliest only: what it leads to comes before the next one."""
    fallen = [(moment, seat) for moment, seat in flags(room, match) if moment <= now]
    first = min((moment for moment, _ in fallen), default=None)
    return [happened.TimeRanOut(seat) for moment, seat in fallen if moment == first]


def dropped(match: Match, late: list[Seat]) -> list[Event]:
    """Let seats lose on time; where it is all that were left, none of them is better than another."""
    left = [seat for seat in range(len(match.clocks.turns)) if seat not in match.dropped]
    if len(left) > len(late):
        return match.game.drop(match.state, late[0], "timed_out")
    together = drawn(match.game, match.options, match.state, match.dropped, "timed_out")
    return [ended(match, together)]


def timeouts_chance(match: Match, version: Version) -> Chance:
    """Return the match's chance for a random move after this version of the room, under a number that no draw has."""
    return Chance(match.seed, match.salts, DrawNumber(RANDOM_MOVES + version))
