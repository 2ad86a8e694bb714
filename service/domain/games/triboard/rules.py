"""Triboard as pure functions: three seats jump over runs of one opponent on a drawn board with walls."""

from collections.abc import Mapping

from service.domain.boards.captures import each
from service.domain.caching import evolved_once
from service.domain.chance import Chance, Draw
from service.domain.game import Dropped, DropReason, Outcome, Passed, Rejected, Seat, next_seat, ranked
from service.domain.games.triboard.board import (
    CELLS,
    CHART,
    LINES,
    Board,
    can_jump,
    legal_cells,
    read_rows,
    rows,
    taken,
)
from service.domain.games.triboard.model import COLOURS, SEATS, LaidOut, Options, Place, Placed, Position, TriboardEvent

REFUSALS: Mapping[str, str] = {
    "occupied": "That place is not empty.",
    "captures_nothing": "No direction captures anything from that square.",
}

PLACES: Mapping[int, Place] = {cell: Place(at=name) for cell, name in CHART.named.items()}


def seats(_options: Options) -> tuple[str, ...]:
    """Return the colours in turn order."""
    return COLOURS


def start(_options: Options) -> Position:
    """Return the empty board."""
    return Position()


def setup(options: Options, chance: Chance) -> list[TriboardEvent]:
    """Draw a layout, again until every seat has a jump, and then who begins, all in one numbered draw."""
    draw = chance.draw()
    board = drawn(draw)
    while not all(can_jump(board, seat) for seat in SEATS):
        board = drawn(draw)
    first = SEATS[draw.below(3)] if options.first == "random" else SEATS[0]
    return [LaidOut(board=rows(board), first=first, draw=draw.number)]


def drawn(draw: Draw) -> Board:
    """Draw twelve cells each for blue, red, green and the walls, in this order, from a1 along the rows to p11."""
    cells = draw.sample(tuple(CELLS), 48)
    blue, red, green = (CHART.cells_of(cells[begin : begin + 12]) for begin in (0, 12, 24))
    return Board((blue, red, green), Board().empty & ~CHART.cells_of(cells))


def decide(position: Position, seat: Seat, move: Place) -> list[TriboardEvent]:
    """Judge a jump and work out what it takes and who is passed over after it."""
    if seat not in to_move(position):
        raise Rejected("not_your_turn")
    at = move.at.lower()
    if not CELLS[at] & position.board.empty:
        raise Rejected("occupied", at=at)
    captured = LINES.captured(position.board.owned, seat, CELLS[at])
    if not captured:
        raise Rejected("captures_nothing", at=at)
    placed = Placed(seat=seat, at=at, captured=CHART.names(captured))
    return [placed, *passes(evolve(position, placed))]


def passes(position: Position) -> list[TriboardEvent]:
    """Return who is passed over before the next seat that has a jump; nobody when the match is over."""
    told: list[TriboardEvent] = []
    while not can_jump(position.board, position.turn) and to_move(position):
        told.append(Passed(seat=position.turn))
        position = evolve(position, told[-1])
    return told


def drop(position: Position, seat: Seat, reason: DropReason) -> list[TriboardEvent]:
    """Let a seat leave the match, and tell who is passed over if it was that seat's turn."""
    dropped = Dropped(seat=seat, reason=reason)
    return [dropped, *passes(evolve(position, dropped))]


@evolved_once
def evolve(position: Position, event: TriboardEvent) -> Position:
    """Copy an event into the position."""
    board, turn, dropped, because = position.board, position.turn, position.dropped, position.dropped_because
    match event:
        case Placed():
            board = taken(board, event.seat, CELLS[event.at] | CHART.cells_of(event.captured))
            return Position(board, next_seat(event.seat, 3, dropped), dropped, because)
        case Passed(seat):
            return Position(board, next_seat(seat, 3, dropped), dropped, because)
        case LaidOut(layout, first):
            return Position(read_rows(layout), first, dropped, because)
        case Dropped(seat, reason):
            dropped = (*dropped, seat)
            return Position(board, next_seat(seat, 3, dropped) if seat == turn else turn, dropped, reason)


def to_move(position: Position) -> tuple[Seat, ...]:
    """Return whose turn it is, nobody once no seat that stays has a jump or only one seat is left."""
    if len(position.dropped) > 1:
        return ()
    if can_jump(position.board, position.turn):
        return (position.turn,)
    others = (seat for seat in SEATS if seat not in position.dropped)
    return (position.turn,) if any(can_jump(position.board, seat) for seat in others) else ()


def legal_moves(position: Position, seat: Seat) -> list[Place]:
    """Return every cell that the seat may take now, from a1 along the rows to p11."""
    if seat != position.turn or len(position.dropped) > 1:
        return []
    return [PLACES[cell] for cell in each(legal_cells(position.board, seat))]


def scores(position: Position) -> tuple[int, ...]:
    """Return how many cells each seat has."""
    return tuple(cells.bit_count() for cells in position.board.owned)


def outcome(position: Position) -> Outcome | None:
    """Return the places by cells once the match is over, those who dropped out behind all who stayed."""
    if to_move(position):
        return None
    points = scores(position)
    last_one_left = len(position.dropped) > 1 and position.dropped_because
    return Outcome(last_one_left or "most_cells", ranked(points, position.dropped), points)
