"""Ternio as pure functions: three seats, captures along lines of one opponent colour."""

from collections.abc import Mapping

from service.domain.boards.captures import each, taken
from service.domain.caching import evolved_once
from service.domain.chance import Chance
from service.domain.game import Dropped, DropReason, Outcome, Passed, Rejected, Seat, next_seat, ranked
from service.domain.games.ternio.board import CHART, LINES, SQUARES, can_move, empty_squares, legal_squares, read_rows
from service.domain.games.ternio.model import (
    COLOURS,
    LAYOUTS,
    SEATS,
    LaidOut,
    Options,
    Place,
    Placed,
    Position,
    TernioEvent,
)

REFUSALS: Mapping[str, str] = {
    "occupied": "That place is not empty.",
    "captures_nothing": "No direction captures anything from that square.",
}

PLACES: Mapping[int, Place] = {square: Place(at=name) for square, name in CHART.named.items()}


def seats(_options: Options) -> tuple[str, ...]:
    """Return the colours in turn order."""
    return COLOURS


def start(_options: Options) -> Position:
    """Return the empty board."""
    return Position()


def setup(options: Options, _chance: Chance) -> list[TernioEvent]:
    """Lay out the named block in the middle of the board."""
    middle = tuple(f"...{row}..." for row in LAYOUTS[options.start])
    margin = ("." * 9,) * 3
    return [LaidOut(board=(*margin, *middle, *margin))]


def decide(position: Position, seat: Seat, move: Place) -> list[TernioEvent]:
    """Judge a disc and work out what it captures and who is passed over after it."""
    if seat not in to_move(position):
        raise Rejected("not_your_turn")
    at = move.at.lower()
    if not SQUARES[at] & empty_squares(position.discs):
        raise Rejected("occupied", at=at)
    captured = LINES.captured(position.discs, seat, SQUARES[at])
    if not captured:
        raise Rejected("captures_nothing", at=at)
    placed = Placed(seat=seat, at=at, captured=CHART.names(captured))
    return [placed, *passes(evolve(position, placed))]


def passes(position: Position) -> list[TernioEvent]:
    """Return who is passed over before the next seat that has a move; nobody when the match is over."""
    told: list[TernioEvent] = []
    while not can_move(position.discs, position.turn) and to_move(position):
        told.append(Passed(seat=position.turn))
        position = evolve(position, told[-1])
    return told


def drop(position: Position, seat: Seat, reason: DropReason) -> list[TernioEvent]:
    """Let a seat leave the match, and tell who is passed over if it was that seat's turn."""
    dropped = Dropped(seat=seat, reason=reason)
    return [dropped, *passes(evolve(position, dropped))]


@evolved_once
def evolve(position: Position, event: TernioEvent) -> Position:
    """Copy an event into the position."""
    discs, turn, dropped, because = position.discs, position.turn, position.dropped, position.dropped_because
    match event:
        case Placed():
            discs = taken(discs, event.seat, SQUARES[event.at] | CHART.cells_of(event.captured))
            return Position(discs, next_seat(event.seat, 3, dropped), dropped, because)
        case Passed(seat):
            return Position(discs, next_seat(seat, 3, dropped), dropped, because)
        case LaidOut(board):
            return Position(read_rows(board), turn, dropped, because)
        case Dropped(seat, reason):
            dropped = (*dropped, seat)
            return Position(discs, next_seat(seat, 3, dropped) if seat == turn else turn, dropped, reason)


def to_move(position: Position) -> tuple[Seat, ...]:
    """Return whose turn it is, nobody once no seat that stays has a move or only one seat is left."""
    if len(position.dropped) > 1:
        return ()
    if can_move(position.discs, position.turn):
        return (position.turn,)
    others = (seat for seat in SEATS if seat not in position.dropped)
    return (position.turn,) if any(can_move(position.discs, seat) for seat in others) else ()


def legal_moves(position: Position, seat: Seat) -> list[Place]:
    """Return every disc that the seat may put down now, from a1 along the rows to i9."""
    if seat != position.turn or len(position.dropped) > 1:
        return []
    return [PLACES[square] for square in each(legal_squares(position.discs, seat))]


def scores(position: Position) -> tuple[int, ...]:
    """Return how many discs each seat has."""
    return tuple(discs.bit_count() for discs in position.discs)


def outcome(position: Position) -> Outcome | None:
    """Return the places by discs once the match is over, those who dropped out behind all who stayed."""
    if to_move(position):
        return None
    points = scores(position)
    last_one_left = len(position.dropped) > 1 and position.dropped_because
    return Outcome(last_one_left or "most_discs", ranked(points, position.dropped), points)
