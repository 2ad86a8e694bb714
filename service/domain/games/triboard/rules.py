"""The rules of Triboard: those of a capture game, with a layout and a first seat that are drawn at random."""

from service.domain.boards import capture_game
from service.domain.boards.capture_game import SEATS, CaptureRules
from service.domain.chance import Chance, Draw
from service.domain.game import DropReason, Outcome, Seat
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

REFUSALS = capture_game.REFUSALS
RULES = CaptureRules(GRID, Place, Placed, ending="most_cells")


def seats(_options: Options) -> tuple[str, ...]:
    """Return the colours in turn order."""
    return COLOURS


def start(_options: Options) -> Position:
    """Return the empty board."""
    return Position(owned=(0, 0, 0), empty=GRID.board)


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


def to_move(position: Position) -> tuple[Seat, ...]:
    """Return the seat to move; none when the match is over."""
    return RULES.to_move(position)


def decide(position: Position, seat: Seat, move: Place) -> list[TriboardEvent]:
    """Return the move's event with its captures, and the passes after it. Raises `Rejected`."""
    return [*RULES.decide(position, seat, move)]


def drop(position: Position, seat: Seat, reason: DropReason) -> list[TriboardEvent]:
    """Return the seat's drop-out, and the passes after it if it was that seat's turn."""
    return [*RULES.drop(position, seat, reason)]


def evolve(position: Position, event: TriboardEvent) -> Position:
    """Copy an event into the position."""
    if isinstance(event, LaidOut):
        owned, empty = read_rows(event.board)
        return Position(owned, empty, event.first, position.dropped, position.dropped_because)
    return RULES.evolve(position, event)


def legal_moves(position: Position, seat: Seat) -> list[Place]:
    """Return every legal move of the seat, ordered from a1 along the rows to p11."""
    return RULES.legal_moves(position, seat)


def outcome(position: Position) -> Outcome | None:
    """Return the outcome by numbers of cells; None while the match goes on."""
    return RULES.outcome(position)
