"""The board of Ternio: 9 by 9 squares, and the letters for who owns them."""

from collections.abc import Sequence

from service.domain.boards.captures import Owned
from service.domain.boards.grid_names import GridNames

GRID = GridNames("abcdefghi", 9, ".rgb")
GEOMETRY = GRID.geometry


def rows(owned: Owned) -> tuple[str, ...]:
    """Return the board as rows in wire form, the top row first."""
    red, green, blue = owned
    return GRID.rows(red | blue, green | blue)


def read_rows(drawn: Sequence[str]) -> Owned:
    """Return the owned cells of a board in wire form."""
    red, green, blue = GRID.read(drawn, "rgb")
    return red, green, blue
