"""What a turned disc traps, on red's board drawn alone."""

from service.domain.games.turncoat.model import Turned
from tests.domain.games.test_turncoat import resolved, table


def step(drawing: str, at: str) -> Turned:
    """Return the first step of a round in which red selects this square: what it does to red's board."""
    both = "\n".join(f"{line} | {line}" for line in drawing.strip().splitlines())
    told = resolved(table(both), at, at)[0][0]
    assert isinstance(told, Turned)
    return told


def test_discs_are_trapped_in_all_eight_directions() -> None:
    """Nearest first, clockwise from straight up."""
    told = step(
        """
        W W W B W W W B
        B W W W W W W W
        W W W W W W W W
        W W W W W W W W
        B W W W W W B W
        W W W W W W W W
        W B W W W W W W
        W W W B W W B W
        """,
        "d4",
    )
    assert told.trapped == (
        *("d5", "d6", "d7"),
        *("e5", "f6", "g7"),
        *("e4", "f4"),
        *("e3", "f2"),
        *("d3", "d2"),
        *("c3",),
        *("c4", "b4"),
        *("c5", "b6"),
    )


def test_the_first_disc_of_the_new_colour_ends_the_walk() -> None:
    """What lies behind b1 isn't trapped."""
    told = step(
        """
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        B W B W W W W W
        """,
        "e1",
    )
    assert told.trapped == ("d1",)


def test_blanks_and_edges_save_what_lies_before_them() -> None:
    """From d1: the blank at b1 breaks the line to a1, the edge the one to h1, and the turn is valid."""
    told = step(
        """
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        B . W W W W W W
        """,
        "d1",
    )
    assert told == Turned(board="red", half=1, at="d1", to="B", trapped=())


def test_a_line_does_not_go_around_the_edge() -> None:
    """H2 and a3 are neighbours only in a list of squares."""
    told = step(
        """
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W B W W W W W W
        W W W W W W W W
        W W W W W W W W
        """,
        "g2",
    )
    assert told.trapped == ()


def test_a_disc_turned_to_white_traps_black_ones() -> None:
    """Trapped discs must be turned, to the good or not."""
    told = step(
        """
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W B B B W W W W
        """,
        "d1",
    )
    assert told == Turned(board="red", half=1, at="d1", to="W", trapped=("c1", "b1"))


def test_trapped_discs_trap_nothing_themselves() -> None:
    """D1 traps c1, b1 and c2; b2 lies between b1, which is black now, and b3, and stays white."""
    told = step(
        """
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W W W W W W W W
        W B W W W W W W
        W W W W W W W W
        B W W W W W W W
        """,
        "d1",
    )
    assert told.trapped == ("c1", "b1", "c2")
