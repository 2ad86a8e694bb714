"""The values of Triboard: options, moves, events, the position and its view."""

from collections.abc import Sequence
from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.domain.boards import capture_game
from service.domain.boards.capture_game import Cells, GridNames, Owned, scores
from service.domain.chance import DrawNumber
from service.domain.game import ChanceEvent, Dropped, Event, Passed, Seat

GRID = GridNames("abcdefghijklmnop", 11, "#.brg")
GEOMETRY = GRID.geometry


def rows(owned: Owned, empty: Cells) -> tuple[str, ...]:
    """Return the board as rows in wire form, the top row first; a cell that is neither owned nor empty is a wall."""
    blue, red, green = owned
    return GRID.rows(empty | red, blue | red, green)


def read_rows(drawn: Sequence[str]) -> tuple[Owned, Cells]:
    """Return the owned cells and the empty cells of a board in wire form."""
    empty, blue, red, green = GRID.read(drawn, ".brg")
    return (blue, red, green), empty


COLOURS = ("blue", "red", "green")


LESSON_START = (
    "b...........#gr.",
    ".#..........g.g.",
    "...rrbrb#......g",
    "........#br.gb#.",
    ".......g.......r",
    ".....#.....g....",
    ".b.g#b.........r",
    "...b....#.......",
    "...#.r..b.......",
    "..g.....r#...g..",
    "....#brr.rb#gg.b",
)
"""The layout of the lesson: the top row first, twelve cells of each colour and twelve walls."""


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options: the layout, and whether the first seat to move is drawn at random or is blue."""

    first: Literal["random", "blue"] = "random"
    """Whether the first seat to move is drawn at random or is blue."""
    start: Literal["random", "lesson"] = "random"
    """Whether the layout is drawn at random or is that of the lesson."""


class Place(capture_game.Place, frozen=True):
    """Take an empty cell by jumping from it."""

    at: Annotated[str, Meta(pattern=r"^[a-pA-P](1[01]|[1-9])(?!\n)$")]  # `$` alone also matches before a line feed


class LaidOut(Event, ChanceEvent, frozen=True):
    """The layout was drawn: eleven rows, the top row first, and the first seat to move."""

    board: tuple[str, ...]
    """Eleven rows, the top row first: `.` is empty, `#` a wall, `b`, `r` and `g` are cells of a seat."""
    first: Seat
    """The first seat to move."""
    draw: DrawNumber


class Placed(capture_game.Placed, frozen=True):
    """A seat took a cell, and the cells that it jumped over from there."""


TriboardEvent: TypeAlias = LaidOut | Placed | Passed | Dropped


Position: TypeAlias = capture_game.Position
"""Who owns which cells, whose turn it is, and which seats have dropped out."""


class Scores(Struct, frozen=True):
    """The number of cells by seat."""

    blue: int
    """Blue's cells."""
    red: int
    """Red's cells."""
    green: int
    """Green's cells."""


class View(Struct, frozen=True):
    """The view of all audiences: eleven rows, the top row first, and the scores."""

    board: tuple[str, ...]
    """Eleven rows, the top row first: `.` is empty, `#` a wall, `b`, `r` and `g` are cells of a seat."""
    scores: Scores
    """The number of cells by seat."""


def view(position: Position, _seat: Seat | None) -> View:
    """Return the view, which is the same for all audiences."""
    return View(rows(position.owned, position.empty), Scores(*scores(position)))
