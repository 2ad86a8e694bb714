"""The bots of the three-player capture games: how deep they search at each level, and how often they play randomly."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from service.domain.boards.capture_game import SEATS, Position
from service.domain.boards.captures import Cells, split_cells
from service.domain.chance import Chance
from service.domain.game import Budget, Level, Seat
from service.domain.search.evaluation import Evaluator, Weights
from service.domain.search.meter import Meter
from service.domain.search.paranoid import TO_THE_END, Search
from service.domain.search.trio import Grid


class Strength(Struct, frozen=True):
    """The strength of a level: its search depth in plies, and the percentage of its moves that are random."""

    plies: int
    blind: int


STRENGTHS: Mapping[Level, Strength] = {
    "easy": Strength(plies=1, blind=90),
    "medium": Strength(plies=2, blind=0),
    "hard": Strength(plies=TO_THE_END, blind=0),
}


class CaptureBot:
    """Plays a capture game on boards of one stride, with weights that were fitted to the results of self-play."""

    def __init__(self, stride: int, stages: Sequence[Weights]) -> None:
        """Take the weights by stage: for a full board, for one that is one fifth empty, two fifths empty, and so on."""
        self._stride = stride
        self._stages = stages
        self._evaluator = lru_cache(maxsize=64)(self._make_evaluator)  # changes only when a seat leaves the match

    def choose(self, position: Position, seat: Seat, chance: Chance, budget: Budget) -> Cells:
        """Return the cell that the seat takes, which must be to move. One draw decides between equal moves."""
        evaluator, strength, draw = self._evaluator_of(position), STRENGTHS[budget.level], chance.draw()
        node = evaluator.grid.node(position.owned, seat)
        blind = draw.below(100) < strength.blind
        moves = tuple(split_cells(node.reach[seat]))
        moves = tuple(draw.sample(moves, len(moves)))
        if blind or len(moves) == 1:
            return moves[0]
        return Search(evaluator, seat, Meter(budget)).best(node, moves, strength.plies)

    def accepts_draw(self, position: Position, seat: Seat, budget: Budget) -> bool:
        """Return whether the seat agrees to a draw: if it expects at most a tie of all remaining seats.

        It assumes that the other seats cooperate against it. If the budget is already spent, it declines.
        """
        evaluator = self._evaluator_of(position)
        search = Search(evaluator, seat, Meter(budget))
        value = search.value(evaluator.grid.node(position.owned, position.turn), STRENGTHS[budget.level].plies)
        return value is not None and (value <= 0 or value == search.drawn)

    def _evaluator_of(self, position: Position) -> Evaluator:
        """Return the evaluator for a position's board without walls and its remaining seats."""
        one, two, three = position.owned
        return self._evaluator(position.empty | one | two | three, position.dropped)

    def _make_evaluator(self, cells: Cells, dropped: tuple[Seat, ...]) -> Evaluator:
        return Evaluator(Grid(cells, self._stride, [seat for seat in SEATS if seat not in dropped]), self._stages)
