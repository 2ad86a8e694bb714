"""The rules of Ternio, each with a drawn board."""

from collections import Counter
from typing import get_args

import msgspec
import pytest

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Dropped, Passed, Rejected, Seat
from service.domain.games.ternio import GAME
from service.domain.games.ternio.model import (
    LAYOUTS,
    LaidOut,
    LayoutName,
    Options,
    Place,
    Placed,
    Position,
    TernioEvent,
    view,
)

RED, GREEN, BLUE = Seat(0), Seat(1), Seat(2)


def parse_board(drawing: str) -> tuple[str, ...]:
    """Return the rows of a drawing down to row 1; the rows above it are empty, and spaces are ignored."""
    drawn = tuple(line.replace(" ", "") for line in drawing.strip().splitlines())
    rows = (".........",) * (9 - len(drawn)) + drawn
    assert [len(row) for row in rows] == [9] * 9
    return rows


def parse_position(drawing: str, seat: Seat = RED) -> Position:
    """Return the position of a drawing with `seat` to move."""
    position = GAME.evolve(GAME.start(Options()), LaidOut(parse_board(drawing)))
    return msgspec.structs.replace(position, turn=seat)


def after(position: Position, events: list[TernioEvent]) -> Position:
    """Return the position after the events."""
    for event in events:
        position = GAME.evolve(position, event)
    return position


def legal_squares(position: Position, seat: Seat) -> list[str]:
    """Return the squares that the seat may choose."""
    return [move.at for move in GAME.legal_moves(position, seat)]


def start_position(name: LayoutName) -> Position:
    """Return the position after the start with this layout."""
    options = Options(start=name)
    return after(GAME.start(options), GAME.setup(options, Chance(bytes(32), ["", "", ""], DrawNumber(0))))


# The start


def test_the_layout_is_in_the_middle_and_recorded() -> None:
    """The event contains the whole board, so that a later table of layouts cannot change the match."""
    assert GAME.setup(Options(start="latin"), Chance(bytes(32), [], DrawNumber(0))) == [
        LaidOut(
            parse_board("""
            . . . g b r . . .
            . . . r g b . . .
            . . . b r g . . .
            . . . . . . . . .
            . . . . . . . . .
            . . . . . . . . .
            """)
        )
    ]


@pytest.mark.parametrize("name", get_args(LayoutName))
def test_every_layout_has_three_discs_of_each_colour_and_a_move_for_red(name: LayoutName) -> None:
    """Three discs each on d4 to f6, and red, who always begins, has a legal move."""
    assert Counter("".join(LAYOUTS[name])) == {"r": 3, "g": 3, "b": 3}
    assert GAME.to_move(start_position(name)) == (RED,)
    assert legal_squares(start_position(name), RED)


def test_the_default_layout_is_changed_by_every_rotation_and_reflection() -> None:
    """All eight images of the block under the symmetries of the square differ."""
    block: tuple[str, ...] = LAYOUTS[Options().start]
    pictures = set()
    for _ in range(4):
        block = tuple("".join(column) for column in zip(*reversed(block), strict=True))  # a quarter turn
        pictures |= {block, block[::-1]}
    assert len(pictures) == 8


# A move


CROSSING = """
. r . . r . . r .
. . g . b . b . .
. . . g b g . . .
. r b b . g g r .
. . . b b b . . .
. . b . g . g . .
. r . . r . . r .
. . . . . . . . .
"""


def test_each_direction_captures_independently_along_one_colour() -> None:
    """From e5 three directions have blue and two green; the other three mix both and capture nothing."""
    placed = GAME.decide(parse_position(CROSSING), RED, Place("e5"))[0]
    captured = ("c3", "d4", "c5", "d5", "f5", "g5", "d6", "e6", "c7", "e7")
    assert placed == Placed(seat=RED, at="e5", captured=captured)


def test_captured_discs_turn_to_the_colour_of_the_seat() -> None:
    """Nothing else changes."""
    position = parse_position(CROSSING)
    assert view(after(position, GAME.decide(position, RED, Place("e5"))), None).board == parse_board("""
        . r . . r . . r .
        . . r . r . b . .
        . . . r r g . . .
        . r r r r r r r .
        . . . r b b . . .
        . . r . g . g . .
        . r . . r . . r .
        . . . . . . . . .
        """)


ONE_LINE = """
{}
. . . . . . . . .
. . . . . . r g .
"""


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(". b g r . . . . .", id="two colours"),
        pytest.param(". g b b g r . . .", id="two colours, of which the end is no excuse"),
        pytest.param(". b b . r . . . .", id="a gap"),
        pytest.param(". b b b b b b b b", id="the edge"),
        pytest.param(". r b r . . . . .", id="its own disc first"),
        pytest.param(". . b r . . . . .", id="nothing next to the square"),
    ],
)
def test_nothing_is_captured_by_a_line_of(line: str) -> None:
    """To the right of a3; red's only move is i1."""
    position = parse_position(ONE_LINE.format(line))
    with pytest.raises(Rejected, match="captures_nothing"):
        GAME.decide(position, RED, Place("a3"))
    assert "a3" not in legal_squares(position, RED)


def test_a_line_does_not_wrap_around_the_edge() -> None:
    """Blue on i5 and a6 with red on b6 is no line for h5, nor is blue on a6 with red on i4 one for b7."""
    position = parse_position("""
        b r . . . . . . .
        . . . . . . . . b
        . . . . . . . . r
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        """)
    assert legal_squares(position, RED) == ["i6"]


def test_a_square_with_a_disc_is_rejected() -> None:
    """Even with a disc of the seat itself."""
    with pytest.raises(Rejected, match="occupied"):
        GAME.decide(parse_position(CROSSING), RED, Place("b5"))


def test_only_the_seat_to_move_may_move() -> None:
    """Green has no legal moves before red has moved."""
    position = parse_position(CROSSING)
    assert legal_squares(position, GREEN) == []
    with pytest.raises(Rejected, match="not_your_turn"):
        GAME.decide(position, GREEN, Place("c4"))


def test_squares_are_accepted_in_either_case() -> None:
    """The event has them in lower case."""
    position = parse_position(CROSSING)
    assert GAME.decide(position, RED, Place("E5")) == GAME.decide(position, RED, Place("e5"))


@pytest.mark.parametrize("at", ["j1", "a0", "a10", "", "e", "5e", "e5\n", "\u00e41"])
def test_a_square_off_the_board_is_rejected_on_decoding(at: str) -> None:
    """It does not match the schema, so it does not reach the rules."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "place", "at": at}, GAME.move)


# Passing and the end


def test_a_seat_without_a_move_is_passed_over() -> None:
    """Red plays b2; green is adjacent to nobody, blue has a reply."""
    position = parse_position("""
        . . . . . . . . g
        . . . . . . . . .
        . . . . . . . . .
        r b . . . . . . .
        r b . b r . . . .
        """)
    events = GAME.decide(position, RED, Place("c2"))
    assert events == [Placed(seat=RED, at="c2", captured=("b2",)), Passed(seat=GREEN)]
    assert GAME.to_move(after(position, events)) == (BLUE,)


def test_two_seats_in_a_row_can_be_passed_over() -> None:
    """Red plays h1; green is adjacent to nobody, blue's b1 would capture nothing, red can play c1."""
    position = parse_position("""
        g . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        r b . . . . . b r
        """)
    events = GAME.decide(position, RED, Place("g1"))
    assert events[1:] == [Passed(seat=GREEN), Passed(seat=BLUE)]
    assert GAME.to_move(after(position, events)) == (RED,)


LAST_MOVE = """
g . . . . . . . .
. . . . . . . . .
. . . . . . . . .
r b . . . . . . .
"""


def test_the_match_ends_without_a_pass_when_nobody_can_move() -> None:
    """Red's c1 captures the only disc that was adjacent to another colour."""
    position = parse_position(LAST_MOVE)
    events = GAME.decide(position, RED, Place("c1"))
    assert events == [Placed(seat=RED, at="c1", captured=("b1",))]
    ended = after(position, events)
    assert GAME.to_move(ended) == ()
    assert [legal_squares(ended, seat) for seat in (RED, GREEN, BLUE)] == [[], [], []]
    result = GAME.outcome(ended)
    assert result is not None
    assert (result.reason, result.places, result.scores) == ("most_discs", (1, 2, 3), (3, 1, 0))


@pytest.mark.parametrize(
    ("discs", "places"),
    [("g r b", (1, 1, 1)), ("g r .", (1, 1, 3)), ("g g b", (3, 1, 2)), ("g b b", (3, 2, 1)), ("g . .", (2, 1, 2))],
)
def test_most_discs_win_and_ties_share_a_place(discs: str, places: tuple[int, ...]) -> None:
    """No two discs are adjacent, so the match is over in this position."""
    position = parse_position(discs.replace(" ", "..") + "..")
    result = GAME.outcome(position)
    assert result is not None
    assert result.places == places


# Dropping out


def test_a_dropped_seat_is_skipped_and_its_discs_can_be_captured() -> None:
    """Green drops out; blue follows red without a pass, and green's discs can still be captured."""
    position = after(parse_position(CROSSING), GAME.drop(parse_position(CROSSING), GREEN, "resigned"))
    assert GAME.to_move(position) == (RED,)
    events = GAME.decide(position, RED, Place("e5"))
    assert isinstance(events[0], Placed)
    assert "f5" in events[0].captured
    assert len(events) == 1
    assert GAME.to_move(after(position, events)) == (BLUE,)


def test_the_turn_of_a_seat_that_drops_out_goes_to_the_next_that_can_move() -> None:
    """Blue drops out on its turn on a board where red has no move: red is passed over, green is next."""
    position = parse_position(
        """
        r . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . b g . . . .
        """,
        BLUE,
    )
    events = GAME.drop(position, BLUE, "timed_out")
    assert events == [Dropped(seat=BLUE, reason="timed_out"), Passed(seat=RED)]
    assert GAME.to_move(after(position, events)) == (GREEN,)


def test_the_match_ends_when_only_a_dropped_seat_could_move() -> None:
    """Red could play c1, but has dropped out: green and blue are ranked by discs, red last."""
    position = after(parse_position(LAST_MOVE), GAME.drop(parse_position(LAST_MOVE), RED, "forfeited"))
    result = GAME.outcome(position)
    assert result is not None
    assert (result.reason, result.places, result.scores) == ("most_discs", (3, 1, 1), (1, 1, 1))


def test_the_last_remaining_seat_wins_and_the_first_dropped_is_last() -> None:
    """On any board; the reason is that of the drop-out that ended the match."""
    position = parse_position(CROSSING)
    position = after(position, GAME.drop(position, RED, "timed_out"))
    assert GAME.outcome(position) is None
    position = after(position, GAME.drop(position, BLUE, "resigned"))
    result = GAME.outcome(position)
    assert result is not None
    assert (result.reason, result.places) == ("resigned", (3, 1, 2))
    assert GAME.to_move(position) == ()
