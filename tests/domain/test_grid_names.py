"""The cells of a board keep their names in all notations."""

from hypothesis import given
from hypothesis import strategies as st

from service.domain.boards.capture_game import GridNames

GRID = GridNames("abc", 10, "#.brg")
DRAWN = st.lists(st.text("#.brg", min_size=3, max_size=3), min_size=10, max_size=10)
"""Rows of letters, the top row first."""


def test_cells_are_named_from_a1_along_the_rows() -> None:
    """Also those of a row with two digits."""
    assert GRID.names_of(GRID.board)[:4] == ("a1", "b1", "c1", "a2")
    assert GRID.names_of(GRID.board)[-1] == "c10"
    assert [cell.name for cell in GRID.geometry.cells] == list(GRID.names_of(GRID.board))
    assert (GRID.geometry.cells[-1].x, GRID.geometry.cells[-1].y) == (2.5, 9.5)


@given(st.sets(st.sampled_from(sorted(GRID.cells))))
def test_a_set_has_the_cells_of_its_names(names: set[str]) -> None:
    """In order."""
    assert GRID.names_of(GRID.cells_of(names)) == tuple(name for name in GRID.cells if name in names)


@given(DRAWN)
def test_drawn_boards_can_be_parsed(drawn: list[str]) -> None:
    """The binary digits of a letter's number say in which sets it is: r is 3, so it is in the first two."""
    empty, blue, red, green = GRID.read(drawn, ".brg")
    assert GRID.names_of(blue) == tuple(
        name for name in GRID.cells if drawn[10 - int(name[1:])]["abc".index(name[0])] == "b"
    )
    assert GRID.rows(empty | red, blue | red, green) == tuple(drawn)
