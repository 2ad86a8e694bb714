"""The bots of games of three colours: at each level, how deep they look, and how often they don't look at all."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from service.domain.boards.capture_game import SEATS, Position
from service.domain.boards.captures import Cells, split_cells
from service.domain.chance import Chance
from service.domain.game import Budget, Level, Seat
from service.domain.search.meter import Meter
from service.domain.search.paranoid import TO_THE_END, Search
from service.domain.search.trio import Grid
from service.domain.search.weighing import Scale, Weights


class Strength(Struct, frozen=True):
    """What a level may do: how many plies it looks ahead, and how many moves in a hundred are drawn blindly."""

    plies: int
    blind: int


STRENGTHS: Mapping[Level, Strength] = {
    "easy": Strength(plies=1, blind=90),
    "medium": Strength(plies=2, blind=0),
    "hard": Strength(plies=TO_THE_END, blind=0),
}


class CaptureBot:
    """Plays a game of captures on boards of one stride, by weights that were fitted to how self-play ended."""

    def __init__(self, stride: int, stages: Sequence[Weights]) -> None:
        """Take the weights of a full board and of one more fifth of it empty each."""
        self._stride = stride
        self._stages = stages
        self._scale = lru_cache(maxsize=64)(self._scale_on)  # the same until a seat leaves the match

    def choose(self, position: Position, seat: Seat, chance: Chance, budget: Budget) -> Cells:
        """Return the cell that the seat, whose turn it is, takes at this level. One draw decides between equals."""
        scale, strength, draw = self._scale_of(position), STRENGTHS[budget.level], chance.draw()
        node = scale.grid.node(position.owned, seat)
        blind = draw.below(100) < strength.blind
        moves = tuple(split_cells(node.reach[seat]))
        moves = tuple(draw.sample(moves, len(moves)))
        if blind or len(moves) == 1:
            return moves[0]
        return Search(scale, seat, Meter(budget)).best(node, moves, strength.plies)

    def accepts_draw(self, position: Position, seat: Seat, budget: Budget) -> bool:
        """Return whether the seat agrees to a draw at this level: where it expects no more than a tie of all who stay.

        It expects the worst: that the other seats play together against it. Without time to look at all it declines.
        """
        scale = self._scale_of(position)
        search = Search(scale, seat, Meter(budget))
        value = search.value(scale.grid.node(position.owned, position.turn), STRENGTHS[budget.level].plies)
        return value is not None and (value <= 0 or value == search.drawn)

    def _scale_of(self, position: Position) -> Scale:
        """Return what a position is weighed on: its board without walls, and the seats that stay."""
        one, two, three = position.owned
        return self._scale(position.empty | one | two | three, position.dropped)

    def _scale_on(self, cells: Cells, dropped: tuple[Seat, ...]) -> Scale:
        return Scale(Grid(cells, self._stride, [seat for seat in SEATS if seat not in dropped]), self._stages)
