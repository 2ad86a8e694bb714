"""Triboard's bot: a paranoid search of the board as bits, whose weights were fitted to how self-play ended."""

from service.domain.chance import Chance
from service.domain.game import Budget, Seat
from service.domain.games.triboard.board import STRIDE
from service.domain.games.triboard.rules import PLACES, SEATS, Place, Position
from service.domain.search.levels import chosen
from service.domain.search.trio import Grid
from service.domain.search.weighing import Weights

# fmt: off
STAGES = (
    Weights(102, -9, 7, 11, -3, -74, 155, -53, -57, -139, 0, 170, 72),
    Weights(64, 157, 81, 24, 25, -50, 44, 259, 12, -100, -29, 199, 39),
    Weights(38, 314, 80, 29, 23, -54, 54, 260, 124, -263, 34, 183, 83),
    Weights(54, 284, 81, -107, 7, -74, 33, 72, 18, -171, -6, 131, 60),
    Weights(54, 284, 81, -107, 7, -74, 33, 72, 18, -171, -6, 131, 60),
    Weights(54, 284, 81, -107, 7, -74, 33, 72, 18, -171, -6, 131, 60),
)
# fmt: on
"""From a full board to an empty one, a fifth of it each."""


def choose(position: Position, seat: Seat, chance: Chance, budget: Budget) -> Place:
    """Return the seat's move at the budget's level."""
    board, staying = position.board, tuple(other for other in SEATS if other not in position.dropped)
    blue, red, green = board.owned
    grid = Grid(board.empty | blue | red | green, STRIDE, staying)
    return PLACES[chosen(grid, STAGES, board.owned, seat, chance, budget)]
