"""The cell names and the text form of boards with lettered columns and numbered rows.

A cell's bit number is its column plus the stride times its row, as in `captures`.
"""

from collections.abc import Iterable, Sequence

from service.domain.boards.captures import Cells, split_cells
from service.domain.geometry import Geometry, Point


class GridNames:
    """The names of a board's cells, ordered from a1 along the rows, and the letters for what can be on them."""

    def __init__(self, columns: str, height: int, letters: str) -> None:
        """Accept at most eight letters, whose indices are their numbers."""
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
        self._letter_of_digit = str.maketrans("012345678"[: len(letters) + 1], letters + " ")
        self._margin = len(letters) * sum(16 ** (self.stride * row + width) for row in range(height))

    def names_of(self, cells: Cells) -> tuple[str, ...]:
        """Return the names of a set's cells, ordered from a1 along the rows."""
        return tuple(map(self.names.__getitem__, split_cells(cells)))

    def cells_of(self, names: Iterable[str]) -> Cells:
        """Return the set of these cells."""
        return sum(map(self.cells.__getitem__, names))

    def rows(self, *digits: Cells) -> tuple[str, ...]:
        """Return the board as rows of letters, the top row first.

        Set number n of `digits` contains the cells whose letter's number has bit n.
        """
        numbers = self._margin
        for place, cells in enumerate(digits):
            numbers += int(f"{cells:b}", 16) << place
        hex_digits = f"{numbers:x}"[::-1]  # one hex digit per cell, the last cell of the top row first
        return tuple(hex_digits.translate(self._letter_of_digit).split()[::-1])

    def letters(self, rows: Sequence[str]) -> dict[str, str]:
        """Return the letter on each cell, by the cell's name, of a board as rows, the top row first."""
        return dict(zip(self.cells, "".join(reversed(rows)), strict=True))

    def read(self, rows: Sequence[str], letters: str) -> list[Cells]:
        """Return for each of these letters the cells that have it, of a board as rows, the top row first."""
        letters_shown = self.letters(rows).items()
        return [self.cells_of(name for name, letter in letters_shown if letter == wanted) for wanted in letters]

    def draw(self, rows: Sequence[str]) -> str:
        """Return a board as text with capital letters, from its rows, the top row first."""
        return self.geometry.sketch({name: letter.upper() for name, letter in self.letters(rows).items()})
