"""Draws and drop-outs in Tic-Tac-Rainbow."""

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
    played,
    refusal,
    shown,
    table,
    told,
)
from tests.domain.games.test_rainbow_die_and_rest import diced, lucky, rolled

PLACEMENTS = (Place("RO", "R", "b1"), Place("RO", "R", "d1"))
THERE_AND_BACK = (Shift("b1", "a2"), Shift("d1", "e2"), Shift("a2", "b1"), Shift("e2", "d1"))


def reason(state: Position) -> str | None:
    """Return why the match is over, if it is."""
    ended = GAME.outcome(state)
    return ended.reason if ended else None


def left(state: Position, seat: Seat, why: DropReason = "resigned") -> Position:
    """Return the position after a seat dropped out."""
    (event,) = GAME.drop(state, seat, why)
    assert event == Dropped(seat, why)
    return GAME.evolve(state, event)


# Repetition


def test_the_third_time_of_a_position_is_a_draw() -> None:
    """The first time is after the second placement; four moves restore it, and again."""
    state = played(table(EMPTY), *PLACEMENTS, *THERE_AND_BACK, *THERE_AND_BACK[:3])
    assert reason(state) is None
    state = played(played(table(EMPTY), *PLACEMENTS, *THERE_AND_BACK), *THERE_AND_BACK)
    assert GAME.outcome(state) == Outcome("repetition", (1, 1), (0.5, 0.5))
    assert GAME.to_move(state) == ()


def test_a_draw_of_three_splits_the_stake_in_three() -> None:
    """All three share first place."""
    state = table(SOME_PEGS, ONE, Options(players=3, quiet_limit=2))
    assert GAME.outcome(played(state, Flip("c4"), Flip("a3"))) == Outcome(
        "quiet_limit", (1, 1, 1), (1 / 3, 1 / 3, 1 / 3)
    )


def test_the_same_cells_with_another_seat_to_move_are_another_position() -> None:
    """Each seat takes three turns for the way back, so the cells return when it is the other one's turn."""
    first = (Shift("b1", "a2"), Flip("d1"), Shift("a2", "a3"), Flip("d1"), Shift("a3", "b1"))
    state = played(table(EMPTY), *PLACEMENTS, *first)
    assert state.cells == played(table(EMPTY), *PLACEMENTS).cells
    assert state.turn == TWO
    second = (Shift("d1", "e2"), Flip("b1"), Shift("e2", "e3"), Flip("b1"), Shift("e3", "d1"))
    state = played(state, *second)
    assert (state.turn, reason(state)) == (ONE, None)
    assert reason(played(state, *first)) is None
    assert reason(played(state, *first, *second)) == "repetition"


def test_repetition_can_be_turned_off() -> None:
    """Then the same moves lead nowhere."""
    state = played(table(EMPTY, ONE, Options(repetition=False)), *PLACEMENTS, *THERE_AND_BACK * 5)
    assert reason(state) is None


FLIPPED = {"A": "b1", "B": "a3", "C": "b5", "D": "b3", "a": "d1", "b": "e3", "c": "d5", "d": "d3"}
"""A cell for each of four pegs that seat one (upper case) and seat two (lower case) place and flip."""


def four_each(order: str, options: Options) -> Position:
    """Return the position after seat one placed its pegs in this order, seat two a, b, c and d."""
    pegs = {"A": ("RO", "R"), "B": ("YG", "Y"), "C": ("BV", "B"), "D": ("GB", "G")}
    state = table(EMPTY, ONE, options)
    for mine, yours in zip(order, "abcd", strict=True):
        for letter in (mine, yours):
            peg, side = pegs[letter.upper()]
            state = played(state, Place(peg, side, FLIPPED[letter]))  # type: ignore[arg-type]  # letters of pegs
    return state


def flips(mine: str, yours: str) -> list[RainbowMove]:
    """Return the flips of both seats in turn."""
    return [Flip(FLIPPED[letter]) for pair in zip(mine, yours, strict=True) for letter in pair]


def test_a_position_with_another_peg_at_rest_is_another_position() -> None:
    """All pegs show what they did, twice after flips of D and once after flips of C."""
    for rest in (0, 2):
        state = four_each("ABCD", Options(rest=2) if rest else Options())
        state = played(state, *flips("ADAD", "adad"))
        assert reason(state) is None
        assert reason(played(state, *flips("ADAD", "adad"))) == "repetition"
        assert reason(played(state, *flips("ACAC", "adad"))) == (None if rest else "repetition")


def test_a_position_with_the_same_pegs_resting_for_another_time_is_another_position() -> None:
    """B and C rest each time, but the one last acted upon rests longer."""
    state = four_each("DABC", Options(rest=3))
    state = played(state, *flips("ADBCADBC", "abcdabcd"))
    again, other = (played(state, *flips(mine, "abcdabcd")) for mine in ("ADBCADBC", "ADCBADCB"))
    assert again.cells == other.cells
    assert shown(again).resting == shown(other).resting
    assert (reason(again), reason(other)) == ("repetition", None)


def red_only(state: Position, moves: tuple[RainbowMove, ...]) -> Position:
    """Return the position after turns that all began with red."""
    turns: list[tuple[Colour, RainbowMove]] = [("R", move) for move in moves]
    return diced(state, *turns)


def test_with_the_die_a_position_is_known_with_its_roll() -> None:
    """The third red in the same position ends the match, a violet doesn't."""
    state = red_only(GAME.start(Options(dice=True)), (*PLACEMENTS, *THERE_AND_BACK, *THERE_AND_BACK))
    assert reason(state) is None
    (event,) = GAME.follow(state, lucky("R"))
    assert isinstance(event, Rolled)
    assert event.ends == "repetition"
    drawn = GAME.evolve(state, event)
    assert GAME.outcome(drawn) == Outcome("repetition", (1, 1), (0.5, 0.5))
    assert (GAME.to_move(drawn), GAME.follow(drawn, chance())) == ((), [])
    assert shown(drawn).die == "R"
    assert reason(rolled(state, "V")) is None


# Quiet turns


def test_so_many_turns_without_a_placement_are_a_draw() -> None:
    """A placement begins the count anew."""
    state = played(table(SOME_PEGS, ONE, Options(quiet_limit=3)), Flip("c4"), Flip("a3"))
    assert reason(played(state, Flip("c4"))) == "quiet_limit"
    state = played(state, Place("VR", "V", "e2"), Flip("a3"), Flip("c4"))
    assert reason(state) is None
    assert reason(played(state, Shift("c5", "b5"))) == "quiet_limit"


def test_the_limit_is_100_turns_unless_the_options_say_otherwise() -> None:
    """With 0 there is none."""
    for options, ending in (
        (Options(repetition=False), "quiet_limit"),
        (Options(repetition=False, quiet_limit=0), None),
    ):
        state = played(table(EMPTY, ONE, options), *PLACEMENTS, *THERE_AND_BACK * 24, *THERE_AND_BACK[:3])
        assert reason(state) is None
        assert reason(played(state, THERE_AND_BACK[3])) == ending


def test_a_line_comes_before_a_guard_and_repetition_before_the_quiet_limit() -> None:
    """Each on the turn on which the limit is reached."""
    state = table(
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
    assert reason(played(state, Shift("e3", "d3"))) == "line"
    state = table(EMPTY, ONE, Options(quiet_limit=8))
    assert reason(played(state, *PLACEMENTS, *THERE_AND_BACK, *THERE_AND_BACK)) == "repetition"


# Dropping out


@pytest.mark.parametrize("why", ["resigned", "timed_out", "forfeited"])
def test_of_two_the_other_one_wins(why: DropReason) -> None:
    """Whoever's turn it was, in misere too."""
    for options in (Options(), Options(misere=True)):
        for turn in (ONE, TWO):
            state = left(table(SOME_PEGS, turn, options), ONE, why)
            assert GAME.outcome(state) == Outcome(why, (2, 1), (0, 1))
            assert GAME.to_move(state) == ()


THREE_PLAYERS = """
         .  2GB  .
     .   .  1RO  .   .
    2RO 3RO  .  1KW  .
     .   .   .   .   .
         .   .   .
"""


def test_of_three_the_one_who_leaves_is_passed_over_from_then_on() -> None:
    """Its turn is over at once; its pegs stay and are nobody's to touch."""
    state = left(table(THREE_PLAYERS, TWO, Options(players=3)), TWO)
    assert GAME.outcome(state) is None
    assert GAME.to_move(state) == (THREE,)
    assert refusal(state, Flip("a3")) == "not_your_peg"
    state = played(state, Flip("b3"))
    assert GAME.to_move(state) == (ONE,)
    assert GAME.to_move(played(state, Flip("c4"))) == (THREE,)
    assert len(shown(state).cells) == 5


def test_leaving_out_of_turn_changes_nobodys_turn() -> None:
    """The die that was rolled stays as well."""
    state = left(table(THREE_PLAYERS, ONE, Options(players=3, dice=True), "R"), TWO)
    assert GAME.to_move(state) == (ONE,)
    assert shown(state).die == "R"
    assert GAME.follow(state, chance()) == []


def test_who_leaves_on_its_turn_leaves_its_roll_behind() -> None:
    """The next seat rolls for itself."""
    state = left(table(THREE_PLAYERS, ONE, Options(players=3, dice=True), "R"), ONE)
    assert GAME.to_move(state) == ()
    assert shown(state).die is None
    assert GAME.to_move(rolled(state, "G")) == (TWO,)


def test_a_peg_of_one_who_left_still_makes_lines() -> None:
    """Three wins with red pegs of two and its own; two is last, behind the loser."""
    state = left(table(THREE_PLAYERS, THREE, Options(players=3)), TWO)
    assert GAME.outcome(played(state, Place("VR", "R", "c3"))) == Outcome("line", (2, 3, 1), (0, 0, 1))


def test_in_misere_one_who_left_has_no_share_in_the_first_place() -> None:
    """Three makes the line, so one alone has won."""
    state = left(table(THREE_PLAYERS, THREE, Options(players=3, misere=True)), TWO)
    assert GAME.outcome(played(state, Place("VR", "R", "c3"))) == Outcome("line", (1, 3, 2), (1, 0, 0))


def test_one_who_left_has_no_share_in_a_draw() -> None:
    """The two who stayed share it."""
    state = left(table(THREE_PLAYERS, THREE, Options(players=3, quiet_limit=1)), TWO)
    assert GAME.outcome(played(state, Flip("b3"))) == Outcome("quiet_limit", (1, 3, 1), (0.5, 0, 0.5))


def test_the_last_one_left_has_won() -> None:
    """The first to leave is last."""
    state = left(left(table(THREE_PLAYERS, TWO, Options(players=3)), THREE), TWO, "timed_out")
    assert GAME.outcome(state) == Outcome("timed_out", (1, 2, 3), (1, 0, 0))
    assert GAME.to_move(state) == ()


def test_one_who_left_has_no_pegs_that_rest() -> None:
    """It has no coming turn on which they could."""
    state = played(table(THREE_PLAYERS, TWO, Options(players=3, rest=2)), Flip("a3"))
    assert shown(state).resting["two"] == ("RO",)
    assert shown(left(state, TWO)).resting["two"] == ()


def test_repetitions_are_counted_anew_when_one_leaves() -> None:
    """Three in a row play on, then two, whose positions differ from those with three at the table."""
    flips_of_all = (Flip("c4"), Flip("a3"), Flip("b3"))
    state = played(table(THREE_PLAYERS, ONE, Options(players=3)), *flips_of_all * 4)
    state = left(state, TWO)
    state = played(state, *(Flip("c4"), Flip("b3")) * 2)
    assert reason(state) is None
    assert isinstance(told(state, Flip("c4")), Flipped)
    assert reason(played(state, *(Flip("c4"), Flip("b3")) * 2)) == "repetition"
