"""The basic rules of Tic-Tac-Rainbow, one per test.

A peg is drawn as its owner's number, the side that is up and the side underneath: `1RO` is seat one's red-and-orange
peg showing red.
"""

from collections import Counter

import msgspec
import pytest

from service.domain.chance import Chance, DrawNumber
from service.domain.game import Rejected, Seat
from service.domain.games.rainbow import GAME
from service.domain.games.rainbow.board import CELLS, GEOMETRIES, GEOMETRY, LINES
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


def parse_cells(drawing: str) -> Cells:
    """Return the cells of a drawing with five lines, the top row first."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    assert [len(row) for row in rows] == [3, 5, 5, 5, 3]
    faces = tuple(None if cell == "." else PEG_DRAWN[cell] for row in reversed(rows) for cell in row)
    pegs = [(face.owner, face.peg) for face in faces if face]
    assert len(set(pegs)) == len(pegs), "each peg is on one cell"
    return faces


def parse_position(
    drawing: str, turn: Seat = ONE, options: Options | None = None, die: Colour | None = None
) -> Position:
    """Return the position of a drawing, with this seat to move and, with `dice`, this colour rolled."""
    drawn_cells = parse_cells(drawing)
    state = GAME.start(options or Options())
    on_board = tuple(
        sum(PEG_BIT[face.peg] for face in drawn_cells if face and face.owner == seat)
        for seat in range(len(state.rests))
    )
    return msgspec.structs.replace(state, cells=drawn_cells, on_board=on_board, turn=turn, die=die)


def draw(state: Position) -> str:
    """Return the board as it is drawn in these tests."""
    tokens = [f"{face.owner + 1}{face.up}{face.hidden}" if face else " . " for face in state.cells]
    rows = [tokens[18:], tokens[13:18], tokens[8:13], tokens[3:8], tokens[:3]]
    return "\n".join(("    " if len(row) == 3 else "") + " ".join(row) for row in rows)


def looks_like(state: Position, drawing: str) -> bool:
    """Return whether the board looks like a drawing."""
    return draw(state).split() == drawing.split()


def play_moves(state: Position, *moves: RainbowMove) -> Position:
    """Return the position after these moves in turn, before any roll that follows the last one."""
    for move in moves:
        for event in GAME.decide(state, state.turn, move):
            state = GAME.evolve(state, event)
    return state


def event_of(state: Position, move: RainbowMove) -> RainbowEvent:
    """Return the only event of a move."""
    (event,) = GAME.decide(state, state.turn, move)
    return event


def refusal(state: Position, move: RainbowMove, seat: Seat | None = None) -> str:
    """Return the code with which a move is rejected; it is made by the seat to move unless another one is given."""
    with pytest.raises(Rejected) as refused:
        GAME.decide(state, state.turn if seat is None else seat, move)
    assert refused.value.code == "not_your_turn" or refused.value.code in GAME.texts.refusals
    return refused.value.code


def view_of(state: Position) -> View:
    """Return the public view."""
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
    """Each is three neighbours in a row; the hexagonal grid lacks the diagonals down to the right."""
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


def test_the_hexagonal_board_has_rows_of_2_3_4_3_4_3_2() -> None:
    """Cells touch six neighbours, one unit away: those in a row, a column or a diagonal of the square board.

    Each line of the geometry runs straight. (Rules: `grid`.)
    """
    board = GEOMETRIES["hex"]
    middles = {cell.name: complex(cell.x, cell.y) for cell in board.cells}
    rows = Counter(round(middle.imag, 3) for middle in middles.values())
    assert [rows[row] for row in sorted(rows)] == [2, 3, 4, 3, 4, 3, 2]
    touching = {(a, b) for a in CELLS for b in CELLS if abs(abs(middles[a] - middles[b]) - 1) < 0.001}
    steps = {(ord(b[0]) - ord(a[0]), int(b[1]) - int(a[1])) for a, b in touching}
    assert steps == {(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)}
    assert board.lines == LINES["hex"]
    for a, b, c in board.lines:
        assert abs(middles[a] - 2 * middles[b] + middles[c]) < 0.001
    assert min(m.imag for m in middles.values()) == pytest.approx(0.577, abs=0.001)


@pytest.mark.parametrize("name", ["a1", "e1", "a5", "e5", "f3", "c0", "c6", "c3\n", "c", "c33", ""])
def test_a_cell_off_the_board_is_rejected_on_decoding(name: str) -> None:
    """It does not match the schema, so it does not reach the rules."""
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "flip", "at": name}, GAME.move)


def test_a_cell_may_be_written_in_either_case() -> None:
    """The event has it in lower case."""
    move = msgspec.convert({"type": "move", "from": "C4", "to": "E2"}, GAME.move)
    assert event_of(parse_position(SOME_PEGS), move) == Moved(ONE, "RO", "R", "c4", "e2")


# A turn


def test_the_first_turn_places_a_coloured_peg_on_any_cell_with_either_side_up() -> None:
    """Six pegs, two sides, 21 cells."""
    state = parse_position(EMPTY)
    legal = list(GAME.legal_moves(state, ONE))
    pegs = [peg for peg in PEGS if peg != "WK"]
    assert sorted(legal, key=repr) == sorted(
        (Place(peg, side, at) for peg in pegs for side in SIDES[peg] for at in CELLS), key=repr
    )
    assert GAME.legal_moves(state, TWO) == ()
    assert event_of(state, Place("BV", "V", "c3")) == Placed(ONE, "BV", "V", "c3")


def test_a_turn_is_one_action() -> None:
    """Then it is the other seat's turn, which acts on its own pegs only."""
    state = play_moves(parse_position(SOME_PEGS), Place("VR", "V", "a2"))
    assert GAME.to_move(state) == (TWO,)
    assert refusal(state, Flip("a2"), ONE) == "not_your_turn"
    assert refusal(state, Flip("a2")) == "not_your_peg"
    assert refusal(state, Shift("c4", "c3")) == "not_your_peg"
    assert refusal(state, Flip("e2")) == "not_your_peg"


def test_flipping_shows_the_underside_in_place() -> None:
    """Orange is up then; the same peg flipped again shows red."""
    event = event_of(parse_position(SOME_PEGS), Flip("c4"))
    assert event == Flipped(ONE, "RO", "O", "c4")
    assert looks_like(GAME.evolve(parse_position(SOME_PEGS), event), SOME_PEGS.replace("1RO", "1OR"))
    assert event_of(parse_position(SOME_PEGS.replace("1RO", "1OR")), Flip("c4")) == Flipped(ONE, "RO", "R", "c4")


def test_a_peg_moves_to_any_empty_cell_with_the_same_side_up() -> None:
    """From the top to the opposite corner of the board, past all others."""
    after = """
         .  2GB  .
     .   .  1RO  .   .
    2OY  .   .   .   .
     .   .   .   .   .
        1KW  .   .
    """
    assert event_of(parse_position(SOME_PEGS), Shift("d3", "b1")) == Moved(ONE, "WK", "K", "d3", "b1")
    assert looks_like(play_moves(parse_position(SOME_PEGS), Shift("d3", "b1")), after)


def test_no_two_pegs_share_a_cell() -> None:
    """Neither by placing nor by moving; moving to the same cell is no move."""
    assert refusal(parse_position(SOME_PEGS), Place("OY", "Y", "c5")) == "occupied"
    assert refusal(parse_position(SOME_PEGS), Shift("c4", "a3")) == "occupied"
    assert refusal(parse_position(SOME_PEGS), Shift("c4", "c4")) == "same_cell"


def test_a_peg_is_placed_once() -> None:
    """The opponent's peg with the same colours is a different one."""
    assert refusal(parse_position(SOME_PEGS), Place("RO", "R", "a2")) == "peg_on_board"
    assert event_of(parse_position(SOME_PEGS), Place("OY", "O", "a2")) == Placed(ONE, "OY", "O", "a2")


def test_a_peg_has_only_its_two_sides() -> None:
    """Green is not on the blue-and-violet peg."""
    assert refusal(parse_position(EMPTY), Place("BV", "G", "c3")) == "no_such_side"


FIVE_COLOURED = """
         .   .   .
     .  2RO  .   .   .
    1RO 1YO  .  1GY 1BG
     .  1VB  .   .   .
         .  2WK  .
"""


def test_the_white_and_black_peg_is_placed_after_the_six_coloured_ones() -> None:
    """One has five on the board; with the sixth the last peg can be placed with either side up."""
    state = parse_position(FIVE_COLOURED)
    assert refusal(state, Place("WK", "W", "c2")) == "coloured_pegs_first"
    state = play_moves(state, Place("VR", "V", "c5"), Flip("b4"))
    assert event_of(state, Place("WK", "K", "c2")) == Placed(ONE, "WK", "K", "c2")
    assert Place("WK", "W", "c2") in GAME.legal_moves(state, ONE)


# On the wire


def test_all_audiences_see_cells_pegs_and_sides() -> None:
    """The pegs in hand are listed by seat in the order of the rainbow."""
    assert msgspec.to_builtins(GAME.view(parse_position(SOME_PEGS), TWO)) == {
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


def test_moves_and_events_have_the_documented_json_fields() -> None:
    """An event has the peg and the side that is up, so it can be drawn by itself."""
    assert msgspec.to_builtins(Shift("a3", "b1")) == {"type": "move", "from": "a3", "to": "b1"}
    assert msgspec.to_builtins(Place("RO", "O", "b1")) == {"type": "place", "peg": "RO", "side": "O", "at": "b1"}
    assert msgspec.to_builtins(event_of(parse_position(SOME_PEGS), Shift("c4", "e2"))) == {
        "type": "moved",
        "seat": 0,
        "peg": "RO",
        "side": "R",
        "from": "c4",
        "to": "e2",
        "line": None,
        "ends": None,
    }
