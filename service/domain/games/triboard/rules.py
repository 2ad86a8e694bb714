"""The rules of Triboard: those of a capture game, with a layout and a first seat that are drawn at random."""

from service.domain.boards.capture_game import SEATS, CaptureGame
from service.domain.chance import Chance, Draw
from service.domain.games.triboard.board import GRID, read_rows, rows
from service.domain.games.triboard.model import (
    COLOURS,
    LESSON_START,
    LaidOut,
    Options,
    Place,
    Placed,
    Position,
    TriboardEvent,
)

RULES = CaptureGame[Place, TriboardEvent](GRID, COLOURS, Place, Placed, ending="most_cells")


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


def evolve(position: Position, event: TriboardEvent) -> Position:
    """Copy an event into the position."""
    if isinstance(event, LaidOut):
        owned, empty = read_rows(event.board)
        return Position(owned, empty, event.first, position.dropped, position.dropped_because)
    return RULES.evolve(position, event)
