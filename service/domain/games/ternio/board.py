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


def ray(at: Squares, step: int) -> list[Squares]:
    """Return the squares from one to the edge of the board, along a step or (with a negative one) against it."""
    met: list[Squares] = []
    while (at := at << step if step > 0 else at >> -step) & BOARD:
        met.append(at)
    return met


RAYS = {
    at: [(met[0], met[1:]) for step in STEPS for way in (step, -step) if len(met := ray(at, way)) > 1] for at in NAMES
}
"""By square the one beside it and those beyond in each direction in which there are both."""


def names(squares: Squares) -> tuple[str, ...]:
    """Return the names of a set's squares, from a1 along the rows to i9."""
    return tuple([NAMES[square] for square in each(squares)])


def each(squares: Squares) -> Iterator[Squares]:
    """Yield a set's squares one by one, from a1 along the rows to i9."""
    while squares:
        yield (square := squares & -squares)
        squares ^= square


def squares_of(square_names: tuple[str, ...]) -> Squares:
    """Return the set of these squares."""
    return sum([SQUARES[name] for name in square_names])


def empty_squares(discs: Discs) -> Squares:
    """Return the squares without a disc."""
    return BOARD & ~(discs[0] | discs[1] | discs[2])


LANE = SIDE * STRIDE + STRIDE
"""How far apart two boards lie in one number, so that no line runs from one into the other."""


@lru_cache(maxsize=1024)  # a position is asked several times a ply: who is to move, what is legal, who is passed over
def legal_squares(discs: Discs, seat: Seat) -> Squares:
    """Return the empty squares from which `seat` captures.

    Each opponent has a board of its own, and both lie side by side in one number, so that no line mixes two: an
    opponent's runs that begin beside an own disc are followed to the square after their end. (Rules: A move.)
    """
    own = discs[seat] | discs[seat] << LANE
    opponents = discs[seat - 1] | discs[seat - 2] << LANE
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
    return (reached | reached >> LANE) & empty_squares(discs)


def captures(discs: Discs, seat: Seat, at: Squares) -> Squares:
    """Return what a disc of `seat` on the square `at` captures: unbroken runs of one opponent before an own disc."""
    own, one, other = discs[seat], discs[seat - 1], discs[seat - 2]
    either = one | other
    captured = 0
    for beside, beyond in RAYS[at]:
        if beside & either:
            opponent, run = one if beside & one else other, beside
            for square in beyond:
                if not square & opponent:
                    captured |= run if square & own else 0
                    break
                run |= square
    return captured


def capture(discs: Discs, seat: Seat, taken: Squares) -> Discs:
    """Return the discs after `seat` took these squares."""
    red, green, blue = discs
    kept = ~taken
    match seat:
        case 0:
            return red | taken, green & kept, blue & kept
        case 1:
            return red & kept, green | taken, blue & kept
        case _:
            return red & kept, green & kept, blue | taken


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
