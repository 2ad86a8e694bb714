"""The geometry of a board, from which any client can draw it without knowing the game."""

from collections.abc import Mapping
from math import sqrt
from typing import Literal

import msgspec


class Point(msgspec.Struct, frozen=True):
    """A cell of a board and the coordinates of its centre, in units of one cell; x grows to the right, y upwards."""

    name: str
    """The name of the cell in moves and events."""
    x: float
    """To the right, in units of one cell."""
    y: float
    """Upwards, in units of one cell."""


ROW_DISTANCE = sqrt(3) / 2
"""The distance between two rows of hexagons that are one unit wide."""


class Geometry(msgspec.Struct, frozen=True):
    """The geometry of a game's boards.

    `cells` are squares on a `grid`, points on a `graph`, and on `hexagons` regular hexagons with a corner at the top,
    each one unit wide; their rows are half the square root of three apart. `edges` are the lines of a graph, each
    between two cells. `boards` has the names of all boards of this shape; most games have one.
    """

    kind: Literal["grid", "graph", "hexagons"]
    """Whether the cells are squares of a grid, points of a graph, or hexagons."""
    width: int
    """The number of columns: the width of the board in cells."""
    height: int
    """The number of rows."""
    cells: tuple[Point, ...]
    """All cells."""
    edges: tuple[tuple[str, str], ...] = ()
    """The lines of a graph, each between two cells."""
    lines: tuple[tuple[str, ...], ...] = ()
    """The cells of each line that has a meaning in the rules, such as mills; empty if the rules name no lines."""
    boards: tuple[str, ...] = ("board",)
    """The names of all boards of this shape."""

    def sketch(self, marks: Mapping[str, str]) -> str:
        """Return one board as text: each cell's mark, or a dot without one, and the vertical and horizontal edges.

        Row numbers are written at the left and column letters below, as in the names of the cells.
        """
        widest = max(map(len, marks.values()), default=1)
        across, down = (widest + 3, 2) if self.edges else (widest + 1, 1)
        places = {cell.name: (int(self.height - cell.y) * down, int(cell.x) * across) for cell in self.cells}
        canvas = [[" "] * (self.width * across) for _ in range((self.height - 1) * down + 1)]
        for one, other in self.edges:
            draw_line(canvas, *sorted((places[one], places[other])))
        for name, (line, column) in places.items():
            canvas[line][column : column + widest] = marks.get(name, ".").ljust(widest)
        numbers = {line: name[1:] for name, (line, _) in places.items()}
        letters = {int(cell.x): cell.name[0] for cell in self.cells}
        below = "".join(letters.get(column, " ").ljust(across) for column in range(self.width))
        rows = [(numbers.get(line, ""), "".join(row)) for line, row in enumerate(canvas)]
        return "\n".join(f"{number:>2} {row}".rstrip() for number, row in [*rows, ("", below)])


def draw_line(canvas: list[list[str]], start: tuple[int, int], end: tuple[int, int]) -> None:
    """Draw a horizontal or vertical line on a canvas of characters; other lines are not drawn."""
    (top, left), (bottom, right) = start, end
    if top == bottom:
        canvas[top][left:right] = "-" * (right - left)
    if left == right:
        for line in range(top, bottom):
            canvas[line][left] = "|"
