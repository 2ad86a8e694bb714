"""The values of Tic-Tac-Rainbow: options, pegs, moves, events, the position and its view."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.domain.chance import DrawNumber
from service.domain.game import ChanceEvent, Dropped, Event, Move, Outcome, Seat, SeatEvent, TurnLimit
from service.domain.games.rainbow.board import CELLS, THROUGH, Grid, Line, Spot

SeatName = Literal["one", "two", "three"]
Peg = Literal["RO", "OY", "YG", "GB", "BV", "VR", "WK"]
"""A peg, by the letters of its two sides."""
Colour = Literal["R", "O", "Y", "G", "B", "V"]
Side = Literal["R", "O", "Y", "G", "B", "V", "W", "K"]
"""A side of a peg: the first letter of a colour, W for white, K for black."""
EndReason = Literal["line", "repetition", "quiet_limit"]

SEAT_NAMES: tuple[SeatName, ...] = ("one", "two", "three")
PEGS: tuple[Peg, ...] = ("RO", "OY", "YG", "GB", "BV", "VR", "WK")
COLOURS: tuple[Colour, ...] = ("R", "O", "Y", "G", "B", "V")
"""The sides of the die; a roll is an index in this order."""

CellName = Annotated[
    str,
    Meta(
        pattern="^([a-eA-E][2-4]|[b-dB-D][15])$",
        max_length=2,  # `$` also matches before a line feed
    ),
]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options; the defaults are the basic game."""

    grid: Grid = "square"
    """Which diagonals have lines: both kinds, or only those parallel to a1-e5."""
    misere: bool = False
    """Whether a player who makes a line loses."""
    rest: Literal[0, 2, 3] = 0
    """In how many successive turns of its owner a peg can be used only once; 0 = no limit."""
    dice: bool = False
    """Whether a colour is rolled at the start of each turn, which the peg used must have on one side."""
    players: Literal[2, 3] = 2
    """How many seats there are."""
    repetition: bool = True
    """Whether the third occurrence of a position is a draw."""
    quiet_limit: TurnLimit = 100
    """The number of turns in a row without a placement until a draw; 0 = no limit."""


class Place(Move, frozen=True):
    """Place a peg on an empty cell with this side up."""

    peg: Peg
    """The peg, by the letters of its two sides."""
    side: Side
    """The side that is up."""
    at: CellName


class Flip(Move, frozen=True):
    """Flip a peg of your own."""

    at: CellName


class Shift(Move, frozen=True, tag="move"):
    """Move a peg of your own to any empty cell, with the same side up."""

    from_: CellName
    to: CellName


RainbowMove: TypeAlias = Place | Flip | Shift


class ShownAt(Event, SeatEvent, frozen=True):
    """The base of the events after which a peg is on a cell with another side up."""

    seat: Seat
    peg: Peg
    """The peg, by the letters of its two sides."""
    side: Side
    """The side that is up now."""
    at: str
    line: Line | None = None
    """The line that is now on the board; the first one if there are several."""
    ends: EndReason | None = None
    """Why the match has now ended, if it has."""


class Placed(ShownAt, frozen=True):
    """A seat placed a peg."""


class Flipped(ShownAt, frozen=True):
    """A seat flipped a peg; the fields are those of `Placed`."""


class Moved(Event, SeatEvent, frozen=True):
    """A seat moved a peg to another cell; the fields are those of `Placed`."""

    seat: Seat
    peg: Peg
    """The peg, by the letters of its two sides."""
    side: Side
    """The side that is up now."""
    from_: str
    to: str
    line: Line | None = None
    """The line that is now on the board; the first one if there are several."""
    ends: EndReason | None = None
    """Why the match has now ended, if it has."""


class Rolled(Event, SeatEvent, ChanceEvent, frozen=True, omit_defaults=True):
    """A colour was rolled for a seat's turn; `ends` is present only if this is a position's third occurrence."""

    seat: Seat
    value: Colour
    """The colour that was rolled."""
    draw: DrawNumber
    ends: Literal["repetition"] | None = None
    """Why the match has now ended, if it has."""


Acted: TypeAlias = Placed | Flipped | Moved
RainbowEvent: TypeAlias = Acted | Rolled | Dropped

Pegs: TypeAlias = int
"""A set of one seat's pegs; bit n is `PEGS[n]`."""

PEG_BIT: dict[Peg, Pegs] = {peg: 1 << n for n, peg in enumerate(PEGS)}
ALL_PEGS: Pegs = sum(PEG_BIT.values())
WHITE_BLACK: Pegs = PEG_BIT["WK"]
COLOURED: Pegs = ALL_PEGS ^ WHITE_BLACK

LISTED: list[tuple[Peg, ...]] = [
    tuple(peg for peg, bit in PEG_BIT.items() if pegs & bit) for pegs in range(ALL_PEGS + 1)
]
"""By set, the pegs in the order of the rainbow, the white-and-black one last."""

PEGS_FOR_ROLL: dict[Colour | None, Pegs] = {
    None: ALL_PEGS,
    **{colour: sum(PEG_BIT[peg] for peg in PEGS if colour in peg) | WHITE_BLACK for colour in COLOURS},
}
"""By roll of the die, the pegs that a seat may use."""

MATCHING: dict[Side, int] = {**{colour: 1 << n for n, colour in enumerate(COLOURS)}, "W": 63, "K": 0}
"""By side, the set of colours that it counts as: all six for white, none for black."""


class Standing(Struct, frozen=True):
    """A peg on the board."""

    owner: SeatName
    """The colour of the seat that it belongs to."""
    peg: Peg
    """The peg, by the letters of its two sides."""
    up: Side
    """The side that is up."""


class Face(Struct, frozen=True):
    """A seat's peg with one side up. `FACES` holds the only copy of each."""

    owner: Seat
    peg: Peg
    up: Side
    shown: Standing
    """Its form in a view."""

    @property
    def hidden(self) -> Side:
        """The lower side."""
        return SIDES[self.peg][self.up == SIDES[self.peg][0]]


SIDES: dict[Peg, tuple[Side, Side]] = {
    "RO": ("R", "O"),
    "OY": ("O", "Y"),
    "YG": ("Y", "G"),
    "GB": ("G", "B"),
    "BV": ("B", "V"),
    "VR": ("V", "R"),
    "WK": ("W", "K"),
}
FACES: dict[tuple[int, Peg, Side], Face] = {
    (owner, peg, side): Face(Seat(owner), peg, side, Standing(SEAT_NAMES[owner], peg, side))
    for owner in range(len(SEAT_NAMES))
    for peg in PEGS
    for side in SIDES[peg]
}

Cells: TypeAlias = tuple[Face | None, ...]
"""The peg on each cell, in the order of `CELLS`."""

Rest: TypeAlias = tuple[Pegs, Pegs]
"""The pegs of a seat that rest in its next turn, and those of them that also rest in the turn after it."""

Occurrence: TypeAlias = tuple[Cells, Seat, tuple[Rest, ...], Colour | None]
"""What is equal in a repetition: the cells, the seat to move, the resting pegs and the colour rolled."""


def moves_shown(event: RainbowEvent) -> list[tuple[Seat, RainbowMove]]:
    """Return the move that an event reveals."""
    match event:
        case Placed(seat=seat, peg=peg, side=side, at=at):
            return [(seat, Place(peg, side, at))]
        case Moved(seat=seat, from_=start, to=to):
            return [(seat, Shift(start, to))]
        case Flipped(seat=seat, at=at):
            return [(seat, Flip(at))]
    return []


class Position(Struct, frozen=True):
    """A position, and the history that the limits against endless play need. Tuples are by seat."""

    options: Options
    cells: Cells
    on_board: tuple[Pegs, ...]
    rests: tuple[Rest, ...]
    turn: Seat = Seat(0)
    die: Colour | None = None
    """The colour rolled for this turn; with `dice` no seat can act before the roll."""
    dropped: tuple[Seat, ...] = ()
    """The seats that dropped out, in this order."""
    quiet: int = 0
    """Turns in a row without a placement."""
    seen: tuple[Occurrence, ...] = ()
    """The positions since the last placement or drop-out; earlier ones cannot be repeated."""
    line: Line | None = None
    outcome: Outcome | None = None

    @property
    def awaits_roll(self) -> bool:
        """Whether the roll with which the turn begins has not been made yet."""
        return self.options.dice and self.die is None and self.outcome is None

    @property
    def mover(self) -> Seat | None:
        """The seat to move; None when the match is over or the die has to be rolled first."""
        return None if self.outcome or self.awaits_roll else self.turn


def playable_pegs(position: Position) -> Pegs:
    """Return the pegs that the seat to move could use if none had to rest.

    There is always one: two pegs have the colour rolled. A peg on the board can be flipped, and a peg in hand can be
    placed, because there are no more pegs than cells. (Rules: A turn, Variants.)
    """
    on_board = position.on_board[position.turn]
    placeable = ALL_PEGS if on_board & COLOURED == COLOURED else COLOURED
    return (placeable | on_board) & PEGS_FOR_ROLL[position.die]


def resting_pegs(position: Position, seat: Seat) -> Pegs:
    """Return the pegs that a seat may not use in its next turn; none if all pegs that it could use would rest."""
    rest, _ = position.rests[seat]
    if not rest or seat in position.dropped:
        return 0
    waived = position.mover == seat and not playable_pegs(position) & ~rest
    return 0 if waived else rest


def usable_pegs(position: Position) -> Pegs:
    """Return the pegs that the seat to move may use."""
    return playable_pegs(position) & ~resting_pegs(position, position.turn)


def line_through(cells: Cells, at: Spot, grid: Grid) -> Line | None:
    """Return the first line through the occupied cell `at`; None if there is none."""
    face = cells[at]
    colours = MATCHING[face.up] if face else 0
    for one, other, line in THROUGH[grid][at]:
        if (a := cells[one]) and (b := cells[other]) and colours & MATCHING[a.up] & MATCHING[b.up]:
            return line
    return None


class View(Struct, frozen=True):
    """The view of all audiences; nothing in this game is secret."""

    cells: dict[str, Standing]
    """The occupied cells."""
    off_board: dict[SeatName, tuple[Peg, ...]]
    """The pegs that each seat has not placed yet."""
    resting: dict[SeatName, tuple[Peg, ...]]
    """The pegs that each seat may not use in its next turn; none if that is waived."""
    die: Colour | None
    """The colour rolled for this turn."""
    line: Line | None
    """The line that ended the match."""


def view(position: Position, _seat: Seat | None) -> View:
    """Return the view, which is the same for all audiences."""
    seats = [(Seat(n), name) for n, name in enumerate(SEAT_NAMES[: position.options.players])]
    return View(
        cells={name: face.shown for name, face in zip(CELLS, position.cells, strict=True) if face},
        off_board={name: LISTED[ALL_PEGS & ~position.on_board[seat]] for seat, name in seats},
        resting={name: LISTED[resting_pegs(position, seat)] for seat, name in seats},
        die=position.die,
        line=position.line,
    )
