"""Draws and dropping out in Tic-Tac-Rainbow."""

import pytest

from service.domain.game import Dropped, DropReason, Outcome, Seat
from service.domain.games.rainbow import GAME
from service.domain.games.rainbow.model import (
    Colour,
    Flip,
    Flipped,
    Options,
    Place,
    Position,
    RainbowMove,
    Rolled,
    Shift,
)
from tests.domain.games.test_rainbow import (
    EMPTY,
    ONE,
    SOME_PEGS,
    THREE,
    TWO,
    chance,
    event_of,
    parse_position,
    play_moves,
    refusal,
    view_of,
)
from tests.domain.games.test_rainbow_die_and_rest import chance_of, play_turns, roll

PLACEMENTS = (Place("RO", "R", "b1"), Place("RO", "R", "d1"))
BACK_AND_FORTH = (Shift("b1", "a2"), Shift("d1", "e2"), Shift("a2", "b1"), Shift("e2", "d1"))


def reason(state: Position) -> str | None:
    """Return why the match is over, if it is."""
    ended = GAME.outcome(state)
    return ended.reason if ended else None


def drop(state: Position, seat: Seat, why: DropReason = "resigned") -> Position:
    """Return the position after a seat dropped out."""
    (event,) = GAME.drop(state, seat, why)
    assert event == Dropped(seat, why)
    return GAME.evolve(state, event)


# Repetition


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    """The first is after the second placement; four moves restore it, and again."""
    state = play_moves(parse_position(EMPTY), *PLACEMENTS, *BACK_AND_FORTH, *BACK_AND_FORTH[:3])
    assert reason(state) is None
    state = play_moves(play_moves(parse_position(EMPTY), *PLACEMENTS, *BACK_AND_FORTH), *BACK_AND_FORTH)
    assert GAME.outcome(state) == Outcome("repetition", (1, 1), (0.5, 0.5))
    assert GAME.to_move(state) == ()


def test_a_draw_of_three_splits_the_stake_in_three() -> None:
    """All three share first place."""
    state = parse_position(SOME_PEGS, ONE, Options(players=3, quiet_limit=2))
    assert GAME.outcome(play_moves(state, Flip("c4"), Flip("a3"))) == Outcome(
        "quiet_limit", (1, 1, 1), (1 / 3, 1 / 3, 1 / 3)
    )


def test_the_same_cells_with_another_seat_to_move_are_another_position() -> None:
    """Each seat needs three turns to move back, so the cells repeat when the other seat is to move."""
    first = (Shift("b1", "a2"), Flip("d1"), Shift("a2", "a3"), Flip("d1"), Shift("a3", "b1"))
    state = play_moves(parse_position(EMPTY), *PLACEMENTS, *first)
    assert state.cells == play_moves(parse_position(EMPTY), *PLACEMENTS).cells
    assert state.turn == TWO
    second = (Shift("d1", "e2"), Flip("b1"), Shift("e2", "e3"), Flip("b1"), Shift("e3", "d1"))
    state = play_moves(state, *second)
    assert (state.turn, reason(state)) == (ONE, None)
    assert reason(play_moves(state, *first)) is None
    assert reason(play_moves(state, *first, *second)) == "repetition"


def test_repetition_can_be_turned_off() -> None:
    """Then the same moves do not end the match."""
    state = play_moves(parse_position(EMPTY, ONE, Options(repetition=False)), *PLACEMENTS, *BACK_AND_FORTH * 5)
    assert reason(state) is None


FLIPPED = {"A": "b1", "B": "a3", "C": "b5", "D": "b3", "a": "d1", "b": "e3", "c": "d5", "d": "d3"}
"""The cells of the four pegs that seat one (upper case) and seat two (lower case) place and flip."""


def place_four_each(order: str, options: Options) -> Position:
    """Return the position after seat one placed its pegs in this order, seat two a, b, c and d."""
    pegs = {"A": ("RO", "R"), "B": ("YG", "Y"), "C": ("BV", "B"), "D": ("GB", "G")}
    state = parse_position(EMPTY, ONE, options)
    for mine, yours in zip(order, "abcd", strict=True):
        for letter in (mine, yours):
            peg, side = pegs[letter.upper()]
            state = play_moves(state, Place(peg, side, FLIPPED[letter]))  # type: ignore[arg-type]  # letters of pegs
    return state


def flips(own: str, other: str) -> list[RainbowMove]:
    """Return the flips of both seats in turn."""
    return [Flip(FLIPPED[letter]) for pair in zip(own, other, strict=True) for letter in pair]


def test_a_position_with_another_peg_at_rest_is_another_position() -> None:
    """All pegs show the same sides, twice after flips of D and once after flips of C."""
    for rest in (0, 2):
        state = place_four_each("ABCD", Options(rest=2) if rest else Options())
        state = play_moves(state, *flips("ADAD", "adad"))
        assert reason(state) is None
        assert reason(play_moves(state, *flips("ADAD", "adad"))) == "repetition"
        assert reason(play_moves(state, *flips("ACAC", "adad"))) == (None if rest else "repetition")


def test_a_position_with_another_rest_time_is_another_position() -> None:
    """B and C rest each time, but the one last used rests longer."""
    state = place_four_each("DABC", Options(rest=3))
    state = play_moves(state, *flips("ADBCADBC", "abcdabcd"))
    again, other = (play_moves(state, *flips(mine, "abcdabcd")) for mine in ("ADBCADBC", "ADCBADCB"))
    assert again.cells == other.cells
    assert view_of(again).resting == view_of(other).resting
    assert (reason(again), reason(other)) == ("repetition", None)


def play_with_red(state: Position, moves: tuple[RainbowMove, ...]) -> Position:
    """Return the position after turns that all started with red."""
    turns: list[tuple[Colour, RainbowMove]] = [("R", move) for move in moves]
    return play_turns(state, *turns)


def test_with_the_die_a_position_includes_its_roll() -> None:
    """The third red in the same position ends the match, a violet does not."""
    state = play_with_red(GAME.start(Options(dice=True)), (*PLACEMENTS, *BACK_AND_FORTH, *BACK_AND_FORTH))
    assert reason(state) is None
    (event,) = GAME.follow(state, chance_of("R"))
    assert isinstance(event, Rolled)
    assert event.ends == "repetition"
    drawn = GAME.evolve(state, event)
    assert GAME.outcome(drawn) == Outcome("repetition", (1, 1), (0.5, 0.5))
    assert (GAME.to_move(drawn), GAME.follow(drawn, chance())) == ((), [])
    assert view_of(drawn).die == "R"
    assert reason(roll(state, "V")) is None


# Quiet turns


def test_the_limit_of_turns_without_a_placement_is_a_draw() -> None:
    """A placement restarts the count."""
    state = play_moves(parse_position(SOME_PEGS, ONE, Options(quiet_limit=3)), Flip("c4"), Flip("a3"))
    assert reason(play_moves(state, Flip("c4"))) == "quiet_limit"
    state = play_moves(state, Place("VR", "V", "e2"), Flip("a3"), Flip("c4"))
    assert reason(state) is None
    assert reason(play_moves(state, Shift("c5", "b5"))) == "quiet_limit"


def test_the_limit_is_100_turns_by_default() -> None:
    """With 0 there is no limit."""
    for options, ending in (
        (Options(repetition=False), "quiet_limit"),
        (Options(repetition=False, quiet_limit=0), None),
    ):
        state = play_moves(parse_position(EMPTY, ONE, options), *PLACEMENTS, *BACK_AND_FORTH * 24, *BACK_AND_FORTH[:3])
        assert reason(state) is None
        assert reason(play_moves(state, BACK_AND_FORTH[3])) == ending


def test_a_line_precedes_a_guard_and_repetition_the_quiet_limit() -> None:
    """Each on the turn on which the limit is reached."""
    state = parse_position(
        """
         .   .   .
     .   .   .   .   .
     .  1RO 2RO  .  1RV
     .   .   .   .   .
         .   .   .
        """,
        ONE,
        Options(quiet_limit=1),
    )
    assert reason(play_moves(state, Shift("e3", "d3"))) == "line"
    state = parse_position(EMPTY, ONE, Options(quiet_limit=8))
    assert reason(play_moves(state, *PLACEMENTS, *BACK_AND_FORTH, *BACK_AND_FORTH)) == "repetition"


# Dropping out


@pytest.mark.parametrize("why", ["resigned", "timed_out", "forfeited"])
def test_with_two_seats_the_remaining_one_wins(why: DropReason) -> None:
    """For any player to move, also in misere."""
    for options in (Options(), Options(misere=True)):
        for turn in (ONE, TWO):
            state = drop(parse_position(SOME_PEGS, turn, options), ONE, why)
            assert GAME.outcome(state) == Outcome(why, (2, 1), (0, 1))
            assert GAME.to_move(state) == ()


THREE_PLAYERS = """
         .  2GB  .
     .   .  1RO  .   .
    2RO 3RO  .  1KW  .
     .   .   .   .   .
         .   .   .
"""


def test_with_three_seats_the_dropped_one_is_passed_over() -> None:
    """Its turn is over at once; its pegs stay, and no other seat can use them."""
    state = drop(parse_position(THREE_PLAYERS, TWO, Options(players=3)), TWO)
    assert GAME.outcome(state) is None
    assert GAME.to_move(state) == (THREE,)
    assert refusal(state, Flip("a3")) == "not_your_peg"
    state = play_moves(state, Flip("b3"))
    assert GAME.to_move(state) == (ONE,)
    assert GAME.to_move(play_moves(state, Flip("c4"))) == (THREE,)
    assert len(view_of(state).cells) == 5


def test_dropping_out_of_turn_does_not_change_the_turn() -> None:
    """The colour that was rolled stays as well."""
    state = drop(parse_position(THREE_PLAYERS, ONE, Options(players=3, dice=True), "R"), TWO)
    assert GAME.to_move(state) == (ONE,)
    assert view_of(state).die == "R"
    assert GAME.follow(state, chance()) == []


def test_dropping_out_on_turn_clears_the_roll() -> None:
    """The next seat rolls for itself."""
    state = drop(parse_position(THREE_PLAYERS, ONE, Options(players=3, dice=True), "R"), ONE)
    assert GAME.to_move(state) == ()
    assert view_of(state).die is None
    assert GAME.to_move(roll(state, "G")) == (TWO,)


def test_pegs_of_a_dropped_seat_still_form_lines() -> None:
    """Three wins with red pegs of two and its own; two is last, after the loser."""
    state = drop(parse_position(THREE_PLAYERS, THREE, Options(players=3)), TWO)
    assert GAME.outcome(play_moves(state, Place("VR", "R", "c3"))) == Outcome("line", (2, 3, 1), (0, 0, 1))


def test_in_misere_a_dropped_seat_does_not_share_the_first_place() -> None:
    """Three completes the line, so one alone has won."""
    state = drop(parse_position(THREE_PLAYERS, THREE, Options(players=3, misere=True)), TWO)
    assert GAME.outcome(play_moves(state, Place("VR", "R", "c3"))) == Outcome("line", (1, 3, 2), (1, 0, 0))


def test_a_dropped_seat_does_not_share_a_draw() -> None:
    """The two remaining seats share it."""
    state = drop(parse_position(THREE_PLAYERS, THREE, Options(players=3, quiet_limit=1)), TWO)
    assert GAME.outcome(play_moves(state, Flip("b3"))) == Outcome("quiet_limit", (1, 3, 1), (0.5, 0, 0.5))


def test_the_last_remaining_seat_has_won() -> None:
    """The first to drop out is last."""
    state = drop(drop(parse_position(THREE_PLAYERS, TWO, Options(players=3)), THREE), TWO, "timed_out")
    assert GAME.outcome(state) == Outcome("timed_out", (1, 2, 3), (1, 0, 0))
    assert GAME.to_move(state) == ()


def test_a_dropped_seat_has_no_resting_pegs() -> None:
    """It has no further turns."""
    state = play_moves(parse_position(THREE_PLAYERS, TWO, Options(players=3, rest=2)), Flip("a3"))
    assert view_of(state).resting["two"] == ("RO",)
    assert view_of(drop(state, TWO)).resting["two"] == ()


def test_repetitions_are_counted_again_when_a_seat_drops_out() -> None:
    """Three play in turn, then two, whose positions differ from those of three."""
    flips_of_all = (Flip("c4"), Flip("a3"), Flip("b3"))
    state = play_moves(parse_position(THREE_PLAYERS, ONE, Options(players=3)), *flips_of_all * 4)
    state = drop(state, TWO)
    state = play_moves(state, *(Flip("c4"), Flip("b3")) * 2)
    assert reason(state) is None
    assert isinstance(event_of(state, Flip("c4")), Flipped)
    assert reason(play_moves(state, *(Flip("c4"), Flip("b3")) * 2)) == "repetition"
