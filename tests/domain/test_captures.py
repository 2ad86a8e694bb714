"""The capture lines of a board agree with reading each line as a word."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.boards.capture_game import CaptureLines, Owned, split_cells, take
from service.domain.search.evaluation import Grid

WIDTH, HEIGHT = 6, 5
STRIDE = WIDTH + 1
CELLS = {(x, y): 1 << x + STRIDE * y for y in range(HEIGHT) for x in range(WIDTH)}
DIRECTIONS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]

DRAWN = st.text("012.#", min_size=WIDTH * HEIGHT, max_size=WIDTH * HEIGHT)
"""A seat's number, a dot for an empty cell or # for a wall, row by row."""


def cells_of(drawn: str, kind: str) -> int:
    """Return the set of the cells of one kind."""
    return sum(cell for cell, letter in zip(CELLS.values(), drawn, strict=True) if letter == kind)


def parse_board(drawn: str) -> tuple[CaptureLines, Owned, int]:
    """Return a board's lines, the owners of its cells, and its empty cells."""
    lines = CaptureLines(sum(CELLS.values()) & ~cells_of(drawn, "#"), STRIDE)
    return lines, (cells_of(drawn, "0"), cells_of(drawn, "1"), cells_of(drawn, "2")), cells_of(drawn, ".")


def captures_by_words(drawn: str, seat: int, x: int, y: int) -> int:
    """Return what a seat captures from a cell: in each direction the word of one opponent before its own letter."""
    letters, found = dict(zip(CELLS, drawn, strict=True)), 0
    one, other = sorted({"0", "1", "2"} - {str(seat)})
    for dx, dy in DIRECTIONS:
        places = [(x + dx * far, y + dy * far) for far in range(1, WIDTH)]
        word = "".join(letters.get(place, "#") for place in places)
        if run := re.match(f"({one}+|{other}+){seat}", word):
            found |= sum(CELLS[place] for place in places[: len(run[1])])
    return found


@pytest.mark.parametrize("seat", range(3))
@given(DRAWN)
def test_a_run_of_one_opponent_before_an_own_cell_is_captured(seat: int, drawn: str) -> None:
    """From every empty cell, in all directions at once; walls, gaps and the edge end a run."""
    lines, owned, _ = parse_board(drawn)
    for (x, y), kind in zip(CELLS, drawn, strict=True):
        if kind == ".":
            assert lines.captures(owned, seat, CELLS[x, y]) == captures_by_words(drawn, seat, x, y)


@pytest.mark.parametrize("seat", range(3))
@given(DRAWN)
def test_the_legal_cells_are_those_that_capture(seat: int, drawn: str) -> None:
    """Computed for one seat, for all seats at once as in the bots, and whether there are any."""
    lines, owned, empty = parse_board(drawn)
    legal = sum(at for at in split_cells(empty) if lines.captures(owned, seat, at))
    assert lines.capturing_cells(owned, empty, seat) == legal
    assert Grid(lines.board, STRIDE).reach(owned, empty)[seat] == legal
    assert lines.can_capture(owned, empty, seat) == (legal != 0)


@pytest.mark.parametrize("seat", range(3))
def test_captured_cells_change_their_owner(seat: int) -> None:
    """The seat's own cells stay its own."""
    owned = take((0b000_0111, 0b011_1000, 0b100_0000), seat, 0b101_1010)
    assert owned[seat] & 0b101_1010 == 0b101_1010
    assert sum(owned) == owned[0] | owned[1] | owned[2] == 0b111_1111
    assert [own & 0b010_0101 for own in owned] == [0b000_0101, 0b010_0000, 0]
