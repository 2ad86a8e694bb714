"""The board as bit sets: which squares capture, and how the squares are called and drawn.

A square's bit is its column plus ten times its row.
"""

from functools import lru_cache
from typing import TypeAlias

from service.domain.game import Geometry, Point, Seat
from service.domain.lines import Lines, each

SIDE = 9
STRIDE = SIDE + 1

Squares: TypeAlias = int
"""A set of squares as bits; a single square is a set of one."""

Discs: TypeAlias = tuple[Squares, Squares, Squares]
"""The squares of red, green and blue."""

NO_DISCS: Discs = (0, 0, 0)

NAMES: dict[Squares, str] = {
    1 << column + STRIDE * row: f"{letter}{row + 1}" for row in range(SIDE) for column, letter in enumerate("abcdefghi")
}
"""The name of each square, from a1 along the rows to i9."""

SQUARES: dict[str, Squares] = {name: square for square, name in NAMES.items()}
BOARD: Squares = sum(NAMES)

LINES = Lines(BOARD, STRIDE)

GEOMETRY = Geometry(
    kind="grid",
    width=SIDE,
    height=SIDE,
    cells=tuple(Point(name, "abcdefghi".index(name[0]) + 0.5, int(name[1]) - 0.5) for name in SQUARES),
)


def names(squares: Squares) -> tuple[str, ...]:
    """Return the names of a set's squares, from a1 along the rows to i9."""
    return tuple(map(NAMES.__getitem__, each(squares)))


def squares_of(square_names: tuple[str, ...]) -> Squares:
    """Return the set of these squares."""
    return sum(map(SQUARES.__getitem__, square_names))


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


SIGNS = str.maketrans("01234", ".rgb ")
MARGIN = 4 * sum(16 ** (STRIDE * row + SIDE) for row in range(SIDE))


def rows(discs: Discs) -> tuple[str, ...]:
    """Return the board as the wire's rows, the top row first."""
    red, green, blue = discs
    squares = digits(red) + 2 * digits(green) + 3 * digits(blue) + MARGIN
    return tuple(f"{squares:x}"[::-1].translate(SIGNS).split()[::-1])  # written, it goes from beside i9 down to a1


def digits(squares: Squares) -> int:
    """Return the number that has a set's bits as its hexadecimal digits, each 0 or 1."""
    return int(f"{squares:b}", 16)


def read_rows(board: tuple[str, ...]) -> Discs:
    """Return the discs that the wire's rows show."""
    cells = list(zip(NAMES, "".join(reversed(board)), strict=True))
    red, green, blue = (sum(square for square, cell in cells if cell == colour) for colour in "rgb")
    return red, green, blue
