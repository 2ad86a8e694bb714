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
    Weights(281, 335, 4, 0, 0, -252, 609, 489, 108, -135, -41, 409, -32),
    Weights(100, 729, 20, 0, 0, -92, 148, 486, 18, -179, -44, 88, 40),
    Weights(72, 578, 61, 0, 0, -53, 76, 418, 7, -202, -24, 179, 65),
    Weights(33, 600, 84, 0, 0, -2, 58, 318, 11, -204, -24, 197, 76),
    Weights(57, 419, -2, 0, 0, -8, 25, 174, 54, -263, 33, 272, 105),
    Weights(133, 19, -259, 0, 0, 99, -1, -9, -14, -348, 356, 393, 5),
)
# fmt: on
"""The weights for a full board, for one that is one fifth empty, two fifths empty, and so on.

`python -m bench.capture_weights ternio --matches 12000` fitted them to 401,744 positions. The matches were played with
weights that had been fitted by the same regression to 9,000 matches with those of release 0.1.
"""

BOT = CaptureBot(RULES, STAGES, error=30, lost=1150, young=0.7)
