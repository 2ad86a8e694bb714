"""Rounds of Turncoat on plain integers, as a bot looks at thousands of them. `rules` decides; this agrees with it."""

from service.domain.games.turncoat.board import BIT, SQUARES, WALKS, Squares, union

AT = range(64)
"""Squares by their place in `SQUARES`, as this file and the bot name them."""

MOST_TURNED = 20
"""No turn turns more discs: from the middle of the board the selected one, and 19 on the way to the eight edges."""


def rays(at: int, *, up: bool) -> tuple[Squares, ...]:
    """Return the walks from a square, as sets, along which the bits rise (or fall), those that can trap something."""
    walks = [walk for walk in WALKS[SQUARES[at]] if len(walk) > 1]
    return tuple(union(walk) for walk in walks if (BIT[walk[0]] > BIT[SQUARES[at]]) == up)


RISING = tuple(rays(at, up=True) for at in AT)
FALLING = tuple(rays(at, up=False) for at in AT)
REACH = tuple(union((SQUARES[at], *(square for walk in WALKS[SQUARES[at]] for square in walk))) for at in AT)
"""A square, and all that lie in a row, column or diagonal with it."""


def turn_disc(discs: Squares, white: Squares, at: int) -> Squares:
    """Return what shows white on a board after the disc on a square was turned, with what it traps."""
    bit = 1 << at
    if white & bit:
        return white & ~(bit | find_trapped(at, discs & ~white, white))
    return white | bit | find_trapped(at, white, discs & ~white)


def find_trapped(at: int, new: Squares, other: Squares) -> Squares:
    """Return what a disc just turned traps; `new` shows its new colour, `other` the other one."""
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
    """Return the squares whose turn leaves the board without white."""
    if white.bit_count() > MOST_TURNED:
        return []
    within, rest = white, white
    while rest and within:
        lowest = rest & -rest
        within &= REACH[lowest.bit_length() - 1]
        rest ^= lowest
    return [at for at in places(within) if not turn_disc(discs, white, at)]


def places(squares: Squares) -> list[int]:
    """Return the squares of a set, a1 first."""
    found = []
    while squares:
        lowest = squares & -squares
        found.append(lowest.bit_length() - 1)
        squares ^= lowest
    return found
