"""Boards of lettered columns and numbered rows as bit sets: how their cells are called, and how they are written.

A cell's bit is its column plus the stride times its row, as on the boards of `lines`.
"""

from collections.abc import Iterable, Sequence

from service.domain.boards.captures import Cells, split_cells
from service.domain.geometry import Geometry, Point


class GridNames:
    """The names of a board's cells, from a1 along the rows, and the letters for what can be on them."""

    def __init__(self, columns: str, height: int, letters: str) -> None:
        """Take the columns, the number of rows, and the letters by their number, at most eight of them."""
        width = len(columns)
        self.stride = width + 1
        self.names: dict[Cells, str] = {
            1 << column + self.stride * row: f"{name}{row + 1}"
            for row in range(height)
            for column, name in enumerate(columns)
        }
        self.cells = {name: cell for cell, name in self.names.items()}
        self.board = sum(self.names)
        points = [Point(name, columns.index(name[0]) + 0.5, int(name[1:]) - 0.5) for name in self.cells]
        self.geometry = Geometry(kind="grid", width=width, height=height, cells=tuple(points))
        self._signs = str.maketrans("012345678"[: len(letters) + 1], letters + " ")
        self._margin = len(letters) * sum(16 ** (self.stride * row + width) for row in range(height))

    def names_of(self, cells: Cells) -> tuple[str, ...]:
        """Return the names of a set's cells, from a1 along the rows."""
        return tuple(map(self.names.__getitem__, split_cells(cells)))

    def cells_of(self, names: Iterable[str]) -> Cells:
        """Return the set of these cells."""
        return sum(map(self.cells.__getitem__, names))

    def rows(self, *digits: Cells) -> tuple[str, ...]:
        """Return the board as rows of letters, the top row first.

        Each set has the cells with a binary digit in their letter's number, that of the ones first.
        """
        numbers = self._margin
        for place, cells in enumerate(digits):
            numbers += int(f"{cells:b}", 16) << place
        written = f"{numbers:x}"[::-1]  # a digit a cell: written, it goes from beside the top row's end down to a1
        return tuple(written.translate(self._signs).split()[::-1])

    def letters(self, rows: Sequence[str]) -> dict[str, str]:
        """Return the letter that rows, the top row first, show on each cell, by the cell's name."""
        return dict(zip(self.cells, "".join(reversed(rows)), strict=True))

    def read(self, rows: Sequence[str], letters: str) -> list[Cells]:
        """Return for each of these letters the cells on which rows, the top row first, show it."""
        letters_shown = self.letters(rows).items()
        return [self.cells_of(name for name, letter in letters_shown if letter == wanted) for wanted in letters]

    def draw(self, rows: Sequence[str]) -> str:
        """Return rows, the top row first, as a board in text with capital letters."""
        return self.geometry.sketch({name: letter.upper() for name, letter in self.letters(rows).items()})
