"""The rules of Ternio: those of a capture game, with a start layout."""

from service.domain.boards import capture_game
from service.domain.boards.capture_game import CaptureRules
from service.domain.chance import Chance
from service.domain.game import DropReason, Outcome, Seat
from service.domain.games.ternio.board import GRID, read_rows
from service.domain.games.ternio.model import COLOURS, LAYOUTS, LaidOut, Options, Place, Placed, Position, TernioEvent

REFUSALS = capture_game.REFUSALS
RULES = CaptureRules(GRID, Place, Placed, ending="most_discs")


def seats(_options: Options) -> tuple[str, ...]:
    """Return the colours in turn order."""
    return COLOURS


def start(_options: Options) -> Position:
    """Return the empty board."""
    return Position(owned=(0, 0, 0), empty=GRID.board)


def setup(options: Options, _chance: Chance) -> list[TernioEvent]:
    """Return the layout of the option `start`, in the middle of the board."""
    middle = tuple(f"...{row}..." for row in LAYOUTS[options.start])
    margin = ("." * 9,) * 3
    return [LaidOut(board=(*margin, *middle, *margin))]


def to_move(position: Position) -> tuple[Seat, ...]:
    """Return the seat to move; none when the match is over."""
    return RULES.to_move(position)


def decide(position: Position, seat: Seat, move: Place) -> list[TernioEvent]:
    """Return the placed disc with its captures, and the passes after it. Raises `Rejected`."""
    return [*RULES.decide(position, seat, move)]


def drop(position: Position, seat: Seat, reason: DropReason) -> list[TernioEvent]:
    """Return the seat's drop-out, and the passes after it if it was that seat's turn."""
    return [*RULES.drop(position, seat, reason)]


def evolve(position: Position, event: TernioEvent) -> Position:
    """Copy an event into the position."""
    if isinstance(event, LaidOut):
        red, green, blue = owned = read_rows(event.board)
        empty = GRID.board & ~(red | green | blue)
        return Position(owned, empty, position.turn, position.dropped, position.dropped_because)
    return RULES.evolve(position, event)


def legal_moves(position: Position, seat: Seat) -> list[Place]:
    """Return every legal move of the seat, ordered from a1 along the rows to i9."""
    return RULES.legal_moves(position, seat)


def outcome(position: Position) -> Outcome | None:
    """Return the outcome by numbers of discs; None while the match goes on."""
    return RULES.outcome(position)
