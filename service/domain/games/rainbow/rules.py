"""The rules of Tic-Tac-Rainbow: what a move does, when it is rejected, and when the match is over."""

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

from msgspec.structs import replace

from service.domain.chance import Chance
from service.domain.game import Dropped, DropReason, Outcome, Rejected, Seat, next_seat, rank, split
from service.domain.games.rainbow.board import CELLS, SPOT
from service.domain.games.rainbow.model import (
    COLOURED,
    COLOURS,
    FACES,
    PEG_BIT,
    PEGS,
    PEGS_FOR_ROLL,
    SEAT_NAMES,
    SIDES,
    Acted,
    Cells,
    EndReason,
    Face,
    Flip,
    Flipped,
    Moved,
    Options,
    Peg,
    Pegs,
    Place,
    Placed,
    Position,
    RainbowEvent,
    RainbowMove,
    Rest,
    Rolled,
    Shift,
    line_through,
    usable_pegs,
)

T = TypeVar("T")
A = TypeVar("A", Placed, Flipped, Moved)


def seats(options: Options) -> tuple[str, ...]:
    """Return the seats' names in turn order."""
    return SEAT_NAMES[: options.players]


def start(options: Options) -> Position:
    """Return the empty board with all pegs in hand."""
    players = options.players
    return Position(options, cells=(None,) * len(CELLS), on_board=(0,) * players, rests=((0, 0),) * players)


def setup(_options: Options, _chance: Chance) -> list[RainbowEvent]:
    """Return no events; the roll of the first turn comes from `follow`, as all rolls do."""
    return []


def to_move(position: Position) -> tuple[Seat, ...]:
    """Return the seat to move; none when the match is over or the die has to be rolled first."""
    return () if position.mover is None else (position.mover,)


def decide(position: Position, seat: Seat, move: RainbowMove) -> list[RainbowEvent]:
    """Return the event of a move, with its line and the ending, if any. Raises `Rejected`."""
    if seat not in to_move(position):
        raise Rejected("not_your_turn")
    match move:
        case Place():
            return [with_ending(position, place(position, move))]
        case Flip():
            return [with_ending(position, flip(position, move.at.lower()))]
        case Shift():
            return [with_ending(position, shift(position, move.from_.lower(), move.to.lower()))]


def place(position: Position, move: Place) -> Placed:
    """Return the placement of a peg from the hand on an empty cell. Raises `Rejected`."""
    at, on_board = move.at.lower(), position.on_board[position.turn]
    if PEG_BIT[move.peg] & on_board:
        raise Rejected("peg_on_board", peg=move.peg)
    if move.peg == "WK" and COLOURED & ~on_board:
        raise Rejected("coloured_pegs_first")
    if move.side not in SIDES[move.peg]:
        raise Rejected("no_such_side", peg=move.peg, side=move.side)
    if position.cells[SPOT[at]]:
        raise Rejected("occupied", at=at)
    check_usable(position, move.peg)
    return Placed(position.turn, move.peg, move.side, at)


def flip(position: Position, at: str) -> Flipped:
    """Return the flip of an own peg. Raises `Rejected`."""
    face = own_face(position, at)
    check_usable(position, face.peg)
    return Flipped(position.turn, face.peg, face.hidden, at)


def shift(position: Position, start: str, to: str) -> Moved:
    """Return the move of an own peg to an empty cell. Raises `Rejected`."""
    face = own_face(position, start)
    if to == start:
        raise Rejected("same_cell", at=to)
    if position.cells[SPOT[to]]:
        raise Rejected("occupied", at=to)
    check_usable(position, face.peg)
    return Moved(position.turn, face.peg, face.up, start, to)


def own_face(position: Position, at: str) -> Face:
    """Return the peg of the seat to move on a cell. Raises `Rejected` if there is none."""
    face = position.cells[SPOT[at]]
    if face is None or face.owner != position.turn:
        raise Rejected("not_your_peg", at=at)
    return face


def check_usable(position: Position, peg: Peg) -> None:
    """Raise `Rejected` for a peg that cannot be used because of the die or because it rests."""
    if PEG_BIT[peg] & usable_pegs(position):
        return
    if not PEG_BIT[peg] & PEGS_FOR_ROLL[position.die]:
        raise Rejected("wrong_colour", peg=peg, die=position.die)
    raise Rejected("peg_rests", peg=peg)


def with_ending(position: Position, event: A) -> A:
    """Return the event with the line after it, if any, and the reason why it ends the match, if it does."""
    after = evolve(position, event)
    line = line_through(after.cells, SPOT[destination(event)], position.options.grid)
    ends: EndReason | None = "line" if line else guard_ending(after)
    return replace(event, line=line, ends=ends) if ends else event


def destination(event: Acted) -> str:
    """Return the cell of the peg after its placement, flip or move."""
    return event.to if isinstance(event, Moved) else event.at


def guard_ending(position: Position) -> EndReason | None:
    """Return which limit against endless play ends the match after a turn; None if none does."""
    if third_time(position):
        return "repetition"
    return "quiet_limit" if 0 < position.options.quiet_limit <= position.quiet else None


def third_time(position: Position) -> bool:
    """Return whether the latest position occurred for the third time."""
    return bool(position.seen) and position.seen.count(position.seen[-1]) >= 3


def follow(position: Position, chance: Chance) -> list[RainbowEvent]:
    """Return the roll if the turn begins with one; the roll may complete the third occurrence of a position."""
    if not position.awaits_roll:
        return []
    draw = chance.draw()
    rolled = Rolled(position.turn, COLOURS[draw.below(len(COLOURS))], draw.number)
    return [replace(rolled, ends="repetition") if third_time(evolve(position, rolled)) else rolled]


def evolve(position: Position, event: RainbowEvent) -> Position:
    """Copy an event into the position."""
    match event:
        case Placed(seat=seat, peg=peg):
            on_board = replace_item(position.on_board, seat, position.on_board[seat] | PEG_BIT[peg])
            placed = with_peg(position.cells, event.at, FACES[seat, peg, event.side])
            return end_turn(replace(position, cells=placed, on_board=on_board, quiet=0, seen=()), event)
        case Flipped(seat=seat, peg=peg):
            flipped = with_peg(position.cells, event.at, FACES[seat, peg, event.side])
            return end_turn(replace(position, cells=flipped, quiet=position.quiet + 1), event)
        case Moved(seat=seat, peg=peg):
            lifted = with_peg(position.cells, event.from_, None)
            moved = with_peg(lifted, event.to, FACES[seat, peg, event.side])
            return end_turn(replace(position, cells=moved, quiet=position.quiet + 1), event)
        case Rolled():
            outcome = outcome_of(position, event.seat, event.ends) if event.ends else None
            return remember_position(replace(position, die=event.value, outcome=outcome))
        case Dropped():
            return drop_seat(position, event)


def with_peg(cells: Cells, at: str, face: Face | None) -> Cells:
    """Return the cells after this peg, or no peg, was put on one of them."""
    return replace_item(cells, SPOT[at], face)


def replace_item(parts: tuple[T, ...], at: int, part: T) -> tuple[T, ...]:
    """Return a tuple with one item replaced."""
    return (*parts[:at], part, *parts[at + 1 :])


def end_turn(position: Position, event: Acted) -> Position:
    """Return the position after a turn: the peg rests, the roll is cleared; without dice the position is recorded."""
    after = replace(
        position,
        turn=next_seat(event.seat, position.options.players, position.dropped),
        rests=replace_item(position.rests, event.seat, rest_after(position, event)),
        die=None,
        line=event.line,
        outcome=outcome_of(position, event.seat, event.ends) if event.ends else None,
    )
    return after if position.options.dice else remember_position(after)


def rest_after(position: Position, event: Acted) -> Rest:
    """Return which pegs of a seat rest after its turn: in its next turn, and in the one after that."""
    if not position.options.rest:
        return 0, 0
    _, still = position.rests[event.seat]
    acted = PEG_BIT[event.peg]
    return still | acted, acted if position.options.rest == 3 else 0


def remember_position(position: Position) -> Position:
    """Return the position with itself added to the occurrences that are counted for repetitions."""
    if not position.options.repetition:
        return position
    return replace(position, seen=(*position.seen, (position.cells, position.turn, position.rests, position.die)))


def drop_seat(position: Position, event: Dropped) -> Position:
    """Return the position after a drop-out; the count of repetitions starts again."""
    after = replace(position, dropped=(*position.dropped, event.seat), seen=())
    staying = [seat for seat in range(position.options.players) if seat not in after.dropped]
    if len(staying) == 1:
        return replace(after, outcome=share_first(after, event.reason, staying))
    if event.seat == position.turn:
        after = replace(after, turn=next_seat(event.seat, after.options.players, after.dropped), die=None)
    return after if after.awaits_roll else remember_position(after)


def outcome_of(position: Position, seat: Seat, reason: EndReason) -> Outcome:
    """Return the outcome of a match that this seat's turn ended: a line wins or loses, a limit is a draw."""
    staying = [other for other in range(position.options.players) if other not in position.dropped]
    if reason != "line":
        return share_first(position, reason, staying)
    others = [other for other in staying if other != seat]
    return share_first(position, reason, others if position.options.misere else [seat])


def share_first(position: Position, reason: EndReason | DropReason, winners: Sequence[int]) -> Outcome:
    """Return the outcome in which these seats share first place and the stake."""
    scores = split(winners, position.options.players)
    return Outcome(reason, rank(scores, position.dropped), scores)


def outcome(position: Position) -> Outcome | None:
    """Return how the match ended; None while it goes on."""
    return position.outcome


def drop(_state: Position, seat: Seat, reason: DropReason) -> list[RainbowEvent]:
    """Return the seat's drop-out; of two seats the other one wins, of three the others play on."""
    return [Dropped(seat, reason)]


FLIPS = tuple(Flip(name) for name in CELLS)
SHIFTS = tuple(tuple(Shift(start, to) for to in CELLS) for start in CELLS)


@cache
def placements(pegs: Pegs) -> tuple[tuple[Place, ...], ...]:
    """Return by cell every placement of one of these pegs there."""
    sides = [(peg, side) for peg in PEGS if pegs & PEG_BIT[peg] for side in SIDES[peg]]
    return tuple(tuple(Place(peg, side, name) for peg, side in sides) for name in CELLS)


def legal_moves(position: Position, seat: Seat) -> Sequence[RainbowMove]:
    """Return every legal move of the seat: placements, then flips and moves, each from b1 along the rows to d5."""
    if seat not in to_move(position):
        return ()
    pegs, on_board = usable_pegs(position), position.on_board[seat]
    free = [spot for spot, face in enumerate(position.cells) if face is None]
    moves: list[RainbowMove] = []
    for spot in free if pegs & ~on_board else ():
        moves += placements(pegs & ~on_board)[spot]
    for spot, face in enumerate(position.cells):
        if face is not None and face.owner == seat and PEG_BIT[face.peg] & pegs:
            moves.append(FLIPS[spot])
            moves += [SHIFTS[spot][to] for to in free]
    return moves
