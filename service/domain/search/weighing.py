"""What a position of three colours is worth to each seat: features, weighed by how full the board is.

A cell is open along a line when it has neighbours on both sides of it; only along such a line can it be captured. A
corner is a cell that is open along none, so whoever owns it keeps it; a rim cell is open along one. Walls make corners.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import astuple

from service.domain.boards.captures import Cells, split_cells
from service.domain.search.trio import Grid, Node


class Weights(Struct, frozen=True):
    """What each feature adds, in hundredths of a cell at the end of the match."""

    owned: int
    corners: int
    rims: int
    open_twice: int
    open_thrice: int
    exposed: int
    """An own cell beside an empty one."""
    moves: int
    corner_moves: int
    rim_moves: int
    beside_corner: int
    """An own cell beside an empty corner."""
    beside_rim: int
    turn: int
    next_turn: int


class Scale:
    """Weighs positions on one grid."""

    def __init__(self, grid: Grid, stages: Sequence[Weights]) -> None:
        """Take the weights of a full board and of one more fifth of it empty each; in between they are mixed."""
        self.grid = grid
        self._corners, self._rims, self._twice, self._thrice, _ = sort_by_openness(grid)
        cells = grid.board.bit_count()
        self._weights = [mix_stages(stages, empty, cells) for empty in range(cells + 1)]
        self.promises = {cell: self._promise(cell) for cell in split_cells(grid.board)}
        """How good each cell looks before anything is searched: corners first, the cells beside them last."""

    def worths(self, node: Node) -> list[int]:
        """Return what the position promises each seat; only differences mean anything."""
        corners, rims, twice, thrice = self._corners, self._rims, self._twice, self._thrice
        empty, beside = node.empty, self.grid.beside
        exposed, by_corner, by_rim = beside(empty), beside(empty & corners), beside(empty & rims)
        one, corner, rim, two, three, edge, go, go_corner, go_rim, near_corner, near_rim, turn, then = self._weights[
            empty.bit_count()
        ]
        worths = []
        for own, reach in zip(node.owned, node.reach, strict=True):
            worth = one * own.bit_count() + corner * (own & corners).bit_count() + rim * (own & rims).bit_count()
            worth += edge * (own & exposed).bit_count() + go * reach.bit_count() + go_rim * (reach & rims).bit_count()
            worth += near_rim * (own & by_rim).bit_count()
            if twice:
                worth += two * (own & twice).bit_count() + three * (own & thrice).bit_count()
            if by_corner:
                worth += go_corner * (reach & corners).bit_count() + near_corner * (own & by_corner).bit_count()
            worths.append(worth)
        worths[node.turn] += turn
        worths[node.turn - 2] += then
        return worths

    def _promise(self, cell: Cells) -> int:
        if cell & self._corners:
            return 100
        promise = 20 * bool(cell & self._rims) + 8 * bool(cell & self._twice)
        promise -= 10 * bool(cell & self.grid.beside(self._corners))
        return promise - 4 * bool(cell & self.grid.beside(self._rims) & ~self._rims)


def sort_by_openness(grid: Grid) -> tuple[Cells, ...]:
    """Return the cells that are open along none, one, two, three and all four of the lines through them."""
    board = grid.board
    lines = [board & board << step & board >> step for step in grid.steps]
    kinds = [0] * 5
    for cell in split_cells(board):
        kinds[sum(1 for line in lines if line & cell)] |= cell
    return tuple(kinds)


def mix_stages(stages: Sequence[Weights], empty: int, cells: int) -> tuple[int, ...]:
    """Return the weights for this many empty cells of a board; beyond the last stage they stay as they are."""
    stage, part = divmod(5 * empty, cells)
    low, high = (astuple(stages[min(at, len(stages) - 1)]) for at in (stage, stage + 1))
    return tuple((fewer * (cells - part) + more * part) // cells for fewer, more in zip(low, high, strict=True))
