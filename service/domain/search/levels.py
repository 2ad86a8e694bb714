"""The bots of the three-player capture games: how deep they search at each level, and how often they play randomly."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Generic

from msgspec import Struct

from service.domain.boards.capture_game import SEATS, CaptureGame, E, M, Position
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


LOST, LOST_PER_CELL = 300, 28
"""What a lost seat lacks, in hundredths of a cell at the end of the match, and for each cell that is empty yet.

With these, 9 % of Ternio's and 5 % of Triboard's later winners would have agreed in 100 matches of hard bots, and in
the second half of a match 64 % and 56 % of those who came last.
"""

YOUNG = 0.7
"""The share of the board that is empty while a match is young: about its first fifth, as it begins with discs."""


class CaptureBot(Generic[M, E]):
    """Plays a capture game, with weights that were fitted to the results of self-play."""

    def __init__(self, game: CaptureGame[M, E], stages: Sequence[Weights]) -> None:
        """`stages` has the weights for a full board, for one that is one fifth empty, two fifths empty, and so on."""
        self._moves = game.moves
        self._stride = game.grid.stride
        self._stages = stages
        self._evaluator = lru_cache(maxsize=64)(self._make_evaluator)  # changes only when a seat leaves the match

    def choose(self, position: Position, seat: Seat, chance: Chance, budget: Budget) -> M:
        """Return the move of the seat, which must be to move. One draw decides between equal moves."""
        evaluator, strength, draw = self._evaluator_of(position), STRENGTHS[budget.level], chance.draw()
        node = evaluator.grid.node(position.owned, seat)
        blind = draw.below(100) < strength.blind
        moves = tuple(split_cells(node.reach[seat]))
        moves = tuple(draw.sample(moves, len(moves)))
        if blind or len(moves) == 1:
            return self._moves[moves[0]]
        return self._moves[Search(evaluator, seat, Meter(budget)).best(node, moves, strength.plies)]

    def accepts_draw(self, position: Position, seat: Seat, budget: Budget) -> bool:
        """Return whether the seat agrees to a draw: once a rival is so far ahead that it can hardly win.

        While a match is young, no bot agrees. If the budget allows to search to the end, a seat agrees unless
        it wins by force. If the budget is already spent, it declines.
        """
        evaluator, empty = self._evaluator_of(position), position.empty.bit_count()
        node, search = evaluator.grid.node(position.owned, position.turn), Search(evaluator, seat, Meter(budget))
        values = evaluator.evaluate(node)
        lack = max(values[rival] for rival in evaluator.grid.staying if rival != seat) - values[seat]
        if empty > YOUNG * evaluator.grid.board.bit_count():
            return False
        value = search.value(node, STRENGTHS[budget.level].plies)
        if search.to_the_end:
            return value == search.drawn or (value is not None and value <= 0)
        return value is not None and lack >= LOST + LOST_PER_CELL * empty

    def _evaluator_of(self, position: Position) -> Evaluator:
        """Return the evaluator for a position's board without walls and its remaining seats."""
        one, two, three = position.owned
        return self._evaluator(position.empty | one | two | three, position.dropped)

    def _make_evaluator(self, cells: Cells, dropped: tuple[Seat, ...]) -> Evaluator:
        return Evaluator(Grid(cells, self._stride, [seat for seat in SEATS if seat not in dropped]), self._stages)
