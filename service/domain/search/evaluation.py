"""The evaluation of a position in a three-player capture game: features, weighted by how full the board is.

A cell is open along a line if it has neighbours on both sides; it can be captured only along such a line. A corner is a
cell that is open along no line, so it is never captured; a rim cell is open along one line. Walls create corners.

Bots search on a board of their own, `Node`, which finds the moves of all three seats at once: one integer contains six
copies of the board, one for each pair of a seat and an opponent, with gaps between them so that no line continues into
the next copy. One shift moves all of them.
"""

from array import array
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import chain

from msgspec import Struct
from msgspec.structs import astuple

from service.domain.boards.capture_game import CaptureLines, Cells, Owned, beyond_runs, split_cells, take

SEATS = (0, 1, 2)
NOBODY = -1
MOST_CELLS = 192
"""The number of bits that a board may have for the compiled search."""


class Node(Struct, frozen=True, gc=False):
    """A position: who owns what, what is empty, where each seat captures, and whose turn it is.

    `turn` is a seat that can capture, or `NOBODY` when the match is over.
    """

    owned: Owned
    empty: Cells
    reach: Owned
    turn: int


class Grid(CaptureLines):
    """A board with its lines, and the seats that play on it."""

    def __init__(self, board: Cells, stride: int, staying: Sequence[int] = SEATS) -> None:
        """`board` has the cells that can be owned; the seats in `staying` have not dropped out."""
        super().__init__(board, stride)
        self.staying = tuple(staying)
        self._turn_orders = tuple(
            tuple(seat for seat in (*SEATS[turn + 1 :], *SEATS[: turn + 1]) if seat in staying) for turn in SEATS
        )

    def node(self, owned: Owned, turn: int) -> Node:
        """Return the position in which this seat is to move, or the next seat that can capture."""
        empty = self.board & ~(owned[0] | owned[1] | owned[2])
        return self._node(owned, empty, (turn, *self._turn_orders[turn]))

    def after(self, node: Node, at: Cells) -> Node:
        """Return the position after the seat to move takes the cell `at` and everything that it captures from there."""
        turn = node.turn
        owned = take(node.owned, turn, at | self.captures(node.owned, turn, at))
        return self._node(owned, node.empty ^ at, self._turn_orders[turn])

    def _node(self, owned: Owned, empty: Cells, turns: tuple[int, ...]) -> Node:
        """Return the position in which the first of these seats that can capture is to move."""
        reach = self.reach(owned, empty)
        for turn in turns:
            if reach[turn]:
                return Node(owned, empty, reach, turn)
        return Node(owned, empty, reach, NOBODY)

    def reach(self, owned: Owned, empty: Cells) -> Owned:
        """Return for each seat the empty cells from which it captures: those after a run that begins at its cell."""
        first, second, third = owned
        lane = self._lane
        own = first | first << lane | (second | second << lane) << 2 * lane | (third | third << lane) << 4 * lane
        against = second | third << lane | (third | first << lane) << 2 * lane | (first | second << lane) << 4 * lane
        reached = beyond_runs(own, against, self.steps)
        reached |= reached >> lane
        return reached & empty, reached >> 2 * lane & empty, reached >> 4 * lane & empty

    def dilate(self, cells: Cells) -> Cells:
        """Return these cells and their neighbours in all eight directions; some may be off the board."""
        wide = cells | cells << 1 | cells >> 1
        return wide | wide << self.stride | wide >> self.stride


class Weights(Struct, frozen=True):
    """The weight of each feature: in Ternio in thousandths of the logarithm of a seat's odds of the first place.

    In Triboard it is in hundredths of a cell at the end of the match, which is about as much.
    """

    owned: int
    corners: int
    rims: int
    open_twice: int
    open_thrice: int
    exposed: int
    """An own cell next to an empty one."""
    moves: int
    corner_moves: int
    rim_moves: int
    next_to_corner: int
    """An own cell next to an empty corner."""
    next_to_rim: int
    turn: int
    next_turn: int


class Evaluator:
    """Evaluates positions on one grid."""

    def __init__(self, grid: Grid, stages: Sequence[Weights]) -> None:
        """Use the weights for a full board, one that is one fifth empty, and so on; others are interpolated."""
        self.grid = grid
        self._corners, self._rims, self._twice, self._thrice, _ = sort_by_openness(grid)
        cells = grid.board.bit_count()
        self._weights = [interpolate_stages(stages, empty, cells) for empty in range(cells + 1)]
        self.cell_ranks = {cell: self._cell_rank(cell) for cell in split_cells(grid.board)}
        """The rank of each cell in the initial move order: corners are highest, the cells next to them lowest."""

    @cached_property
    def packed(self) -> tuple[bytes, int, bytes, bytes]:
        """The board and four kinds of cells, the stride, the weights, and the ranks of the cells by their bits."""
        cells = pack([self.grid.board, self._corners, self._rims, self._twice, self._thrice])
        ranks = array("i", [0]) * MOST_CELLS
        for cell, rank in self.cell_ranks.items():
            ranks[number_of(cell)] = rank
        return cells, self.grid.stride, array("q", chain(*self._weights)).tobytes(), ranks.tobytes()

    def evaluate(self, node: Node) -> list[int]:
        """Return the value of a position for each seat; only differences between seats are meaningful."""
        corners, rims, twice, thrice = self._corners, self._rims, self._twice, self._thrice
        empty, dilate = node.empty, self.grid.dilate
        exposed, by_corner, by_rim = dilate(empty), dilate(empty & corners), dilate(empty & rims)
        one, corner, rim, two, three, edge, go, go_corner, go_rim, near_corner, near_rim, turn, then = self._weights[
            empty.bit_count()
        ]
        values = []
        for own, reach in zip(node.owned, node.reach, strict=True):
            value = one * own.bit_count() + corner * (own & corners).bit_count() + rim * (own & rims).bit_count()
            value += edge * (own & exposed).bit_count() + go * reach.bit_count() + go_rim * (reach & rims).bit_count()
            value += near_rim * (own & by_rim).bit_count()
            if twice | thrice:
                value += two * (own & twice).bit_count() + three * (own & thrice).bit_count()
            if by_corner:
                value += go_corner * (reach & corners).bit_count() + near_corner * (own & by_corner).bit_count()
            values.append(value)
        values[node.turn] += turn
        values[node.turn - 2] += then
        return values

    def _cell_rank(self, cell: Cells) -> int:
        if cell & self._corners:
            return 100
        promise = 20 * bool(cell & self._rims) + 8 * bool(cell & self._twice)
        promise -= 10 * bool(cell & self.grid.dilate(self._corners))
        return promise - 4 * bool(cell & self.grid.dilate(self._rims) & ~self._rims)


def pack(sets: Iterable[Cells]) -> bytes:
    """Return sets of cells as bits, each in the bytes of the largest board."""
    return b"".join([cells.to_bytes(MOST_CELLS // 8, "little") for cells in sets])


def number_of(cell: Cells) -> int:
    """Return the number of a cell's bit."""
    return cell.bit_length() - 1


def sort_by_openness(grid: Grid) -> tuple[Cells, ...]:
    """Return five sets: the cells that are open along none, one, two, three and four of the lines through them."""
    board = grid.board
    lines = [board & board << step & board >> step for step in grid.steps]
    kinds = [0] * 5
    for cell in split_cells(board):
        kinds[sum(1 for line in lines if line & cell)] |= cell
    return tuple(kinds)


def interpolate_stages(stages: Sequence[Weights], empty: int, cells: int) -> tuple[int, ...]:
    """Return the weights for this many empty cells, interpolated between stages; those of the last stage after it."""
    stage, part = divmod(5 * empty, cells)
    low, high = (astuple(stages[min(at, len(stages) - 1)]) for at in (stage, stage + 1))
    return tuple((fewer * (cells - part) + more * part) // cells for fewer, more in zip(low, high, strict=True))
