"""A board's cells and where they are drawn, so that any client can draw it without knowing the game."""

from collections.abc import Mapping
from typing import Literal

import msgspec


class Point(msgspec.Struct, frozen=True):
    """A cell of a board and where its middle is drawn, in units of a cell; x grows to the right, y upwards."""

    name: str
    x: float
    y: float


class Geometry(msgspec.Struct, frozen=True):
    """A board that any client can draw without knowing the game.

    `cells` are squares on a `grid` and points on a `graph`; `edges` join neighbours where lines are drawn between them
    (a graph). `boards` names the boards of this shape, one for most games.
    """

    kind: Literal["grid", "graph"]
    width: int
    height: int
    cells: tuple[Point, ...]
    edges: tuple[tuple[str, str], ...] = ()
    boards: tuple[str, ...] = ("board",)

    def sketch(self, marks: Mapping[str, str]) -> str:
        """Return one board as text: each cell's mark, a dot for one without, and lines along upright and level edges.

        Row numbers stand at the left and column letters below, as the names of the cells have them.
        """
        widest = max(map(len, marks.values()), default=1)
        across, down = (widest + 3, 2) if self.edges else (widest + 1, 1)
        places = {cell.name: (int(self.height - cell.y) * down, int(cell.x) * across) for cell in self.cells}
        canvas = [[" "] * (self.width * across) for _ in range((self.height - 1) * down + 1)]
        for one, other in self.edges:
            rule(canvas, *sorted((places[one], places[other])))
        for name, (line, column) in places.items():
            canvas[line][column : column + widest] = marks.get(name, ".").ljust(widest)
        numbers = {line: name[1:] for name, (line, _) in places.items()}
        letters = {int(cell.x): cell.name[0] for cell in self.cells}
        below = "".join(letters.get(column, " ").ljust(across) for column in range(self.width))
        rows = [(numbers.get(line, ""), "".join(row)) for line, row in enumerate(canvas)]
        return "\n".join(f"{number:>2} {row}".rstrip() for number, row in [*rows, ("", below)])


def rule(canvas: list[list[str]], start: tuple[int, int], end: tuple[int, int]) -> None:
    """Draw a level or upright line on a canvas of characters; another one isn't drawn."""
    (top, left), (bottom, right) = start, end
    if top == bottom:
        canvas[top][left:right] = "-" * (right - left)
    if left == right:
        for line in range(top, bottom):
            canvas[line][left] = "|"
