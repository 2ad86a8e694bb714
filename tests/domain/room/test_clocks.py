"""Clocks: whose time is running, what happens when it is over, and how down time is given back."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from service.domain.game import Dropped, Seat
from service.domain.ids import Millis, Outage, PlayerId, Version
from service.domain.room.due import Due
from service.domain.room.model import clock, commands, events
from service.domain.room.model.clock import LAG, Clocks, Days, EventPosition, Fischer, NoClock, PerMove
from service.domain.room.model.commands import CommandContext
from service.domain.room.model.state import Room
from service.domain.room.process import run
from tests.domain.room.given_when_then import (
    ANNA,
    BEN,
    CLARA,
    FIRST,
    NOON,
    SECOND,
    SEED,
    THIRD,
    Given,
    context,
    given,
    join,
    new_room,
)

MINUTE = Millis(60_000)
BLITZ = Fischer(Millis(10_000), Millis(2_000))
QUICK = PerMove(Millis(5_000))


def after_noon(millis: int) -> Millis:
    """Return the time this many milliseconds after noon."""
    return Millis(NOON + millis)


def playing(game: str = "morris", **settings: Any) -> Given:
    """Return a match that started at noon, between Anna, Ben and in Ternio Clara."""
    seats = (ANNA, BEN, CLARA) if game in {"ternio", "triboard"} else (ANNA, BEN)
    joins = [join(player, seat) for seat, player in enumerate(seats)]
    return given(new_room(game, start="creator", **settings), *joins).after(commands.Start(), ANNA)


def place(square: str) -> commands.Play:
    """Return the command that places something."""
    return commands.Play({"type": "place", "at": square})


def clocks(room: Given) -> Clocks:
    """Return the clocks of the room's match."""
    assert room.room.match is not None
    return room.room.match.clocks


def remaining(room: Given, seat: Seat, now: int) -> int:
    """Return how much time a seat has left, at a time after noon."""
    return clock.time_left(clocks(room), seat, after_noon(now))


def kinds(room: Given, since: Given) -> list[str]:
    """Return the types of the events after `since`."""
    return [type(recorded.event).__name__ for recorded in room.history[len(since.history) :]]


def check_clocks_at(room: Given, now: int) -> Given:
    """Let a worker check the clocks at a time after noon."""
    return room.after(commands.Proceed(), None, after_noon(now))


# Running clocks


def test_without_a_clock_nobody_is_ever_late() -> None:
    """This is the default: nothing is due."""
    match = playing()
    assert match.due is None
    assert match.after(place("a1"), ANNA, after_noon(10**9)).due is None


def test_a_clock_runs_while_its_seat_is_to_move() -> None:
    """The other clocks do not."""
    match = playing(clock=BLITZ)
    assert (remaining(match, FIRST, 3000), remaining(match, SECOND, 3000)) == (7000, 10_000)
    moved = match.after(place("a1"), ANNA, after_noon(3000))
    assert (remaining(moved, FIRST, 4000), remaining(moved, SECOND, 4000)) == (9000, 9000)


def test_a_turn_made_in_time_adds_the_increment() -> None:
    """It is added once per turn, at its end."""
    match = playing(clock=BLITZ).after(place("a1"), ANNA, after_noon(9_900))
    assert remaining(match, FIRST, 20_000) == 2_100


def test_a_mill_and_its_removal_are_one_turn() -> None:
    """The clock keeps running between them, and there is one increment."""
    match = playing(clock=BLITZ)
    for number, square in enumerate(("a1", "g7", "d1", "g4")):
        match = match.after(place(square), (ANNA, BEN)[number % 2], after_noon(number * 1000 + 1000))
    closed = match.after(place("g1"), ANNA, after_noon(5000))
    assert closed.room.game.to_move(match_state(closed)) == (FIRST,)
    assert remaining(closed, FIRST, 6000) == remaining(closed, FIRST, 5000) - 1000
    removed = closed.after(commands.Play({"type": "remove", "at": "g7"}), ANNA, after_noon(6000))
    assert remaining(removed, FIRST, 6000) == remaining(closed, FIRST, 6000) + 2000


def match_state(room: Given) -> Any:
    """Return the game's state."""
    assert room.room.match is not None
    return room.room.match.state


def test_time_per_move_starts_again_with_every_turn() -> None:
    """Earlier turns do not matter, however long they took."""
    match = playing(clock=QUICK).after(place("a1"), ANNA, after_noon(4000)).after(place("g7"), BEN, after_noon(8000))
    assert (remaining(match, FIRST, 8000), remaining(match, SECOND, 8000)) == (5000, 5000)


def test_days_are_days() -> None:
    """Three days are expressed in milliseconds."""
    assert playing(clock=Days(3)).due == Due(after_noon(3 * 86_400_000 + LAG), "flag")


def test_a_seat_that_is_passed_over_gains_no_time() -> None:
    """Its turn begins and ends within one command."""
    started = clock.new_clocks(BLITZ, 3, NOON)
    first = clock.advance(started, (FIRST,), EventPosition(Version(1), NOON, Version(1)), None)
    placed = clock.advance(first, (SECOND,), EventPosition(Version(2), after_noon(1000), Version(2)), None)
    passed = clock.advance(placed, (THIRD,), EventPosition(Version(3), after_noon(1000), Version(2)), None)
    assert passed.banks == (11_000, 10_000, 10_000)
    again = clock.advance(passed, (FIRST,), EventPosition(Version(4), after_noon(1000), Version(2)), None)
    assert again.banks == (11_000, 10_000, 10_000)
    assert clock.deadline(again, FIRST) == after_noon(12_000)


def test_the_events_alone_give_the_same_clocks() -> None:
    """Folding the events again uses nothing but their times."""
    match = playing(clock=BLITZ).after(place("a1"), ANNA, after_noon(1234)).after(place("g7"), BEN, after_noon(2345))
    assert Given(match.room, match.history).room == match.room
    assert remaining(match, SECOND, 99_999) == 10_000 - (2345 - 1234) + 2000


# Timeouts


def test_a_flag_falls_at_the_deadline_plus_an_allowance() -> None:
    """It does not fall a millisecond before."""
    match = playing(clock=QUICK)
    assert match.due == Due(after_noon(5000 + LAG), "flag")
    match.when(commands.Proceed(), by=None, at=after_noon(5000 + LAG - 1)).rejected("nothing_due")
    lost = check_clocks_at(match, 5000 + LAG)
    assert kinds(lost, match) == ["TimeRanOut", "Dropped", "MatchEnded", "PlayerUnreadied"]
    dropped = lost.history[-3].event
    assert isinstance(dropped, Dropped)
    assert dropped.reason == "timed_out"
    assert result(lost).winners == (SECOND,)


def result(room: Given) -> events.Result:
    """Return how the match ended."""
    assert room.room.match is not None
    assert room.room.match.result is not None
    return room.room.match.result


def test_either_the_move_or_the_flag_counts() -> None:
    """A move in time prevents the flag; after the flag the move is rejected."""
    match = playing(clock=QUICK)
    moved = match.after(place("a1"), ANNA, after_noon(5000 + LAG - 1))
    assert remaining(moved, SECOND, 5000 + LAG - 1) == 5000
    moved.when(commands.Proceed(), by=None, at=after_noon(5000 + LAG)).rejected("nothing_due")
    match.when(place("a1"), by=ANNA, at=after_noon(5000 + LAG)).rejected("time_is_up", seat=FIRST)
    check_clocks_at(match, 5000 + LAG).when(place("a1"), by=ANNA, at=after_noon(5000 + LAG)).rejected("not_playing")


def test_any_later_command_finds_the_flag_fallen() -> None:
    """Even if no worker has checked the clocks: the flag is recorded as a followup of the next command."""
    match = playing(clock=QUICK)
    seen = match.after(commands.Join(role="spectator"), CLARA, after_noon(5000 + LAG))
    assert kinds(seen, match)[:4] == ["PlayerJoined", "TimeRanOut", "Dropped", "MatchEnded"]


def test_of_three_one_drops_out_and_two_play_on() -> None:
    """The turn passes, and the next clock is running."""
    match = playing("ternio", clock=QUICK)
    lost = check_clocks_at(match, 5000 + LAG)
    assert kinds(lost, match) == ["TimeRanOut", "Dropped"]
    assert lost.due == Due(after_noon(10_000 + 2 * LAG), "flag")


def test_an_empty_seat_runs_out_of_time_like_any_other() -> None:
    """Ben has left the room, and his clock keeps running."""
    match = playing(clock=QUICK).after(place("a1"), ANNA).after(commands.LeaveSeat(), BEN)
    assert result(check_clocks_at(match, 5000 + LAG)).winners == (FIRST,)


def test_the_service_can_make_random_moves_for_a_late_seat() -> None:
    """It makes them until the turn ends."""
    match = playing(clock=QUICK, on_timeout="random_move")
    moved = check_clocks_at(match, 5000 + LAG)
    assert kinds(moved, match) == ["TimeRanOut", "Placed"]
    assert moved.history[-1].by is None
    assert remaining(moved, SECOND, 5000 + LAG) == 5000


def test_a_random_move_is_drawn_from_the_matchs_seed() -> None:
    """It is always the same one, so nobody can choose among random moves."""
    match = playing(clock=QUICK, on_timeout="random_move")
    contexts = [context(None, after_noon(6000), bytes([n] * 32)) for n in range(3)]
    moves = [
        {run(of_seed(match.room, seed), commands.Proceed(), each).recorded[-1].event for each in contexts}
        for seed in range(9)
    ]
    assert [len(of_one_seed) for of_one_seed in moves] == [1] * 9
    assert len(set().union(*moves)) > 3


def of_seed(room: Room, seed: int) -> Room:
    """Return the room with a match of another seed."""
    assert room.match is not None
    return replace(room, match=replace(room.match, seed=bytes([seed] * 32)))


def test_a_bot_can_move_for_a_late_seat() -> None:
    """The player can no longer move in this turn."""
    match = playing(clock=QUICK, on_timeout="bot_move")
    waiting = check_clocks_at(match, 5000 + LAG)
    assert kinds(waiting, match) == ["TimeRanOut"]
    assert waiting.due == Due(after_noon(5000 + LAG), "bot")
    waiting.when(place("a1"), by=ANNA, at=after_noon(6000)).rejected("time_is_up")
    moved = waiting.after(commands.PlayFor(FIRST, place("a1").move, first_turn(waiting)), None, after_noon(6000))
    assert moved.history[-1].by is None
    assert moved.due == Due(after_noon(11_000 + LAG), "flag")


def first_turn(room: Given) -> Version:
    """Return the version of the latest event that the first seat has to react to."""
    turn = clocks(room).turns[FIRST]
    assert turn is not None
    return turn.version


# Simultaneous games


def selects(player: PlayerId, room: Given, now: int, *, commit: bool = True) -> Given:
    """Let a player select a square and, by default, commit to it."""
    selected = room.after(commands.Play({"type": "select", "at": "d4"}), player, after_noon(now))
    return selected.after(commands.Play({"type": "commit"}), player, after_noon(now)) if commit else selected


def test_seats_that_run_out_together_share_a_draw() -> None:
    """They had the same time, so neither is better."""
    match = playing("turncoat", clock=QUICK)
    lost = check_clocks_at(match, 7000)
    assert kinds(lost, match) == ["TimeRanOut", "TimeRanOut", "MatchEnded", "PlayerUnreadied", "PlayerUnreadied"]
    assert result(lost) == events.Result("timed_out", (1, 1), None, (FIRST, SECOND))


def test_a_seat_that_has_committed_does_not_run_out() -> None:
    """Only the other one does."""
    match = selects(ANNA, playing("turncoat", clock=QUICK), 1000)
    assert result(check_clocks_at(match, 5000 + LAG)).winners == (FIRST,)


def test_the_seat_with_less_time_runs_out_first() -> None:
    """Even if both flags have fallen when a worker checks; Ben took longer in the round before."""
    match = selects(BEN, selects(ANNA, playing("turncoat", clock=BLITZ), 1000), 4000)
    assert result(check_clocks_at(match, 60_000)).winners == (FIRST,)


def test_a_random_selection_is_committed() -> None:
    """For both seats; then the round is resolved."""
    match = playing("turncoat", clock=QUICK, on_timeout="random_move")
    moved = check_clocks_at(match, 5000 + LAG)
    types = kinds(moved, match)
    assert types[:6] == ["TimeRanOut", "TimeRanOut", "Selected", "Committed", "Selected", "Committed"]
    assert set(types[6:]) == {"Turned", "RoundBegun"}


def test_a_late_seats_own_selection_is_committed() -> None:
    """The service does not change it."""
    match = selects(ANNA, playing("turncoat", clock=QUICK, on_timeout="random_move"), 1000, commit=False)
    types = kinds(check_clocks_at(match, 5000 + LAG), match)
    assert types[2:5] == ["Committed", "Selected", "Committed"]


def test_a_clock_makes_a_commit_final() -> None:
    """Without a clock the selection may be changed until both have committed."""
    again = commands.Play({"type": "select", "at": "e4"})
    selects(ANNA, playing("turncoat", clock=QUICK), 1000).when(again, by=ANNA, at=after_noon(1000)).rejected(
        "not_your_turn"
    )
    free = selects(ANNA, playing("turncoat"), 1000)
    assert kinds(free.after(again, ANNA, after_noon(1000)), free) == ["Selected"]


# Down time


def proceed(room: Given, now: int, *outages: Outage) -> Given:
    """Let a worker check the clocks after these outages."""
    command_context = CommandContext(None, "", after_noon(now), SEED, outages=outages)
    work = run(room.room, commands.Proceed(), command_context)
    assert work.room is not None
    return Given(work.room, [*room.history, *work.recorded])


def test_down_time_is_given_back() -> None:
    """The deadline fell into an outage; the clock continues as if there had been none."""
    match = playing(clock=QUICK)
    back = proceed(match, 33_000, Outage(after_noon(2000), after_noon(32_000)))
    assert [recorded.event for recorded in back.history[-1:]] == [events.ClocksExtended((Millis(30_000), Millis(0)))]
    assert remaining(back, FIRST, 33_000) == 2000
    assert back.due == Due(after_noon(35_000 + LAG), "flag")
    late = proceed(back, 36_000, Outage(after_noon(2000), after_noon(32_000)))
    assert kinds(late, back)[:3] == ["TimeRanOut", "Dropped", "MatchEnded"]


def test_the_first_command_after_down_time_extends_the_clocks() -> None:
    """Otherwise the move would be too late."""
    match = playing(clock=QUICK)
    work = run(
        match.room,
        place("a1"),
        CommandContext(ANNA, "anna", after_noon(33_000), SEED, outages=(Outage(after_noon(2000), after_noon(32_000)),)),
    )
    assert [type(recorded.event).__name__ for recorded in work.recorded] == ["ClocksExtended", "Placed"]


def test_only_what_was_lost_is_given_back() -> None:
    """A turn that began after the outage lost nothing, one that began during it lost the rest."""
    match = playing(clock=BLITZ)
    with pytest.raises(Exception, match="nothing_due"):
        proceed(match, 1000, Outage(after_noon(-60_000), after_noon(-1)))
    inside = proceed(match, 5000, Outage(after_noon(-60_000), after_noon(4000)))
    assert remaining(inside, FIRST, 5000) == 9000


def test_clocks_of_an_earlier_position_run_from_now() -> None:
    """Each seat has the time that it had at that position."""
    match = playing(clock=BLITZ)
    later = clocks(match.after(place("a1"), ANNA, after_noon(3000)))
    assert later.banks != clocks(match).banks
    back = clock.restart_turns(clocks(match), EventPosition(Version(99), after_noon(8000), Version(99)))
    assert clock.time_left(back, FIRST, after_noon(9000)) == 9000


# The setting


@pytest.mark.parametrize(
    "setting",
    [
        {"type": "per_move", "ms": 99},
        {"type": "per_move"},
        {"type": "per_move", "ms": 1e9},
        {"type": "fischer", "initial_ms": 1000, "increment_ms": -1},
        {"type": "days", "days": 0},
        {"type": "days", "days": 31},
        {"type": "sundial"},
        {"type": "none", "ms": 5000},
    ],
    ids=str,
)
def test_a_clock_out_of_bounds_is_rejected(setting: dict[str, Any]) -> None:
    """Neither too short to play nor longer than anybody waits."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(setting, clock.Clock)


def test_a_clock_is_tagged_with_its_type() -> None:
    """The tags are those that the API documents."""
    for value in (NoClock(), QUICK, BLITZ, Days(2)):
        plain = msgspec.to_builtins(value)
        assert msgspec.convert(plain, clock.Clock) == value
        assert plain["type"] in {"none", "per_move", "fischer", "days"}
