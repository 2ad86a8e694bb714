"""Connect Four is played by two seats, **red** and **yellow**, on a board that stands upright. Red begins.

## Your turn

The board has seven columns, `a` to `g`, of six squares each. Name a column that is not full: your disc falls to its
lowest empty square and stays there for the rest of the match.

## The end

Who gets four discs of their colour in an unbroken line, across, upright or slanting, has won; the option `length`
asks for five instead. If the board is full before that, both share the first place.

If you leave the match, the other seat has won.
"""

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import Struct, convert

from service.domain.chance import Chance
from service.domain.game import Dropped, DropReason, Event, Game, Move, Notation, Outcome, Rejected, Seat, SeatEvent
from service.domain.geometry import Geometry, Point
from service.domain.presentation import GameTexts

Column = Literal["a", "b", "c", "d", "e", "f", "g"]
COLUMNS: tuple[Column, ...] = get_args(Column)
HEIGHT = 6
COLOURS = ("red", "yellow")
STEPS = ((1, 0), (0, 1), (1, 1), (1, -1))
"""Right, up, right and up, right and down; backwards they are the other four directions."""

REFUSALS: Mapping[str, str] = {"column_full": "No square of that column is empty."}

GEOMETRY = Geometry(
    kind="grid",
    width=len(COLUMNS),
    height=HEIGHT,
    cells=tuple(
        Point(f"{letter}{row + 1}", column + 0.5, row + 0.5)
        for row in range(HEIGHT)
        for column, letter in enumerate(COLUMNS)
    ),
)


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """What a room may choose: how many discs make a line."""

    length: Literal[4, 5] = 4


class Place(Move, frozen=True):
    """Let a disc fall into a column."""

    column: Column


class Placed(Event, SeatEvent, frozen=True):
    """A seat's disc fell onto a square; `line` are the squares of the lines that it completed."""

    seat: Seat
    at: str
    line: tuple[str, ...]


ConnectFourEvent = Placed | Dropped


class Position(Struct, frozen=True):
    """The discs from the bottom up, column by column, as their colours' letters, and what has ended the match."""

    length: int
    columns: tuple[str, ...] = ("",) * len(COLUMNS)
    line: tuple[str, ...] = ()
    dropped: Dropped | None = None

    @property
    def turn(self) -> Seat:
        """Whose turn it is while the match goes on: red's after an even number of discs."""
        return Seat(sum(map(len, self.columns)) % 2)


class View(Struct, frozen=True):
    """What everyone sees: six rows, the top row first, and the line that has won."""

    board: tuple[str, ...]
    line: tuple[str, ...]


def seats(_options: Options) -> tuple[str, ...]:
    """Return the colours in turn order."""
    return COLOURS


def start(options: Options) -> Position:
    """Return the empty board."""
    return Position(options.length)


def setup(_options: Options, _chance: Chance) -> list[ConnectFourEvent]:
    """Lay nothing on the board."""
    return []


def decide(position: Position, seat: Seat, move: Place) -> list[ConnectFourEvent]:
    """Check a column, and return where the disc lands and which line it completes."""
    if seat not in to_move(position):
        raise Rejected("not_your_turn")
    column = COLUMNS.index(move.column)
    row = len(position.columns[column])
    if row == HEIGHT:
        raise Rejected("column_full", column=move.column)
    return [Placed(seat, f"{move.column}{row + 1}", completed(position, seat, column, row))]


def completed(position: Position, seat: Seat, column: int, row: int) -> tuple[str, ...]:
    """Return the squares of all lines that a disc of `seat` completes there, in the board's order."""
    squares: set[tuple[int, int]] = set()
    for right, up in STEPS:
        before = run(position, seat, (column, row), (-right, -up))
        after = run(position, seat, (column, row), (right, up))
        if len(before) + 1 + len(after) >= position.length:
            squares |= {*before, (column, row), *after}
    return tuple(f"{COLUMNS[x]}{y + 1}" for x, y in sorted(squares))


def run(position: Position, seat: Seat, start_at: tuple[int, int], step: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the squares beyond one, in one direction, that hold the seat's discs without a gap."""
    found: list[tuple[int, int]] = []
    x, y = start_at[0] + step[0], start_at[1] + step[1]
    while 0 <= x < len(COLUMNS) and 0 <= y < len(position.columns[x]) and position.columns[x][y] == COLOURS[seat][0]:
        found.append((x, y))
        x, y = x + step[0], y + step[1]
    return found


def evolve(position: Position, event: ConnectFourEvent) -> Position:
    """Copy an event into the position."""
    match event:
        case Placed(seat, at, line):
            columns = zip(COLUMNS, position.columns, strict=True)
            discs = tuple(discs + COLOURS[seat][0] if name == at[0] else discs for name, discs in columns)
            return Position(position.length, discs, line, position.dropped)
        case Dropped():
            return Position(position.length, position.columns, position.line, event)


def to_move(position: Position) -> tuple[Seat, ...]:
    """Return whose turn it is, nobody once the match is over."""
    return (position.turn,) if outcome(position) is None else ()


def legal_moves(position: Position, seat: Seat) -> list[Place]:
    """Return every column that is not full, from a to g."""
    if seat not in to_move(position):
        return []
    columns = zip(COLUMNS, position.columns, strict=True)
    return [Place(letter) for letter, column in columns if len(column) < HEIGHT]


def outcome(position: Position) -> Outcome | None:
    """Return who won by a line or is the last one left, a draw on a full board, None while the match goes on."""
    if position.dropped:
        return Outcome(position.dropped.reason, (2, 1) if position.dropped.seat == 0 else (1, 2))
    if position.line:
        return Outcome("line", (2, 1) if position.turn == 0 else (1, 2))
    full = all(len(column) == HEIGHT for column in position.columns)
    return Outcome("no_legal_move", (1, 1)) if full else None


def view(position: Position, _seat: Seat | None) -> View:
    """Return what everyone may see: all of it."""
    columns = [column.ljust(HEIGHT, ".") for column in position.columns]
    return View(tuple("".join(row) for row in zip(*columns, strict=True))[::-1], position.line)


def drop(_position: Position, seat: Seat, reason: DropReason) -> list[ConnectFourEvent]:
    """Let a seat leave, which ends the match."""
    return [Dropped(seat, reason)]


def draw(shown: View) -> str:
    """Draw the board with each disc as its colour's letter."""
    discs = zip(GEOMETRY.cells, "".join(reversed(shown.board)), strict=True)
    return GEOMETRY.sketch({cell.name: disc.upper() for cell, disc in discs})


def read(text: str) -> Place:
    """Read a move: the letter of its column."""
    return convert({"type": "place", "column": text.lower()}, Place)


def moves_shown(event: ConnectFourEvent) -> list[tuple[Seat, Place]]:
    """Return the disc that fell."""
    return [(event.seat, convert({"type": "place", "column": event.at[0]}, Place))] if isinstance(event, Placed) else []


GAME: Game[Options, Position, Place, ConnectFourEvent] = Game(
    slug="connect_four",
    texts=GameTexts(
        title="Connect Four",
        tagline="Drop discs into columns until four are in a row.",
        summary=(
            "Drop a disc into a column; it falls to the lowest free cell.",
            "A full column takes no more discs.",
            "Four of your discs in a row, in any direction, win.",
        ),
        rules=__doc__,
        endings={"line": "Four in a line.", "no_legal_move": "The board is full: a draw."},
        refusals=REFUSALS,
    ),
    rules_version=1,
    options=Options,
    move=Place,
    event=ConnectFourEvent,
    geometry=GEOMETRY,
    seats=seats,
    start=start,
    setup=setup,
    decide=decide,
    evolve=evolve,
    to_move=to_move,
    legal_moves=legal_moves,
    outcome=outcome,
    view=view,
    drop=drop,
    moves_shown=moves_shown,
    notation=Notation(draw=draw, spell=lambda move: move.column, read=read),
)
