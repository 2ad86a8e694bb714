"""What Ternio and Triboard share: three seats in turn capture runs of one opponent's cells along lines.

A seat that cannot capture is passed over, and the match is over when no seat can. The seat with the most cells wins.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

from msgspec import Struct, convert
from msgspec.structs import asdict

from service.domain.boards.captures import CaptureLines, Cells, GridNames, Owned, split_cells, take
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
from service.domain.presentation import Picture

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
        self, grid: GridNames, colours: tuple[str, ...], place: type[M], placed: type[Placed], ending: str
    ) -> None:
        self.grid = grid
        self.lines = CaptureLines(grid.board, grid.stride)
        self.moves: Mapping[Cells, M] = {cell: place(name) for cell, name in grid.names.items()}
        self._colours = colours
        self._place = place
        self._placed = placed
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

    def evolve(self, position: Position, event: Placed | Passed | Dropped) -> Position:
        """Copy an event into the position; the event of a layout is handled by the game."""
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

    def to_move(self, position: Position) -> tuple[Seat, ...]:
        """Return the seat to move; none once no remaining seat can capture or only one seat is left."""
        if len(position.dropped) > 1:
            return ()
        seats = (position.turn, *(seat for seat in SEATS if seat not in position.dropped))
        return (position.turn,) if any(self._can_move(position, seat) for seat in seats) else ()

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
    return tuple(cells.bit_count() for cells in position.owned)


def spell(move: Place) -> str:
    """Return a move as text: its cell."""
    return move.at.lower()
