"""The board as bit sets: which squares capture, and how the squares are called and drawn.

A square's bit is its column plus ten times its row.
"""

from functools import lru_cache
from typing import TypeAlias

from service.domain.boards.captures import Lines
from service.domain.boards.grid_names import Chart
from service.domain.game import Seat

Squares: TypeAlias = int
"""A set of squares as bits; a single square is a set of one."""

Discs: TypeAlias = tuple[Squares, Squares, Squares]
"""The squares of red, green and blue."""

NO_DISCS: Discs = (0, 0, 0)

CHART = Chart("abcdefghi", 9, ".rgb")
BOARD, STRIDE, SQUARES = CHART.board, CHART.stride, CHART.cells
LINES = Lines(BOARD, STRIDE)
GEOMETRY = CHART.geometry


def empty_squares(discs: Discs) -> Squares:
    """Return the squares without a disc."""
    return BOARD & ~(discs[0] | discs[1] | discs[2])


@lru_cache(maxsize=1024)  # several viewers of a position are told the same
def legal_squares(discs: Discs, seat: Seat) -> Squares:
    """Return the empty squares from which `seat` captures."""
    return LINES.legal(discs, empty_squares(discs), seat)


@lru_cache(maxsize=1024)  # a position is asked several times a ply: who is to move, who is passed over
def can_move(discs: Discs, seat: Seat) -> bool:
    """Tell whether there is a square from which `seat` captures."""
    return LINES.can_move(discs, empty_squares(discs), seat)


def rows(discs: Discs) -> tuple[str, ...]:
    """Return the board as the wire's rows, the top row first."""
    red, green, blue = discs
    return CHART.rows(red | blue, green | blue)


def read_rows(board: tuple[str, ...]) -> Discs:
    """Return the discs that the wire's rows show."""
    red, green, blue = CHART.read(board, "rgb")
    return red, green, blue
