"""Boards in rows as bit sets, on whose lines a run of one opponent's cells between two own ones is captured.

A cell's bit is its column plus the stride times its row. The last column is never occupied, so a line that leaves the
board sideways meets it and stops instead of going on in the next row.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

Cells: TypeAlias = int
"""A set of cells as bits; a single cell is a set of one."""

Owned: TypeAlias = tuple[Cells, Cells, Cells]
"""The cells of each seat, in turn order."""


class CaptureLines:
    """A board in rows of `stride` bits, and the lines on it in all eight directions."""

    def __init__(self, board: Cells, stride: int) -> None:
        """Take the cells that can be owned."""
        self.board = board
        self.stride = stride
        self.steps = (1, stride - 1, stride, stride + 1)
        """Right, up and left, up, up and right; shifted the other way they are the other four directions."""
        self._lane = board.bit_length() + stride + 2
        """How far apart two boards lie in one number, so that no line runs from one into the other."""
        self._rays = {
            at: [(ray[0], ray[1:]) for ray in self._rays_from(at) if len(ray) > 1] for at in split_cells(board)
        }
        """By cell the one beside it and those beyond in each direction in which there are both."""

    def _rays_from(self, start: Cells) -> Iterator[list[Cells]]:
        """Yield the cells from one to the edge of the board, a direction at a time."""
        for step in self.steps:
            for up in (True, False):
                ray, at = [], start
                while (at := at << step if up else at >> step) & self.board:
                    ray.append(at)
                yield ray

    def capturing_cells(self, owned: Owned, empty: Cells, seat: int) -> Cells:
        """Return the empty cells from which a seat captures."""
        reached = beyond_runs(*self._apart(owned, seat), self.steps)
        return (reached | reached >> self._lane) & empty

    def can_capture(self, owned: Owned, empty: Cells, seat: int) -> bool:
        """Tell whether there are such cells; most often the first lines tell."""
        own, opponents = self._apart(owned, seat)
        either = empty | empty << self._lane
        return any(beyond_runs(own, opponents, (step,)) & either for step in self.steps)

    def _apart(self, owned: Owned, seat: int) -> tuple[Cells, Cells]:
        """Return a seat's cells twice, and each opponent's on a board of its own, so that no line mixes two."""
        own, lane = owned[seat], self._lane
        return own | own << lane, owned[seat - 1] | owned[seat - 2] << lane

    def captures(self, owned: Owned, seat: int, at: Cells) -> Cells:
        """Return what a seat captures from the cell `at`: unbroken runs of one opponent before an own cell."""
        own, one, other = owned[seat], owned[seat - 1], owned[seat - 2]
        either = one | other
        captured = 0
        for beside, beyond in self._rays[at]:
            if beside & either:
                opponent, run = one if beside & one else other, beside
                for cell in beyond:
                    if not cell & opponent:
                        if cell & own:
                            captured |= run
                        break
                    run |= cell
        return captured


def beyond_runs(own: Cells, opponents: Cells, steps: Sequence[int]) -> Cells:
    """Return the cells right after the runs of opponents' cells that begin beside own ones, both ways along steps."""
    reached = 0
    for step in steps:
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
    return reached


def take(owned: Owned, seat: int, cells: Cells) -> Owned:
    """Return who owns what after a seat took these cells."""
    first, second, third = owned
    kept = ~cells
    if seat == 0:
        return first | cells, second & kept, third & kept
    if seat == 1:
        return first & kept, second | cells, third & kept
    return first & kept, second & kept, third | cells


def split_cells(cells: Cells) -> list[Cells]:
    """Return a set's cells one by one, along the rows from the first."""
    found = []
    while cells:
        cell = cells & -cells
        found.append(cell)
        cells ^= cell
    return found
