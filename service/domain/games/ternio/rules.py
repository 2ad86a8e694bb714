"""The rules of Ternio: those of a capture game, with a start layout."""

from service.domain.boards.capture_game import CaptureGame
from service.domain.chance import Chance
from service.domain.games.ternio.model import (
    COLOURS,
    GRID,
    LAYOUTS,
    LaidOut,
    Options,
    Place,
    Placed,
    Position,
    TernioEvent,
    View,
    read_rows,
)
from service.domain.presentation import Mark, Picture, Tint
from service.domain.search.evaluation import Weights
from service.domain.search.levels import CaptureBot


def setup(options: Options, _chance: Chance) -> list[TernioEvent]:
    """Return the layout of the option `start`, in the middle of the board."""
    middle = tuple(f"...{row}..." for row in LAYOUTS[options.start])
    margin = ("." * 9,) * 3
    return [LaidOut(board=(*margin, *middle, *margin))]


def first_position(event: LaidOut) -> Position:
    """Return the first position: red is to move."""
    red, green, blue = owned = read_rows(event.board)
    return Position(owned, GRID.board & ~(red | green | blue))


RULES = CaptureGame[Place, TernioEvent](GRID, COLOURS, Place, Placed, first_position, ending="most_discs")

TINTS: dict[str, Tint] = {"r": "red", "g": "green", "b": "blue"}


def picture(view: View) -> Picture:
    """Return the discs as marks."""
    shown = GRID.letters(view.board).items()
    return Picture({"board": tuple(Mark(square, TINTS[disc], disc.upper()) for square, disc in shown if disc in TINTS)})


NOTATION = RULES.notation(picture)


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

BOT = CaptureBot(RULES, STAGES, error=30)
