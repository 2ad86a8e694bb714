"""A fast board for the bots of the three-player capture games.

The moves of all three seats are found at once: one integer contains six copies of the board, one for each pair of a
seat and an opponent, with gaps between them so that no line continues into the next copy. One shift moves all of them.
"""

from collections.abc import Sequence

from msgspec import Struct

from service.domain.boards.captures import CaptureLines, Cells, Owned, beyond_runs, take

SEATS = (0, 1, 2)
NOBODY = -1


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
