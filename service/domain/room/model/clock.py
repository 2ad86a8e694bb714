"""The clocks of a match: since when each seat has been to move, and how much time it has left.

Clocks are folded from the times of events, which come from the store's clock, so a replay gives the same clocks. See
`state` for the reason of `gc=False`.
"""

from collections.abc import Collection, Sequence
from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec.structs import replace

from service.domain.ids import DAY, SECOND, Millis, Outage, Seat, Version

LAG = Millis(150)
"""Milliseconds after its deadline within which a move is still accepted: an allowance for network lag."""


class ClockSetting(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """The time control of a match."""

    runs: ClassVar[bool] = True
    """Whether anybody's time is limited."""


class NoClock(ClockSetting, frozen=True, tag="none"):
    """No time limit."""

    runs: ClassVar[bool] = False


class PerMove(ClockSetting, frozen=True, tag="per_move"):
    """A number of milliseconds for each turn."""

    ms: Annotated[Millis, msgspec.Meta(ge=100, le=DAY)]
    """The time for each move, in milliseconds."""


class Fischer(ClockSetting, frozen=True, tag="fischer"):
    """A number of milliseconds for the match, and an increment after each turn that was completed in time."""

    initial_ms: Annotated[Millis, msgspec.Meta(ge=100, le=DAY)]
    """The time at the start of the match, in milliseconds."""
    increment_ms: Annotated[Millis, msgspec.Meta(ge=0, le=3600 * SECOND)] = Millis(0)
    """The time that each move adds, in milliseconds."""


class Days(ClockSetting, frozen=True, tag="days"):
    """A number of days for each turn."""

    days: Annotated[int, msgspec.Meta(ge=1, le=30)]
    """The time for each move, in days."""


Clock = NoClock | PerMove | Fischer | Days


class ClockTurn(msgspec.Struct, frozen=True, gc=False):
    """The turn of a seat that is to move; a turn of several moves is one."""

    began: Millis
    """When it began, later by the down time that was given back."""
    command: Version
    """The version of the first event of the command with which it began."""
    since: Millis
    """When the latest event happened to which the seat has to react."""
    version: Version
    """The version of that event; a bot's move that was computed for another one is out of date."""
    ran_out: bool = False
    """Whether its time is up, so that the service moves for the seat until the turn ends."""


class Clocks(msgspec.Struct, frozen=True, gc=False):
    """The clocks of all seats."""

    clock: Clock
    turns: tuple[ClockTurn | None, ...]
    """By seat; None for a seat that is not to move."""
    banks: tuple[Millis, ...]
    """By seat, how much time it had at the beginning of its turn, or will have for its next one."""
    given: Millis
    """The time up to which down time has been given back."""


class EventPosition(msgspec.Struct, frozen=True, gc=False):
    """The position of an event in its room's stream."""

    version: Version
    time: Millis
    command: Version
    """The version of the first event of the same command."""


def new_clocks(clock: Clock, seats: int, time: Millis) -> Clocks:
    """Return the clocks of a match before its first turn."""
    return Clocks(clock, (None,) * seats, (initial_time(clock),) * seats, time)


def initial_time(clock: Clock) -> Millis:
    """Return how much time each seat has at the start, in milliseconds; 0 if it is not limited."""
    match clock:
        case NoClock():
            return Millis(0)
        case PerMove(ms=ms):
            return ms
        case Fischer(initial_ms=initial):
            return initial
        case Days(days=days):
            return Millis(days * DAY)


def advance(clocks: Clocks, to_move: Collection[Seat], event: EventPosition, answers: Seat | None) -> Clocks:
    """Return the clocks after an event of the game, with these seats to move.

    `answers` is the only seat whose bot has to react to the event; None for all.
    """
    before = clocks.turns
    turns: list[ClockTurn | None] = [None] * len(before)
    for seat in to_move:
        turn = before[seat]
        if turn is None:
            turn = ClockTurn(event.time, event.command, event.time, event.version)
        elif answers is None or answers == seat:
            turn = ClockTurn(turn.began, turn.command, event.time, event.version, turn.ran_out)
        turns[seat] = turn
    banks = banks_after(clocks, clocks.clock, to_move, event) if type(clocks.clock) is Fischer else clocks.banks
    return Clocks(clocks.clock, tuple(turns), banks, clocks.given)


def banks_after(clocks: Clocks, clock: Fischer, to_move: Collection[Seat], event: EventPosition) -> tuple[Millis, ...]:
    """Return how much time each seat has once these are to move; a turn within a single command took no time."""
    banks = list(clocks.banks)
    for seat, turn in enumerate(clocks.turns):
        if turn is not None and seat not in to_move and turn.command != event.command:
            left = max(0, banks[seat] - (event.time - turn.began))
            banks[seat] = Millis(left if turn.ran_out else left + clock.increment_ms)
    return tuple(banks)


def mark_run_out(clocks: Clocks, seat: Seat) -> Clocks:
    """Return the clocks after a seat's time was declared to be up."""
    turn = clocks.turns[seat]
    if turn is None:
        return clocks
    return replace(clocks, turns=(*clocks.turns[:seat], replace(turn, ran_out=True), *clocks.turns[seat + 1 :]))


def extend(clocks: Clocks, by: Sequence[Millis], time: Millis) -> Clocks:
    """Return the clocks after each seat got back the down time given by seat."""
    turns = tuple(
        turn and replace(turn, began=Millis(turn.began + more)) for turn, more in zip(clocks.turns, by, strict=True)
    )
    return replace(clocks, turns=turns, given=time)


def restart_turns(clocks: Clocks, event: EventPosition) -> Clocks:
    """Return the clocks of an earlier position to which the match has just returned: its turns begin now."""
    turns = tuple(turn and ClockTurn(event.time, event.command, event.time, event.version) for turn in clocks.turns)
    return replace(clocks, turns=turns, given=event.time)


def deadline(clocks: Clocks, seat: Seat) -> Millis | None:
    """Return when a seat's time is up; None if its clock is not running."""
    turn = clocks.turns[seat]
    return None if turn is None or not clocks.clock.runs else Millis(turn.began + clocks.banks[seat])


def time_left(clocks: Clocks, seat: Seat, now: Millis) -> Millis:
    """Return how much time a seat has left."""
    end = deadline(clocks, seat)
    return clocks.banks[seat] if end is None else Millis(max(0, min(clocks.banks[seat], end - now)))


def lost_time(clocks: Clocks, outages: Sequence[Outage]) -> tuple[Millis, ...]:
    """Return how much down time in its current turn each seat has not been given back yet."""
    return tuple(
        Millis(sum(max(0, until - max(since, clocks.given, turn.began)) for since, until in outages) if turn else 0)
        for turn in clocks.turns
    )


TimeClass = Literal["bullet", "blitz", "rapid", "correspondence"]
"""How fast a match is, by the time that the clock gives each seat for a match of ordinary length."""

TURNS = 30
"""How many turns a seat is assumed to have in a match."""

BULLET_BELOW = Millis(180 * SECOND)
BLITZ_BELOW = Millis(600 * SECOND)
RAPID_BELOW = Millis(DAY)
"""The time for `TURNS` turns below which a clock belongs to each class."""


def time_class(clock: Clock) -> TimeClass | None:
    """Return the class of a clock; None for a clock that does not run."""
    time = time_of_match(clock)
    if time is None:
        return None
    if time < BULLET_BELOW:
        return "bullet"
    if time < BLITZ_BELOW:
        return "blitz"
    return "rapid" if time < RAPID_BELOW else "correspondence"


def time_of_match(clock: Clock) -> int | None:
    """Return how many milliseconds a clock gives a seat for `TURNS` turns, None for a clock that does not run."""
    match clock:
        case NoClock():
            return None
        case Days(days=days):
            return days * DAY * TURNS
        case PerMove(ms=ms):
            return ms * TURNS
        case Fischer(initial_ms=initial, increment_ms=increment):
            return initial + increment * TURNS
