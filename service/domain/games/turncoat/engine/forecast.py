"""A fast copy of Turncoat's rules on integers, for the bot. `rules` is authoritative, and a test compares the two."""

from service.domain.games.turncoat.board import BIT, SQUARES, WALKS, Squares, union

AT = range(64)
"""The squares by their index in `SQUARES`, as in this module and in the bot."""

MOST_TURNED = 20
"""The most discs that one turn can turn: in the middle of the board, the selected one and 19 trapped ones."""


def rays(at: int, *, up: bool) -> tuple[Squares, ...]:
    """Return the walks from a square along which the bits rise (or fall), as sets; only those that can trap discs."""
    walks = [walk for walk in WALKS[SQUARES[at]] if len(walk) > 1]
    return tuple(union(walk) for walk in walks if (BIT[walk[0]] > BIT[SQUARES[at]]) == up)


RISING = tuple(rays(at, up=True) for at in AT)
FALLING = tuple(rays(at, up=False) for at in AT)
REACH = tuple(union((SQUARES[at], *(square for walk in WALKS[SQUARES[at]] for square in walk))) for at in AT)
"""By square, the square itself and all squares in its row, column and diagonals."""


def turn_disc(discs: Squares, white: Squares, at: int) -> Squares:
    """Return the white squares of a board after the disc on a square and the discs that it traps were turned."""
    bit = 1 << at
    if white & bit:
        return white & ~(bit | find_trapped(at, discs & ~white, white))
    return white | bit | find_trapped(at, white, discs & ~white)


def find_trapped(at: int, new: Squares, other: Squares) -> Squares:
    """Return what a disc that was just turned traps; `new` has the squares of its new colour, `other` the others."""
    found, ends = 0, ~other
    for ray in RISING[at]:
        end = ray & ends
        end &= -end
        if end & new:
            found |= ray & (end - 1)
    for ray in FALLING[at]:
        end = ray & ends
        if end and (end := 1 << (end.bit_length() - 1)) & new:
            found |= ray & -end & ~end
    return found


def finishing_turns(discs: Squares, white: Squares) -> list[int]:
    """Return the squares of the discs whose turn makes the board all black."""
    if white.bit_count() > MOST_TURNED:
        return []
    within, rest = white, white
    while rest and within:
        lowest = rest & -rest
        within &= REACH[lowest.bit_length() - 1]
        rest ^= lowest
    return [at for at in places(within) if not turn_disc(discs, white, at)]


def places(squares: Squares) -> list[int]:
    """Return the indices of a set's squares, a1 first."""
    found = []
    while squares:
        lowest = squares & -squares
        found.append(lowest.bit_length() - 1)
        squares ^= lowest
    return found
