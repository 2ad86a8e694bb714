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


def ray(at: Cells, step: int) -> list[Cells]:
    """Return the cells from one to the edge of the board, along a step or (with a negative one) against it."""
    met: list[Cells] = []
    while (at := at << step if step > 0 else at >> -step) & BOARD:
        met.append(at)
    return met


RAYS = {
    at: [(met[0], met[1:]) for step in STEPS for way in (step, -step) if len(met := ray(at, way)) > 1] for at in NAMES
}
"""By cell the one beside it and those beyond in each direction in which there are both."""


class Board(Struct, frozen=True):
    """The cells of each seat and the cells with nothing on them; the others are walls."""

    owned: tuple[Cells, Cells, Cells] = (0, 0, 0)
    empty: Cells = BOARD


def names(cells: Cells) -> tuple[str, ...]:
    """Return the names of a set's cells, from a1 along the rows to p11."""
    return tuple([NAMES[cell] for cell in each(cells)])


def each(cells: Cells) -> Iterator[Cells]:
    """Yield a set's cells one by one, from a1 along the rows to p11."""
    while cells:
        yield (cell := cells & -cells)
        cells ^= cell


def cells_of(cell_names: Sequence[str]) -> Cells:
    """Return the set of these cells."""
    return sum([CELLS[name] for name in cell_names])


LANE = HEIGHT * STRIDE + STRIDE
"""How far apart two boards lie in one number, so that no line runs from one into the other."""


@lru_cache(maxsize=1024)  # a position is asked several times a ply: who is to move, what is legal, who is passed over
def legal_cells(board: Board, seat: Seat) -> Cells:
    """Return the empty cells from which `seat` jumps.

    Each opponent has a board of its own, and both lie side by side in one number, so that no line mixes two: an
    opponent's runs that begin beside an own cell are followed to the cell after their end. (Rules: A move.)
    """
    own = board.owned[seat] | board.owned[seat] << LANE
    opponents = board.owned[seat - 1] | board.owned[seat - 2] << LANE
    reached = 0
    for step in STEPS:
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
    return (reached | reached >> LANE) & board.empty


def jumped(board: Board, seat: Seat, at: Cells) -> Cells:
    """Return what `seat` jumps over from the cell `at`: unbroken runs of one opponent before an own cell."""
    own, one, other = board.owned[seat], board.owned[seat - 1], board.owned[seat - 2]
    either = one | other
    captured = 0
    for beside, beyond in RAYS[at]:
        if beside & either:
            opponent, run = one if beside & one else other, beside
            for cell in beyond:
                if not cell & opponent:
                    captured |= run if cell & own else 0
                    break
                run |= cell
    return captured


def taken(board: Board, seat: Seat, cells: Cells) -> Board:
    """Return the board after `seat` took these cells."""
    blue, red, green = board.owned
    kept = ~cells
    match seat:
        case 0:
            owned = (blue | cells, red & kept, green & kept)
        case 1:
            owned = (blue & kept, red | cells, green & kept)
        case _:
            owned = (blue & kept, red & kept, green | cells)
    return Board(owned, board.empty & kept)


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
