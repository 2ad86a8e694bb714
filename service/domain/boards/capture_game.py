"""Capture games, as Ternio and Triboard are: three seats in turn capture runs of one opponent's cells along lines.

A seat that cannot capture is passed over, and the match is over when no seat can. The seat with the most cells wins.
A board is a bit set: the cells in rows, in which each row has one bit more than cells.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeAlias, TypeVar, cast

from msgspec import Struct, convert
from msgspec.structs import asdict

from service.domain.game import (
    Dropped,
    DropReason,
    Event,
    Move,
    Notation,
    Outcome,
    Passed,
    Rejected,
    Seat,
    SeatEvent,
    next_seat,
    rank,
)
from service.domain.geometry import Geometry, Point
from service.domain.presentation import Picture

Cells: TypeAlias = int
"""A set of cells as bits; a single cell is a set with one bit."""

Owned: TypeAlias = tuple[Cells, Cells, Cells]
"""The cells of each seat, in turn order."""


class CaptureLines:
    """A board with rows of `stride` bits, and the lines on it in all eight directions."""

    def __init__(self, board: Cells, stride: int) -> None:
        """`board` has the cells that can be owned."""
        self.board = board
        self.stride = stride
        self.steps = (1, stride - 1, stride, stride + 1)
        """The left shifts for right, up-left, up and up-right; right shifts are the opposite directions."""
        self._lane = board.bit_length() + stride + 2
        """The distance in bits between two boards in one integer, so that no line continues from one into the other."""
        self._rays = {
            at: [(ray[0], ray[1:]) for ray in self._rays_from(at) if len(ray) > 1] for at in split_cells(board)
        }
        """By cell and direction, the adjacent cell and the cells after it; only directions in which there are both."""

    def _rays_from(self, start: Cells) -> Iterator[list[Cells]]:
        """Yield for each direction the cells from one cell to the edge of the board."""
        for step in self.steps:
            for up in (True, False):
                ray, at = [], start
                while (at := at << step if up else at >> step) & self.board:
                    ray.append(at)
                yield ray

    def capturing_cells(self, owned: Owned, empty: Cells, seat: int) -> Cells:
        """Return the empty cells from which a seat captures."""
        reached = beyond_runs(*self._pair_boards(owned, seat), self.steps)
        return (reached | reached >> self._lane) & empty

    def can_capture(self, owned: Owned, empty: Cells, seat: int) -> bool:
        """Return whether there are such cells; faster than `capturing_cells`, as it stops at the first direction."""
        own, opponents = self._pair_boards(owned, seat)
        either = empty | empty << self._lane
        return any(beyond_runs(own, opponents, (step,)) & either for step in self.steps)

    def _pair_boards(self, owned: Owned, seat: int) -> tuple[Cells, Cells]:
        """Return two boards in one integer, twice: the seat's cells on both, and one opponent's cells on each."""
        own, lane = owned[seat], self._lane
        return own | own << lane, owned[seat - 1] | owned[seat - 2] << lane

    def captures(self, owned: Owned, seat: int, at: Cells) -> Cells:
        """Return what a seat captures from the cell `at`: unbroken runs of one opponent that end before an own cell."""
        own, one, other = owned[seat], owned[seat - 1], owned[seat - 2]
        either = one | other
        captured = 0
        for adjacent, beyond in self._rays[at]:
            if adjacent & either:
                opponent, run = one if adjacent & one else other, adjacent
                for cell in beyond:
                    if not cell & opponent:
                        if cell & own:
                            captured |= run
                        break
                    run |= cell
        return captured


def beyond_runs(own: Cells, opponents: Cells, steps: Sequence[int]) -> Cells:
    """Return the cells right after runs of opponents' cells that begin next to an own cell, in both directions."""
    reached = 0
    for step in steps:
        run = own << step & opponents
        while run:
            run <<= step
            reached |= run
            run &= opponents
        run = own >> step & opponents
        while run:
            run >>= step
            reached |= run
            run &= opponents
    return reached


def take(owned: Owned, seat: int, cells: Cells) -> Owned:
    """Return the owned cells after a seat took these cells."""
    first, second, third = owned
    kept = ~cells
    if seat == 0:
        return first | cells, second & kept, third & kept
    if seat == 1:
        return first & kept, second | cells, third & kept
    return first & kept, second & kept, third | cells


def split_cells(cells: Cells) -> list[Cells]:
    """Return the cells of a set one by one, in the order of their bits."""
    found = []
    while cells:
        cell = cells & -cells
        found.append(cell)
        cells ^= cell
    return found


class GridNames:
    """The names of a board's cells, ordered from a1 along the rows, and the letters for what can be on them."""

    def __init__(self, columns: str, height: int, letters: str) -> None:
        """Accept at most eight letters, whose indices are their numbers."""
        width = len(columns)
        self.stride = width + 1
        self.names: dict[Cells, str] = {
            1 << column + self.stride * row: f"{name}{row + 1}"
            for row in range(height)
            for column, name in enumerate(columns)
        }
        self.cells = {name: cell for cell, name in self.names.items()}
        self.board = sum(self.names)
        points = [Point(name, columns.index(name[0]) + 0.5, int(name[1:]) - 0.5) for name in self.cells]
        self.geometry = Geometry(kind="grid", width=width, height=height, cells=tuple(points))
        self._letter_of_digit = str.maketrans("012345678"[: len(letters) + 1], letters + " ")
        self._margin = len(letters) * sum(16 ** (self.stride * row + width) for row in range(height))

    def names_of(self, cells: Cells) -> tuple[str, ...]:
        """Return the names of a set's cells, ordered from a1 along the rows."""
        return tuple(map(self.names.__getitem__, split_cells(cells)))

    def cells_of(self, names: Iterable[str]) -> Cells:
        """Return the set of these cells."""
        return sum(map(self.cells.__getitem__, names))

    def rows(self, *digits: Cells) -> tuple[str, ...]:
        """Return the board as rows of letters, the top row first.

        Set number n of `digits` contains the cells whose letter's number has bit n.
        """
        numbers = self._margin
        for place, cells in enumerate(digits):
            numbers += int(f"{cells:b}", 16) << place
        hex_digits = f"{numbers:x}"[::-1]  # one hex digit per cell, the last cell of the top row first
        return tuple(hex_digits.translate(self._letter_of_digit).split()[::-1])

    def letters(self, rows: Sequence[str]) -> dict[str, str]:
        """Return the letter on each cell, by the cell's name, of a board as rows, the top row first."""
        return dict(zip(self.cells, "".join(reversed(rows)), strict=True))

    def read(self, rows: Sequence[str], letters: str) -> list[Cells]:
        """Return for each of these letters the cells that have it, of a board as rows, the top row first."""
        letters_shown = self.letters(rows).items()
        return [self.cells_of(name for name, letter in letters_shown if letter == wanted) for wanted in letters]

    def draw(self, rows: Sequence[str]) -> str:
        """Return a board as text with capital letters, from its rows, the top row first."""
        return self.geometry.sketch({name: letter.upper() for name, letter in self.letters(rows).items()})


SEATS = (Seat(0), Seat(1), Seat(2))


class Place(Move, frozen=True):
    """Take an empty cell from which something is captured. Each game restricts `at` to the names of its cells."""

    at: str


class Placed(Event, SeatEvent, frozen=True):
    """A seat took a cell, and captured other cells from there."""

    seat: Seat
    at: str
    captured: tuple[str, ...]
    """The places that were captured."""


class Position(Struct, frozen=True):
    """A position: who owns which cells, whose turn it is, and which seats have dropped out."""

    owned: Owned
    empty: Cells
    """The cells that no seat owns, without walls."""
    turn: Seat = SEATS[0]
    """The seat to move, while the match is running."""
    dropped: tuple[Seat, ...] = ()
    """In the order in which they dropped out."""
    dropped_because: DropReason | None = None
    """The reason of the latest drop-out, which is the result's reason if only one seat is left."""


M = TypeVar("M", bound=Place)
E = TypeVar("E", bound=Event)


class CaptureGame(Generic[M, E]):
    """The functions of a capture game on one board; its layouts are its own, and `E` is the union of all its events."""

    def __init__(
        self,
        grid: GridNames,
        colours: tuple[str, ...],
        place: type[M],
        placed: type[Placed],
        begin: Callable[[Any], Position],
        ending: str,
    ) -> None:
        """`begin` returns the first position, from the event of a layout."""
        self.grid = grid
        self.lines = CaptureLines(grid.board, grid.stride)
        self.moves: Mapping[Cells, M] = {cell: place(name) for cell, name in grid.names.items()}
        self._colours = colours
        self._place = place
        self._placed = placed
        self._begin = begin
        self._ending = ending
        # Each position is evaluated several times: who is to move, who is passed over, the legal moves of each viewer.
        self.can_capture = lru_cache(maxsize=1024)(self.lines.can_capture)
        self.capturing_cells = lru_cache(maxsize=1024)(self.lines.capturing_cells)

    def seats(self, _options: object) -> tuple[str, ...]:
        """Return the colours in turn order."""
        return self._colours

    def start(self, _options: object) -> Position:
        """Return the empty board."""
        return Position(owned=(0, 0, 0), empty=self.grid.board)

    def decide(self, position: Position, seat: Seat, move: M) -> list[E]:
        """Return the move's event with its captures, and the passes after it. Raises `Rejected`."""
        if seat not in self.to_move(position):
            raise Rejected("not_your_turn")
        at = move.at.lower()
        cell = self.grid.cells[at]
        if not cell & position.empty:
            raise Rejected("occupied", at=at)
        captured = self.lines.captures(position.owned, seat, cell)
        if not captured:
            raise Rejected("captures_nothing", at=at)
        placed = self._placed(seat=seat, at=at, captured=self.grid.names_of(captured))
        return self._with_passes(position, placed)

    def drop(self, position: Position, seat: Seat, reason: DropReason) -> list[E]:
        """Return the seat's drop-out, and the passes after it if it was that seat's turn."""
        return self._with_passes(position, Dropped(seat=seat, reason=reason))

    def _with_passes(self, position: Position, event: Placed | Dropped) -> list[E]:
        """Return an event, and the passes before the next seat that can capture; none if the match is over."""
        events: list[Placed | Passed | Dropped] = [event]
        position = self.evolve(position, event)
        while not self._can_move(position, position.turn) and self.to_move(position):
            passed = Passed(seat=position.turn)
            events.append(passed)
            position = self.evolve(position, passed)
        return cast("list[E]", events)  # the events of every capture game include these

    def evolve(self, position: Position, event: Event) -> Position:
        """Copy an event into the position."""
        owned, empty, turn = position.owned, position.empty, position.turn
        dropped, because = position.dropped, position.dropped_because
        match event:
            case Placed(seat, at, captured):
                cell = self.grid.cells[at]
                owned = take(owned, seat, cell | self.grid.cells_of(captured))
                return Position(owned, empty & ~cell, next_seat(seat, 3, dropped), dropped, because)
            case Passed(seat):
                return Position(owned, empty, next_seat(seat, 3, dropped), dropped, because)
            case Dropped(seat, reason):
                dropped = (*dropped, seat)
                return Position(owned, empty, next_seat(seat, 3, dropped) if seat == turn else turn, dropped, reason)
            case _:
                return self._begin(event)

    def to_move(self, position: Position) -> tuple[Seat, ...]:
        """Return the seat to move; none once no remaining seat can capture or only one seat is left."""
        if len(position.dropped) > 1:
            return ()
        if self._can_move(position, position.turn) or any(
            self._can_move(position, seat) for seat in SEATS if seat not in position.dropped
        ):
            return (position.turn,)
        return ()

    def _can_move(self, position: Position, seat: Seat) -> bool:
        return self.can_capture(position.owned, position.empty, seat)

    def legal_moves(self, position: Position, seat: Seat) -> list[M]:
        """Return every legal move of the seat, ordered from a1 along the rows."""
        if seat != position.turn or len(position.dropped) > 1:
            return []
        return [self.moves[cell] for cell in split_cells(self.capturing_cells(position.owned, position.empty, seat))]

    def outcome(self, position: Position) -> Outcome | None:
        """Return the outcome, None while the match is running. Seats rank by cells, dropped ones after all others."""
        if self.to_move(position):
            return None
        points = scores(position)
        last_one_left = len(position.dropped) > 1 and position.dropped_because
        return Outcome(last_one_left or self._ending, rank(points, position.dropped), points)

    def moves_shown(self, event: E) -> list[tuple[Seat, M]]:
        """Return the move of an event, if it is one."""
        return [(event.seat, self._place(event.at))] if isinstance(event, Placed) else []

    def notation(self, picture: Callable[[Any], Picture]) -> Notation[M]:
        """Return the text form: a move is its cell, a board its rows with the scores below."""

        def draw(view: Any) -> str:
            counts = ", ".join(f"{colour} {count}" for colour, count in asdict(view.scores).items())
            return f"{self.grid.draw(view.board)}\n{counts}"

        def read(text: str) -> M:
            return convert({"type": "place", "at": text}, self._place)

        return Notation(draw=draw, spell=spell, read=read, picture=picture)


def scores(position: Position) -> tuple[int, ...]:
    """Return how many cells each seat owns."""
    return tuple(map(int.bit_count, position.owned))


def spell(move: Place) -> str:
    """Return a move as text: its cell."""
    return move.at.lower()
