"""Triboard's bot: a paranoid search with weights that were fitted to the results of self-play."""

from service.domain.games.triboard.rules import RULES
from service.domain.search.evaluation import Weights
from service.domain.search.levels import CaptureBot

# fmt: off
STAGES = (
    Weights(102, -2, 3, 6, 3, -46, 186, 17, -26, -72, -25, 146, 49),
    Weights(80, 170, 43, 20, 14, -64, 86, 164, 33, -61, -3, 222, 45),
    Weights(70, 267, 34, -20, -3, -64, 45, 167, 61, -49, 23, 194, 87),
    Weights(88, 226, 24, -51, -24, -100, 28, 7, 23, 21, 36, 113, 76),
    Weights(-144, 217, 52, 10, 0, 165, 4, 107, -59, 6, -28, -10, -39),
)
# fmt: on
"""The weights for a full board, for one that is one fifth empty, and so on; a match begins about four fifths empty.

They were fitted by least squares to the final numbers of cells, over 31,921 positions of 500 matches between bots. In
150 matches the bots searched one move deep with weights set by hand, in 350 they examined 150 positions per move; up to
three moves in ten were random.
"""

BOT = CaptureBot(RULES, STAGES)
