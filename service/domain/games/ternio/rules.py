"""The rules of Ternio: those of a capture game, with a start layout."""

from service.domain.boards.capture_game import CaptureGame
from service.domain.chance import Chance
from service.domain.games.ternio.board import GRID, read_rows
from service.domain.games.ternio.model import COLOURS, LAYOUTS, LaidOut, Options, Place, Placed, Position, TernioEvent

RULES = CaptureGame[Place, TernioEvent](GRID, COLOURS, Place, Placed, ending="most_discs")


def setup(options: Options, _chance: Chance) -> list[TernioEvent]:
    """Return the layout of the option `start`, in the middle of the board."""
    middle = tuple(f"...{row}..." for row in LAYOUTS[options.start])
    margin = ("." * 9,) * 3
    return [LaidOut(board=(*margin, *middle, *margin))]


def evolve(position: Position, event: TernioEvent) -> Position:
    """Copy an event into the position."""
    if isinstance(event, LaidOut):
        red, green, blue = owned = read_rows(event.board)
        empty = GRID.board & ~(red | green | blue)
        return Position(owned, empty, position.turn, position.dropped, position.dropped_because)
    return RULES.evolve(position, event)
