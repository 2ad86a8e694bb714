"""The words of a match of Nine Men's Morris: options, moves and events."""

from typing import Annotated, Literal, TypeAlias

import msgspec

from service.domain.chance import DrawNumber
from service.domain.game import Dropped, Event, Move, Seat
from service.domain.games.morris.board import Mill

Colour = Literal["white", "black"]
Flying = Literal["both", "reduced", "off"]
Phase = Literal["placing", "moving", "flying"]
EndReason = Literal["too_few_men", "no_legal_move", "repetition", "quiet_limit"]

COLOURS: tuple[Colour, Colour] = ("white", "black")
MEN = 9
WHITE, BLACK = Seat(0), Seat(1)
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


class Placed(Event, frozen=True):
    """A man came from the hand to the board."""

    seat: Seat
    at: str
    mills: tuple[Mill, ...]
    """The mills that it closed."""
    removals_owed: int
    """How many men the seat is to remove now, before its turn is over."""
    ends: EndReason | None = None
    """Why the match is over now, if it is."""


class Moved(Event, frozen=True):
    """A man went from one point to another; the fields are those of `Placed`."""

    seat: Seat
    from_: str
    to: str
    mills: tuple[Mill, ...]
    removals_owed: int
    ends: EndReason | None = None


class Removed(Event, frozen=True):
    """`seat` took a man of the other seat off the board; a removal without a target is no longer owed."""

    seat: Seat
    at: str
    removals_owed: int
    ends: EndReason | None = None


class Rolled(Event, frozen=True):
    """A seat rolled a die for the first turn."""

    seat: Seat
    value: int
    draw: DrawNumber


class Began(Event, frozen=True):
    """A seat rolled higher and has the first turn."""

    seat: Seat


MorrisEvent: TypeAlias = Placed | Moved | Removed | Rolled | Began | Dropped
