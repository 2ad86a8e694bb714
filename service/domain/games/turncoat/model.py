"""What a match of Turncoat is made of: options, moves, events, the position and its view."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

from service.domain.chance import DrawNumber
from service.domain.game import ChanceEvent, Dropped, Event, Hidden, Move, Seat, SeatEvent
from service.domain.games.turncoat.board import COLOURS, Colour, Square, Squares, draw_board

SEATS = (Seat(0), Seat(1))


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What the players agree on; a `round_limit` of 0 lets a match go on for ever."""

    selectable: Literal["any", "white_only"] = "any"
    round_limit: Annotated[int, Meta(ge=0, le=10_000)] = 60
    at_limit: Literal["draw", "fewest_white"] = "draw"


class Select(Move, frozen=True):
    """Choose, or choose anew, a square of the own board; it withdraws a commit."""

    at: Annotated[str, Meta(pattern="^[a-hA-H][1-8]$", max_length=2)]  # `$` alone lets a final line feed in


class Commit(Move, frozen=True):
    """Stand by the selection."""


class LaidOut(Event, ChanceEvent, frozen=True):
    """Both boards start with this layout (8 rows, the top one first), which this draw of chance decided."""

    board: tuple[str, ...]
    draw: DrawNumber


class Selected(Event, SeatEvent, frozen=True):
    """A seat selected a square, which only this seat knows; a commit of its is withdrawn."""

    seat: Seat
    at: Annotated[str | UnsetType, Hidden.FROM_OTHERS] = UNSET


class Committed(Event, SeatEvent, frozen=True):
    """A seat stands by its selection."""

    seat: Seat


class Turned(Event, frozen=True):
    """On one board a disc was turned `to` black or white, and the discs it trapped with it.

    In half 1 the board's owner selected the disc, in half 2 the opponent.
    """

    board: Colour
    half: Literal[1, 2]
    at: str
    to: Literal["B", "W"]
    trapped: tuple[str, ...]


class RoundBegun(Event, frozen=True):
    """Both seats select anew."""

    round: int


TurncoatMove: TypeAlias = Select | Commit
TurncoatEvent: TypeAlias = LaidOut | Selected | Committed | Turned | RoundBegun | Dropped


def moves_shown(event: TurncoatEvent) -> list[tuple[Seat, TurncoatMove]]:
    """Return the selection and the commit that a board's first half shows."""
    if not isinstance(event, Turned) or event.half == 2:
        return []
    owner = SEATS[COLOURS.index(event.board)]
    return [(owner, Select(at=event.at)), (owner, Commit())]


class Side(Struct, frozen=True):
    """One seat's board and what the seat has done in this round. `at` is None where the selection isn't known."""

    white: Squares = 0
    selected: bool = False
    at: Square | None = None
    committed: bool = False


class Position(Struct, frozen=True):
    """Where a match stands; `turned` counts the told steps of the round's resolution, four to a whole round."""

    options: Options
    discs: Squares = 0
    sides: tuple[Side, Side] = (Side(), Side())
    round: int = 1
    turned: int = 0
    dropped: Dropped | None = None


class View(Struct, frozen=True):
    """What a seat or the public knows; `own_selection` is null for the public and until the seat has selected."""

    boards: dict[Colour, tuple[str, ...]]
    round: int
    black: dict[Colour, int]
    selected: dict[Colour, bool]
    committed: dict[Colour, bool]
    own_selection: Square | None


def view(position: Position, seat: Seat | None) -> View:
    """Return all that is public, and the own selection to its owner."""
    discs, (red, yellow) = position.discs, position.sides
    return View(
        boards={"red": draw_board(discs, red.white), "yellow": draw_board(discs, yellow.white)},
        round=position.round,
        black={"red": (discs & ~red.white).bit_count(), "yellow": (discs & ~yellow.white).bit_count()},
        selected={"red": red.selected, "yellow": yellow.selected},
        committed={"red": red.committed, "yellow": yellow.committed},
        own_selection=None if seat is None else position.sides[seat].at,
    )
