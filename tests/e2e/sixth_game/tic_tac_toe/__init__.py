"""Tic-Tac-Toe is played by two seats, **cross** and **nought**, on a board of 3 by 3 squares. Cross begins.

Mark an empty square. Who has three marks in a line has won; if the board is full before that, it is a draw. If you
leave the match, the other seat has won.
"""

from typing import Annotated

from msgspec import Meta, Struct, convert

from service.domain.chance import Chance
from service.domain.game import Dropped, DropReason, Event, Game, Move, Notation, Outcome, Rejected, Seat, SeatEvent
from service.domain.geometry import Geometry, Point
from service.domain.presentation import GameTexts

CELLS = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
LINES = ("012", "345", "678", "036", "147", "258", "048", "246")
"""The lines, each as the numbers of its cells."""

GEOMETRY = Geometry(
    kind="grid",
    width=3,
    height=3,
    cells=tuple(Point(name, number % 3 + 0.5, number // 3 + 0.5) for number, name in enumerate(CELLS)),
)


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """There is nothing to choose."""


class Place(Move, frozen=True):
    """Mark an empty square."""

    at: Annotated[str, Meta(pattern=r"^[a-cA-C][1-3](?!\n)$")]


class Placed(Event, SeatEvent, frozen=True):
    """A seat marked a square."""

    seat: Seat
    at: str


TicTacToeEvent = Placed | Dropped


class Position(Struct, frozen=True):
    """The marks in the order of the cells: `x`, `o`, or `.` for none; and who left the match."""

    marks: str = "." * 9
    dropped: Dropped | None = None

    @property
    def turn(self) -> Seat:
        """The seat to move while the match is running."""
        return Seat((9 - self.marks.count(".")) % 2)


class View(Struct, frozen=True):
    """The view of all audiences: three rows, the top row first."""

    board: tuple[str, ...]


def decide(position: Position, seat: Seat, move: Place) -> list[TicTacToeEvent]:
    """Return the mark. Raises `Rejected`."""
    if seat not in to_move(position):
        raise Rejected("not_your_turn")
    at = move.at.lower()
    if position.marks[CELLS.index(at)] != ".":
        raise Rejected("occupied", at=at)
    return [Placed(seat, at)]


def evolve(position: Position, event: TicTacToeEvent) -> Position:
    """Copy an event into the position."""
    if isinstance(event, Dropped):
        return Position(position.marks, event)
    at = CELLS.index(event.at)
    return Position(position.marks[:at] + "xo"[event.seat] + position.marks[at + 1 :], position.dropped)


def to_move(position: Position) -> tuple[Seat, ...]:
    """Return the seat to move; none when the match is over."""
    return (position.turn,) if outcome(position) is None else ()


def legal_moves(position: Position, seat: Seat) -> list[Place]:
    """Return the empty squares."""
    if seat not in to_move(position):
        return []
    return [Place(name) for name, mark in zip(CELLS, position.marks, strict=True) if mark == "."]


def outcome(position: Position) -> Outcome | None:
    """Return who has three in a line or is the last one left, a draw on a full board; None before that."""
    if position.dropped:
        return Outcome(position.dropped.reason, (2, 1) if position.dropped.seat == 0 else (1, 2))
    for line in LINES:
        marks = {position.marks[int(number)] for number in line}
        if len(marks) == 1 and "." not in marks:
            return Outcome("line", (1, 2) if marks == {"x"} else (2, 1))
    return None if "." in position.marks else Outcome("full", (1, 1))


def drop(_position: Position, seat: Seat, reason: DropReason) -> list[TicTacToeEvent]:
    """Return the seat's drop-out, which ends the match."""
    return [Dropped(seat, reason)]


def view(position: Position, _seat: Seat | None) -> View:
    """Return the view, which is the same for all audiences."""
    return View((position.marks[6:], position.marks[3:6], position.marks[:3]))


def draw(shown: View) -> str:
    """Return the board as text."""
    return GEOMETRY.sketch(dict(zip(CELLS, "".join(reversed(shown.board)).upper(), strict=True)))


def read(text: str) -> Place:
    """Parse a move."""
    return convert({"type": "place", "at": text}, Place)


def no_setup(_options: Options, _chance: Chance) -> list[TicTacToeEvent]:
    """Return no events: the board is empty at the start."""
    return []


def moves_shown(event: TicTacToeEvent) -> list[tuple[Seat, Place]]:
    """Return the mark of an event."""
    return [(event.seat, Place(event.at))] if isinstance(event, Placed) else []


GAME: Game[Options, Position, Place, TicTacToeEvent] = Game(
    slug="tic_tac_toe",
    texts=GameTexts(
        title="Tic-Tac-Toe",
        tagline="Three marks in a line.",
        summary=("Mark an empty square.", "Squares are never cleared.", "Three of your marks in a line win."),
        rules=__doc__,
        endings={"line": "Three marks in a line.", "full": "The board is full: a draw."},
        refusals={"occupied": "That place is not empty."},
    ),
    rules_version=1,
    options=Options,
    move=Place,
    event=TicTacToeEvent,
    geometry=GEOMETRY,
    seats=lambda _options: ("cross", "nought"),
    start=lambda _options: Position(),
    setup=no_setup,
    decide=decide,
    evolve=evolve,
    to_move=to_move,
    legal_moves=legal_moves,
    outcome=outcome,
    view=view,
    drop=drop,
    moves_shown=moves_shown,
    notation=Notation(draw=draw, spell=lambda move: move.at.lower(), read=read),
)
