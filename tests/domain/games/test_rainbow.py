"""Tic-Tac-Rainbow's plain rules, each said once.

A peg is drawn as its owner's number, the side that is up and the side underneath: `1RO` is seat one's red-and-orange
peg showing red.
"""

import msgspec
import pytest

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Rejected, Seat
from service.domain.games.rainbow import GAME
from service.domain.games.rainbow.board import CELLS, GEOMETRY, LINES
from service.domain.games.rainbow.model import (
    FACES,
    PEG_BIT,
    PEGS,
    SIDES,
    Cells,
    Colour,
    Flip,
    Flipped,
    Moved,
    Options,
    Place,
    Placed,
    Position,
    RainbowEvent,
    RainbowMove,
    Shift,
    View,
)

ONE, TWO, THREE = Seat(0), Seat(1), Seat(2)

EMPTY = """
         .   .   .
     .   .   .   .   .
     .   .   .   .   .
     .   .   .   .   .
         .   .   .
"""


def chance(seed: int = 0) -> Chance:
    """Return the chance of a match with this seed and no salts."""
    return Chance(seed.to_bytes(32, "big"), ["", ""], DrawNumber(0))


PEG_DRAWN = {f"{owner + 1}{up}{peg.replace(up, '')}": face for (owner, peg, up), face in FACES.items()}


def cells(drawing: str) -> Cells:
    """Read a board: five lines, the top row first."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    assert [len(row) for row in rows] == [3, 5, 5, 5, 3]
    faces = tuple(None if drawn == "." else PEG_DRAWN[drawn] for row in reversed(rows) for drawn in row)
    pegs = [(face.owner, face.peg) for face in faces if face]
    assert len(set(pegs)) == len(pegs), "each peg stands on one cell"
    return faces


def table(drawing: str, turn: Seat = ONE, options: Options | None = None, die: Colour | None = None) -> Position:
    """Return the position in which it is this seat's turn, and with `dice` this colour was rolled."""
    standing = cells(drawing)
    state = GAME.start(options or Options())
    on_board = tuple(
        sum(PEG_BIT[face.peg] for face in standing if face and face.owner == seat) for seat in range(len(state.rests))
    )
    return msgspec.structs.replace(state, cells=standing, on_board=on_board, turn=turn, die=die)


def drawn(state: Position) -> str:
    """Return the board as it is drawn in these tests."""
    tokens = [f"{face.owner + 1}{face.up}{face.hidden}" if face else " . " for face in state.cells]
    rows = [tokens[18:], tokens[13:18], tokens[8:13], tokens[3:8], tokens[:3]]
    return "\n".join(("    " if len(row) == 3 else "") + " ".join(row) for row in rows)


def same(state: Position, drawing: str) -> bool:
    """Tell whether the board looks like this."""
    return drawn(state).split() == drawing.split()


def played(state: Position, *moves: RainbowMove) -> Position:
    """Return the position after these moves in turn, before any roll that follows the last."""
    for move in moves:
        for event in GAME.decide(state, state.turn, move):
            state = GAME.evolve(state, event)
    return state


def told(state: Position, move: RainbowMove) -> RainbowEvent:
    """Return the one event that a move leads to."""
    (event,) = GAME.decide(state, state.turn, move)
    return event


def refusal(state: Position, move: RainbowMove, seat: Seat | None = None) -> str:
    """Return the code that the move is refused with, for the seat to move unless another is named."""
    with pytest.raises(Rejected) as refused:
        GAME.decide(state, state.turn if seat is None else seat, move)
    assert refused.value.code == "not_your_turn" or refused.value.code in GAME.refusals
    return refused.value.code


def shown(state: Position) -> View:
    """Return the state as everybody sees it."""
    return msgspec.convert(msgspec.to_builtins(GAME.view(state, None)), View)


SOME_PEGS = """
         .  2GB  .
     .   .  1RO  .   .
    2OY  .   .  1KW  .
     .   .   .   .   .
         .   .   .
"""


# The board


@pytest.mark.parametrize(("grid", "count"), [("square", 36), ("hex", 29)])
def test_a_grid_has_this_many_lines(grid: str, count: int) -> None:
    """Each is three neighbours in a row; on the hexagonal grid the diagonals down to the right are missing."""
    lines = LINES["hex" if grid == "hex" else "square"]
    assert len(set(lines)) == len(lines) == count
    steps = set()
    for a, b, c in lines:
        step = ord(b[0]) - ord(a[0]), int(b[1]) - int(a[1])
        assert step == (ord(c[0]) - ord(b[0]), int(c[1]) - int(b[1]))
        steps.add(step)
    assert steps == {(1, 0), (0, 1), (1, 1)} | ({(1, -1)} if grid == "square" else set())


def test_the_board_is_five_by_five_without_its_corners() -> None:
    """21 cells, each drawn where its name says."""
    assert [point.name for point in GEOMETRY.cells] == list(CELLS)
    assert set(CELLS) == {column + row for column in "abcde" for row in "12345"} - {"a1", "a5", "e1", "e5"}
    assert {point.name: (point.x, point.y) for point in GEOMETRY.cells}["e2"] == (4.5, 1.5)


@pytest.mark.parametrize("name", ["a1", "e1", "a5", "e5", "f3", "c0", "c6", "c3\n", "c", "c33", ""])
def test_a_cell_off_the_board_is_no_move_at_all(name: str) -> None:
    """It doesn't fit the schema, so it never comes to the rules."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "flip", "at": name}, GAME.move)


def test_a_cell_may_be_written_in_either_case() -> None:
    """The event tells it in lower case."""
    move = msgspec.convert({"type": "move", "from": "C4", "to": "E2"}, GAME.move)
    assert told(table(SOME_PEGS), move) == Moved(ONE, "RO", "R", "c4", "e2")


# A turn


def test_the_first_turn_places_a_coloured_peg_on_any_cell_with_either_side_up() -> None:
    """Six pegs, two sides, 21 cells."""
    state = table(EMPTY)
    legal = list(GAME.legal_moves(state, ONE))
    pegs = [peg for peg in PEGS if peg != "WK"]
    assert sorted(legal, key=repr) == sorted(
        (Place(peg, side, at) for peg in pegs for side in SIDES[peg] for at in CELLS), key=repr
    )
    assert GAME.legal_moves(state, TWO) == ()
    assert told(state, Place("BV", "V", "c3")) == Placed(ONE, "BV", "V", "c3")


def test_a_turn_is_one_action_and_then_the_other_seats_turn() -> None:
    """Seat two acts on its own pegs only."""
    state = played(table(SOME_PEGS), Place("VR", "V", "a2"))
    assert GAME.to_move(state) == (TWO,)
    assert refusal(state, Flip("a2"), ONE) == "not_your_turn"
    assert refusal(state, Flip("a2")) == "not_your_peg"
    assert refusal(state, Shift("c4", "c3")) == "not_your_peg"
    assert refusal(state, Flip("e2")) == "not_your_peg"


def test_flipping_shows_the_underside_in_place() -> None:
    """Orange comes up; the same peg flipped again shows red."""
    event = told(table(SOME_PEGS), Flip("c4"))
    assert event == Flipped(ONE, "RO", "O", "c4")
    assert same(GAME.evolve(table(SOME_PEGS), event), SOME_PEGS.replace("1RO", "1OR"))
    assert told(table(SOME_PEGS.replace("1RO", "1OR")), Flip("c4")) == Flipped(ONE, "RO", "R", "c4")


def test_a_peg_moves_to_any_empty_cell_with_the_same_side_up() -> None:
    """From the top to the far corner of the board, past all others."""
    after = """
         .  2GB  .
     .   .  1RO  .   .
    2OY  .   .   .   .
     .   .   .   .   .
        1KW  .   .
    """
    assert told(table(SOME_PEGS), Shift("d3", "b1")) == Moved(ONE, "WK", "K", "d3", "b1")
    assert same(played(table(SOME_PEGS), Shift("d3", "b1")), after)


def test_no_two_pegs_share_a_cell() -> None:
    """Neither by placing nor by moving, and staying is no move."""
    assert refusal(table(SOME_PEGS), Place("OY", "Y", "c5")) == "occupied"
    assert refusal(table(SOME_PEGS), Shift("c4", "a3")) == "occupied"
    assert refusal(table(SOME_PEGS), Shift("c4", "c4")) == "same_cell"


def test_a_peg_is_placed_once() -> None:
    """The opponent's peg of the same colours is another one."""
    assert refusal(table(SOME_PEGS), Place("RO", "R", "a2")) == "peg_on_board"
    assert told(table(SOME_PEGS), Place("OY", "O", "a2")) == Placed(ONE, "OY", "O", "a2")


def test_a_peg_has_only_its_two_sides() -> None:
    """Green is not on the blue-and-violet peg."""
    assert refusal(table(EMPTY), Place("BV", "G", "c3")) == "no_such_side"


FIVE_COLOURED = """
         .   .   .
     .  2RO  .   .   .
    1RO 1YO  .  1GY 1BG
     .  1VB  .   .   .
         .  2WK  .
"""


def test_the_white_and_black_peg_waits_for_all_six_coloured_pegs_of_its_owner() -> None:
    """One has five on the board; with the sixth both of the last peg's sides may come."""
    state = table(FIVE_COLOURED)
    assert refusal(state, Place("WK", "W", "c2")) == "coloured_pegs_first"
    state = played(state, Place("VR", "V", "c5"), Flip("b4"))
    assert told(state, Place("WK", "K", "c2")) == Placed(ONE, "WK", "K", "c2")
    assert Place("WK", "W", "c2") in GAME.legal_moves(state, ONE)


# On the wire


def test_everybody_sees_cells_pegs_and_sides() -> None:
    """The pegs in hand are listed by seat in the order of the rainbow."""
    assert msgspec.to_builtins(GAME.view(table(SOME_PEGS), TWO)) == {
        "cells": {
            "a3": {"owner": "two", "peg": "OY", "up": "O"},
            "d3": {"owner": "one", "peg": "WK", "up": "K"},
            "c4": {"owner": "one", "peg": "RO", "up": "R"},
            "c5": {"owner": "two", "peg": "GB", "up": "G"},
        },
        "off_board": {"one": ("OY", "YG", "GB", "BV", "VR"), "two": ("RO", "YG", "BV", "VR", "WK")},
        "resting": {"one": (), "two": ()},
        "die": None,
        "line": None,
    }


def test_moves_and_events_have_their_names_on_the_wire() -> None:
    """An event tells the peg and the side that is up, so it can be drawn by itself."""
    assert msgspec.to_builtins(Shift("a3", "b1")) == {"type": "move", "from": "a3", "to": "b1"}
    assert msgspec.to_builtins(Place("RO", "O", "b1")) == {"type": "place", "peg": "RO", "side": "O", "at": "b1"}
    assert msgspec.to_builtins(told(table(SOME_PEGS), Shift("c4", "e2"))) == {
        "type": "moved",
        "seat": 0,
        "peg": "RO",
        "side": "R",
        "from": "c4",
        "to": "e2",
        "line": None,
        "ends": None,
    }
