"""What a match of Triboard is made of: options, moves, events, the position and its view."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from service.domain.chance import DrawNumber
from service.domain.game import ChanceEvent, Dropped, DropReason, Event, Move, Passed, Seat, SeatEvent
from service.domain.games.triboard.board import Board, rows

COLOURS = ("blue", "red", "green")
SEATS = (Seat(0), Seat(1), Seat(2))


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What a room may choose: whether the first seat is drawn or blue."""

    first: Literal["random", "blue"] = "random"


class Place(Move, frozen=True):
    """Take an empty cell by jumping from it."""

    at: Annotated[str, Meta(pattern=r"^[a-pA-P](1[01]|[1-9])(?!\n)$")]  # a bare `$` would let a line feed pass


class LaidOut(Event, ChanceEvent, frozen=True):
    """The drawn layout, eleven rows with the top row first, and the seat that begins."""

    board: tuple[str, ...]
    first: Seat
    draw: DrawNumber


class Placed(Event, SeatEvent, frozen=True):
    """A seat took a cell and the cells that it jumped over from there."""

    seat: Seat
    at: str
    captured: tuple[str, ...]


TriboardEvent: TypeAlias = LaidOut | Placed | Passed | Dropped


def moves_shown(event: TriboardEvent) -> list[tuple[Seat, Place]]:
    """Return the cell that was jumped from."""
    return [(event.seat, Place(event.at))] if isinstance(event, Placed) else []


class Position(Struct, frozen=True):
    """The board, whose turn it is while the match goes on, and who dropped out, in that order."""

    board: Board = Board()
    turn: Seat = SEATS[0]
    dropped: tuple[Seat, ...] = ()
    dropped_because: DropReason | None = None
    """The reason of the latest drop-out, which is the match's reason when one seat is left."""


class Scores(Struct, frozen=True):
    """The number of cells by seat."""

    blue: int
    red: int
    green: int


class View(Struct, frozen=True):
    """What everyone sees: eleven rows, the top row first, and the scores."""

    board: tuple[str, ...]
    scores: Scores


def view(position: Position, _seat: Seat | None) -> View:
    """Return what everyone may see: all of it."""
    blue, red, green = position.board.owned
    return View(rows(position.board), Scores(blue.bit_count(), red.bit_count(), green.bit_count()))
