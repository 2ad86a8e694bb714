"""The values of Ternio: options, moves, events, the position and its view."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.domain.boards import capture_game
from service.domain.boards.capture_game import GridNames, Owned, scores
from service.domain.game import Dropped, Event, Passed, Seat

GRID = GridNames("abcdefghi", 9, ".rgb")
GEOMETRY = GRID.geometry


def rows(owned: Owned) -> tuple[str, ...]:
    """Return the board as rows in wire form, the top row first."""
    red, green, blue = owned
    return GRID.rows(red | blue, green | blue)


def read_rows(drawn: Sequence[str]) -> Owned:
    """Return the owned cells of a board in wire form."""
    red, green, blue = GRID.read(drawn, "rgb")
    return red, green, blue


COLOURS = ("red", "green", "blue")


LayoutName = Literal["even", "first", "latin"]
"""The name of a layout never changes its meaning; another layout gets another name."""

Block: TypeAlias = tuple[str, str, str]
"""The rows d6-f6, d5-f5, d4-f4, three discs of each colour."""

LAYOUTS: Mapping[LayoutName, Block] = {
    # Of all 192 layouts the one from which bots of equal strength are closest to winning a third each:
    # docs/ternio-start.md.
    "even": ("bgb", "grr", "grb"),
    # The default before `even`; rooms that were opened with it keep it.
    "first": ("bbg", "grg", "brr"),
    # A cyclic Latin square, for comparison. It is symmetric about its diagonal d4-f6, so it is not the default.
    "latin": ("gbr", "rgb", "brg"),
}


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options: the layout of the first nine discs."""

    start: LayoutName = "even"
    """The layout of the first nine discs."""


class Place(capture_game.Place, frozen=True):
    """Place a disc on an empty square."""

    at: Annotated[
        str, Meta(pattern="^[a-iA-I][1-9]$", max_length=2)
    ]  # the length, because `$` also matches before a line feed


class LaidOut(Event, frozen=True):
    """The start layout was placed on the board: nine rows, the top row first."""

    board: tuple[str, ...]
    """Nine rows, the top row first: `.` is empty, `r`, `g` and `b` are discs."""


class Placed(capture_game.Placed, frozen=True):
    """A seat placed a disc, and the captured discs turned to its colour."""


TernioEvent: TypeAlias = LaidOut | Placed | Passed | Dropped


Position: TypeAlias = capture_game.Position
"""Who owns which squares, whose turn it is, and which seats have dropped out."""


class Scores(Struct, frozen=True):
    """The number of discs by seat."""

    red: int
    """Red's discs."""
    green: int
    """Green's discs."""
    blue: int
    """Blue's discs."""


class View(Struct, frozen=True):
    """The view of all audiences: nine rows, the top row first, and the scores."""

    board: tuple[str, ...]
    """Nine rows, the top row first: `.` is empty, `r`, `g` and `b` are discs."""
    scores: Scores
    """The number of discs by seat."""


def view(position: Position, _seat: Seat | None) -> View:
    """Return the view, which is the same for all audiences."""
    return View(rows(position.owned), Scores(*scores(position)))
