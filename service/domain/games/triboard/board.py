"""The board as bit sets: from which cells a seat jumps, and what it jumps over.

A cell's bit is its column plus 17 times its row. The seventeenth column is never occupied, so a line that leaves the
board sideways meets it and stops instead of going on in the next row.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TypeAlias

from msgspec import Struct

from service.domain.game import Geometry, Point, Seat

COLUMNS = "abcdefghijklmnop"
WIDTH, HEIGHT = 16, 11
STRIDE = WIDTH + 1

Cells: TypeAlias = int
"""A set of cells as bits; a single cell is a set of one."""

NAMES: dict[Cells, str] = {
    1 << column + STRIDE * row: f"{letter}{row + 1}" for row in range(HEIGHT) for column, letter in enumerate(COLUMNS)
}
"""The name of each cell, from a1 along the rows to p11."""

CELLS: dict[str, Cells] = {name: cell for cell, name in NAMES.items()}
BOARD: Cells = sum(NAMES)

STEPS = (1, STRIDE - 1, STRIDE, STRIDE + 1)
"""Right, up and left, up, up and right; shifted the other way they are the other four directions."""

GEOMETRY = Geometry(
    kind="grid",
    width=WIDTH,
    height=HEIGHT,
    cells=tuple(Point(name, COLUMNS.index(name[0]) + 0.5, int(name[1:]) - 0.5) for name in CELLS),
)


class Board(Struct, frozen=True):
    """The cells of each seat and the cells with nothing on them; the others are walls."""

    owned: tuple[Cells, Cells, Cells] = (0, 0, 0)
    empty: Cells = BOARD


def names(cells: Cells) -> tuple[str, ...]:
    """Return the names of a set's cells, from a1 along the rows to p11."""
    return tuple(NAMES[cell] for cell in each(cells))


def each(cells: Cells) -> Iterator[Cells]:
    """Yield a set's cells one by one, from a1 along the rows to p11."""
    while cells:
        yield (cell := cells & -cells)
        cells ^= cell


def cells_of(cell_names: Sequence[str]) -> Cells:
    """Return the set of these cells."""
    return sum(CELLS[name] for name in cell_names)


@lru_cache(maxsize=1024)  # a position is asked several times a ply: who is to move, what is legal, who is passed over
def legal_cells(board: Board, seat: Seat) -> Cells:
    """Return the empty cells from which `seat` jumps.

    For one opponent at a time, so that no line mixes two: that opponent's runs that begin beside an own cell are
    followed to the cell after their end. (Rules: A move.)
    """
    own = board.owned[seat]
    reached = 0
    for opponent in (board.owned[seat - 1], board.owned[seat - 2]):
        for step in STEPS:
            run = own << step & opponent
            while run:
                run <<= step
                reached |= run
                run &= opponent
            run = own >> step & opponent
            while run:
                run >>= step
                reached |= run
                run &= opponent
    return reached & board.empty


def jumped(board: Board, seat: Seat, at: Cells) -> Cells:
    """Return what `seat` jumps over from the cell `at`: unbroken runs of one opponent before an own cell."""
    own = board.owned[seat]
    captured = 0
    for opponent in (board.owned[seat - 1], board.owned[seat - 2]):
        for step in STEPS:
            run, end = 0, at << step
            while end & opponent:
                run, end = run | end, end << step
            if end & own:
                captured |= run
            run, end = 0, at >> step
            while end & opponent:
                run, end = run | end, end >> step
            if end & own:
                captured |= run
    return captured


def taken(board: Board, seat: Seat, cells: Cells) -> Board:
    """Return the board after `seat` took these cells."""
    blue, red, green = (owned & ~cells for owned in board.owned)
    match seat:
        case 0:
            owned = (blue | cells, red, green)
        case 1:
            owned = (blue, red | cells, green)
        case _:
            owned = (blue, red, green | cells)
    return Board(owned, board.empty & ~cells)


def rows(board: Board) -> tuple[str, ...]:
    """Return the board as the wire's rows, the top row first."""
    drawn = dict.fromkeys(NAMES, "#")
    for letter, cells in zip(".brg", (board.empty, *board.owned), strict=True):
        drawn |= dict.fromkeys(each(cells), letter)
    line = "".join(drawn.values())
    return tuple(line[row * WIDTH : (row + 1) * WIDTH] for row in reversed(range(HEIGHT)))


def read_rows(drawn: Sequence[str]) -> Board:
    """Return the board that the wire's rows show."""
    cells = list(zip(NAMES, "".join(reversed(drawn)), strict=True))
    empty, blue, red, green = (sum(cell for cell, letter in cells if letter == kind) for kind in ".brg")
    return Board((blue, red, green), empty)
