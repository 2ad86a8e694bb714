"""The values of Turncoat: options, moves, events, the position and its view."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from service.domain.chance import DrawNumber
from service.domain.game import ChanceEvent, Dropped, Event, Hidden, Move, Seat, SeatEvent
from service.domain.games.turncoat.board import COLOURS, Colour, Square, Squares, draw_board

SEATS = (Seat(0), Seat(1))


LESSON_START = (
    "BBBBBBBW",
    "BBBWBBBB",
    "BBBWBBBB",
    "BBBWBBBB",
    "BBBWBBBB",
    "BBBWBBBB",
    ".BBWWBBB",
    "WWWWBBBB",
)
"""The layout of the lesson, the top row first: few discs are left to be turned."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options; a `round_limit` of 0 means no limit."""

    selectable: Literal["any", "white_only"] = "any"
    """Which squares can be selected: any, or only those with a white disc."""
    round_limit: Annotated[int, Meta(ge=0, le=10_000)] = 60
    """The number of rounds after which the match ends; 0 = no limit."""
    at_limit: Literal["draw", "fewest_white"] = "draw"
    """How the match ends at the limit: in a draw, or for the seat with the fewest white discs."""
    start: Literal["random", "lesson"] = "random"
    """Whether the layout is drawn at random or is that of the lesson, in which few discs are white."""


class Select(Move, frozen=True):
    """Select a square of your own board; this replaces an earlier selection and withdraws a commit."""

    at: Annotated[str, Meta(pattern="^[a-hA-H][1-8]$", max_length=2)]  # `$` alone also matches before a line feed


class Commit(Move, frozen=True):
    """Commit to the selection."""


class LaidOut(Event, ChanceEvent, frozen=True):
    """The layout of both boards was drawn: 8 rows, the top row first."""

    board: tuple[str, ...]
    """Eight rows, the top row first, the same for both boards: `B` and `W` are discs."""
    draw: DrawNumber


class Selected(Event, SeatEvent, frozen=True):
    """A seat selected a square, which only this seat may know; an earlier commit of the seat is withdrawn."""

    seat: Seat
    at: Annotated[str | UnsetType, Hidden.FROM_OTHERS] = UNSET


class Committed(Event, SeatEvent, frozen=True):
    """A seat committed to its selection."""

    seat: Seat


class Turned(Event, frozen=True):
    """A disc of one board was turned `to` black or white, with the discs that it trapped.

    In half 1 the board's owner had selected the disc, in half 2 the opponent.
    """

    board: Colour
    """The colour of the board."""
    half: Literal[1, 2]
    """Which half of the board's round it is: the disc of its owner, or that of the other seat."""
    at: str
    to: Literal["B", "W"]
    """The colour that is up now: `B` black, `W` white."""
    trapped: tuple[str, ...]
    """The other squares whose discs turned."""


class RoundBegun(Event, frozen=True):
    """A new round began; both seats select again."""

    round: int
    """The number of the round, from 1."""


TurncoatMove: TypeAlias = Select | Commit
TurncoatEvent: TypeAlias = LaidOut | Selected | Committed | Turned | RoundBegun | Dropped


def moves_shown(event: TurncoatEvent) -> list[tuple[Seat, TurncoatMove]]:
    """Return the selection and the commit that the first half of a board's round reveals."""
    if not isinstance(event, Turned) or event.half == 2:
        return []
    owner = SEATS[COLOURS.index(event.board)]
    return [(owner, Select(at=event.at)), (owner, Commit())]


class Side(Struct, frozen=True):
    """One seat's board, and what the seat has done in this round; `at` is None if the selection is not known."""

    white: Squares = 0
    selected: bool = False
    at: Square | None = None
    committed: bool = False


class Position(Struct, frozen=True):
    """A position; `turned` counts the steps of the round's resolution so far, of which a full round has four."""

    options: Options
    discs: Squares = 0
    sides: tuple[Side, Side] = (Side(), Side())
    round: int = 1
    turned: int = 0
    dropped: Dropped | None = None


class View(Struct, frozen=True):
    """The view of a seat or of the public; `own_selection` is null for the public, and before the seat has selected."""

    boards: dict[Colour, tuple[str, ...]]
    """Both boards, each of eight rows, the top row first: `B` black, `W` white, `.` none."""
    round: int
    """The number of the round, from 1."""
    black: dict[Colour, int]
    """How many black discs each board has."""
    selected: dict[Colour, bool]
    """Whether each seat has selected a square in this round."""
    committed: dict[Colour, bool]
    """Whether each seat has committed to its selection."""
    own_selection: Square | None
    """The viewer's own selection; null for the public, and before the seat has selected."""


def black_discs(position: Position) -> tuple[int, ...]:
    """Return how many black discs each board has."""
    return tuple((position.discs & ~side.white).bit_count() for side in position.sides)


def view(position: Position, seat: Seat | None) -> View:
    """Return the view: everything public, and to a seat its own selection."""
    discs, (red, yellow) = position.discs, position.sides
    black = black_discs(position)
    return View(
        boards={"red": draw_board(discs, red.white), "yellow": draw_board(discs, yellow.white)},
        round=position.round,
        black={"red": black[0], "yellow": black[1]},
        selected={"red": red.selected, "yellow": yellow.selected},
        committed={"red": red.committed, "yellow": yellow.committed},
        own_selection=None if seat is None else position.sides[seat].at,
    )
