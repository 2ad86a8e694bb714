"""Which discs a turned disc traps, on red's board alone."""

from service.domain.games.turncoat.model import Turned
from tests.domain.games.test_turncoat import parse_position, resolve_round


def first_step(drawing: str, at: str) -> Turned:
    """Return the first step of a round in which red selects this square: its effect on red's board."""
    both = "\n".join(f"{line} | {line}" for line in drawing.strip().splitlines())
    event = resolve_round(parse_position(both), at, at)[0][0]
    assert isinstance(event, Turned)
    return event


def test_discs_are_trapped_in_all_eight_directions() -> None:
    """Nearest first, clockwise from straight up."""
    event = first_step(
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
    assert event.trapped == (
        *("d5", "d6", "d7"),
        *("e5", "f6", "g7"),
        *("e4", "f4"),
        *("e3", "f2"),
        *("d3", "d2"),
        *("c3",),
        *("c4", "b4"),
        *("c5", "b6"),
    )


def test_the_first_disc_of_the_new_colour_ends_a_line() -> None:
    """A disc after b1 is not trapped."""
    event = first_step(
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
    assert event.trapped == ("d1",)


def test_blanks_and_edges_end_a_line_without_trapping() -> None:
    """From d1: the blank on b1 breaks the line to a1, the edge the one to h1, and the turn is valid."""
    event = first_step(
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
    assert event == Turned(board="red", half=1, at="d1", to="B", trapped=())


def test_a_line_does_not_wrap_around_the_edge() -> None:
    """H2 and a3 are neighbours only in a list of squares."""
    event = first_step(
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
    assert event.trapped == ()


def test_a_disc_turned_to_white_traps_black_ones() -> None:
    """Trapped discs must be turned, for better or worse."""
    event = first_step(
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
    assert event == Turned(board="red", half=1, at="d1", to="W", trapped=("c1", "b1"))


def test_trapped_discs_trap_nothing_themselves() -> None:
    """D1 traps c1, b1 and c2; b2 is between b1, which is black now, and b3, and stays white."""
    event = first_step(
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
    assert event.trapped == ("c1", "b1", "c2")
