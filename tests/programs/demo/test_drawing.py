"""The demo draws any game from the API's state and the catalogue's geometry."""

from io import StringIO
from typing import Any

import pytest

from service.programs.demo.display import Stage
from service.programs.demo.drawing import drawing
from service.programs.demo.narration import result_words, sentence

COLOURS = ("red", "green")


class Terminal(StringIO):
    """An output that is a terminal."""

    def isatty(self) -> bool:
        """Return True."""
        return True


def grid(width: int, height: int, *missing: str) -> dict[str, Any]:
    """Return the geometry of a grid without some cells."""
    names = {f"{chr(97 + x)}{y + 1}": (x, y) for y in range(height) for x in range(width)}
    cells = [{"name": name, "x": x + 0.5, "y": y + 0.5} for name, (x, y) in names.items() if name not in missing]
    return {"kind": "grid", "width": width, "height": height, "cells": cells, "edges": [], "boards": ["board"]}


def log_drawing(state: dict[str, Any], geometry: dict[str, Any]) -> str:
    """Return a drawing without colours, as in a log."""
    return "\n".join(line.rstrip() for line in drawing(state, geometry, COLOURS, coloured=False))


def view(*rows: str, status: str = "playing") -> dict[str, Any]:
    """Return the part of a room's view that is drawn."""
    seats = [{"colour": colour} for colour in COLOURS]
    return {"seats": seats, "match": {"status": status, "state": {"board": rows}}}


def test_rows_are_drawn_from_the_top_with_walls_and_empty_squares() -> None:
    """`board`: the first string is the top row."""
    drawn = log_drawing({"board": ["r.#....", "..g...."]}, grid(7, 2))
    assert drawn == " 2 r · ▒ · · · ·\n 1 · · g · · · ·\n   a b c d e f g"


def test_two_boards_are_drawn_side_by_side_under_their_names() -> None:
    """`boards`: one per name."""
    drawn = log_drawing({"boards": {"red": ["BW....."], "green": ["W......"]}}, grid(7, 1))
    assert drawn.splitlines()[1] == " 1 B W · · · · ·     1 W · · · · · ·"
    assert drawn.splitlines()[0].split() == ["red", "green"]


def test_lines_are_drawn_between_joined_points() -> None:
    """`points`: a graph with its edges; each man is shown by the first letter of his colour."""
    square = grid(3, 3, "b1", "b2", "c2", "b3")
    square["edges"] = [["a1", "c1"], ["a3", "a1"], ["a3", "c3"]]
    drawn = log_drawing({"points": {"a1": "red", "c1": "green", "a3": None, "c3": None, "a2": None}}, square)
    assert drawn == " 3 ·─────·\n 2 ·\n 1 r─────g\n   a     c"


def test_pegs_show_their_upper_side_and_their_owner() -> None:
    """`cells`: only the occupied ones; the board has no a1."""
    drawn = log_drawing({"cells": {"b1": {"owner": "green", "peg": "RO", "up": "O"}}}, grid(2, 2, "a1"))
    assert drawn == " 2 ·  ·\n 1    O2\n   a  b"


def test_a_state_of_an_unknown_shape_is_printed_unchanged() -> None:
    """A game whose state has none of the four known shapes can still be played and shown."""
    assert log_drawing({"heaps": [3, 4], "last": []}, grid(1, 1)) == '{"heaps": [3, 4]}'


@pytest.mark.parametrize(
    ("event", "said"),
    [
        ({"type": "placed", "seat": 1, "at": "c3", "captured": ["c4", "c5"]}, "green placed c3 and took c4 c5"),
        ({"type": "moved", "seat": 0, "from": "a1", "to": "a4"}, "red moved a1 to a4"),
        ({"type": "passed", "seat": 0}, "red cannot move and is passed over"),
        ({"type": "turned", "board": "red", "at": "a1", "trapped": []}, "red turned a1"),
        ({"type": "flipped", "seat": 0, "peg": "RO", "side": "O", "at": "b2"}, "red flipped RO showing O b2"),
        ({"type": "rolled", "seat": 0, "value": 6, "draw": 2}, "red rolled 6"),
        ({"type": "placed", "seat": 0, "at": "a1", "mills": [["a1", "a4", "a7"]]}, "red placed a1 and closed a1-a4-a7"),
        ({"type": "laid_out", "board": []}, ""),
        ({"type": "heap_taken", "seat": 1}, "green heap taken"),
    ],
)
def test_events_are_described_in_words(event: dict[str, Any], said: str) -> None:
    """Including events of unknown games."""
    assert sentence(event, COLOURS) == said


def test_a_result_names_every_winner() -> None:
    """One, several, or all of them, which is a draw."""
    result = {"reason": "most_discs", "scores": [3, 0.5], "winners": [0]}
    assert result_words(result, COLOURS) == "red wins (most_discs, 3 : 0.5)"
    assert result_words({**result, "winners": [0, 1], "scores": None}, COLOURS) == "a draw (most_discs)"
    assert result_words({**result, "winners": [0, 1]}, (*COLOURS, "blue")).startswith("red and green win (")


def test_a_log_shows_a_few_positions_and_every_pass() -> None:
    """The first, the last, and fewer and fewer in between, without colours and cursor movement."""
    out = StringIO()
    stage = Stage(out)
    stage.open("A game", grid(7, 1))
    shapes = [f"{number:07b}".replace("0", ".").replace("1", "r") for number in range(1, 41)]
    for shape in shapes:
        stage.show(view(shape), [{"type": "passed", "seat": 0}])
    stage.show(view("ggggggg", status="finished"), [])
    log = out.getvalue()
    assert log.count(" 1 ") == 1 + 3 + 1  # the start; the 8th, 16th and 32nd change; the end
    assert log.count("red cannot move and is passed over") == len(shapes)
    assert "\x1b" not in log


def test_a_terminal_is_redrawn_in_place_and_in_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    """The second frame begins by moving the cursor up."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    out = Terminal()
    stage = Stage(out)
    stage.open("A game", grid(7, 1))
    stage.show(view("r......"), [])
    assert "\x1b[31m●" in out.getvalue()
    first = out.getvalue().count("\x1b[2K")
    stage.show(view("r.....r"), [])
    assert f"\x1b[{first}A\x1b[2K" in out.getvalue()


def test_no_color_is_respected_on_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then letters distinguish the discs."""
    monkeypatch.setenv("NO_COLOR", "1")
    out = Terminal()
    stage = Stage(out)
    stage.open("A game", grid(7, 1))
    stage.show(view("r.....g"), [])
    assert "r · · · · · g" in out.getvalue()
    assert "\x1b[3" not in out.getvalue()
