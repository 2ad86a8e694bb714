"""The rules of Triboard, each with a drawn board."""

from collections import Counter

import msgspec
import pytest

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Dropped, Passed, Rejected, Seat
from service.domain.games.triboard import GAME
from service.domain.games.triboard.model import LaidOut, Options, Place, Placed, Position, TriboardEvent, view

BLUE, RED, GREEN = Seat(0), Seat(1), Seat(2)


def parse_board(drawing: str) -> tuple[str, ...]:
    """Return the lower left of a board: the rows above the drawing and the columns right of it are empty."""
    drawn = tuple(line.replace(" ", "").ljust(16, ".") for line in drawing.strip().splitlines())
    rows = ("." * 16,) * (11 - len(drawn)) + drawn
    assert [len(row) for row in rows] == [16] * 11
    return rows


def parse_position(drawing: str, seat: Seat = BLUE) -> Position:
    """Return the position of a drawing with `seat` to move."""
    return GAME.evolve(GAME.start(Options()), LaidOut(parse_board(drawing), first=seat, draw=DrawNumber(0)))


def after(position: Position, events: list[TriboardEvent]) -> Position:
    """Return the position after the events."""
    for event in events:
        position = GAME.evolve(position, event)
    return position


def legal_cells(position: Position, seat: Seat) -> list[str]:
    """Return the cells that the seat may choose."""
    return [move.at for move in GAME.legal_moves(position, seat)]


def layout_of(seed: int, options: Options) -> LaidOut:
    """Return the layout of this seed with draw number 5."""
    [laid_out] = GAME.setup(options, Chance(seed.to_bytes(32, "big"), ["", "", ""], DrawNumber(5)))
    assert isinstance(laid_out, LaidOut)
    return laid_out


# The start


@pytest.mark.parametrize("seed", range(20))
def test_a_layout_has_12_cells_of_each_colour_12_walls_and_a_jump_for_every_seat(seed: int) -> None:
    """It has the number of the draw that it came from."""
    laid_out = layout_of(seed, Options())
    assert Counter("".join(laid_out.board)) == {"b": 12, "r": 12, "g": 12, "#": 12, ".": 128}
    assert laid_out.draw == 5
    for seat in (BLUE, RED, GREEN):
        assert legal_cells(GAME.evolve(GAME.start(Options()), msgspec.structs.replace(laid_out, first=seat)), seat)


def test_every_seat_can_be_drawn_as_the_first() -> None:
    """Within twenty layouts all three are."""
    assert {layout_of(seed, Options()).first for seed in range(20)} == {BLUE, RED, GREEN}


@pytest.mark.parametrize("seed", range(20))
def test_blue_begins_by_option_on_the_same_layout(seed: int) -> None:
    """The first seat is drawn after the layout, so the option does not change the board."""
    laid_out = layout_of(seed, Options(first="blue"))
    assert laid_out.first == BLUE
    assert laid_out.board == layout_of(seed, Options()).board
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


def test_each_direction_jumps_independently_over_one_colour() -> None:
    """From e5 three directions have green and two red; a wall, a gap and a second colour stop the others."""
    jump = GAME.decide(parse_position(CROSSING), BLUE, Place("e5"))[0]
    captured = ("c5", "d5", "f5", "g5", "d6", "e6", "c7", "e7")
    assert jump == Placed(seat=BLUE, at="e5", captured=captured)


def test_the_chosen_cell_and_those_jumped_over_change_owner() -> None:
    """Walls and all other cells stay, and the scores change accordingly."""
    seen = view(after(parse_position(CROSSING), GAME.decide(parse_position(CROSSING), BLUE, Place("e5"))), None)
    assert seen.board == parse_board("""
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
        pytest.param(". . r b . . . . . . . . . . . .", id="nothing next to the cell"),
    ],
)
def test_no_jump_goes_over(line: str) -> None:
    """To the right of a3; blue's only jump is from p1."""
    position = parse_position(ONE_LINE.format(line))
    with pytest.raises(Rejected, match="captures_nothing"):
        GAME.decide(position, BLUE, Place("a3"))
    assert "a3" not in legal_cells(position, BLUE)
    assert "p1" in legal_cells(position, BLUE)


def test_a_jump_does_not_wrap_around_the_edge() -> None:
    """Red on p3 and a4 with blue on b4 is no line for o3, nor is red on a4 with blue on p2 one for b5."""
    position = parse_position("""
        . . . . . . . . . . . . . . . .
        r b . . . . . . . . . . . . . .
        . . . . . . . . . . . . . . . r
        . . . . . . . . . . . . . . . b
        . . . . . . . . . . . . . . . .
        """)
    assert legal_cells(position, BLUE) == ["p4"]


@pytest.mark.parametrize("at", ["b5", "c5", "d4"])
def test_only_an_empty_cell_can_be_chosen(at: str) -> None:
    """Not one's own, not another seat's, not a wall."""
    with pytest.raises(Rejected, match="occupied"):
        GAME.decide(parse_position(CROSSING), BLUE, Place(at))


def test_only_the_seat_to_move_may_move() -> None:
    """Red has no legal moves before blue has moved."""
    assert legal_cells(parse_position(CROSSING), RED) == []
    with pytest.raises(Rejected, match="not_your_turn"):
        GAME.decide(parse_position(CROSSING), RED, Place("e5"))


def test_cells_are_accepted_in_either_case() -> None:
    """The event has them in lower case."""
    assert GAME.decide(parse_position(CROSSING), BLUE, Place("E5")) == GAME.decide(
        parse_position(CROSSING), BLUE, Place("e5")
    )


@pytest.mark.parametrize("at", ["a1", "p11", "P10", "h9"])
def test_a_cell_of_the_board_is_a_move(at: str) -> None:
    """From a1 to p11."""
    assert msgspec.convert({"type": "place", "at": at}, GAME.move) == Place(at)


@pytest.mark.parametrize("at", ["q1", "a0", "a12", "a111", "a01", "", "e", "5e", "e5\n", "p11\n"])
def test_a_cell_off_the_board_is_rejected_on_decoding(at: str) -> None:
    """It does not match the schema, so it does not reach the rules."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "place", "at": at}, GAME.move)


# Passing and the end


def test_a_seat_that_cannot_jump_is_passed_over() -> None:
    """Blue plays b1; red is alone in its corner, green can reply on h1."""
    position = parse_position("""
        r . . . . . . .
        . . . . . . . .
        b r . . . g b .
        """)
    events = GAME.decide(position, BLUE, Place("c1"))
    assert events == [Placed(seat=BLUE, at="c1", captured=("b1",)), Passed(seat=RED)]
    assert GAME.to_move(after(position, events)) == (GREEN,)


def test_two_seats_in_a_row_can_be_passed_over() -> None:
    """Blue plays b1; the only jump left is blue's from c3."""
    position = parse_position("""
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


def test_the_match_ends_without_a_pass_when_nobody_can_jump() -> None:
    """Although most of the board is empty."""
    events = GAME.decide(parse_position(LAST_JUMP), BLUE, Place("c1"))
    assert events == [Placed(seat=BLUE, at="c1", captured=("b1",))]
    ended = after(parse_position(LAST_JUMP), events)
    assert GAME.to_move(ended) == ()
    assert [legal_cells(ended, seat) for seat in (BLUE, RED, GREEN)] == [[], [], []]
    result = GAME.outcome(ended)
    assert result is not None
    assert (result.reason, result.places, result.scores) == ("most_cells", (1, 3, 2), (3, 0, 1))


@pytest.mark.parametrize(
    ("cells", "places"),
    [("r b g", (1, 1, 1)), ("r b .", (1, 1, 3)), ("r r g", (3, 1, 2)), ("r g g", (3, 2, 1)), ("r . .", (2, 1, 2))],
)
def test_most_cells_win_and_ties_share_a_place(cells: str, places: tuple[int, ...]) -> None:
    """No two cells are adjacent, so the match is over in this position."""
    result = GAME.outcome(parse_position(cells.replace(" ", "..")))
    assert result is not None
    assert result.places == places


# Dropping out


def test_a_dropped_seat_is_skipped_and_its_cells_can_be_captured() -> None:
    """Red drops out; green follows blue without a pass, and red's cells can still be captured."""
    position = after(parse_position(CROSSING), GAME.drop(parse_position(CROSSING), RED, "resigned"))
    assert GAME.to_move(position) == (BLUE,)
    events = GAME.decide(position, BLUE, Place("e5"))
    assert isinstance(events[0], Placed)
    assert "f5" in events[0].captured
    assert len(events) == 1
    assert GAME.to_move(after(position, events)) == (GREEN,)


def test_the_turn_of_a_seat_that_drops_out_goes_to_the_next_that_can_jump() -> None:
    """Green drops out on its turn on a board where blue has no jump: blue is passed over, red is next."""
    position = parse_position(". . . g r . . . . b", GREEN)
    events = GAME.drop(position, GREEN, "timed_out")
    assert events == [Dropped(seat=GREEN, reason="timed_out"), Passed(seat=BLUE)]
    assert GAME.to_move(after(position, events)) == (RED,)


def test_the_match_ends_when_only_a_dropped_seat_could_jump() -> None:
    """Blue could play c1, but has dropped out: red and green are ranked by cells, blue last."""
    result = GAME.outcome(after(parse_position(LAST_JUMP), GAME.drop(parse_position(LAST_JUMP), BLUE, "forfeited")))
    assert result is not None
    assert (result.reason, result.places, result.scores) == ("most_cells", (3, 1, 1), (1, 1, 1))


def test_the_last_remaining_seat_wins_and_the_first_dropped_is_last() -> None:
    """On any board; the reason is that of the drop-out that ended the match."""
    position = after(parse_position(CROSSING), GAME.drop(parse_position(CROSSING), BLUE, "timed_out"))
    assert GAME.outcome(position) is None
    position = after(position, GAME.drop(position, GREEN, "resigned"))
    result = GAME.outcome(position)
    assert result is not None
    assert (result.reason, result.places) == ("resigned", (3, 1, 2))
    assert GAME.to_move(position) == ()
