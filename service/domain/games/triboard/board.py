"""The board of Triboard: 16 by 11 cells, some of them walls, and the letters for what is on them."""

from collections.abc import Sequence

from service.domain.boards.captures import Cells, Owned
from service.domain.boards.grid_names import GridNames

GRID = GridNames("abcdefghijklmnop", 11, "#.brg")
GEOMETRY = GRID.geometry


def rows(owned: Owned, empty: Cells) -> tuple[str, ...]:
    """Return the board as rows in wire form, the top row first; a cell that is neither owned nor empty is a wall."""
    blue, red, green = owned
    return GRID.rows(empty | red, blue | red, green)


def read_rows(drawn: Sequence[str]) -> tuple[Owned, Cells]:
    """Return the owned cells and the empty cells of a board in wire form."""
    empty, blue, red, green = GRID.read(drawn, ".brg")
    return (blue, red, green), empty
