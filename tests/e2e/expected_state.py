"""The final state of each known game, computed by a client from the events alone, without the rules.

Each fold copies from the events, starting with `match_started`, into the API's form of the state. It reads the events
of one viewer, so secrets are missing in both.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Json = dict[str, Any]


Squares = dict[str, str]
"""The content of each square, in reading order from the top left."""

Fold = Callable[[Sequence[Json], Sequence[str]], Json]
"""Takes a match's events and the seats' colours, and returns the state."""

MEN = 9
PEGS = ("RO", "OY", "YG", "GB", "BV", "VR", "WK")


def squares(rows: Sequence[str]) -> Squares:
    """Return the squares of a board in rows, the top row first."""
    return {f"{chr(97 + x)}{len(rows) - y}": letter for y, row in enumerate(rows) for x, letter in enumerate(row)}


def drawn(board: Squares) -> list[str]:
    """Return the rows of a board, the top row first."""
    rows: dict[int, str] = {}
    for name, letter in board.items():
        rows[int(name[1:])] = rows.get(int(name[1:]), "") + letter
    return list(rows.values())


def discs(events: Sequence[Json], colours: Sequence[str]) -> Json:
    """Fold a capture game: each seat's discs are the first letter of its colour."""
    board: Squares = {}
    for event in events:
        match event:
            case {"type": "laid_out", "board": rows}:
                board = squares(rows)
            case {"type": "placed", "seat": seat, "at": at, "captured": captured}:
                board |= dict.fromkeys([at, *captured], colours[seat][0])
    counted = Counter(board.values())
    return {"board": drawn(board), "scores": {colour: counted[colour[0]] for colour in colours}}


def two_boards(events: Sequence[Json], colours: Sequence[str]) -> Json:
    """Fold Turncoat: one board per seat, whose discs are turned."""
    boards: dict[str, Squares] = {}
    chosen: dict[int, str | None] = {}
    committed: set[int] = set()
    number = 1
    for event in events:
        match event:
            case {"type": "laid_out", "board": rows}:
                boards = {colour: squares(rows) for colour in colours}
            case {"type": "selected", "seat": seat}:
                chosen[seat] = event.get("at")
                committed.discard(seat)
            case {"type": "committed", "seat": seat}:
                committed.add(seat)
            case {"type": "turned", "board": colour, "at": at, "to": to, "trapped": trapped}:
                boards[colour] |= dict.fromkeys([at, *trapped], to)
            case {"type": "round_begun", "round": number}:
                chosen, committed = {}, set()
    return {
        "boards": {colour: drawn(board) for colour, board in boards.items()},
        "round": number,
        "black": {colour: list(board.values()).count("B") for colour, board in boards.items()},
        "selected": {colour: seat in chosen for seat, colour in enumerate(colours)},
        "committed": {colour: seat in committed for seat, colour in enumerate(colours)},
        "own_selection": next((at for at in chosen.values() if at is not None), None),
    }


def men(events: Sequence[Json], colours: Sequence[str]) -> Json:
    """Fold Nine Men's Morris: men are placed, moved and removed; a mill lasts until one of its men is gone."""
    points = dict.fromkeys((column + row for column, rows in MORRIS_POINTS.items() for row in rows), "")
    hand = dict.fromkeys(colours, MEN)
    mills: list[list[str]] = []
    owed = 0
    flying = "both"
    for event in events:
        match event:
            case {"type": "match_started", "options": {"flying": flying}}:
                pass
            case {"type": "placed", "seat": seat, "at": at}:
                points[at] = colours[seat]
                hand[colours[seat]] -= 1
            case {"type": "moved", "seat": seat, "from": start, "to": to}:
                points[start], points[to] = "", colours[seat]
                mills = [mill for mill in mills if start not in mill]
            case {"type": "removed", "at": at}:
                points[at] = ""
                mills = [mill for mill in mills if at not in mill]
        mills += event.get("mills", [])
        owed = event.get("removals_owed", owed)
    board = Counter(points.values())
    left = {colour: hand[colour] + board[colour] for colour in colours}
    return {
        "points": {name: man or None for name, man in points.items()},
        "phase": {colour: phase(colour, hand, left, flying) for colour in colours},
        "hand": hand,
        "on_board": {colour: board[colour] for colour in colours},
        "lost": {colour: MEN - left[colour] for colour in colours},
        "mills": mills,
        "removals_owed": owed,
    }


MORRIS_POINTS = {"a": "147", "b": "246", "c": "345", "d": "123567", "e": "345", "f": "246", "g": "147"}


def phase(colour: str, hand: Mapping[str, int], left: Mapping[str, int], flying: str) -> str:
    """Return what a seat does on its turns; `flying` is the option that says who may."""
    few = {"both": min(left.values()) <= 3, "reduced": left[colour] <= 3, "off": False}
    return "placing" if hand[colour] else "flying" if few[flying] else "moving"


def pegs(events: Sequence[Json], colours: Sequence[str]) -> Json:
    """Fold Tic-Tac-Rainbow with default options: pegs are placed, moved and flipped."""
    cells: dict[str, Json] = {}
    line = None
    for event in events:
        match event:
            case {"type": "placed" | "flipped", "seat": seat, "peg": peg, "side": side, "at": at}:
                cells[at] = {"owner": colours[seat], "peg": peg, "up": side}
            case {"type": "moved", "from": start, "to": to}:
                cells[to] = cells.pop(start)
        line = event.get("line", line)
    on_board = {(peg["owner"], peg["peg"]) for peg in cells.values()}
    return {
        "cells": cells,
        "off_board": {colour: [peg for peg in PEGS if (colour, peg) not in on_board] for colour in colours},
        "resting": {colour: [] for colour in colours},
        "die": None,
        "line": line,
    }


FOLDS: Mapping[str, Fold] = {
    "ternio": discs,
    "triboard": discs,
    "turncoat": two_boards,
    "morris": men,
    "rainbow": pegs,
}
"""By game; a game without one is not compared."""


def comparable(state: Json) -> Json:
    """Return a state without `last`, which repeats events, and with lists sorted whose order has no meaning."""
    kept = {name: value for name, value in state.items() if name != "last"}
    return kept | ({"mills": sorted(kept["mills"])} if "mills" in kept else {})
