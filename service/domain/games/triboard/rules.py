"""The rules of Triboard: those of a capture game, with a layout and a first seat that are drawn at random."""

from service.domain.boards.capture_game import SEATS, CaptureGame
from service.domain.chance import Chance, Draw
from service.domain.games.triboard.model import (
    COLOURS,
    GRID,
    LESSON_START,
    LaidOut,
    Options,
    Place,
    Placed,
    Position,
    TriboardEvent,
    View,
    read_rows,
    rows,
)
from service.domain.presentation import Mark, Picture, Tint
from service.domain.search.evaluation import Weights
from service.domain.search.levels import CaptureBot


def first_position(event: LaidOut) -> Position:
    """Return the first position: the seat that was drawn is to move."""
    return Position(*read_rows(event.board), event.first)


RULES = CaptureGame[Place, TriboardEvent](GRID, COLOURS, Place, Placed, first_position, ending="most_cells")


def setup(options: Options, chance: Chance) -> list[TriboardEvent]:
    """Draw layouts until every seat can capture, and then the first seat to move, all in one numbered draw.

    The layout of the lesson is not drawn.
    """
    draw = chance.draw()
    layout = Position(*read_rows(LESSON_START)) if options.start == "lesson" else draw_layout(draw)
    while not all(RULES.can_capture(layout.owned, layout.empty, seat) for seat in SEATS):
        layout = draw_layout(draw)
    first = SEATS[draw.below(3)] if options.first == "random" else SEATS[0]
    return [LaidOut(board=rows(layout.owned, layout.empty), first=first, draw=draw.number)]


def draw_layout(draw: Draw) -> Position:
    """Draw twelve cells each for blue, red, green and walls, in this order, from the cells a1 along the rows to p11."""
    cells = draw.sample(tuple(GRID.cells), 48)
    blue, red, green = (GRID.cells_of(cells[begin : begin + 12]) for begin in (0, 12, 24))
    return Position((blue, red, green), GRID.board & ~GRID.cells_of(cells))


TINTS: dict[str, Tint] = {"r": "red", "g": "green", "b": "blue"}


def picture(view: View) -> Picture:
    """Return the owned cells and the walls as marks."""
    shown = GRID.letters(view.board).items()
    owned = [Mark(cell, TINTS[owner], owner.upper(), "square") for cell, owner in shown if owner in TINTS]
    walls = [Mark(cell, "grey", shape="wall") for cell, owner in shown if owner == "#"]
    return Picture({"board": (*owned, *walls)})


NOTATION = RULES.notation(picture)


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

BOT = CaptureBot(RULES, STAGES, error=17, lost=1050, young=0.62)
