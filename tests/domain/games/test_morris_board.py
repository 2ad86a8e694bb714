"""The board of Nine Men's Morris, its views and events, and helpers for the other tests.

In a drawing W and B are men and a dot is an empty point; a move is `a1` (place), `a1-a4` (move) or `xa1` (remove).
"""

from typing import Any

import msgspec
import pytest

from service.domain.game import Rejected, Seat
from service.domain.games.morris import GAME
from service.domain.games.morris.board import GEOMETRY, POINTS
from service.domain.games.morris.model import BLACK, WHITE, MorrisMove, Moved, Options, Place, Position, Remove, Shift


def board(drawing: str, hand: tuple[int, int] = (0, 0), mover: Seat = WHITE, **options: object) -> Position:
    """Return a position from a drawing, whose dots and men are the points in reading order."""
    drawn = [sign for sign in drawing if sign in ".WB"]
    assert len(drawn) == len(POINTS)
    white, black = (sum(1 << spot for spot, sign in enumerate(drawn) if sign == man) for man in "WB")
    return Position(msgspec.convert(options, Options), men=(white, black), hand=hand, mover=mover)


def parse_move(move: str) -> MorrisMove:
    """Parse a move."""
    if move[0] == "x":
        return Remove(move[1:])
    return Shift(*move.split("-")) if "-" in move else Place(move)


def event_of(state: Position, move: str) -> Any:
    """Return the only event of a move of the seat to move."""
    (event,) = GAME.decide(state, state.mover, parse_move(move))
    return event


def play_moves(state: Position, moves: str) -> Position:
    """Return the position after these moves, each by the seat to move."""
    for move in moves.split():
        state = GAME.evolve(state, event_of(state, move))
    return state


def legal_moves(state: Position) -> set[str]:
    """Return the legal moves of the seat to move."""
    return {format_move(move) for seat in GAME.to_move(state) for move in GAME.legal_moves(state, seat)}


def format_move(move: MorrisMove) -> str:
    """Return a move as text."""
    match move:
        case Place(at):
            return at
        case Shift(start, to):
            return f"{start}-{to}"
        case Remove(at):
            return f"x{at}"


def refusal(state: Position, move: str, seat: Seat | None = None) -> str:
    """Return the code with which a move is rejected; it is made by the seat to move unless another one is given."""
    with pytest.raises(Rejected) as refused:
        GAME.decide(state, state.mover if seat is None else seat, parse_move(move))
    return refused.value.code


def view_of(state: Position) -> Any:
    """Return the public view as plain JSON values."""
    return msgspec.to_builtins(GAME.view(state, None))


def test_the_board_has_24_points_and_32_edges() -> None:
    """Each point is drawn where its name says, in the middle of a unit cell; an edge joins neighbours on a line."""
    middles = {point.name: (point.x, point.y) for point in GEOMETRY.cells}
    assert (len(middles), len(GEOMETRY.edges)) == (24, 32)
    assert (middles["a1"], middles["d7"], middles["e3"]) == ((0.5, 0.5), (3.5, 6.5), (4.5, 2.5))
    assert ("a7", "d7") in GEOMETRY.edges
    assert ("c4", "e4") not in GEOMETRY.edges


@pytest.mark.parametrize("at", ["d4", "a2", "b1", "h1", "a8", "a1 ", "a1\n", "", "a", "a11"])
def test_a_point_off_the_board_is_rejected_on_decoding(at: str) -> None:
    """Before the rules see it."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "place", "at": at}, GAME.move)


@pytest.mark.parametrize("name", [*POINTS, *(name.upper() for name in POINTS)])
def test_points_are_accepted_in_either_case(name: str) -> None:
    """All 24 names decode, and events have them in lower case."""
    assert msgspec.convert({"type": "place", "at": name}, GAME.move) == Place(name)
    assert event_of(GAME.start(Options()), name).at == name.lower()


def test_moves_and_events_have_the_documented_json_fields() -> None:
    """A move has the tag `move` and the fields `from` and `to`, and so has its event."""
    assert msgspec.to_builtins(Shift("a1", "a4")) == {"type": "move", "from": "a1", "to": "a4"}
    event = Moved(BLACK, "a1", "a4", (("a7", "a4", "a1"),), 1)
    encoded = msgspec.json.encode(event)
    assert msgspec.json.decode(encoded) == {
        "type": "moved",
        "seat": 1,
        "from": "a1",
        "to": "a4",
        "mills": [["a7", "a4", "a1"]],
        "removals_owed": 1,
        "ends": None,
    }
    assert msgspec.json.decode(encoded, type=GAME.event) == event


def test_the_view_has_phases_men_mills_and_removals_owed() -> None:
    """It includes the mills of both colours, and the removal that white owes."""
    state = play_moves(board("""
        W-----W-----W
        | W---.---W |
        | | .-.-. | |
        .-.-.   .-.-.
        | | .-.-. | |
        | B---.---B |
        B-----B-----B
    """, hand=(1, 0)), "d6")  # fmt: skip
    state_shown = view_of(state)
    points = state_shown.pop("points")
    assert sorted(points) == sorted(POINTS)
    assert {name for name, man in points.items() if man == "white"} == {"a7", "d7", "g7", "b6", "d6", "f6"}
    assert {name for name, man in points.items() if man == "black"} == {"b2", "f2", "a1", "d1", "g1"}
    assert state_shown == {
        "phase": {"white": "moving", "black": "moving"},
        "hand": {"white": 0, "black": 0},
        "on_board": {"white": 6, "black": 5},
        "lost": {"white": 3, "black": 4},
        "mills": (("a7", "d7", "g7"), ("b6", "d6", "f6"), ("a1", "d1", "g1")),
        "removals_owed": 1,
    }
