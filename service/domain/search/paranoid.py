"""Paranoid alpha-beta search for three players: it assumes that all other seats cooperate against one.

It deepens by one ply at a time until its budget is spent or every line reaches the end of the match.
"""

from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

from service.domain.boards.capture_game import Cells
from service.domain.search.evaluation import SEATS, Evaluator, Node, number_of, pack
from service.domain.search.meter import BudgetSpent, Meter

try:
    from service.domain.search.compiled import Search as CompiledSearch
except ImportError:  # there was no compiler for it
    CompiledSearch = None  # type: ignore[assignment, misc]  # a type that may be missing

INFINITY = 1 << 60
STEP = 1 << 40
"""The difference in value between two places at the end of a match; greater than any estimate or margin."""

TO_THE_END = 1 << 10
"""A depth that no match reaches: a value found at this depth is exact."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2

TableEntry = tuple[int, int, int, Cells]
"""An entry of the transposition table: depth, bound (`EXACT`, `AT_LEAST` or `AT_MOST`), value, and best move."""


class Searching(Protocol):
    """A search for one seat, to a depth in plies. Methods raise `BudgetSpent`.

    They also return whether a line was shortened: if none was, every line reached the end and the value is exact.
    """

    def rank(self, node: Node, order: list[Cells], depth: int) -> tuple[int, bool]:
        """Search so deep after each move, and move each that proves best so far to the front; return its value."""

    def value(self, node: Node, depth: int) -> tuple[int, bool]:
        """Return the value of a position for the seat, which need not be to move."""


class Search:
    """One seat's search from one position: it is repeated one ply deeper each time, in the order that it found."""

    def __init__(self, evaluator: Evaluator, seat: int, meter: Meter) -> None:
        """Use the compiled search if there is one."""
        self.depth = 0
        """The depth in plies of the last completed iteration."""
        self.to_the_end = False
        """Whether every line of that iteration reached the end of the match, so that its result is exact."""
        self._grid, self._cell_ranks = evaluator.grid, evaluator.cell_ranks
        self.drawn = (2 - sum(other != seat for other in evaluator.grid.staying)) * STEP
        """The value of a match that ends with all remaining seats on the same score."""
        self._search: Searching = (TreeSearch if CompiledSearch is None else Compiled)(evaluator, seat, meter)

    def best(self, node: Node, moves: Sequence[Cells], deepest: int = TO_THE_END) -> Cells:
        """Return the best of these moves that the budget allows to find; of equal moves the first."""
        order = sorted(moves, key=self._cell_ranks.__getitem__, reverse=True)
        with suppress(BudgetSpent):
            while self.depth < deepest and not self.to_the_end:
                self._deepen(self._search.rank(node, order, self.depth))
        return order[0]

    def compare(self, node: Node, moves: Sequence[Cells], played: Cells) -> tuple[Cells, int, int] | None:
        """Return the best of these moves, its value and that of the one that was played, searched equally deep.

        None if the budget is already spent.
        """
        order, found = sorted(moves, key=self._cell_ranks.__getitem__, reverse=True), None
        with suppress(BudgetSpent):
            while not self.to_the_end:
                best = self._deepen(self._search.rank(node, order, self.depth))
                found = order[0], best, self._search.value(self._grid.after(node, played), self.depth - 1)[0]
        return found

    def values(self, node: Node, moves: Sequence[Cells], deepest: int) -> list[int]:
        """Return the value of each move, searched `deepest` plies deep; those of the last ones are missing if late."""
        found: list[int] = []
        with suppress(BudgetSpent):
            found.extend(self._search.value(self._grid.after(node, move), deepest - 1)[0] for move in moves)
        return found

    def value(self, node: Node, deepest: int = TO_THE_END) -> int | None:
        """Return the value of a position for the seat, which need not be to move, at the last completed depth.

        None if no depth was completed.
        """
        found = None
        with suppress(BudgetSpent):
            while self.depth < deepest and not self.to_the_end:
                found = self._deepen(self._search.value(node, self.depth))
        return found

    def _deepen(self, found: tuple[int, bool]) -> int:
        """Complete an iteration, and return its value."""
        self.depth += 1
        self.to_the_end = not found[1]
        return found[0]


class Compiled:
    """The search in C."""

    def __init__(self, evaluator: Evaluator, seat: int, meter: Meter) -> None:
        stay = evaluator.grid.staying
        self._search = CompiledSearch(
            meter.allow, *evaluator.packed, seat, (SEATS[0] in stay, SEATS[1] in stay, SEATS[2] in stay)
        )

    def rank(self, node: Node, order: list[Cells], depth: int) -> tuple[int, bool]:
        """See `Searching`."""
        numbers = [number_of(cell) for cell in order]
        try:
            return self._search.rank(pack(node.owned), node.turn, numbers, depth)
        finally:
            order[:] = [1 << number for number in numbers]

    def value(self, node: Node, depth: int) -> tuple[int, bool]:
        """See `Searching`."""
        return self._search.value(pack(node.owned), max(node.turn, 0), depth)


class TreeSearch:
    """The search in Python."""

    def __init__(self, evaluator: Evaluator, seat: int, meter: Meter) -> None:
        """Start with an empty transposition table."""
        grid = evaluator.grid
        self._grid, self._evaluator, self._seat, self._meter = grid, evaluator, seat, meter
        self._rivals = [other for other in grid.staying if other != seat]
        self._known: dict[tuple[object, int], TableEntry] = {}
        self._cell_ranks = evaluator.cell_ranks
        self._history: tuple[dict[Cells, int], ...] = ({}, {}, {})
        self._killers: dict[int, tuple[Cells, Cells]] = {}
        self._shortened = False

    def rank(self, node: Node, order: list[Cells], depth: int) -> tuple[int, bool]:
        """See `Searching`."""
        alpha, self._shortened = -INFINITY, False
        for move in tuple(order):
            value = self._search(self._grid.after(node, move), depth, alpha, INFINITY)
            if value > alpha:
                alpha = value
                order.remove(move)
                order.insert(0, move)
        return alpha, self._shortened

    def value(self, node: Node, depth: int) -> tuple[int, bool]:
        """See `Searching`."""
        self._shortened = False
        value = self._search(node, depth, -INFINITY, INFINITY)
        return value, self._shortened

    def _search(self, node: Node, depth: int, alpha: int, beta: int) -> int:
        """Return the position's value for the seat: exact between alpha and beta, and a bound outside them."""
        self._meter.tick()
        if node.turn < 0:
            return self.final_value(node)
        if depth == 0:
            self._shortened = True
            return self.estimate(node)
        known = self._known.get((node.owned, node.turn))
        if known and known[0] >= depth and is_sufficient(known, alpha, beta):
            self._shortened |= known[0] < TO_THE_END
            return known[2]
        shortened, self._shortened = self._shortened, False
        value, move = self._best_of(node, depth, alpha, beta, known[3] if known else 0)
        kind = AT_LEAST if value >= beta else AT_MOST if value <= alpha else EXACT
        self._known[node.owned, node.turn] = (depth if self._shortened else TO_THE_END, kind, value, move)
        self._shortened |= shortened
        return value

    def _best_of(self, node: Node, depth: int, alpha: int, beta: int, first: Cells) -> tuple[int, Cells]:
        """Return the best value for the side to move, and its move; stops at the first cutoff."""
        mine = node.turn == self._seat
        best, found = -INFINITY if mine else INFINITY, 0
        for move in self._ordered(node, depth, first):
            value = self._search(self._grid.after(node, move), depth - 1, alpha, beta)
            if mine and value > best:
                best, found, alpha = value, move, max(alpha, value)
            elif not mine and value < best:
                best, found, beta = value, move, min(beta, value)
            if alpha >= beta:
                self._remember(node.turn, depth, move)
                break
        return best, found

    def _remember(self, turn: int, depth: int, move: Cells) -> None:
        """Order this move earlier in other positions, because it caused a cutoff here."""
        killer, _ = self._killers.get(depth, (0, 0))
        if move != killer:
            self._killers[depth] = (move, killer)
        history = self._history[turn]
        history[move] = history.get(move, 0) + depth * depth

    def _ordered(self, node: Node, depth: int, first: Cells) -> list[Cells]:
        """Return the moves in search order: the table's best move, the killers of this depth, the others by history."""
        left = node.reach[node.turn]
        order = []
        for move in (first, *self._killers.get(depth, ())):
            if move & left:
                order.append(move)
                left ^= move
        history, cell_ranks = self._history[node.turn], self._cell_ranks
        others = []
        while left:
            move = left & -left
            left ^= move
            others.append((-history.get(move, 0), -cell_ranks[move], move))
        others.sort()
        return [*order, *(move for _, _, move in others)]

    def estimate(self, node: Node) -> int:
        """Return the estimate of a position: the seat's value minus its rivals', of which the better one counts 3/4."""
        values = self._evaluator.evaluate(node)
        rivals = [values[rival] for rival in self._rivals]
        return 4 * values[self._seat] - 3 * max(rivals) - min(rivals)

    def final_value(self, node: Node) -> int:
        """Return the value of a match that has ended: the seat's place first, then its margin over the best rival."""
        margins = [node.owned[self._seat].bit_count() - node.owned[rival].bit_count() for rival in self._rivals]
        behind = sum(3 if margin < 0 else margin == 0 for margin in margins)
        return (2 - behind) * STEP + min(margins)


def is_sufficient(entry: TableEntry, alpha: int, beta: int) -> bool:
    """Return whether a table entry is sufficient for the window from alpha to beta."""
    _, kind, value, _ = entry
    return kind == EXACT or (kind == AT_LEAST and value >= beta) or (kind == AT_MOST and value <= alpha)
