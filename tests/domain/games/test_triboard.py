"""Triboard's rules, each said once on a drawn board."""

from collections import Counter

import msgspec
import pytest

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Dropped, Passed, Rejected, Seat
from service.domain.games.triboard import GAME
from service.domain.games.triboard.model import LaidOut, Options, Place, Placed, Position, TriboardEvent, view

BLUE, RED, GREEN = Seat(0), Seat(1), Seat(2)


def board(drawing: str) -> tuple[str, ...]:
    """Read the lower left of a board: the rows above the drawing and the columns right of it are empty."""
    drawn = tuple(line.replace(" ", "").ljust(16, ".") for line in drawing.strip().splitlines())
    rows = ("." * 16,) * (11 - len(drawn)) + drawn
    assert [len(row) for row in rows] == [16] * 11
    return rows


def at_turn(drawing: str, seat: Seat = BLUE) -> Position:
    """Return the position of a drawing with `seat` to move, blue where a test doesn't say."""
    return GAME.evolve(GAME.start(Options()), LaidOut(board(drawing), first=seat, draw=DrawNumber(0)))


def after(position: Position, events: list[TriboardEvent]) -> Position:
    """Return the position after the events."""
    for event in events:
        position = GAME.evolve(position, event)
    return position


def legal(position: Position, seat: Seat) -> list[str]:
    """Return the cells that the seat may choose."""
    return [move.at for move in GAME.legal_moves(position, seat)]


def layout(seed: int, options: Options) -> LaidOut:
    """Return the layout that this seed gives as draw number 5."""
    [laid_out] = GAME.setup(options, Chance(seed.to_bytes(32, "big"), ["", "", ""], DrawNumber(5)))
    assert isinstance(laid_out, LaidOut)
    return laid_out


# The start


@pytest.mark.parametrize("seed", range(20))
def test_a_layout_has_twelve_cells_of_each_colour_twelve_walls_and_a_jump_for_everyone(seed: int) -> None:
    """And names the draw that it came from."""
    laid_out = layout(seed, Options())
    assert Counter("".join(laid_out.board)) == {"b": 12, "r": 12, "g": 12, "#": 12, ".": 128}
    assert laid_out.draw == 5
    for seat in (BLUE, RED, GREEN):
        assert legal(GAME.evolve(GAME.start(Options()), msgspec.structs.replace(laid_out, first=seat)), seat)


def test_every_seat_may_be_drawn_to_begin() -> None:
    """Within twenty layouts all three are."""
    assert {layout(seed, Options()).first for seed in range(20)} == {BLUE, RED, GREEN}


@pytest.mark.parametrize("seed", range(20))
def test_blue_begins_by_option_on_the_same_layout(seed: int) -> None:
    """Who begins is drawn after the layout, so the option doesn't change the board."""
    laid_out = layout(seed, Options(first="blue"))
    assert laid_out.first == BLUE
    assert laid_out.board == layout(seed, Options()).board
    assert GAME.to_move(after(GAME.start(Options()), [laid_out])) == (BLUE,)


# A jump


CROSSING = """
. b . . b . . b
. . r . g . g .
. . . r g r . .
. b g g . r r b
. . . # g g . .
. . g . r . . .
. b . . b . . b
. . . . . . . .
"""


def test_every_direction_jumps_for_itself_and_only_over_one_colour() -> None:
    """From e5 three directions hold green and two red; a wall, a gap and a second colour stop the others."""
    jump = GAME.decide(at_turn(CROSSING), BLUE, Place("e5"))[0]
    captured = ("c5", "d5", "f5", "g5", "d6", "e6", "c7", "e7")
    assert jump == Placed(seat=BLUE, at="e5", captured=captured)


def test_the_chosen_cell_and_all_that_is_jumped_over_change_hands() -> None:
    """Walls and all other cells stay, and the scores follow."""
    seen = view(after(at_turn(CROSSING), GAME.decide(at_turn(CROSSING), BLUE, Place("e5"))), None)
    assert seen.board == board("""
        . b . . b . . b
        . . b . b . g .
        . . . b b r . .
        . b b b b b b b
        . . . # g g . .
        . . g . r . . .
        . b . . b . . b
        . . . . . . . .
        """)
    assert msgspec.to_builtins(seen.scores) == {"blue": 17, "red": 2, "green": 4}


ONE_LINE = """
{}
. . . . . . . . . . . . . . . .
. . . . . . . . . . . . . b r .
"""


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(". r g b . . . . . . . . . . . .", id="two colours"),
        pytest.param(". r . b . . . . . . . . . . . .", id="a gap"),
        pytest.param(". r # b . . . . . . . . . . . .", id="a wall after the run"),
        pytest.param(". # r b . . . . . . . . . . . .", id="a wall before the run"),
        pytest.param(". r r r r r r r r r r r r r r r", id="a run to the edge"),
        pytest.param(". b r b . . . . . . . . . . . .", id="its own cell first"),
        pytest.param(". . r b . . . . . . . . . . . .", id="nothing beside the cell"),
    ],
)
def test_no_jump_goes_over(line: str) -> None:
    """Looking right from a3; blue's only jump is from p1."""
    position = at_turn(ONE_LINE.format(line))
    with pytest.raises(Rejected, match="captures_nothing"):
        GAME.decide(position, BLUE, Place("a3"))
    assert "a3" not in legal(position, BLUE)
    assert "p1" in legal(position, BLUE)


def test_a_jump_does_not_go_round_the_edge() -> None:
    """Red on p3 and a4 with blue on b4 is no line for o3, nor is red on a4 with blue on p2 one for b5."""
    position = at_turn("""
        . . . . . . . . . . . . . . . .
        r b . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . r
        . . . . . . . . . . . . . . . b
        . . . . . . . . . . . . . . . .
        """)
    assert legal(position, BLUE) == ["p4"]


@pytest.mark.parametrize("at", ["b5", "c5", "d4"])
def test_only_an_empty_cell_can_be_chosen(at: str) -> None:
    """Not one's own, not another's, not a wall."""
    with pytest.raises(Rejected, match="occupied"):
        GAME.decide(at_turn(CROSSING), BLUE, Place(at))


def test_only_the_seat_to_move_may_move() -> None:
    """Red waits for blue and has no legal moves until then."""
    assert legal(at_turn(CROSSING), RED) == []
    with pytest.raises(Rejected, match="not_your_turn"):
        GAME.decide(at_turn(CROSSING), RED, Place("e5"))


def test_cells_come_in_either_case_and_are_told_in_lower_case() -> None:
    """E5 is e5."""
    assert GAME.decide(at_turn(CROSSING), BLUE, Place("E5")) == GAME.decide(at_turn(CROSSING), BLUE, Place("e5"))


@pytest.mark.parametrize("at", ["a1", "p11", "P10", "h9"])
def test_a_cell_of_the_board_is_a_move(at: str) -> None:
    """From a1 to p11."""
    assert msgspec.convert({"type": "place", "at": at}, GAME.move) == Place(at)


@pytest.mark.parametrize("at", ["q1", "a0", "a12", "a111", "a01", "", "e", "5e", "e5\n", "p11\n"])
def test_a_cell_off_the_board_is_no_move(at: str) -> None:
    """It doesn't fit the schema, so it never gets as far as the rules."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "place", "at": at}, GAME.move)


# Passing and the end


def test_a_seat_that_cannot_jump_is_passed_over() -> None:
    """Blue takes b1; red is alone in its corner, green can answer at h1."""
    position = at_turn("""
        r . . . . . . .
        . . . . . . . .
        b r . . . g b .
        """)
    events = GAME.decide(position, BLUE, Place("c1"))
    assert events == [Placed(seat=BLUE, at="c1", captured=("b1",)), Passed(seat=RED)]
    assert GAME.to_move(after(position, events)) == (GREEN,)


def test_two_seats_are_passed_over_before_the_turn_comes_back() -> None:
    """Blue takes b1; what is left for anyone is blue's jump from c3."""
    position = at_turn("""
        b r . . . . . g
        . . . . . . . .
        b r . . . . . .
        """)
    events = GAME.decide(position, BLUE, Place("c1"))
    assert events[1:] == [Passed(seat=RED), Passed(seat=GREEN)]
    assert GAME.to_move(after(position, events)) == (BLUE,)


LAST_JUMP = """
. . . . . . . g
. . . . . . . .
b r . . . . . .
"""


def test_the_match_ends_when_nobody_can_jump_and_no_pass_tells_it() -> None:
    """Most of the board stays empty, and that is the end all the same."""
    events = GAME.decide(at_turn(LAST_JUMP), BLUE, Place("c1"))
    assert events == [Placed(seat=BLUE, at="c1", captured=("b1",))]
    ended = after(at_turn(LAST_JUMP), events)
    assert GAME.to_move(ended) == ()
    assert [legal(ended, seat) for seat in (BLUE, RED, GREEN)] == [[], [], []]
    result = GAME.outcome(ended)
    assert result is not None
    assert (result.reason, result.places, result.scores) == ("most_cells", (1, 3, 2), (3, 0, 1))


@pytest.mark.parametrize(
    ("cells", "places"),
    [("r b g", (1, 1, 1)), ("r b .", (1, 1, 3)), ("r r g", (3, 1, 2)), ("r g g", (3, 2, 1)), ("r . .", (2, 1, 2))],
)
def test_most_cells_win_and_ties_share_a_place(cells: str, places: tuple[int, ...]) -> None:
    """No two cells touch, so the match is over as it lies."""
    result = GAME.outcome(at_turn(cells.replace(" ", "..")))
    assert result is not None
    assert result.places == places


# Dropping out


def test_a_seat_that_dropped_out_is_left_out_and_its_cells_stay_to_be_taken() -> None:
    """Red leaves; green follows blue without a word, and red's cells still fall."""
    position = after(at_turn(CROSSING), GAME.drop(at_turn(CROSSING), RED, "resigned"))
    assert GAME.to_move(position) == (BLUE,)
    events = GAME.decide(position, BLUE, Place("e5"))
    assert isinstance(events[0], Placed)
    assert "f5" in events[0].captured
    assert len(events) == 1
    assert GAME.to_move(after(position, events)) == (GREEN,)


def test_the_turn_of_a_seat_that_drops_out_goes_to_the_next_that_can_jump() -> None:
    """Green leaves at its turn on a board where blue has no jump: blue is passed over, red is next."""
    position = at_turn(". . . g r . . . . b", GREEN)
    events = GAME.drop(position, GREEN, "timed_out")
    assert events == [Dropped(seat=GREEN, reason="timed_out"), Passed(seat=BLUE)]
    assert GAME.to_move(after(position, events)) == (RED,)


def test_the_match_ends_when_only_one_who_left_could_still_jump() -> None:
    """Blue could play c1, but blue is gone: red and green are ranked by cells, blue behind both."""
    result = GAME.outcome(after(at_turn(LAST_JUMP), GAME.drop(at_turn(LAST_JUMP), BLUE, "forfeited")))
    assert result is not None
    assert (result.reason, result.places, result.scores) == ("most_cells", (3, 1, 1), (1, 1, 1))


def test_the_last_one_left_wins_and_the_first_to_leave_is_last() -> None:
    """Whatever lies on the board; the reason is that of the drop that ended the match."""
    position = after(at_turn(CROSSING), GAME.drop(at_turn(CROSSING), BLUE, "timed_out"))
    assert GAME.outcome(position) is None
    position = after(position, GAME.drop(position, GREEN, "resigned"))
    result = GAME.outcome(position)
    assert result is not None
    assert (result.reason, result.places) == ("resigned", (3, 1, 2))
    assert GAME.to_move(position) == ()
