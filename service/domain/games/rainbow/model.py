"""The words of a match of Tic-Tac-Rainbow: options, pegs, moves and events."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.domain.chance import DrawNumber
from service.domain.game import Dropped, Event, Move, Seat
from service.domain.games.rainbow.board import Grid, Line

SeatName = Literal["one", "two", "three"]
Peg = Literal["RO", "OY", "YG", "GB", "BV", "VR", "WK"]
"""A peg, by the letters of its two sides."""
Colour = Literal["R", "O", "Y", "G", "B", "V"]
Side = Literal["R", "O", "Y", "G", "B", "V", "W", "K"]
"""A side of a peg: a colour's first letter, W the wild white, K the blocking black."""
EndReason = Literal["line", "repetition", "quiet_limit"]

SEAT_NAMES: tuple[SeatName, ...] = ("one", "two", "three")
PEGS: tuple[Peg, ...] = ("RO", "OY", "YG", "GB", "BV", "VR", "WK")
COLOURS: tuple[Colour, ...] = ("R", "O", "Y", "G", "B", "V")
"""The die's sides; a roll is the place of one in this order."""

CellName = Annotated[
    str,
    Meta(
        pattern="^([a-eA-E][2-4]|[b-dB-D][15])$",
        max_length=2,  # a regular expression's $ lets a line feed pass
    ),
]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The variants of the rules; the defaults are the plain game."""

    grid: Grid = "square"
    """Which rows of three are lines: also both diagonals, or only the one parallel to a1-e5."""
    misere: bool = False
    """Whether a line loses instead of winning."""
    rest: Literal[0, 2, 3] = 0
    """In how many successive turns of its owner a peg is acted upon once at most; 0 = any number."""
    dice: bool = False
    """Whether a colour is rolled at the start of each turn, which the peg acted upon must carry."""
    players: Literal[2, 3] = 2
    repetition: bool = True
    """Whether a position's third occurrence is a draw."""
    quiet_limit: Annotated[int, Meta(ge=0)] = 100
    """How many turns in a row without a placement are a draw; 0 = no limit."""


class Place(Move, frozen=True):
    """Put a peg on an empty cell with this side up."""

    peg: Peg
    side: Side
    at: CellName


class Flip(Move, frozen=True):
    """Turn an own peg over where it stands."""

    at: CellName


class Shift(Move, frozen=True, tag="move"):
    """Take an own peg to any empty cell, the same side up."""

    from_: CellName
    to: CellName


RainbowMove: TypeAlias = Place | Flip | Shift


class Placed(Event, frozen=True):
    """A seat put a peg on the board."""

    seat: Seat
    peg: Peg
    side: Side
    """The side that is up now."""
    at: str
    line: Line | None = None
    """The line that stands now, the first of them if there are several."""
    ends: EndReason | None = None
    """Why the match is over now, if it is."""


class Flipped(Event, frozen=True):
    """A seat turned a peg over; the fields are those of `Placed`."""

    seat: Seat
    peg: Peg
    side: Side
    at: str
    line: Line | None = None
    ends: EndReason | None = None


class Moved(Event, frozen=True):
    """A seat took a peg to another cell; the fields are those of `Placed`."""

    seat: Seat
    peg: Peg
    side: Side
    from_: str
    to: str
    line: Line | None = None
    ends: EndReason | None = None


class Rolled(Event, frozen=True, omit_defaults=True):
    """A seat's turn began with this colour; `ends` is there only if the position came up for the third time with it."""

    seat: Seat
    value: Colour
    draw: DrawNumber
    ends: Literal["repetition"] | None = None


Acted: TypeAlias = Placed | Flipped | Moved
RainbowEvent: TypeAlias = Acted | Rolled | Dropped
