"""How a match of Tic-Tac-Rainbow is won with two seats, with three and in misere; pegs are drawn as in test_rainbow."""

import msgspec
import pytest

from service.domain.game import Outcome
from service.domain.games.rainbow import GAME
from service.domain.games.rainbow.model import Flip, Flipped, Moved, Options, Place, Placed, Shift
from tests.domain.games.test_rainbow import ONE, THREE, TWO, event_of, parse_position, play_moves, refusal, view_of


def test_three_in_a_row_win_with_pegs_of_any_owner() -> None:
    """Two puts its red next to two reds of one."""
    state = parse_position(
        """
         .   .   .
     .   .   .   .   .
     .  1RO 1RV  .   .
     .   .   .   .   .
         .   .   .
        """,
        TWO,
    )
    event = event_of(state, Place("VR", "R", "d3"))
    assert event == Placed(TWO, "VR", "R", "d3", ("b3", "c3", "d3"), "line")
    over = GAME.evolve(state, event)
    assert GAME.outcome(over) == Outcome("line", (2, 1), (0, 1))
    assert GAME.to_move(over) == ()
    assert GAME.legal_moves(over, ONE) == ()
    assert refusal(over, Flip("b3"), ONE) == "not_your_turn"
    assert view_of(over).line == ("b3", "c3", "d3")


def test_white_counts_as_any_colour() -> None:
    """On c2 yellow completes nothing, but orange completes white, orange, orange."""
    state = parse_position(
        """
         .   .   .
    2WK  .   .   .   .
     .  1OR  .   .   .
     .   .   .   .   .
         .   .   .
        """
    )
    line = ("a4", "b3", "c2")
    assert event_of(state, Place("OY", "Y", "c2")) == Placed(ONE, "OY", "Y", "c2")
    assert event_of(state, Place("OY", "O", "c2")) == Placed(ONE, "OY", "O", "c2", line, "line")


def test_white_is_one_colour_at_a_time() -> None:
    """Orange, white, yellow are no line."""
    state = parse_position(
        """
         .   .   .
    1WK  .   .   .   .
     .  1OR  .  2YO  .
     .   .   .   .   .
         .   .   .
        """
    )
    assert event_of(state, Shift("a4", "c3")) == Moved(ONE, "WK", "W", "a4", "c3")


def test_a_flip_to_white_completes_a_line() -> None:
    """It was black, which matches nothing; flipped it is green between two greens."""
    state = parse_position(
        """
         .   .   .
     .   .   .   .  1GY
     .   .   .   .  2KW
     .   .   .   .  1GB
         .   .   .
        """,
        TWO,
    )
    assert event_of(state, Flip("e3")) == Flipped(TWO, "WK", "W", "e3", ("e2", "e3", "e4"), "line")


def test_two_whites_and_three_whites_are_lines() -> None:
    """With two whites any colour completes the line; three whites need three players."""
    drawing = """
         .   .   .
     .  1WK 2WK 3WK  .
     .   .   .   .   .
    2VR  .   .   .   .
         .   .   .
    """
    three = parse_position(drawing.replace("3WK", "3KW"), THREE, Options(players=3))
    assert event_of(three, Flip("d4")) == Flipped(THREE, "WK", "W", "d4", ("b4", "c4", "d4"), "line")
    two = parse_position(drawing.replace("3WK", " . "), TWO)
    assert event_of(two, Shift("a2", "d4")) == Moved(TWO, "VR", "V", "a2", "d4", ("b4", "c4", "d4"), "line")


def test_black_matches_nothing_not_even_black() -> None:
    """Three blacks are no line, nor is a black between two whites."""
    drawing = """
         .   .   .
     .   .   .   .   .
     .  1KW 2KW  .   .
     .   .   .   .   .
         .  3KW  .
    """
    move = Shift("c1", "d3")
    state = parse_position(drawing, THREE, Options(players=3))
    assert event_of(state, move) == Moved(THREE, "WK", "K", "c1", "d3")
    state = parse_position(drawing.replace("1KW", "1WK").replace("3KW", "3WK"), THREE, Options(players=3))
    assert event_of(state, move) == Moved(THREE, "WK", "W", "c1", "d3")


def test_a_peg_that_moved_no_longer_counts_where_it_was() -> None:
    """From a3 to c3 it leaves one adjacent red, not two."""
    state = parse_position(
        """
         .   .   .
     .   .   .   .   .
    1RO 2RO  .   .   .
     .   .   .   .   .
         .   .   .
        """
    )
    assert event_of(state, Shift("a3", "c3")) == Moved(ONE, "RO", "R", "a3", "c3")


def test_three_in_a_row_are_neighbours() -> None:
    """Red with a gap or around a corner of the board is no line."""
    state = parse_position(
        """
         .   .  2RO
     .   .   .   .  1RO
    1VR  .  2VR  .   .
     .   .   .   .   .
         .   .   .
        """
    )
    assert GAME.outcome(play_moves(state, Shift("e4", "e3"))) is None


def test_two_lines_at_once_count_as_one() -> None:
    """The event has the first one, and the stake is won once."""
    state = parse_position(
        """
         .  2RO  .
     .   .  2RV  .   .
    1WK 1RO  .   .   .
     .   .   .   .   .
         .   .   .
        """
    )
    over = play_moves(state, Place("VR", "R", "c3"))
    assert GAME.outcome(over) == Outcome("line", (1, 2), (1, 0))
    assert view_of(over).line == ("a3", "b3", "c3")


def test_on_the_hexagonal_grid_diagonals_down_to_the_right_are_no_lines() -> None:
    """The other diagonals are lines: b4, c3, d2 is none, b2, c3, d4 is one."""
    drawing = """
         .   .   .
     .  2RO  .  1GY  .
     .   .   .   .   .
     .  2GB  .  2RV  .
         .   .   .
    """
    for grid, options in (("square", Options()), ("hex", Options(grid="hex"))):
        red = GAME.outcome(play_moves(parse_position(drawing, ONE, options), Place("RO", "R", "c3")))
        green = GAME.outcome(play_moves(parse_position(drawing, ONE, options), Place("GB", "G", "c3")))
        assert (red is None) == (grid == "hex")
        assert green == Outcome("line", (1, 2), (1, 0))


# Misere


TWO_REDS = """
         .   .   .
     .   .   .   .   .
     .  1RO 2RO  .   .
     .   .   .   .   .
         .   .   .
"""


@pytest.mark.parametrize(
    ("players", "turn", "places", "scores"),
    [
        (2, ONE, (2, 1), (0, 1)),
        (2, TWO, (1, 2), (1, 0)),
        (3, ONE, (3, 1, 1), (0, 0.5, 0.5)),
        (3, THREE, (1, 1, 3), (0.5, 0.5, 0)),
    ],
)
def test_in_misere_a_line_loses_and_the_others_share_first_place(
    players: int, turn: int, places: tuple[int, ...], scores: tuple[float, ...]
) -> None:
    """The stake is split evenly among them."""
    options = msgspec.convert({"misere": True, "players": players}, Options)
    state = parse_position(TWO_REDS, (ONE, TWO, THREE)[turn], options)
    assert GAME.outcome(play_moves(state, Place("VR", "R", "d3"))) == Outcome("line", places, scores)


# Three players


def test_three_players_take_turns_and_a_line_wins_everything() -> None:
    """One, two, three, and one again; the losers share the second place."""
    assert list(GAME.seats(Options(players=3))) == ["one", "two", "three"]
    state = parse_position(TWO_REDS, TWO, Options(players=3))
    turns = [GAME.to_move(state := play_moves(state, Place("VR", "V", at))) for at in ("b1", "d1", "c5")]
    assert turns == [(THREE,), (ONE,), (TWO,)]
    over = play_moves(parse_position(TWO_REDS, THREE, Options(players=3)), Place("VR", "R", "d3"))
    assert GAME.outcome(over) == Outcome("line", (2, 2, 1), (0, 0, 1))


def test_on_a_full_board_only_flips_remain() -> None:
    """21 pegs are on 21 cells."""
    full = parse_position(
        """
        1RO 2RO 1OY
    3YG 2GB 1VB 3OY 2YO
    1KW 3RO 2KW 1RV 3KW
    2VB 1YG 3VB 2YG 1GB
        3VR 2RV 3GB
        """,
        THREE,
        Options(players=3),
    )
    assert list(GAME.legal_moves(full, THREE)) == [
        Flip("b1"), Flip("d1"), Flip("c2"), Flip("b3"), Flip("e3"), Flip("a4"), Flip("d4"),
    ]  # fmt: skip
    assert view_of(full).off_board == {"one": (), "two": (), "three": ()}
