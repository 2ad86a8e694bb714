"""Three colours on a grid on which lines of one opponent's colour turn: the positions of such games' bots, made fast.

All three seats' moves are found at once: six copies of the board, one for each pair of a seat and an opponent, lie
side by side in one number, far enough apart that no line runs from one into the next. A shift moves all of them.
"""

from collections.abc import Sequence

from msgspec import Struct

from service.domain.boards.captures import CaptureLines, Cells, Owned, beyond_runs, take

SEATS = (0, 1, 2)
NOBODY = -1


class Node(Struct, frozen=True, gc=False):
    """A position: who owns what, what is empty, where each seat captures, and whose turn it is.

    A seat that can't capture is passed over already; the turn is `NOBODY`'s when the match is over.
    """

    owned: Owned
    empty: Cells
    reach: Owned
    turn: int


class Grid(CaptureLines):
    """A board with its lines, and the seats that take turns on it."""

    def __init__(self, board: Cells, stride: int, staying: Sequence[int] = SEATS) -> None:
        """Take the cells that can be owned, and the seats that didn't drop out."""
        super().__init__(board, stride)
        self.staying = tuple(staying)
        self._followers = tuple(
            tuple(seat for seat in (*SEATS[turn + 1 :], *SEATS[: turn + 1]) if seat in staying) for turn in SEATS
        )

    def node(self, owned: Owned, turn: int) -> Node:
        """Return the position with the turn at this seat, or at the next one that can capture."""
        empty = self.board & ~(owned[0] | owned[1] | owned[2])
        return self._node(owned, empty, (turn, *self._followers[turn]))

    def after(self, node: Node, at: Cells) -> Node:
        """Return the position after the seat to move took the cell `at` and all that it captures from there."""
        turn = node.turn
        owned = take(node.owned, turn, at | self.captures(node.owned, turn, at))
        return self._node(owned, node.empty ^ at, self._followers[turn])

    def _node(self, owned: Owned, empty: Cells, turns: tuple[int, ...]) -> Node:
        """Give the turn to the first of these seats that can capture."""
        reach = self.reach(owned, empty)
        for turn in turns:
            if reach[turn]:
                return Node(owned, empty, reach, turn)
        return Node(owned, empty, reach, NOBODY)

    def reach(self, owned: Owned, empty: Cells) -> Owned:
        """Return for each seat the empty cells from which it captures: those right after a run beside an own cell."""
        first, second, third = owned
        lane = self._lane
        own = first | first << lane | (second | second << lane) << 2 * lane | (third | third << lane) << 4 * lane
        against = second | third << lane | (third | first << lane) << 2 * lane | (first | second << lane) << 4 * lane
        reached = beyond_runs(own, against, self.steps)
        reached |= reached >> lane
        return reached & empty, reached >> 2 * lane & empty, reached >> 4 * lane & empty

    def beside(self, cells: Cells) -> Cells:
        """Return these cells and their neighbours in all directions; some may lie off the board."""
        wide = cells | cells << 1 | cells >> 1
        return wide | wide << self.stride | wide >> self.stride
