"""The board as bit sets: from which cells a seat jumps, and how the cells are called and drawn.

A cell's bit is its column plus 17 times its row.
"""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from service.domain import lines
from service.domain.game import Geometry, Point, Seat
from service.domain.lines import Cells, Lines, Owned, each

COLUMNS = "abcdefghijklmnop"
WIDTH, HEIGHT = 16, 11
STRIDE = WIDTH + 1

NAMES: dict[Cells, str] = {
    1 << column + STRIDE * row: f"{letter}{row + 1}" for row in range(HEIGHT) for column, letter in enumerate(COLUMNS)
}
"""The name of each cell, from a1 along the rows to p11."""

CELLS: dict[str, Cells] = {name: cell for cell, name in NAMES.items()}
BOARD: Cells = sum(NAMES)

LINES = Lines(BOARD, STRIDE)

GEOMETRY = Geometry(
    kind="grid",
    width=WIDTH,
    height=HEIGHT,
    cells=tuple(Point(name, COLUMNS.index(name[0]) + 0.5, int(name[1:]) - 0.5) for name in CELLS),
)


class Board(Struct, frozen=True):
    """The cells of each seat and the cells with nothing on them; the others are walls."""

    owned: Owned = (0, 0, 0)
    empty: Cells = BOARD


def names(cells: Cells) -> tuple[str, ...]:
    """Return the names of a set's cells, from a1 along the rows to p11."""
    return tuple(map(NAMES.__getitem__, each(cells)))


def cells_of(cell_names: Sequence[str]) -> Cells:
    """Return the set of these cells."""
    return sum(map(CELLS.__getitem__, cell_names))


@lru_cache(maxsize=1024)  # several viewers of a position are told the same
def legal_cells(board: Board, seat: Seat) -> Cells:
    """Return the empty cells from which `seat` jumps."""
    return LINES.legal(board.owned, board.empty, seat)


@lru_cache(maxsize=1024)  # a position is asked several times a ply: who is to move, who is passed over
def can_jump(board: Board, seat: Seat) -> bool:
    """Tell whether there is a cell from which `seat` jumps."""
    return LINES.can_move(board.owned, board.empty, seat)


def taken(board: Board, seat: Seat, cells: Cells) -> Board:
    """Return the board after `seat` took these cells."""
    return Board(lines.taken(board.owned, seat, cells), board.empty & ~cells)


SIGNS = str.maketrans("012345", "#.brg ")
MARGIN = 5 * sum(16 ** (STRIDE * row + WIDTH) for row in range(HEIGHT))


def rows(board: Board) -> tuple[str, ...]:
    """Return the board as the wire's rows, the top row first."""
    blue, red, green = board.owned
    cells = digits(board.empty) + 2 * digits(blue) + 3 * digits(red) + 4 * digits(green) + MARGIN
    return tuple(f"{cells:x}"[::-1].translate(SIGNS).split()[::-1])  # written, it goes from beside p11 down to a1


def digits(cells: Cells) -> int:
    """Return the number that has a set's bits as its hexadecimal digits, each 0 or 1."""
    return int(f"{cells:b}", 16)


def read_rows(drawn: Sequence[str]) -> Board:
    """Return the board that the wire's rows show."""
    cells = list(zip(NAMES, "".join(reversed(drawn)), strict=True))
    empty, blue, red, green = (sum(cell for cell, letter in cells if letter == kind) for kind in ".brg")
    return Board((blue, red, green), empty)
