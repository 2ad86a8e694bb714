"""What a match of Nine Men's Morris is made of: options, moves, events, the position and its view."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias, TypeVar

import msgspec

from service.domain.chance import DrawNumber
from service.domain.game import ChanceEvent, Dropped, Event, Move, Outcome, Seat, SeatEvent
from service.domain.games.morris.board import ALL, BIT, Mill, Spots, mills_of

Colour = Literal["white", "black"]
Flying = Literal["both", "reduced", "off"]
Phase = Literal["placing", "moving", "flying"]
EndReason = Literal["too_few_men", "no_legal_move", "repetition", "quiet_limit"]

T = TypeVar("T")

COLOURS: tuple[Colour, Colour] = ("white", "black")
MEN = 9
SEATS = WHITE, BLACK = Seat(0), Seat(1)
OPPONENT: tuple[Seat, Seat] = (BLACK, WHITE)
"""By seat, the other one."""

PointName = Annotated[
    str,
    msgspec.Meta(
        pattern="^([aAgG][147]|[bBfF][246]|[cCeE][345]|[dD][123567])$",
        max_length=2,  # a regular expression's $ lets a line feed pass
    ),
]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The variants of the rules; the defaults are the plain game."""

    first: Literal["seat0", "roll"] = "seat0"
    """Who begins: white, or whoever rolls the higher die."""
    flying: Flying = "both"
    """Who flies once a player is down to three men: both players, only that player, nobody."""
    all_in_mills: Literal["none", "three", "any"] = "none"
    """What may be removed when all men stand in mills: none, any of a player with three men, any."""
    double_mill: Literal["two", "one"] = "two"
    """How many removals two mills closed at once give."""
    repetition: bool = True
    """Whether a position's third occurrence is a draw."""
    quiet_limit: Annotated[int, msgspec.Meta(ge=0)] = 100
    """How many turns in a row without a placement or removal are a draw; 0 = no limit."""


class Place(Move, frozen=True):
    """Put a man from the hand on a point."""

    at: PointName


class Shift(Move, frozen=True, tag="move"):
    """Take a man along a line to the next point, or when flying to any point."""

    from_: PointName
    to: PointName


class Remove(Move, frozen=True):
    """Take an opponent's man off the board."""

    at: PointName


MorrisMove: TypeAlias = Place | Shift | Remove


class Placed(Event, SeatEvent, frozen=True):
    """A man came from the hand to the board."""

    seat: Seat
    at: str
    mills: tuple[Mill, ...]
    """The mills that it closed."""
    removals_owed: int
    """How many men the seat is to remove now, before its turn is over."""
    ends: EndReason | None = None
    """Why the match is over now, if it is."""


class Moved(Event, SeatEvent, frozen=True):
    """A man went from one point to another; the fields are those of `Placed`."""

    seat: Seat
    from_: str
    to: str
    mills: tuple[Mill, ...]
    removals_owed: int
    ends: EndReason | None = None


class Removed(Event, SeatEvent, frozen=True):
    """`seat` took a man of the other seat off the board; a removal without a target is no longer owed."""

    seat: Seat
    at: str
    removals_owed: int
    ends: EndReason | None = None


class Rolled(Event, SeatEvent, ChanceEvent, frozen=True):
    """A seat rolled a die for the first turn."""

    seat: Seat
    value: int
    draw: DrawNumber


class Began(Event, SeatEvent, frozen=True):
    """A seat rolled higher and has the first turn."""

    seat: Seat


MorrisEvent: TypeAlias = Placed | Moved | Removed | Rolled | Began | Dropped


def moves_shown(event: MorrisEvent) -> list[tuple[Seat, MorrisMove]]:
    """Return what a seat did with a man."""
    match event:
        case Moved():
            return [(event.seat, Shift(event.from_, event.to))]
        case Placed():
            return [(event.seat, Place(event.at))]
        case Removed():
            return [(event.seat, Remove(event.at))]
    return []


class Position(msgspec.Struct, frozen=True):
    """A position, and what the guards against endless play have to remember. Pairs are by seat."""

    options: Options
    men: tuple[Spots, Spots] = (0, 0)
    hand: tuple[int, int] = (MEN, MEN)
    mover: Seat = WHITE
    removals_owed: int = 0
    quiet: int = 0
    """Turns in a row without a placement or removal."""
    seen: tuple[int, ...] = ()
    """The positions after each turn since the last placement or removal, which none before can equal.

    Packed: white's men, black's men and the seat to move, which have to be equal in a repetition; the hands then are.
    """
    outcome: Outcome | None = None

    def empty(self) -> Spots:
        """Return the points on which nobody stands."""
        white, black = self.men
        return (white | black) ^ ALL

    def men_left(self, seat: Seat) -> int:
        """Return how many men a seat still has, board and hand together."""
        return self.men[seat].bit_count() + self.hand[seat]


class View(msgspec.Struct, frozen=True):
    """What everyone sees; nothing in this game is secret."""

    points: dict[str, Colour | None]
    phase: dict[Colour, Phase]
    hand: dict[Colour, int]
    on_board: dict[Colour, int]
    lost: dict[Colour, int]
    mills: tuple[Mill, ...]
    removals_owed: int


def few_fly(flying: Flying, left: int, others_left: int) -> bool:
    """Tell whether an option lets a seat fly that has so many men left, and its opponent so many."""
    return (left <= 3 and flying != "off") or (others_left <= 3 and flying == "both")


def view(position: Position, _seat: Seat | None) -> View:
    """Return the whole position; everybody may know it."""
    (white, black), hand = position.men, position.hand
    on_board = white.bit_count(), black.bit_count()
    left = hand[WHITE] + on_board[WHITE], hand[BLACK] + on_board[BLACK]
    flying = position.options.flying
    return View(
        points={name: "white" if white & bit else "black" if black & bit else None for name, bit in BIT.items()},
        phase=by_colour([phase(flying, hand[seat], left[seat], left[OPPONENT[seat]]) for seat in SEATS]),
        hand=by_colour(hand),
        on_board=by_colour(on_board),
        lost=by_colour([MEN - men for men in left]),
        mills=mills_of(white) + mills_of(black),
        removals_owed=position.removals_owed,
    )


def by_colour(values: Sequence[T]) -> dict[Colour, T]:
    """Return a pair by seat as the wire has it."""
    white, black = values
    return {"white": white, "black": black}


def phase(flying: Flying, hand: int, left: int, others_left: int) -> Phase:
    """Return what a seat does on its turns now."""
    if hand:
        return "placing"
    return "flying" if few_fly(flying, left, others_left) else "moving"
