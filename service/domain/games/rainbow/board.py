"""The 21 cells, the lines on them, and the geometry."""

from typing import Literal, TypeAlias

from service.domain.geometry import ROW_DISTANCE, Geometry, Point

Spot: TypeAlias = int
"""A cell's index in `CELLS`."""

Line: TypeAlias = tuple[str, str, str]
"""The names of three cells in a row, from left to right or from bottom to top."""

Grid = Literal["square", "hex"]

#      b5 c5 d5
#   a4 b4 c4 d4 e4
#   a3 b3 c3 d3 e3
#   a2 b2 c2 d2 e2
#      b1 c1 d1
CORNERS = ("a1", "e1", "a5", "e5")
CELLS = tuple(name for row in "12345" for column in "abcde" if (name := column + row) not in CORNERS)

SPOT: dict[str, Spot] = {name: spot for spot, name in enumerate(CELLS)}

STEPS: dict[Grid, tuple[tuple[int, int], ...]] = {
    "square": ((1, 0), (0, 1), (1, 1), (1, -1)),
    "hex": ((1, 0), (0, 1), (1, 1)),
}
"""By grid, the steps (columns to the right, rows up) from cell to cell that lines can have."""


def ahead(name: str, right: int, up: int) -> str:
    """Return the name of the cell that is so many columns and rows away, which need not be on the board."""
    return chr(ord(name[0]) + right) + chr(ord(name[1]) + up)


def lines_on(grid: Grid) -> tuple[Line, ...]:
    """Return every line of a grid, ordered by direction and then by first cell."""
    steps = ((name, right, up) for right, up in STEPS[grid] for name in CELLS)
    rows = ((name, ahead(name, right, up), ahead(name, 2 * right, 2 * up)) for name, right, up in steps)
    return tuple(row for row in rows if all(name in SPOT for name in row))


LINES: dict[Grid, tuple[Line, ...]] = {"square": lines_on("square"), "hex": lines_on("hex")}


def lines_through(name: str, grid: Grid) -> tuple[tuple[Spot, Spot, Line], ...]:
    """Return each line through a cell: the line's two other cells, and the line itself."""
    through = []
    for line in LINES[grid]:
        if name in line:
            one, other = (SPOT[cell] for cell in line if cell != name)
            through.append((one, other, line))
    return tuple(through)


THROUGH: dict[Grid, tuple[tuple[tuple[Spot, Spot, Line], ...], ...]] = {
    "square": tuple(lines_through(name, "square") for name in CELLS),
    "hex": tuple(lines_through(name, "hex") for name in CELLS),
}
"""By grid and cell, the lines through that cell."""


def hexagon(name: str) -> Point:
    """Return a cell of the hexagonal board.

    The board is turned by 45 degrees: the diagonals from the bottom left to the top right become rows, of 2, 3, 4, 3,
    4, 3 and 2 cells, and neighbours in a row, a column or such a diagonal touch. (Rules: `grid`.)
    """
    column, row = "abcde".index(name[0]), int(name[1]) - 1
    return Point(name, (column + row) / 2, round((row - column + 3) * ROW_DISTANCE + HALF_HEIGHT, 4))


HALF_HEIGHT = 1 / (2 * ROW_DISTANCE)
"""From the middle of a hexagon to its upper corner."""

GEOMETRIES: dict[Grid, Geometry] = {
    "square": Geometry(
        kind="grid",
        width=5,
        height=5,
        cells=tuple(Point(name, "abcde".index(name[0]) + 0.5, int(name[1]) - 0.5) for name in CELLS),
        lines=LINES["square"],
    ),
    "hex": Geometry(kind="hexagons", width=4, height=7, cells=tuple(map(hexagon, CELLS)), lines=LINES["hex"]),
}
GEOMETRY = GEOMETRIES["square"]
