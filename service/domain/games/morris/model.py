"""The values of Nine Men's Morris: options, moves, events, the position and its view."""

from functools import lru_cache
from typing import Annotated, Any, Literal, TypeAlias

import msgspec

from service.domain.chance import DrawNumber
from service.domain.game import ChanceEvent, Dropped, Event, Move, Outcome, Seat, SeatEvent, TurnLimit
from service.domain.games.morris.board import ALL, BIT, POINTS, Mill, Spots, lines_of, mills_of, names_of

Colour = Literal["white", "black"]
Flying = Literal["both", "reduced", "off"]
Phase = Literal["placing", "moving", "flying"]
EndReason = Literal["too_few_men", "no_legal_move", "repetition", "quiet_limit"]

COLOURS: tuple[Colour, Colour] = ("white", "black")
MEN = 9
SEATS = WHITE, BLACK = Seat(0), Seat(1)
OPPONENT: tuple[Seat, Seat] = (BLACK, WHITE)
"""By seat, the other seat."""

PointName = Annotated[
    str,
    msgspec.Meta(
        pattern="^([aAgG][147]|[bBfF][246]|[cCeE][345]|[dD][123567])$",
        max_length=2,  # `$` also matches before a line feed
    ),
]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options; the defaults are the basic game."""

    first: Literal["seat0", "roll"] = "seat0"
    """Who begins: white, or the player who rolls the higher number."""
    flying: Flying = "both"
    """Who flies once a player has three men left: both players, only that player, or nobody."""
    all_in_mills: Literal["none", "three", "any"] = "none"
    """Which men can be removed when all are in mills: none, any of a player with three men, or any."""
    double_mill: Literal["two", "one"] = "two"
    """How many removals two mills closed by one man allow."""
    repetition: bool = True
    """Whether the third occurrence of a position is a draw."""
    quiet_limit: TurnLimit = 100
    """The number of turns in a row without a placement or removal until a draw; 0 = no limit."""


class Place(Move, frozen=True):
    """Place a man from the hand on a point."""

    at: PointName


class Shift(Move, frozen=True, tag="move"):
    """Move a man along a line to the next point, or to any point when flying."""

    from_: PointName
    to: PointName


class Remove(Move, frozen=True):
    """Remove an opponent's man from the board."""

    at: PointName


MorrisMove: TypeAlias = Place | Shift | Remove


class Placed(Event, SeatEvent, frozen=True):
    """A seat placed a man from the hand."""

    seat: Seat
    at: str
    mills: tuple[Mill, ...]
    """The mills that it closed."""
    removals_owed: int
    """How many men the seat now has to remove before its turn ends."""
    ends: EndReason | None = None
    """Why the match has now ended, if it has."""


class Moved(Event, SeatEvent, frozen=True):
    """A seat moved a man from one point to another; the other fields are those of `Placed`."""

    seat: Seat
    from_: str
    to: str
    mills: tuple[Mill, ...]
    """The mills that it closed."""
    removals_owed: int
    """How many men the seat now has to remove before its turn ends."""
    ends: EndReason | None = None
    """Why the match has now ended, if it has."""


class Removed(Event, SeatEvent, frozen=True):
    """A seat removed a man of the other seat; `removals_owed` no longer counts a removal without a target."""

    seat: Seat
    at: str
    removals_owed: int
    """How many men the seat now has to remove before its turn ends."""
    ends: EndReason | None = None
    """Why the match has now ended, if it has."""


class Rolled(Event, SeatEvent, ChanceEvent, frozen=True):
    """A seat rolled a die to decide who begins."""

    seat: Seat
    value: int
    """What was rolled."""
    draw: DrawNumber


class Began(Event, SeatEvent, frozen=True):
    """A seat rolled the higher number and has the first turn."""

    seat: Seat


MorrisEvent: TypeAlias = Placed | Moved | Removed | Rolled | Began | Dropped


def moves_shown(event: MorrisEvent) -> list[tuple[Seat, MorrisMove]]:
    """Return the move that an event reveals."""
    match event:
        case Moved():
            return [(event.seat, Shift(event.from_, event.to))]
        case Placed():
            return [(event.seat, Place(event.at))]
        case Removed():
            return [(event.seat, Remove(event.at))]
    return []


class Position(msgspec.Struct, frozen=True):
    """A position, and the history that the limits against endless play need. Pairs are by seat."""

    options: Options
    men: tuple[Spots, Spots] = (0, 0)
    hand: tuple[int, int] = (MEN, MEN)
    mover: Seat = WHITE
    removals_owed: int = 0
    quiet: int = 0
    """Turns in a row without a placement or removal."""
    seen: tuple[int, ...] = ()
    """The positions after each turn since the last placement or removal; earlier ones cannot be repeated.

    Each is encoded from white's men, black's men and the seat to move; if these are equal, so are the hands.
    """
    outcome: Outcome | None = None

    def empty(self) -> Spots:
        """Return the empty points."""
        white, black = self.men
        return (white | black) ^ ALL

    def men_left(self, seat: Seat) -> int:
        """Return how many men a seat has left, on the board and in hand."""
        return self.men[seat].bit_count() + self.hand[seat]


def men_left(position: Position) -> tuple[int, ...]:
    """Return how many men each seat has left, on the board and in hand."""
    return tuple(position.men_left(seat) for seat in SEATS)


class View(msgspec.Struct, frozen=True):
    """The view of all audiences; nothing in this game is secret."""

    points: dict[str, Colour | None]
    """All 24 points, each with the colour of the man on it, or null."""
    phase: dict[Colour, Phase]
    """What each seat does in its turns now."""
    hand: dict[Colour, int]
    """How many men each seat has not placed yet."""
    on_board: dict[Colour, int]
    """How many men each seat has on the board."""
    lost: dict[Colour, int]
    """How many men each seat has lost."""
    mills: tuple[Mill, ...]
    """The mills on the board, of both colours."""
    removals_owed: int
    """How many men the seat to move has to remove before its turn ends."""


EMPTY: dict[str, Colour | None] = dict.fromkeys(POINTS)
"""The points of an empty board."""

POINT_PATHS = {name: f"points/{name}" for name in POINTS}


COUNTS = ("phase", "hand", "on_board", "lost")
"""The fields of the view that follow from numbers of men."""


@lru_cache(4096)
def counts(flying: Flying, hand: tuple[int, int], men: tuple[int, int]) -> tuple[dict[Colour, Any], ...]:
    """Return the fields `COUNTS`, from the men of each seat in hand and on the board; the same object for the same."""
    left = (hand[WHITE] + men[WHITE], hand[BLACK] + men[BLACK])
    phases = [phase(flying, hand[seat], left[seat], left[OPPONENT[seat]]) for seat in SEATS]
    fields = (phases, hand, men, [MEN - each for each in left])
    return tuple([{"white": white, "black": black} for white, black in fields])


def counts_of(position: Position) -> tuple[dict[Colour, Any], ...]:
    """Return the fields `COUNTS` of a position."""
    white, black = position.men
    return counts(position.options.flying, position.hand, (white.bit_count(), black.bit_count()))


def few_fly(flying: Flying, left: int, others_left: int) -> bool:
    """Return whether a seat flies under an option, from the men that it and its opponent have left."""
    return (left <= 3 and flying != "off") or (others_left <= 3 and flying == "both")


def view(position: Position, _seat: Seat | None) -> View:
    """Return the view, which is the same for all audiences."""
    white, black = position.men
    phases, hand, on_board, lost = counts_of(position)
    return View(
        {**EMPTY, **dict.fromkeys(names_of(white), "white"), **dict.fromkeys(names_of(black), "black")},
        phases,
        hand,
        on_board,
        lost,
        mills_of(white) + mills_of(black),
        position.removals_owed,
    )


def view_changes(before: Position, after: Position) -> list[tuple[str, object]]:
    """Return where the view of a position differs from an earlier one's, and what is there; see `Game`."""
    (white, black), (old_white, old_black) = after.men, before.men
    changes: list[tuple[str, object]] = [
        (POINT_PATHS[name], "white" if white & BIT[name] else "black" if black & BIT[name] else None)
        for name in names_of((white ^ old_white) | (black ^ old_black))
    ]
    old, new = counts_of(before), counts_of(after)
    if old is not new:  # as after a move that places or removes a man
        for field, was, now in zip(COUNTS, old, new, strict=True):
            changes += [(f"{field}/{colour}", now[colour]) for colour in now if now[colour] != was[colour]]
    if lines_of(white) != lines_of(old_white) or lines_of(black) != lines_of(old_black):
        changes.append(("mills", mills_of(white) + mills_of(black)))
    if after.removals_owed != before.removals_owed:
        changes.append(("removals_owed", after.removals_owed))
    return changes


def phase(flying: Flying, hand: int, left: int, others_left: int) -> Phase:
    """Return the phase of a seat: what it does in its turns now."""
    if hand:
        return "placing"
    return "flying" if few_fly(flying, left, others_left) else "moving"
