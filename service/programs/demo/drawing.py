"""Boards as text, drawn from the API's state and the catalogue's geometry, without knowledge of the game."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from service.programs.demo.api import Json


@dataclass(frozen=True)
class Glyph:
    """The content of a cell: one or two characters, and the name of their colour."""

    text: str
    colour: str = ""


Board = dict[str, Glyph]
"""The content of each cell; missing cells are empty."""

# Foreground colours of a terminal; orange and violet need the 256-colour palette.
PAINTS = {
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "orange": "38;5;208",
    "violet": "38;5;135",
    "white": "97",
    "black": "90",
    "dim": "2",
    "bold": "1",
}
PEG_COLOURS = {
    "R": "red",
    "O": "orange",
    "Y": "yellow",
    "G": "green",
    "B": "blue",
    "V": "violet",
    "W": "white",
    "K": "black",
}
DISC_COLOURS = {"B": "black", "W": "white"}
DISC, WALL, EMPTY = "●", "▒", "·"


def paint(text: str, colour: str, *, coloured: bool) -> str:
    """Return text in a colour, if colours are used and this one is known."""
    return f"\x1b[{PAINTS[colour]}m{text}\x1b[0m" if coloured and colour in PAINTS else text


def drawing(state: Json, geometry: Json, colours: Sequence[str], *, coloured: bool) -> list[str]:
    """Return the lines of a state's boards side by side; `colours` are the seats' names."""
    boards = contents(state, colours, disc="" if not coloured else DISC)
    if not boards:
        return [json.dumps({name: value for name, value in state.items() if name != "last"})[:200]]
    names = [name for name in boards if len(boards) > 1]
    heads = [paint(f"{name:^{width_of(geometry)}}", name, coloured=coloured) for name in names]
    blocks = [board_lines(board, geometry, coloured=coloured) for board in boards.values()]
    lines = ["   ".join(parts) for parts in zip(*blocks, strict=True)]
    return [*(["   ".join(heads)] if heads else []), *lines]


def contents(state: Json, colours: Sequence[str], disc: str) -> dict[str, Board]:
    """Return the content of each board from any of the API's four forms of state; without `disc` with letters."""
    by_letter = DISC_COLOURS | {colour[0]: colour for colour in colours}
    match state:
        case {"boards": boards}:
            return {name: from_rows(rows, by_letter, disc) for name, rows in boards.items()}
        case {"board": rows}:
            return {"board": from_rows(rows, by_letter, disc)}
        case {"points": points}:
            return {"board": {name: Glyph(disc or man[0], man) for name, man in points.items() if man}}
        case {"cells": cells}:
            return {"board": {name: peg(cell, colours) for name, cell in cells.items()}}
    return {}


def from_rows(rows: Sequence[str], by_letter: Mapping[str, str], disc: str) -> Board:
    """Return the content of a board in rows, the top row first."""
    board: Board = {}
    for y, row in enumerate(rows):
        for x, letter in enumerate(row):
            name = f"{chr(97 + x)}{len(rows) - y}"
            if letter == "#":
                board[name] = Glyph(WALL, "dim")
            elif letter != ".":
                board[name] = Glyph(disc or letter, by_letter.get(letter, ""))
    return board


def peg(cell: Json, colours: Sequence[str]) -> Glyph:
    """Return a peg: its upper side and its owner's number."""
    return Glyph(f"{cell['up']}{colours.index(cell['owner']) + 1}", PEG_COLOURS.get(cell["up"], ""))


def board_lines(board: Board, geometry: Json, *, coloured: bool) -> list[str]:
    """Return a board's lines: the rows from the top with their numbers, then the columns' letters."""
    columns, step = geometry["width"], step_of(geometry)
    canvas = canvas_of(board, geometry, coloured=coloured)
    labels = row_labels(geometry)
    lines = []
    for y in reversed(range(geometry["height"])):
        row = "".join(canvas.get((x, y), " ") for x in range(columns * step))
        lines.append(paint(f"{labels.get(y, ''):>2} ", "dim", coloured=coloured) + row)
    letters = "".join(f"{letter:<{step}}" for letter in column_labels(geometry))
    return [*lines, paint("   " + letters, "dim", coloured=coloured)]


def canvas_of(board: Board, geometry: Json, *, coloured: bool) -> dict[tuple[int, int], str]:
    """Return the characters of the drawing by column, to the right, and row, upwards."""
    step = step_of(geometry)
    canvas: dict[tuple[int, int], str] = {}
    places = {cell["name"]: (int(cell["x"]) * step, int(cell["y"])) for cell in geometry["cells"]}
    for start, end in geometry["edges"]:
        (x, y), (to_x, to_y) = sorted((places[start], places[end]))
        if y == to_y:
            canvas |= dict.fromkeys(((at, y) for at in range(x, to_x)), paint("─", "dim", coloured=coloured))
        elif x == to_x:
            canvas |= dict.fromkeys(((x, at) for at in range(y, to_y)), paint("│", "dim", coloured=coloured))
    for name, (x, y) in places.items():
        glyph = board.get(name, Glyph(EMPTY, "dim"))
        canvas[x, y] = paint(glyph.text[0], glyph.colour, coloured=coloured)
        if len(glyph.text) > 1:
            canvas[x + 1, y] = glyph.text[1]
    return canvas


def step_of(geometry: Json) -> int:
    """Return the width of a column in characters: greater if there are lines between the cells."""
    return 3 if geometry["edges"] or geometry["width"] < 7 else 2


def width_of(geometry: Json) -> int:
    """Return the width of a board's line in characters."""
    return 3 + int(geometry["width"]) * step_of(geometry)


def row_labels(geometry: Json) -> dict[int, str]:
    """Return the number at the end of the cells' names, by row."""
    return {int(cell["y"]): cell["name"][1:] for cell in geometry["cells"]}


def column_labels(geometry: Json) -> list[str]:
    """Return the letter at the beginning of the cells' names, by column."""
    letters = {int(cell["x"]): cell["name"][0] for cell in geometry["cells"]}
    return [letters.get(column, " ") for column in range(geometry["width"])]
