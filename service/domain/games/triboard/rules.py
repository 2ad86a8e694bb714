"""The rules of Triboard: what it adds to the rules of captures is how its layout and its first seat are drawn."""

from service.domain.boards import capture_game
from service.domain.boards.capture_game import SEATS, CaptureRules
from service.domain.chance import Chance, Draw
from service.domain.game import DropReason, Outcome, Seat
from service.domain.games.triboard.board import GRID, read_rows, rows
from service.domain.games.triboard.model import COLOURS, LaidOut, Options, Place, Placed, Position, TriboardEvent

REFUSALS = capture_game.REFUSALS
RULES = CaptureRules(GRID, Place, Placed, ending="most_cells")


def seats(_options: Options) -> tuple[str, ...]:
    """Return the colours in turn order."""
    return COLOURS


def start(_options: Options) -> Position:
    """Return the empty board."""
    return Position(owned=(0, 0, 0), empty=GRID.board)


def setup(options: Options, chance: Chance) -> list[TriboardEvent]:
    """Draw a layout, again until every seat can capture, and then who begins, all in one numbered draw."""
    draw = chance.draw()
    layout = draw_layout(draw)
    while not all(RULES.can_capture(layout.owned, layout.empty, seat) for seat in SEATS):
        layout = draw_layout(draw)
    first = SEATS[draw.below(3)] if options.first == "random" else SEATS[0]
    return [LaidOut(board=rows(layout.owned, layout.empty), first=first, draw=draw.number)]


def draw_layout(draw: Draw) -> Position:
    """Draw twelve cells each for blue, red, green and the walls, in this order, from a1 along the rows to p11."""
    cells = draw.sample(tuple(GRID.cells), 48)
    blue, red, green = (GRID.cells_of(cells[begin : begin + 12]) for begin in (0, 12, 24))
    return Position((blue, red, green), GRID.board & ~GRID.cells_of(cells))


def to_move(position: Position) -> tuple[Seat, ...]:
    """Return whose turn it is, nobody when the match is over."""
    return RULES.to_move(position)


def decide(position: Position, seat: Seat, move: Place) -> list[TriboardEvent]:
    """Return which cells a jump takes, and who is passed over after it. Raises `Rejected`."""
    return [*RULES.decide(position, seat, move)]


def drop(position: Position, seat: Seat, reason: DropReason) -> list[TriboardEvent]:
    """Return that a seat leaves the match, and who is passed over if it was that seat's turn."""
    return [*RULES.drop(position, seat, reason)]


def evolve(position: Position, event: TriboardEvent) -> Position:
    """Copy an event into the position."""
    if isinstance(event, LaidOut):
        owned, empty = read_rows(event.board)
        return Position(owned, empty, event.first, position.dropped, position.dropped_because)
    return RULES.evolve(position, event)


def legal_moves(position: Position, seat: Seat) -> list[Place]:
    """Return every cell that the seat may take now, from a1 along the rows to p11."""
    return RULES.legal_moves(position, seat)


def outcome(position: Position) -> Outcome | None:
    """Return the places by cells once the match is over."""
    return RULES.outcome(position)
