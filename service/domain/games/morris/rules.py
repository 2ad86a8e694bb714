"""The rules of Nine Men's Morris: what a move does, when it is rejected, and when the match is over."""

from typing import TypeAlias

from msgspec.structs import replace

from service.domain.caching import LatestResult
from service.domain.chance import Chance
from service.domain.game import Dropped, DropReason, Outcome, Rejected, Seat
from service.domain.games.morris.board import (
    BIT,
    NEIGHBOURS,
    POINTS,
    Spots,
    can_slide,
    in_mills,
    mills_closed,
    names_of,
    subsets,
)
from service.domain.games.morris.model import (
    BLACK,
    COLOURS,
    OPPONENT,
    WHITE,
    Began,
    EndReason,
    MorrisEvent,
    MorrisMove,
    Moved,
    Options,
    Place,
    Placed,
    Position,
    Remove,
    Removed,
    Rolled,
    Shift,
    few_fly,
)

Ply: TypeAlias = Placed | Moved | Removed
"""The event of a move."""


def seats(_options: Options) -> tuple[str, ...]:
    """Return the colours in turn order; a roll can decide that the second one begins."""
    return COLOURS


def start(options: Options) -> Position:
    """Return the empty board with all men in hand."""
    return Position(options)


def setup(options: Options, chance: Chance) -> list[MorrisEvent]:
    """Return the rolls for the first turn, if the options require them: pairs until one is higher, then who begins."""
    events: list[MorrisEvent] = []
    while options.first == "roll":
        white, black = rolls = [roll(WHITE, chance), roll(BLACK, chance)]
        events += rolls
        if white.value != black.value:
            return [*events, Began(WHITE if white.value > black.value else BLACK)]
    return events


def roll(seat: Seat, chance: Chance) -> Rolled:
    """Return a seat's roll, which is a numbered draw of its own."""
    draw = chance.draw()
    return Rolled(seat=seat, value=1 + draw.below(6), draw=draw.number)


def to_move(position: Position) -> tuple[Seat, ...]:
    """Return the seat to move; none when the match is over."""
    return () if position.outcome else (position.mover,)


def decide(position: Position, seat: Seat, move: MorrisMove) -> list[MorrisEvent]:
    """Return the event of a move, with mills closed, removals owed and the ending, if any. Raises `Rejected`."""
    if seat not in to_move(position):
        raise Rejected("not_your_turn")
    event: Ply
    match move:
        case Shift():
            event = shift(position, seat, move.from_.lower(), move.to.lower())
        case Place():
            event = place(position, seat, move.at.lower())
        case Remove():
            event = remove(position, seat, move.at.lower())
    ends = ending(evolve(position, event), OPPONENT[seat])
    return [replace(event, ends=ends) if ends else event]


def place(position: Position, seat: Seat, at: str) -> Placed:
    """Return the placement of a man from the hand on an empty point. Raises `Rejected`."""
    if position.removals_owed:
        raise Rejected("removal_owed")
    if not position.hand[seat]:
        raise Rejected("no_men_in_hand")
    if not position.empty() & BIT[at]:
        raise Rejected("occupied", at=at)
    mills = mills_closed(position.men[seat] | BIT[at], at)
    return Placed(seat, at, mills, removals_for(position, seat, len(mills)) if mills else 0)


def shift(position: Position, seat: Seat, start: str, to: str) -> Moved:
    """Return the move of an own man to a neighbouring empty point, or to any when flying. Raises `Rejected`."""
    if position.removals_owed:
        raise Rejected("removal_owed")
    if position.hand[seat]:
        raise Rejected("men_in_hand")
    own, here, there = position.men[seat], BIT[start], BIT[to]
    if not own & here:
        raise Rejected("not_your_man", at=start)
    if to == start:
        raise Rejected("same_point", at=to)
    if not position.empty() & there:
        raise Rejected("occupied", at=to)
    if not (NEIGHBOURS[start] & there or flies(position, seat)):
        raise Rejected("not_adjacent", **{"from": start, "to": to})
    mills = mills_closed(own ^ here | there, to)
    return Moved(seat, start, to, mills, removals_for(position, seat, len(mills)) if mills else 0)


def remove(position: Position, seat: Seat, at: str) -> Removed:
    """Return the removal of a man; another removal is owed only if a man can be removed. Raises `Rejected`."""
    other = OPPONENT[seat]
    if not position.removals_owed:
        raise Rejected("nothing_to_remove")
    if not position.men[other] & BIT[at]:
        raise Rejected("not_an_opponents_man", at=at)
    if not removable(position, other) & BIT[at]:
        raise Rejected("protected_by_mill", at=at)
    after = replace(position, men=toggle(position.men, other, BIT[at]))
    goes_on = after.men_left(other) >= 3 and removable(after, other)
    return Removed(seat=seat, at=at, removals_owed=position.removals_owed - 1 if goes_on else 0)


def removals_for(position: Position, seat: Seat, mills: int) -> int:
    """Return how many removals closing so many mills allows; 0 if no man can be removed."""
    if not removable(position, OPPONENT[seat]):
        return 0
    return mills if position.options.double_mill == "two" else 1


def removable(position: Position, victim: Seat) -> Spots:
    """Return the men of a seat that can be removed: those outside mills, or else by the option `all_in_mills`."""
    men = position.men[victim]
    rule = position.options.all_in_mills
    exposed = men & ~in_mills(men)
    if exposed or rule == "none" or (rule == "three" and position.men_left(victim) > 3):
        return exposed
    return men


def flies(position: Position, seat: Seat) -> bool:
    """Return whether a seat's men can move to any empty point, once all men are placed."""
    return few_fly(position.options.flying, position.men_left(seat), position.men_left(OPPONENT[seat]))


def is_stuck(position: Position, seat: Seat) -> bool:
    """Return whether a seat has no legal move at the beginning of its turn; a man in hand can always be placed."""
    if position.hand[seat] or can_slide(position.men[seat], position.men[OPPONENT[seat]]):
        return False
    return not flies(position, seat)


def ending(position: Position, other: Seat) -> EndReason | None:
    """Return why the match is over after a move against `other`, None if it is not. Wins come before draws."""
    if position.men_left(other) < 3:
        return "too_few_men"
    if position.removals_owed:
        return None
    if is_stuck(position, other):
        return "no_legal_move"
    seen = position.seen
    if len(seen) > 8 and seen[::-2].count(seen[-1]) >= 3:  # those with the same seat to move; each takes four turns
        return "repetition"
    if 0 < position.options.quiet_limit <= position.quiet:
        return "quiet_limit"
    return None


@LatestResult
def evolve(position: Position, event: MorrisEvent) -> Position:
    """Copy an event into the position."""
    match event:
        case Moved():
            men = toggle(position.men, event.seat, BIT[event.from_] | BIT[event.to])
            return end_ply(position, event, men, position.hand, position.quiet + 1, position.seen)
        case Placed():
            white, black = position.hand
            hand = (white - 1, black) if event.seat == WHITE else (white, black - 1)
            return end_ply(position, event, toggle(position.men, event.seat, BIT[event.at]), hand, 0, ())
        case Removed():
            men = toggle(position.men, OPPONENT[event.seat], BIT[event.at])
            return end_ply(position, event, men, position.hand, 0, ())
        case Rolled():
            return position
        case Began():
            return replace(position, mover=event.seat)
        case Dropped():
            return replace(position, outcome=Outcome(event.reason, places_for_winner(OPPONENT[event.seat])))


def toggle(men: tuple[Spots, Spots], seat: Seat, at: Spots) -> tuple[Spots, Spots]:
    """Return the men of both seats with these points toggled for one seat."""
    white, black = men
    return (white ^ at, black) if seat == WHITE else (white, black ^ at)


def end_ply(
    position: Position, event: Ply, men: tuple[Spots, Spots], hand: tuple[int, int], quiet: int, seen: tuple[int, ...]
) -> Position:
    """Return the position after a move: the seat continues if it owes removals, otherwise its turn ends."""
    outcome = outcome_of(event.ends, event.seat) if event.ends else None
    if event.removals_owed:
        return Position(position.options, men, hand, event.seat, event.removals_owed, quiet, seen, outcome)
    mover = OPPONENT[event.seat]
    if position.options.repetition:
        seen = seen + ((men[0] << 24 | men[1]) << 1 | mover,)  # noqa: RUF005 - one copy: a star makes two
    return Position(position.options, men, hand, mover, 0, quiet, seen, outcome)


def outcome_of(reason: EndReason, seat: Seat) -> Outcome:
    """Return the outcome of a match that a move of `seat` ended: `seat` has won, unless the reason means a draw."""
    return Outcome(reason, places_for_winner(seat) if reason in ("too_few_men", "no_legal_move") else (1, 1))


def places_for_winner(seat: Seat) -> tuple[int, int]:
    """Return the places by seat if this seat has won."""
    return (1, 2) if seat == WHITE else (2, 1)


def outcome(position: Position) -> Outcome | None:
    """Return how the match ended; None while it goes on."""
    return position.outcome


def drop(_state: Position, seat: Seat, reason: DropReason) -> list[MorrisEvent]:
    """Return the seat's drop-out; the other seat has won."""
    return [Dropped(seat, reason)]


PLACES = {name: Place(name) for name in POINTS}
REMOVES = {name: Remove(name) for name in POINTS}
SHIFTS = {man: {to: Shift(man, to) for to in POINTS} for man in POINTS}
SLIDES = {
    man: {reach: [SHIFTS[man][to] for to in names_of(reach)] for reach in subsets(NEIGHBOURS[man])} for man in POINTS
}
"""By point and by the empty ones among its neighbours, the moves to these."""


def legal_moves(position: Position, seat: Seat) -> list[MorrisMove]:
    """Return every legal move of the seat, in the reading order of the board."""
    if seat not in to_move(position):
        return []
    if position.removals_owed:
        return [REMOVES[name] for name in names_of(removable(position, OPPONENT[seat]))]
    empty = position.empty()
    if position.hand[seat]:
        return [PLACES[name] for name in names_of(empty)]
    own = names_of(position.men[seat])
    if flies(position, seat):
        return [SHIFTS[man][to] for man in own for to in names_of(empty)]
    slides: list[MorrisMove] = []
    for man in own:
        slides += SLIDES[man][NEIGHBOURS[man] & empty]
    return slides
