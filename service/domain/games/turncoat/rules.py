"""The rules of Turncoat: what a selection does, when it is rejected, and when the match is over."""

from functools import reduce
from typing import Literal

from msgspec import UNSET
from msgspec.structs import replace

from service.domain.chance import Chance
from service.domain.game import Dropped, DropReason, Outcome, Rejected, Seat, rank
from service.domain.games.turncoat.board import (
    BIT,
    COLOURS,
    SQUARES,
    Square,
    Squares,
    draw_layout,
    find_trapped,
    squares_with,
    union,
)
from service.domain.games.turncoat.model import (
    LESSON_START,
    SEATS,
    Commit,
    Committed,
    LaidOut,
    Options,
    Position,
    RoundBegun,
    Select,
    Selected,
    Side,
    TurncoatEvent,
    TurncoatMove,
    Turned,
)

COMMIT = Commit()
SELECTS = [
    [[Select(at=square) for n, square in enumerate(SQUARES[low : low + 8]) if row >> n & 1] for row in range(256)]
    for low in range(0, 64, 8)
]
"""By row from the bottom, and by the set of its selectable squares as a byte: the moves that select them."""

AWAITED = {(False, False): SEATS, (True, False): SEATS[1:], (False, True): SEATS[:1], (True, True): ()}
"""By whether red and yellow have committed: the seats that have not."""


def seats(_options: Options) -> tuple[str, ...]:
    """Return the colours of the seats, which act at the same time."""
    return COLOURS


def start(options: Options) -> Position:
    """Return two empty boards."""
    return Position(options)


def setup(options: Options, chance: Chance) -> list[TurncoatEvent]:
    """Return the layout of the boards; that of the lesson is not drawn."""
    draw = chance.draw()
    board = LESSON_START if options.start == "lesson" else draw_layout(draw)
    return [LaidOut(board=board, draw=draw.number)]


def awaits_moves(position: Position) -> bool:
    """Return whether selections can still change: the match goes on, and its round is not being resolved."""
    return not both_committed(position) and position.dropped is None


def both_committed(position: Position) -> bool:
    """Return whether both seats have committed, so that the round is resolved."""
    red, yellow = position.sides
    return red.committed and yellow.committed


def to_move(position: Position) -> tuple[Seat, ...]:
    """Return the seats that have not committed."""
    if position.dropped:
        return ()
    red, yellow = position.sides
    return AWAITED[red.committed, yellow.committed]


def selectable(position: Position, seat: Seat) -> Squares:
    """Return the squares that a seat may select on its own board."""
    return position.sides[seat].white if position.options.selectable == "white_only" else position.discs


def legal_moves(position: Position, seat: Seat) -> list[TurncoatMove]:
    """Return the legal selections from a1 to h8, then the commit if it is legal."""
    if not awaits_moves(position):
        return []
    moves: list[TurncoatMove] = []
    for selects, row in zip(SELECTS, selectable(position, seat).to_bytes(8, "little"), strict=True):
        moves += selects[row]
    side = position.sides[seat]
    return [*moves, COMMIT] if side.selected and not side.committed else moves


def decide(position: Position, seat: Seat, move: TurncoatMove) -> list[TurncoatEvent]:
    """Return the event of a selection or a commit; after both commits `follow` resolves it. Raises `Rejected`."""
    if not awaits_moves(position):
        raise Rejected("not_your_turn")
    match move:
        case Select(at=at):
            return [selection(position, seat, Square(at.lower()))]
        case Commit():
            return [commitment(position.sides[seat], seat)]


def selection(position: Position, seat: Seat, at: Square) -> Selected:
    """Return the selection of a disc of the seat's own board. Raises `Rejected`."""
    if not BIT[at] & position.discs:
        raise Rejected("no_disc", at=at)
    if not BIT[at] & selectable(position, seat):
        raise Rejected("not_white", at=at)
    return Selected(seat=seat, at=at)


def commitment(side: Side, seat: Seat) -> Committed:
    """Return the commit to the seat's selection. Raises `Rejected`."""
    if not side.selected:
        raise Rejected("nothing_selected")
    if side.committed:
        raise Rejected("already_committed")
    return Committed(seat=seat)


def follow(position: Position, _chance: Chance) -> list[TurncoatEvent]:
    """Return the events that resolve the round once both seats have committed; none at any other position."""
    if not both_committed(position) or position.turned:
        return []
    first = half(position, 1)
    between = reduce(evolve, first, position)
    if outcome(between):
        return first
    second = half(between, 2)
    if outcome(reduce(evolve, second, between)):
        return [*first, *second]
    return [*first, *second, RoundBegun(round=position.round + 1)]


def half(position: Position, number: Literal[1, 2]) -> list[TurncoatEvent]:
    """Return the turn on each board, red's first, of the disc that the owner (half 1) or opponent (half 2) selected."""
    red, yellow = (side.at for side in position.sides)
    if red is None or yellow is None:
        raise ValueError("A round can be resolved only if both selections are known.")
    selectors = (red, yellow) if number == 1 else (yellow, red)
    return [turn(position, owner, number, at) for owner, at in zip(SEATS, selectors, strict=True)]


def turn(position: Position, owner: Seat, number: Literal[1, 2], at: Square) -> Turned:
    """Return the turn of a disc of the owner's board, with the discs that it traps after it was turned."""
    white = position.sides[owner].white
    black = position.discs & ~white
    if BIT[at] & white:
        return Turned(board=COLOURS[owner], half=number, at=at, to="B", trapped=find_trapped(at, black, white))
    return Turned(board=COLOURS[owner], half=number, at=at, to="W", trapped=find_trapped(at, white, black))


def drop(_position: Position, seat: Seat, reason: DropReason) -> list[TurncoatEvent]:
    """Return the seat's drop-out, which ends the match."""
    return [Dropped(seat=seat, reason=reason)]


def outcome(position: Position) -> Outcome | None:
    """Return how the match ended: by an all black board after a half, at the limit, or by a drop-out."""
    whites = [side.white.bit_count() for side in position.sides]
    if position.turned in {2, 4} and 0 in whites:
        return Outcome("all_black", rank([white == 0 for white in whites]))
    if position.turned == 4 and position.round == position.options.round_limit:
        fewest = position.options.at_limit == "fewest_white"
        return Outcome("round_limit", rank([-white for white in whites]) if fewest else (1, 1))
    if position.dropped:
        return Outcome(position.dropped.reason, rank((0, 0), (position.dropped.seat,)))
    return None


def evolve(position: Position, event: TurncoatEvent) -> Position:
    """Copy an event into the position."""
    match event:
        case LaidOut(board=board):
            white = squares_with(board, "W")
            return replace(position, discs=white | squares_with(board, "B"), sides=(Side(white), Side(white)))
        case Selected(seat=seat, at=at):
            side = Side(position.sides[seat].white, selected=True, at=None if at is UNSET else Square(at))
            return with_side(position, seat, side)
        case Committed(seat=seat):
            return with_side(position, seat, replace(position.sides[seat], committed=True))
        case Turned(board=board):
            owner = SEATS[COLOURS.index(board)]
            side = turn_discs(position.sides[owner], event)
            return replace(with_side(position, owner, side), turned=position.turned + 1)
        case RoundBegun(round=number):
            red, yellow = position.sides
            return replace(position, sides=(Side(red.white), Side(yellow.white)), round=number, turned=0)
        case Dropped():
            return replace(position, dropped=event)


def with_side(position: Position, seat: Seat, side: Side) -> Position:
    """Return the position with one side changed."""
    red, yellow = position.sides
    return replace(position, sides=(side, yellow) if seat == 0 else (red, side))


def turn_discs(side: Side, turned: Turned) -> Side:
    """Return the side after the discs of one step were turned."""
    squares = union((turned.at, *turned.trapped))
    return replace(side, white=side.white | squares if turned.to == "W" else side.white & ~squares)
