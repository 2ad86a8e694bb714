"""Squares, the eight directions, and the discs that a turned disc traps."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Literal, NewType, TypeAlias

from service.domain.chance import Draw
from service.domain.geometry import Geometry, Point

Colour = Literal["red", "yellow"]
COLOURS: tuple[Colour, Colour] = ("red", "yellow")
"""The seats in their order; each seat has its own board."""

Square = NewType("Square", str)
"""A square's name, lower case: `a1` to `h8`."""

Squares: TypeAlias = int
"""A set of squares as bits: a1 is the lowest, then b1 to h1, then a2; h8 is the highest."""

SQUARES = tuple(Square(column + row) for row in "12345678" for column in "abcdefgh")
BIT: dict[Square, Squares] = {square: 1 << i for i, square in enumerate(SQUARES)}
EVERYWHERE: Squares = (1 << 64) - 1

DIRECTIONS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))
"""By direction, clockwise from straight up, how many columns to the right and rows up one step goes."""


def walk(column: int, row: int, right: int, up: int) -> tuple[Square, ...]:
    """Return the squares from (column, row), which is not included, to the edge in one direction."""
    steps = ((column + right * n, row + up * n) for n in range(1, 8))
    return tuple(SQUARES[x + 8 * y] for x, y in steps if 0 <= x < 8 and 0 <= y < 8)


WALKS: dict[Square, tuple[tuple[Square, ...], ...]] = {
    square: tuple(walk(i % 8, i // 8, right, up) for right, up in DIRECTIONS) for i, square in enumerate(SQUARES)
}


def find_trapped(at: Square, new: Squares, other: Squares) -> tuple[Square, ...]:
    """Return what a disc that was just turned traps, nearest first; `new` are the squares with its new colour.

    `other` are the squares with the other colour. A direction in which a blank or the edge comes before a disc of the
    new colour traps nothing. (Rules: Turning and trapping.)
    """
    trapped: list[Square] = []
    for squares in WALKS[at]:
        for between, square in enumerate(squares):
            bit = BIT[square]
            if not bit & other:
                if bit & new:
                    trapped += squares[:between]
                break
    return tuple(trapped)


def union(squares: Iterable[str]) -> Squares:
    """Return the set of these squares."""
    return sum(BIT[Square(square)] for square in squares)


def squares_with(rows: Sequence[str], letter: str) -> Squares:
    """Return the squares of a board as rows, the top row first, that have this letter."""
    from_a1 = "".join(reversed(rows))
    return sum(1 << i for i, shown in enumerate(from_a1) if shown == letter)


@cache
def draw_row(discs: int, white: int) -> str:
    """Return one row of eight squares as text, the lowest bit at the left: `B`, `W`, and `.` for a blank."""
    return "".join(("W" if white >> i & 1 else "B") if discs >> i & 1 else "." for i in range(8))


def draw_board(discs: Squares, white: Squares) -> tuple[str, ...]:
    """Return a board as rows, the top row first; each row is one byte of the sets."""
    return tuple(map(draw_row, discs.to_bytes(8, "big"), white.to_bytes(8, "big")))


def draw_layout(draw: Draw) -> tuple[str, ...]:
    """Return a random layout: 2 to 6 black squares, 0 to 3 blanks, all others white."""
    blacks = 2 + draw.below(5)
    blanks = draw.below(4)
    squares = draw.sample(SQUARES, blacks + blanks)
    discs = EVERYWHERE & ~union(squares[blacks:])
    return draw_board(discs, discs & ~union(squares[:blacks]))


GEOMETRY = Geometry(
    kind="grid",
    width=8,
    height=8,
    cells=tuple(Point(square, i % 8 + 0.5, i // 8 + 0.5) for i, square in enumerate(SQUARES)),
    boards=COLOURS,
)
