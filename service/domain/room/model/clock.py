"""The clocks of a match: whose turn is under way since when, and how much time each seat has.

They are folded from the times of events, which are the store's, so a replay gives the same clocks. `gc=False`: see
`state`.
"""

from collections.abc import Collection, Sequence
from typing import Annotated, ClassVar, NamedTuple

import msgspec
from msgspec.structs import replace

from service.domain.game import Seat
from service.domain.room.model.ids import Millis, Version

SECOND = 1000
DAY = 86_400 * SECOND

LAG = Millis(150)
"""How long after its deadline a move may still arrive: the same small allowance for everyone, never more."""

SILENCE = Millis(2_000)
"""How long the workers may be silent before it counts as an outage; they beat a few times in it."""


class ClockSetting(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """How much time the seats have."""

    runs: ClassVar[bool] = True
    """Whether anybody's time is limited."""


class NoClock(ClockSetting, frozen=True, tag="none"):
    """As much as they like."""

    runs: ClassVar[bool] = False


class PerMove(ClockSetting, frozen=True, tag="per_move"):
    """So many milliseconds for each turn."""

    ms: Annotated[Millis, msgspec.Meta(ge=100, le=DAY)]


class Fischer(ClockSetting, frozen=True, tag="fischer"):
    """So many milliseconds for the match, and some more after each turn that was made in time."""

    initial_ms: Annotated[Millis, msgspec.Meta(ge=100, le=DAY)]
    increment_ms: Annotated[Millis, msgspec.Meta(ge=0, le=3600 * SECOND)] = Millis(0)


class Days(ClockSetting, frozen=True, tag="days"):
    """So many days for each turn."""

    days: Annotated[int, msgspec.Meta(ge=1, le=30)]


Clock = NoClock | PerMove | Fischer | Days


class Turn(msgspec.Struct, frozen=True, gc=False):
    """A seat's turn under way: from the moment it is awaited until it isn't, all moves of the turn together."""

    began: Millis
    """When it was awaited; later by what down time gave back."""
    command: Version
    """The first event of the command with which it began."""
    since: Millis
    """When what it has to answer came about."""
    version: Version
    """The latest event that it has to answer: a move that was thought of at another one comes too late."""
    ran_out: bool = False
    """Its time is over, and the house plays for it until the turn passes."""


class Clocks(msgspec.Struct, frozen=True, gc=False):
    """The clocks of all seats."""

    clock: Clock
    turns: tuple[Turn | None, ...]
    """By seat; None for one that is not awaited."""
    banks: tuple[Millis, ...]
    """By seat, how much it has for the turn under way, or for its next one."""
    given: Millis
    """Down time up to here has been given back."""


class Outage(NamedTuple):
    """A time in which no worker ran, or none reached the store."""

    since: Millis
    until: Millis


class Pulse(NamedTuple):
    """What was heard of the workers: their latest beat, None before the first one, and when there was none for long."""

    beat: Millis | None = None
    outages: tuple[Outage, ...] = ()


class Moment(msgspec.Struct, frozen=True, gc=False):
    """Where an event stands in its room's stream."""

    version: Version
    time: Millis
    command: Version
    """The version of the first event of the same command."""


def wound_up(clock: Clock, seats: int, time: Millis) -> Clocks:
    """Return the clocks before a match's first turn."""
    return Clocks(clock, (None,) * seats, (allotted(clock),) * seats, time)


def allotted(clock: Clock) -> Millis:
    """Return how much a seat has at first."""
    match clock:
        case NoClock():
            return Millis(0)
        case PerMove(ms=ms):
            return ms
        case Fischer(initial_ms=initial):
            return initial
        case Days(days=days):
            return Millis(days * DAY)


def moved(clocks: Clocks, awaited: Collection[Seat], moment: Moment, answers: Seat | None) -> Clocks:
    """Return the clocks after an event of the game that leaves these seats awaited.

    `answers` is the only seat that has to think anew because of it, None for all.
    """
    before = clocks.turns
    turns: list[Turn | None] = [None] * len(before)
    for seat in awaited:
        turn = before[seat]
        if turn is None:
            turn = Turn(moment.time, moment.command, moment.time, moment.version)
        elif answers is None or answers == seat:
            turn = Turn(turn.began, turn.command, moment.time, moment.version, turn.ran_out)
        turns[seat] = turn
    banks = banks_after(clocks, clocks.clock, awaited, moment) if type(clocks.clock) is Fischer else clocks.banks
    return Clocks(clocks.clock, tuple(turns), banks, clocks.given)


def banks_after(clocks: Clocks, clock: Fischer, awaited: Collection[Seat], moment: Moment) -> tuple[Millis, ...]:
    """Return how much each seat has once these are awaited; a turn that began with this command took no time."""
    banks = list(clocks.banks)
    for seat, turn in enumerate(clocks.turns):
        if turn is not None and seat not in awaited and turn.command != moment.command:
            left = max(0, banks[seat] - (moment.time - turn.began))
            banks[seat] = Millis(left if turn.ran_out else left + clock.increment_ms)
    return tuple(banks)


def ran_out(clocks: Clocks, seat: Seat) -> Clocks:
    """Return the clocks after a seat's time was declared over."""
    turn = clocks.turns[seat]
    return clocks if turn is None else with_turn(clocks, seat, replace(turn, ran_out=True))


def extended(clocks: Clocks, by: Sequence[Millis], time: Millis) -> Clocks:
    """Return the clocks after down time was given back, so much by seat."""
    turns = tuple(
        turn and replace(turn, began=Millis(turn.began + more)) for turn, more in zip(clocks.turns, by, strict=True)
    )
    return replace(clocks, turns=turns, given=time)


def begun_again(clocks: Clocks, moment: Moment) -> Clocks:
    """Return the clocks of an earlier position to which the match has just returned: its turns begin now."""
    turns = tuple(turn and Turn(moment.time, moment.command, moment.time, moment.version) for turn in clocks.turns)
    return replace(clocks, turns=turns, given=moment.time)


def with_turn(clocks: Clocks, seat: Seat, turn: Turn) -> Clocks:
    """Return the clocks with another turn of one seat."""
    return replace(clocks, turns=(*clocks.turns[:seat], turn, *clocks.turns[seat + 1 :]))


def deadline(clocks: Clocks, seat: Seat) -> Millis | None:
    """Return when a seat's time is over; None for one whose clock stands still."""
    turn = clocks.turns[seat]
    return None if turn is None or not clocks.clock.runs else Millis(turn.began + clocks.banks[seat])


def remaining(clocks: Clocks, seat: Seat, now: Millis) -> Millis:
    """Return how much of its time a seat has left."""
    end = deadline(clocks, seat)
    return clocks.banks[seat] if end is None else Millis(max(0, min(clocks.banks[seat], end - now)))


def owed(clocks: Clocks, outages: Sequence[Outage]) -> tuple[Millis, ...]:
    """Return how much down time each seat lost of the turn that is under way and was not given back yet."""
    return tuple(
        Millis(sum(max(0, until - max(since, clocks.given, turn.began)) for since, until in outages) if turn else 0)
        for turn in clocks.turns
    )


def outages(pulse: Pulse, now: Millis) -> tuple[Outage, ...]:
    """Return the known outages; silence since the last beat is one that still lasts, or has just ended."""
    if pulse.beat is None or now - pulse.beat <= SILENCE:
        return pulse.outages
    return (*pulse.outages, Outage(pulse.beat, now))
