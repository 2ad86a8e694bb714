"""The bots of the three-player capture games: how far they search at each level, and how exactly."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import exp
from typing import Generic

from msgspec import Struct

from service.domain.boards.capture_game import SEATS, CaptureGame, Cells, E, M, Position, split_cells
from service.domain.chance import Chance
from service.domain.game import Budget, Evaluation, Level, Seat
from service.domain.search.evaluation import Evaluator, Grid, Weights
from service.domain.search.meter import Meter
from service.domain.search.paranoid import STEP, TO_THE_END, Search


class Strength(Struct, frozen=True):
    """The strength of a level."""

    plies: int = TO_THE_END
    """The maximum search depth."""
    blur: int = 0
    """The range of the random error of each move's value, in percent of that of the weakest level."""
    nodes: int | None = None
    """The most positions that it examines; None = as many as the budget allows."""


STRENGTHS: Mapping[Level, Strength] = {
    "easy": Strength(plies=1, blur=100),
    "casual": Strength(plies=1, blur=35),
    "medium": Strength(plies=2, blur=15),
    "skilled": Strength(nodes=300),
    "hard": Strength(nodes=2000),
    "expert": Strength(),
}


SURE = 1 << 20
"""The estimate of a match that is won against both rivals; others are far below."""

LIKELY = 6500
"""The difference of two values of a search at which the odds differ by a factor of e: see docs/decisions.md."""


def chances(values: Mapping[Seat, int]) -> tuple[float, ...]:
    """Return the chance of each seat by its value, which a search has found for it against all others."""
    hopes = {seat: estimate_of(value) / LIKELY for seat, value in values.items()}
    most = max(hopes.values())
    weights = [exp(hopes[seat] - most) if seat in hopes else 0.0 for seat in SEATS]
    return tuple(weight / sum(weights) for weight in weights)


def estimate_of(value: int) -> int:
    """Return a value as an estimate: of an exact one the margin in cells, as rivals need not cooperate; a sure win."""
    places = round(value / STEP)
    return value if not places else SURE if places > 1 else 400 * (value - places * STEP)


class CaptureBot(Generic[M, E]):
    """Plays a capture game, with weights that were fitted to the results of self-play."""

    def __init__(self, game: CaptureGame[M, E], stages: Sequence[Weights], error: int, lost: int, young: float) -> None:
        """Use weights for a full board, one a fifth empty, and so on; and the error of the level `easy`, in hundreds.

        A seat agrees to a draw that is behind by `lost` by its search, as weights count, once at most the share `young`
        of the board is empty: after about the first fifth of a match.
        """
        self._moves = game.moves
        self._stride = game.grid.stride
        self._stages = stages
        self._error = error
        self._lost, self._young = -4 * lost, young
        self._evaluator = lru_cache(maxsize=64)(self._make_evaluator)  # changes only when a seat leaves the match

    def choose(self, position: Position, seat: Seat, chance: Chance, budget: Budget) -> M:
        """Return the move of the seat, which must be to move. One draw decides between equal moves."""
        evaluator, strength, draw = self._evaluator_of(position), STRENGTHS[budget.level], chance.draw()
        node = evaluator.grid.node(position.owned, seat)
        moves = tuple(split_cells(node.reach[seat]))
        moves = tuple(draw.sample(moves, len(moves)))
        if len(moves) == 1:
            return self._moves[moves[0]]
        search = Search(evaluator, seat, Meter(budget, strength.nodes))
        if not strength.blur:
            return self._moves[search.best(node, moves, strength.plies)]
        blurred = [
            value + draw.below(4 * self._error * strength.blur) for value in search.values(node, moves, strength.plies)
        ]
        return self._moves[moves[blurred.index(max(blurred))] if blurred else moves[0]]

    def accepts_draw(self, position: Position, seat: Seat, budget: Budget) -> bool:
        """Return whether the seat agrees to a draw: once its search shows it so far behind that it can hardly win.

        While a match is young, no bot agrees. If the budget allows to search to the end, a seat agrees unless
        it wins by force. If the budget is already spent, it declines.
        """
        evaluator = self._evaluator_of(position)
        if position.empty.bit_count() > self._young * evaluator.grid.board.bit_count():
            return False
        strength = STRENGTHS[budget.level]
        search = Search(evaluator, seat, Meter(budget, strength.nodes))
        value = search.value(evaluator.grid.node(position.owned, position.turn), strength.plies)
        if search.to_the_end:
            return value == search.drawn or (value is not None and value <= 0)
        return value is not None and value <= self._lost

    def evaluate(self, position: Position, played: Mapping[Seat, M], budget: Budget) -> Evaluation:
        """Return the chances of the seats by a search for each of them, and what the move that was played cost."""
        evaluator, seat = self._evaluator_of(position), position.turn
        node, staying = (
            evaluator.grid.node(position.owned, seat),
            [each for each in SEATS if each not in position.dropped],
        )
        moves = tuple(split_cells(node.reach[seat]))
        did = next((cell for cell in moves if self._moves[cell] == played.get(seat)), moves[0])
        found = Search(evaluator, seat, Meter(budget)).compare(node, moves, did) or (did, 0, 0)
        best, values = found[0], dict.fromkeys(staying, 0)
        for other in staying:
            values[other] = found[1] if other == seat else Search(evaluator, other, Meter(budget)).value(node) or 0
        before, after = chances(values), chances({**values, seat: found[2]})[seat]
        return Evaluation(before, {seat: self._moves[best]}, {seat: max(0.0, before[seat] - after)} if played else {})

    def _evaluator_of(self, position: Position) -> Evaluator:
        """Return the evaluator for a position's board without walls and its remaining seats."""
        one, two, three = position.owned
        return self._evaluator(position.empty | one | two | three, position.dropped)

    def _make_evaluator(self, cells: Cells, dropped: tuple[Seat, ...]) -> Evaluator:
        return Evaluator(Grid(cells, self._stride, [seat for seat in SEATS if seat not in dropped]), self._stages)
