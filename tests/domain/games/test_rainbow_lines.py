"""How a match of Tic-Tac-Rainbow is won, by two, by three and in misere: pegs are drawn as in the tests of a turn."""

import msgspec
import pytest

from service.domain.game import Outcome
from service.domain.games.rainbow import GAME
from service.domain.games.rainbow.model import Flip, Flipped, Moved, Options, Place, Placed, Shift
from tests.domain.games.test_rainbow import ONE, THREE, TWO, played, refusal, shown, table, told


def test_three_in_a_row_win_whoever_owns_the_pegs() -> None:
    """Two puts its red beside two reds of one."""
    state = table(
        """
         .   .   .
     .   .   .   .   .
     .  1RO 1RV  .   .
     .   .   .   .   .
         .   .   .
        """,
        TWO,
    )
    event = told(state, Place("VR", "R", "d3"))
    assert event == Placed(TWO, "VR", "R", "d3", ("b3", "c3", "d3"), "line")
    over = GAME.evolve(state, event)
    assert GAME.outcome(over) == Outcome("line", (2, 1), (0, 1))
    assert GAME.to_move(over) == ()
    assert GAME.legal_moves(over, ONE) == ()
    assert refusal(over, Flip("b3"), ONE) == "not_your_turn"
    assert shown(over).line == ("b3", "c3", "d3")


def test_white_counts_as_whatever_colour_is_needed() -> None:
    """On c2 yellow joins nothing, but orange finishes white, orange, orange."""
    state = table(
        """
         .   .   .
    2WK  .   .   .   .
     .  1OR  .   .   .
     .   .   .   .   .
         .   .   .
        """
    )
    line = ("a4", "b3", "c2")
    assert told(state, Place("OY", "Y", "c2")) == Placed(ONE, "OY", "Y", "c2")
    assert told(state, Place("OY", "O", "c2")) == Placed(ONE, "OY", "O", "c2", line, "line")


def test_white_is_one_colour_at_a_time() -> None:
    """Orange, white, yellow are no line."""
    state = table(
        """
         .   .   .
    1WK  .   .   .   .
     .  1OR  .  2YO  .
     .   .   .   .   .
         .   .   .
        """
    )
    assert told(state, Shift("a4", "c3")) == Moved(ONE, "WK", "W", "a4", "c3")


def test_a_white_side_that_comes_up_finishes_a_line() -> None:
    """It was black, which matched nothing; flipped it is green between two greens."""
    state = table(
        """
         .   .   .
     .   .   .   .  1GY
     .   .   .   .  2KW
     .   .   .   .  1GB
         .   .   .
        """,
        TWO,
    )
    assert told(state, Flip("e3")) == Flipped(TWO, "WK", "W", "e3", ("e2", "e3", "e4"), "line")


def test_two_whites_and_three_whites_are_lines() -> None:
    """With two whites any colour will do; three need three players."""
    drawing = """
         .   .   .
     .  1WK 2WK 3WK  .
     .   .   .   .   .
    2VR  .   .   .   .
         .   .   .
    """
    three = table(drawing.replace("3WK", "3KW"), THREE, Options(players=3))
    assert told(three, Flip("d4")) == Flipped(THREE, "WK", "W", "d4", ("b4", "c4", "d4"), "line")
    two = table(drawing.replace("3WK", " . "), TWO)
    assert told(two, Shift("a2", "d4")) == Moved(TWO, "VR", "V", "a2", "d4", ("b4", "c4", "d4"), "line")


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
    state = table(drawing, THREE, Options(players=3))
    assert told(state, move) == Moved(THREE, "WK", "K", "c1", "d3")
    state = table(drawing.replace("1KW", "1WK").replace("3KW", "3WK"), THREE, Options(players=3))
    assert told(state, move) == Moved(THREE, "WK", "W", "c1", "d3")


def test_a_peg_that_moved_no_longer_counts_where_it_was() -> None:
    """From a3 to c3 it leaves one red beside it, not two."""
    state = table(
        """
         .   .   .
     .   .   .   .   .
    1RO 2RO  .   .   .
     .   .   .   .   .
         .   .   .
        """
    )
    assert told(state, Shift("a3", "c3")) == Moved(ONE, "RO", "R", "a3", "c3")


def test_three_in_a_row_are_neighbours() -> None:
    """Red with a gap or around a corner of the board is no line."""
    state = table(
        """
         .   .  2RO
     .   .   .   .  1RO
    1VR  .  2VR  .   .
     .   .   .   .   .
         .   .   .
        """
    )
    assert GAME.outcome(played(state, Shift("e4", "e3"))) is None


def test_two_lines_at_once_count_no_more_than_one() -> None:
    """The first one is told, and the stake is won once."""
    state = table(
        """
         .  2RO  .
     .   .  2RV  .   .
    1WK 1RO  .   .   .
     .   .   .   .   .
         .   .   .
        """
    )
    over = played(state, Place("VR", "R", "c3"))
    assert GAME.outcome(over) == Outcome("line", (1, 2), (1, 0))
    assert shown(over).line == ("a3", "b3", "c3")


def test_on_the_hexagonal_grid_diagonals_down_to_the_right_are_no_lines() -> None:
    """The other diagonals stay: b4, c3, d2 is no line, b2, c3, d4 is one."""
    drawing = """
         .   .   .
     .  2RO  .  1GY  .
     .   .   .   .   .
     .  2GB  .  2RV  .
         .   .   .
    """
    for grid, options in (("square", Options()), ("hex", Options(grid="hex"))):
        red = GAME.outcome(played(table(drawing, ONE, options), Place("RO", "R", "c3")))
        green = GAME.outcome(played(table(drawing, ONE, options), Place("GB", "G", "c3")))
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
    state = table(TWO_REDS, (ONE, TWO, THREE)[turn], options)
    assert GAME.outcome(played(state, Place("VR", "R", "d3"))) == Outcome("line", places, scores)


# Three players


def test_three_players_take_turns_and_a_line_wins_everything() -> None:
    """One, two, three, and one again; the losers share the second place."""
    assert list(GAME.seats(Options(players=3))) == ["one", "two", "three"]
    state = table(TWO_REDS, TWO, Options(players=3))
    turns = [GAME.to_move(state := played(state, Place("VR", "V", at))) for at in ("b1", "d1", "c5")]
    assert turns == [(THREE,), (ONE,), (TWO,)]
    over = played(table(TWO_REDS, THREE, Options(players=3)), Place("VR", "R", "d3"))
    assert GAME.outcome(over) == Outcome("line", (2, 2, 1), (0, 0, 1))


def test_on_a_full_board_only_flips_remain() -> None:
    """21 pegs stand on 21 cells."""
    full = table(
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
    assert shown(full).off_board == {"one": (), "two": (), "three": ()}
