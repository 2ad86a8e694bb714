"""Ternio's bot: a paranoid search with weights that were fitted to the results of self-play."""

from service.domain.games.ternio.rules import RULES
from service.domain.search.evaluation import Weights
from service.domain.search.levels import CaptureBot

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
"""The weights for a full board, for one that is one fifth empty, two fifths empty, and so on.

They were fitted by least squares to the final numbers of discs, over 25,189 positions of 700 matches from random
layouts between bots that examined 150 positions per move and played up to one move in ten at random.
"""

BOT = CaptureBot(RULES, STAGES)
