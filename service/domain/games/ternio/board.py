"""The board as bit sets: which squares capture, and what they capture.

A square's bit is its column plus ten times its row. The tenth column is never occupied, so a line that leaves the board
sideways meets it and stops instead of going on in the next row.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import TypeAlias

from service.domain.game import Geometry, Point, Seat

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

STEPS = (1, STRIDE - 1, STRIDE, STRIDE + 1)
"""Right, up and left, up, up and right; shifted the other way they are the other four directions."""

GEOMETRY = Geometry(
    kind="grid",
    width=SIDE,
    height=SIDE,
    cells=tuple(Point(name, "abcdefghi".index(name[0]) + 0.5, int(name[1]) - 0.5) for name in SQUARES),
)


def names(squares: Squares) -> tuple[str, ...]:
    """Return the names of a set's squares, from a1 along the rows to i9."""
    return tuple(NAMES[square] for square in each(squares))


def each(squares: Squares) -> Iterator[Squares]:
    """Yield a set's squares one by one, from a1 along the rows to i9."""
    while squares:
        yield (square := squares & -squares)
        squares ^= square


def squares_of(square_names: tuple[str, ...]) -> Squares:
    """Return the set of these squares."""
    return sum(SQUARES[name] for name in square_names)


def empty_squares(discs: Discs) -> Squares:
    """Return the squares without a disc."""
    return BOARD & ~(discs[0] | discs[1] | discs[2])


@lru_cache(maxsize=1024)  # a position is asked several times a ply: who is to move, what is legal, who is passed over
def legal_squares(discs: Discs, seat: Seat) -> Squares:
    """Return the empty squares from which `seat` captures.

    For one opponent at a time, so that no line mixes two: that opponent's runs that begin beside an own disc are
    followed to the square after their end. (Rules: A move.)
    """
    own = discs[seat]
    reached = 0
    for opponent in (discs[seat - 1], discs[seat - 2]):
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
    return reached & empty_squares(discs)


def captures(discs: Discs, seat: Seat, at: Squares) -> Squares:
    """Return what a disc of `seat` on the square `at` captures: unbroken runs of one opponent before an own disc."""
    own = discs[seat]
    captured = 0
    for opponent in (discs[seat - 1], discs[seat - 2]):
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


def capture(discs: Discs, seat: Seat, at: Squares, captured: Squares) -> Discs:
    """Return the discs after `seat` took the square `at` and every captured one."""
    taken = at | captured
    red, green, blue = (squares & ~taken for squares in discs)
    match seat:
        case 0:
            return red | taken, green, blue
        case 1:
            return red, green | taken, blue
        case _:
            return red, green, blue | taken


def rows(discs: Discs) -> tuple[str, ...]:
    """Return the board as the wire's rows, the top row first."""
    cells = dict.fromkeys(NAMES, ".")
    for colour, squares in zip("rgb", discs, strict=True):
        cells |= dict.fromkeys(each(squares), colour)
    drawn = "".join(cells.values())
    return tuple(drawn[row * SIDE : (row + 1) * SIDE] for row in reversed(range(SIDE)))


def read_rows(board: tuple[str, ...]) -> Discs:
    """Return the discs that the wire's rows show."""
    cells = list(zip(NAMES, "".join(reversed(board)), strict=True))
    red, green, blue = (sum(square for square, cell in cells if cell == colour) for colour in "rgb")
    return red, green, blue
