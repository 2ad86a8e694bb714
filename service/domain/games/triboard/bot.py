"""Triboard's bot: a paranoid search of the board as bits, whose weights were fitted to how self-play ended."""

from service.domain.chance import Chance
from service.domain.game import Budget, Seat
from service.domain.games.triboard.board import GRID
from service.domain.games.triboard.model import Place, Position
from service.domain.games.triboard.rules import RULES
from service.domain.search.levels import CaptureBot
from service.domain.search.weighing import Weights

# fmt: off
STAGES = (
    Weights(102, -2, 3, 6, 3, -46, 186, 17, -26, -72, -25, 146, 49),
    Weights(80, 170, 43, 20, 14, -64, 86, 164, 33, -61, -3, 222, 45),
    Weights(70, 267, 34, -20, -3, -64, 45, 167, 61, -49, 23, 194, 87),
    Weights(88, 226, 24, -51, -24, -100, 28, 7, 23, 21, 36, 113, 76),
    Weights(-144, 217, 52, 10, 0, 165, 4, 107, -59, 6, -28, -10, -39),
)
# fmt: on
"""For a full board, and then for one more fifth of it empty each; a match begins with about four fifths empty.

Fitted by least squares to the cells at the end, over 31,921 positions of 500 matches between bots: 150 matches looked
one move ahead with weights set by hand, 350 looked at 150 positions a move; up to three moves in ten were drawn.
"""


BOT = CaptureBot(GRID.stride, STAGES)


def choose(position: Position, seat: Seat, chance: Chance, budget: Budget) -> Place:
    """Return the seat's move at the budget's level."""
    return RULES.moves[BOT.choose(position, seat, chance, budget)]


def accepts_draw(position: Position, seat: Seat, budget: Budget) -> bool:
    """Return whether the seat's bot agrees to a draw."""
    return BOT.accepts_draw(position, seat, budget)
