"""Paranoid alpha-beta for three colours: one seat against the others, who are taken to stand together against it.

A search looks one ply deeper at a time until its budget is spent or every line reaches the end of the match.
"""

from collections.abc import Sequence
from contextlib import suppress

from service.domain.boards.captures import Cells
from service.domain.search.meter import Meter, Spent
from service.domain.search.trio import Node
from service.domain.search.weighing import Scale

INFINITY = 1 << 60
STEP = 1 << 40
"""What lies between two places at the end of a match; more than any promise or margin."""

TO_THE_END = 1 << 10
"""A depth that no match reaches: what was found so deep is exact."""

EXACT, AT_LEAST, AT_MOST = 0, 1, 2

Known = tuple[int, int, int, Cells]
"""What an earlier look found: its depth, `EXACT`, `AT_LEAST` or `AT_MOST`, the value, and the best move."""


class Search:
    """One seat's search from one position."""

    def __init__(self, scale: Scale, seat: int, meter: Meter) -> None:
        """Begin with nothing known."""
        grid = scale.grid
        self.depth = 0
        """How many plies the last complete iteration looked ahead."""
        self.to_the_end = False
        """Whether no line was cut short there, so that the choice is exact."""
        self._grid, self._scale, self._seat, self._meter = grid, scale, seat, meter
        self._rivals = [other for other in grid.staying if other != seat]
        self._known: dict[tuple[object, int], Known] = {}
        self._promises = scale.promises
        self._successes: tuple[dict[Cells, int], ...] = ({}, {}, {})
        self._killers: dict[int, tuple[Cells, Cells]] = {}
        self._shortened = False

    def best(self, node: Node, moves: Sequence[Cells], deepest: int = TO_THE_END) -> Cells:
        """Return the best of these moves as far as the budget lets it be known; of equal ones the earlier."""
        order = sorted(moves, key=self._promises.__getitem__, reverse=True)
        try:
            while self.depth < deepest and not self.to_the_end:
                self._deepen(node, order)
        except Spent:
            pass
        return order[0]

    def value(self, node: Node, deepest: int = TO_THE_END) -> int | None:
        """Return what a position is worth to the seat, whoever is to move, at the last depth searched in full.

        It is None if there was no time for any depth.
        """
        found = None
        with suppress(Spent):
            while self.depth < deepest and not self.to_the_end:
                self._shortened = False
                found = self._look(node, self.depth, -INFINITY, INFINITY)
                self.depth += 1
                self.to_the_end = not self._shortened
        return found

    @property
    def drawn(self) -> int:
        """The value of an end at which all seats that stay have the same score."""
        return (2 - len(self._rivals)) * STEP

    def _deepen(self, node: Node, order: list[Cells]) -> None:
        """Look one ply deeper, moving each move that proves better than all before it to the front of the order."""
        alpha, self._shortened = -INFINITY, False
        for move in tuple(order):
            value = self._look(self._grid.after(node, move), self.depth, alpha, INFINITY)
            if value > alpha:
                alpha = value
                order.remove(move)
                order.insert(0, move)
        self.depth += 1
        self.to_the_end = not self._shortened

    def _look(self, node: Node, depth: int, alpha: int, beta: int) -> int:
        """Return the position's value for the seat, exact between alpha and beta and a bound beyond them."""
        self._meter.tick()
        if node.turn < 0:
            return self.final(node)
        if depth == 0:
            self._shortened = True
            return self.promise(node)
        known = self._known.get((node.owned, node.turn))
        if known and known[0] >= depth and settles(known, alpha, beta):
            self._shortened |= known[0] < TO_THE_END
            return known[2]
        shortened, self._shortened = self._shortened, False
        value, move = self._try_all(node, depth, alpha, beta, known[3] if known else 0)
        kind = AT_LEAST if value >= beta else AT_MOST if value <= alpha else EXACT
        self._known[node.owned, node.turn] = (depth if self._shortened else TO_THE_END, kind, value, move)
        self._shortened |= shortened
        return value

    def _try_all(self, node: Node, depth: int, alpha: int, beta: int, first: Cells) -> tuple[int, Cells]:
        """Return the best value for whoever moves here, with its move; stop once it is known to be out of bounds."""
        mine = node.turn == self._seat
        best, found = -INFINITY if mine else INFINITY, 0
        for move in self._ordered(node, depth, first):
            value = self._look(self._grid.after(node, move), depth - 1, alpha, beta)
            if mine and value > best:
                best, found, alpha = value, move, max(alpha, value)
            elif not mine and value < best:
                best, found, beta = value, move, min(beta, value)
            if alpha >= beta:
                self._remember(node.turn, depth, move)
                break
        return best, found

    def _remember(self, turn: int, depth: int, move: Cells) -> None:
        """Try this move earlier elsewhere, as it ended the look here."""
        killer, _ = self._killers.get(depth, (0, 0))
        if move != killer:
            self._killers[depth] = (move, killer)
        successes = self._successes[turn]
        successes[move] = successes.get(move, 0) + depth * depth

    def _ordered(self, node: Node, depth: int, first: Cells) -> list[Cells]:
        """Return the moves: the best known one, those that ended a look at this depth, and the others by success."""
        left = node.reach[node.turn]
        order = []
        for move in (first, *self._killers.get(depth, ())):
            if move & left:
                order.append(move)
                left ^= move
        successes, promises = self._successes[node.turn], self._promises
        others = []
        while left:
            move = left & -left
            left ^= move
            others.append((-successes.get(move, 0), -promises[move], move))
        others.sort()
        return [*order, *(move for _, _, move in others)]

    def promise(self, node: Node) -> int:
        """Return what the position is worth to the seat above its rivals, three quarters of them the better one."""
        worths = self._scale.worths(node)
        rivals = [worths[rival] for rival in self._rivals]
        return 4 * worths[self._seat] - 3 * max(rivals) - min(rivals)

    def final(self, node: Node) -> int:
        """Return the value of an end: the seat's own place, then its margin over the best rival."""
        margins = [node.owned[self._seat].bit_count() - node.owned[rival].bit_count() for rival in self._rivals]
        behind = sum(3 if margin < 0 else margin == 0 for margin in margins)
        return (2 - behind) * STEP + min(margins)


def settles(known: Known, alpha: int, beta: int) -> bool:
    """Tell whether what is known answers a look between alpha and beta."""
    _, kind, value, _ = known
    return kind == EXACT or (kind == AT_LEAST and value >= beta) or (kind == AT_MOST and value <= alpha)
