"""Boards as bit sets: captures of runs of one opponent's cells between two own ones, and the names of cells."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from service.domain.geometry import Geometry, Point

Cells: TypeAlias = int
"""A set of cells as bits; a single cell is a set with one bit."""

Owned: TypeAlias = tuple[Cells, Cells, Cells]
"""The cells of each seat, in turn order."""


class CaptureLines:
    """A board with rows of `stride` bits, and the lines on it in all eight directions."""

    def __init__(self, board: Cells, stride: int) -> None:
        """`board` has the cells that can be owned."""
        self.board = board
        self.stride = stride
        self.steps = (1, stride - 1, stride, stride + 1)
        """The left shifts for right, up-left, up and up-right; right shifts are the opposite directions."""
        self._lane = board.bit_length() + stride + 2
        """The distance in bits between two boards in one integer, so that no line continues from one into the other."""
        self._rays = {
            at: [(ray[0], ray[1:]) for ray in self._rays_from(at) if len(ray) > 1] for at in split_cells(board)
        }
        """By cell and direction, the adjacent cell and the cells after it; only directions in which there are both."""

    def _rays_from(self, start: Cells) -> Iterator[list[Cells]]:
        """Yield for each direction the cells from one cell to the edge of the board."""
        for step in self.steps:
            for up in (True, False):
                ray, at = [], start
                while (at := at << step if up else at >> step) & self.board:
                    ray.append(at)
                yield ray

    def capturing_cells(self, owned: Owned, empty: Cells, seat: int) -> Cells:
        """Return the empty cells from which a seat captures."""
        reached = beyond_runs(*self._pair_boards(owned, seat), self.steps)
        return (reached | reached >> self._lane) & empty

    def can_capture(self, owned: Owned, empty: Cells, seat: int) -> bool:
        """Return whether there are such cells; faster than `capturing_cells`, as it stops at the first direction."""
        own, opponents = self._pair_boards(owned, seat)
        either = empty | empty << self._lane
        return any(beyond_runs(own, opponents, (step,)) & either for step in self.steps)

    def _pair_boards(self, owned: Owned, seat: int) -> tuple[Cells, Cells]:
        """Return two boards in one integer, twice: the seat's cells on both, and one opponent's cells on each."""
        own, lane = owned[seat], self._lane
        return own | own << lane, owned[seat - 1] | owned[seat - 2] << lane

    def captures(self, owned: Owned, seat: int, at: Cells) -> Cells:
        """Return what a seat captures from the cell `at`: unbroken runs of one opponent that end before an own cell."""
        own, one, other = owned[seat], owned[seat - 1], owned[seat - 2]
        either = one | other
        captured = 0
        for adjacent, beyond in self._rays[at]:
            if adjacent & either:
                opponent, run = one if adjacent & one else other, adjacent
                for cell in beyond:
                    if not cell & opponent:
                        if cell & own:
                            captured |= run
                        break
                    run |= cell
        return captured


def beyond_runs(own: Cells, opponents: Cells, steps: Sequence[int]) -> Cells:
    """Return the cells right after runs of opponents' cells that begin next to an own cell, in both directions."""
    reached = 0
    for step in steps:
        run = own << step & opponents
        while run:
            run <<= step
            reached |= run
            run &= opponents
        run = own >> step & opponents
        while run:
            run >>= step
            reached |= run
            run &= opponents
    return reached


def take(owned: Owned, seat: int, cells: Cells) -> Owned:
    """Return the owned cells after a seat took these cells."""
    first, second, third = owned
    kept = ~cells
    if seat == 0:
        return first | cells, second & kept, third & kept
    if seat == 1:
        return first & kept, second | cells, third & kept
    return first & kept, second & kept, third | cells


def split_cells(cells: Cells) -> list[Cells]:
    """Return the cells of a set one by one, in the order of their bits."""
    found = []
    while cells:
        cell = cells & -cells
        found.append(cell)
        cells ^= cell
    return found


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
