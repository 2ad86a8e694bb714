"""The board as bit sets: from which cells a seat jumps, and how the cells are called and drawn.

A cell's bit is its column plus 17 times its row.
"""

from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from service.domain.boards import captures
from service.domain.boards.captures import Cells, Lines, Owned
from service.domain.boards.grid_names import Chart
from service.domain.game import Seat

CHART = Chart("abcdefghijklmnop", 11, "#.brg")
STRIDE, CELLS = CHART.stride, CHART.cells
LINES = Lines(CHART.board, STRIDE)
GEOMETRY = CHART.geometry


class Board(Struct, frozen=True):
    """The cells of each seat and the cells with nothing on them; the others are walls."""

    owned: Owned = (0, 0, 0)
    empty: Cells = CHART.board


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
    return Board(captures.taken(board.owned, seat, cells), board.empty & ~cells)


def rows(board: Board) -> tuple[str, ...]:
    """Return the board as the wire's rows, the top row first."""
    blue, red, green = board.owned
    return CHART.rows(board.empty | red, blue | red, green)


def read_rows(drawn: Sequence[str]) -> Board:
    """Return the board that the wire's rows show."""
    empty, blue, red, green = CHART.read(drawn, ".brg")
    return Board((blue, red, green), empty)
