"""Ternio's bot: a paranoid search of the board as bits, whose weights were fitted to how self-play ended."""

from service.domain.chance import Chance
from service.domain.game import Budget, Seat
from service.domain.games.ternio.board import BOARD, STRIDE
from service.domain.games.ternio.rules import PLACES, SEATS, Place, Position
from service.domain.search.levels import chosen
from service.domain.search.trio import Grid
from service.domain.search.weighing import Weights

# fmt: off
STAGES = (
    Weights(93, 105, 8, 0, 0, -64, 250, 161, -25, 2, -56, 88, -29),
    Weights(75, 556, 11, 0, 0, -30, 175, 357, -4, -55, -14, 188, 63),
    Weights(72, 667, 46, 0, 0, 20, 98, 356, 8, -114, -22, 408, 114),
    Weights(49, 1085, 55, 0, 0, 71, 91, 176, 14, -337, -22, 548, 158),
    Weights(49, 46, -135, 0, 0, 172, 79, 155, -3, -896, 8, 879, 278),
    Weights(403, 0, 9, 0, 0, 49, 87, 0, 39, 4, 49, 907, 386),
)
# fmt: on
"""From a full board to an empty one, a fifth of it each."""


def choose(position: Position, seat: Seat, chance: Chance, budget: Budget) -> Place:
    """Return the seat's move at the budget's level."""
    staying = tuple(other for other in SEATS if other not in position.dropped)
    grid = Grid(BOARD, STRIDE, staying)
    return PLACES[chosen(grid, STAGES, position.discs, seat, chance, budget)]
