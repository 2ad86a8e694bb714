"""What a match of Ternio is made of: options, moves, events, the position and its view."""

from collections.abc import Mapping
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.domain.boards import capture_game
from service.domain.boards.capture_game import scores
from service.domain.game import Dropped, Event, Passed, Seat
from service.domain.games.ternio.board import rows

COLOURS = ("red", "green", "blue")


LayoutName = Literal["even", "first", "latin"]
"""A name, once given, means the same block for ever; a better layout gets a name of its own."""

Block: TypeAlias = tuple[str, str, str]
"""The rows d6-f6, d5-f5, d4-f4, three discs of each colour."""

LAYOUTS: Mapping[LayoutName, Block] = {
    # Of all 192 the one from which bots of equal strength win most nearly a third each: docs/ternio-start.md.
    "even": ("bgb", "grr", "grb"),
    # The default until `even` was found; rooms that were opened with it keep it.
    "first": ("bbg", "grg", "brr"),
    # A cyclic Latin square, kept for comparison: mirrored at its diagonal d4-f6 it is the same, so never the default.
    "latin": ("gbr", "rgb", "brg"),
}


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What a room may choose: the named layout of the first nine discs."""

    start: LayoutName = "even"


class Place(capture_game.Place, frozen=True):
    """Put a disc on an empty square."""

    at: Annotated[str, Meta(pattern="^[a-iA-I][1-9]$", max_length=2)]  # the length, as `$` also lets a line feed pass


class LaidOut(Event, frozen=True):
    """The start layout lies on the board: nine rows, the top row first."""

    board: tuple[str, ...]


class Placed(capture_game.Placed, frozen=True):
    """A seat put down a disc, and the captured ones turned to its colour."""


TernioEvent: TypeAlias = LaidOut | Placed | Passed | Dropped


def moves_shown(event: TernioEvent) -> list[tuple[Seat, Place]]:
    """Return the disc that was put down."""
    return [(event.seat, Place(event.at))] if isinstance(event, Placed) else []


Position: TypeAlias = capture_game.Position
"""Who owns which squares, whose turn it is, and who dropped out."""


class Scores(Struct, frozen=True):
    """The number of discs by seat."""

    red: int
    green: int
    blue: int


class View(Struct, frozen=True):
    """What everyone sees: nine rows, the top row first, and the scores."""

    board: tuple[str, ...]
    scores: Scores


def view(position: Position, _seat: Seat | None) -> View:
    """Return what everyone may see: all of it."""
    return View(rows(position.owned), Scores(*scores(position)))
