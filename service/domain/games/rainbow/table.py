"""A fast copy of Tic-Tac-Rainbow's rules on integers, for the bot.

Cells, pegs and colours are indices in `CELLS`, `PEGS` and `COLOURS`. `rules` is authoritative, and a test compares
them.
"""

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from service.domain.game import Seat, next_seat
from service.domain.games.rainbow.board import CELLS, LINES, SPOT, Grid, Spot
from service.domain.games.rainbow.model import (
    ALL_PEGS,
    COLOURED,
    COLOURS,
    MATCHING,
    PEGS,
    PEGS_FOR_ROLL,
    SIDES,
    Colour,
    Flip,
    Pegs,
    Place,
    Position,
    RainbowMove,
    Rest,
    Shift,
)

Spots: TypeAlias = int
"""A set of cells, with one bit per cell."""

OFF: Spot = -1
"""The cell of a peg that is not on the board."""


class Act(NamedTuple):
    """A peg goes from its cell (`OFF`: from the hand) to a cell, with its first or second side up.

    A flip goes from a cell to the same cell.
    """

    peg: int
    side: int
    start: Spot
    to: Spot


COUNTS = tuple(
    tuple(tuple(n for n in range(len(COLOURS)) if MATCHING[side] >> n & 1) for side in SIDES[peg]) for peg in PEGS
)
"""By peg and side up, the colours that the peg counts as."""
EITHER = tuple(first + second for first, second in COUNTS)
MEMBERS = tuple(tuple(n for n in range(len(PEGS)) if pegs >> n & 1) for pegs in range(ALL_PEGS + 1))
"""By set of pegs, the members."""


def completion_table(grid: Grid) -> Callable[[Spots], Spots]:
    """Return a function from the cells that show a colour to the cells where one more peg completes a line."""
    through = [(1 << SPOT[a], 1 << SPOT[b], 1 << SPOT[c]) for a, b, c in LINES[grid]]
    thirds = [(x | y, z) for a, b, c in through for x, y, z in ((a, b, c), (b, c, a), (a, c, b))]

    @lru_cache(maxsize=1 << 16)
    def complete(shown: Spots) -> Spots:
        found = 0
        for pair, third in thirds:
            if pair & shown == pair:
                found |= third
        return found

    return complete


COMPLETING: dict[Grid, Callable[[Spots], Spots]] = {
    "square": completion_table("square"),
    "hex": completion_table("hex"),
}


class Table:
    """A mutable position, on which acts are made and undone."""

    def __init__(self, position: Position) -> None:
        """Copy a position."""
        self.options = position.options
        self.turn = int(position.turn)
        self.die = position.die
        self._complete = COMPLETING[position.options.grid]
        self._shows = [0] * len(COLOURS)
        self._empty: Spots = (1 << len(CELLS)) - 1
        self._at = [[OFF] * len(PEGS) for _ in range(position.options.players)]
        self._up = [[0] * len(PEGS) for _ in range(position.options.players)]
        self._on_board = list(position.on_board)
        self._rests: list[Rest] = list(position.rests)
        players = position.options.players
        self._next = [next_seat(Seat(seat), players, position.dropped) for seat in range(players)]
        for spot, face in enumerate(position.cells):
            if face:
                peg = PEGS.index(face.peg)
                self._stand(face.owner, peg, SIDES[face.peg].index(face.up), spot)

    def _stand(self, seat: int, peg: int, side: int, spot: Spot) -> None:
        for colour in COUNTS[peg][side]:
            self._shows[colour] |= 1 << spot
        self._empty &= ~(1 << spot)
        self._at[seat][peg], self._up[seat][peg] = spot, side
        self._on_board[seat] |= 1 << peg

    def _lift(self, seat: int, peg: int) -> None:
        spot = self._at[seat][peg]
        for colour in COUNTS[peg][self._up[seat][peg]]:
            self._shows[colour] ^= 1 << spot
        self._empty |= 1 << spot
        self._at[seat][peg] = OFF
        self._on_board[seat] ^= 1 << peg

    def act(self, act: Act) -> Rest:
        """Make an act for the seat to move, and return what `undo` needs."""
        seat, (peg, side, start, to) = self.turn, act
        if start != OFF:
            self._lift(seat, peg)
        self._stand(seat, peg, side, to)
        before = self._rests[seat]
        if self.options.rest:
            self._rests[seat] = (before[1] | 1 << peg, 1 << peg if self.options.rest == 3 else 0)
        self.turn = self._next[seat]
        return before

    def undo(self, seat: int, act: Act, before: Rest) -> None:
        """Undo the last act, which was this seat's."""
        peg, side, start, to = act
        self._lift(seat, peg)
        if start != OFF:
            self._stand(seat, peg, side ^ (start == to), start)
        self._rests[seat] = before
        self.turn = seat

    def usable(self, seat: int, die: Colour | None = None) -> Pegs:
        """Return the pegs that a seat may use in its turn, with this colour rolled."""
        on_board = self._on_board[seat]
        placeable = ALL_PEGS if on_board & COLOURED == COLOURED else COLOURED
        playable = (placeable | on_board) & PEGS_FOR_ROLL[die]
        return playable & ~self._rests[seat][0] or playable

    def acts(self, pegs: Pegs) -> Iterator[Act]:
        """Yield all acts of the seat to move with these pegs."""
        free = [spot for spot in range(len(CELLS)) if self._empty >> spot & 1]
        for peg in MEMBERS[pegs]:
            start, up = self._at[self.turn][peg], self._up[self.turn][peg]
            if start == OFF:
                yield from (Act(peg, side, OFF, to) for to in free for side in (0, 1))
            else:
                yield Act(peg, 1 - up, start, start)
                yield from (Act(peg, up, start, to) for to in free)

    def makes_line(self, act: Act) -> bool:
        """Return whether there is a line after this act of the seat to move."""
        peg, side, start, to = act
        away = ~(1 << start) if start != OFF else -1
        return any(self._complete(self._shows[colour] & away) >> to & 1 for colour in COUNTS[peg][side])

    def can_line(self, seat: int, pegs: Pegs) -> bool:
        """Return whether a seat could make a line with one of these pegs if it were to move."""
        return any(self.peg_lines(seat, peg) for peg in MEMBERS[pegs])

    def lining(self, seat: int, pegs: Pegs) -> Pegs:
        """Return the pegs of these with which a seat could make a line if it were to move."""
        return sum(1 << peg for peg in MEMBERS[pegs] if self.peg_lines(seat, peg))

    def peg_lines(self, seat: int, peg: int) -> bool:
        """Return whether a seat could make a line with this peg if it were to move."""
        complete, shows, spot = self._complete, self._shows, self._at[seat][peg]
        if spot == OFF:
            return any(complete(shows[colour]) & self._empty for colour in EITHER[peg])
        up = self._up[seat][peg]
        for colour in COUNTS[peg][1 - up]:
            if complete(shows[colour]) >> spot & 1:
                return True
        away = ~(1 << spot)
        return any(complete(shows[colour] & away) & self._empty for colour in COUNTS[peg][up])

    def after(self, seat: int) -> int:
        """Return the seat whose turn is next after this one's."""
        return self._next[seat]


def as_move(act: Act) -> RainbowMove:
    """Return an act as a move."""
    peg, side, start, to = act
    if start == OFF:
        return Place(PEGS[peg], SIDES[PEGS[peg]][side], CELLS[to])
    return Flip(CELLS[to]) if start == to else Shift(CELLS[start], CELLS[to])
