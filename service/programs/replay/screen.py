"""Boards and sentences on a terminal, with colours, and without control characters from the match."""

import os
import re
from collections.abc import Sequence
from itertools import zip_longest
from typing import TextIO

PAINTS = {"red": "31", "green": "32", "yellow": "33", "blue": "34", "white": "97", "black": "90"}
"""The colour codes of a terminal, by the name of a seat."""

CHANGED = "7"
CLEAR = "\x1b[H\x1b[2J"


class Screen:
    """An output that shows one board after another; with colours, at the same place."""

    def __init__(self, out: TextIO, seats: Sequence[str]) -> None:
        """Show on `out`, in colour if it is a terminal and NO_COLOR is not set."""
        self._out = out
        self._seats = [seat for seat in seats if seat in PAINTS]
        self._coloured = out.isatty() and not os.environ.get("NO_COLOR")
        self._last = ""

    def say(self, line: str) -> None:
        """Write a line."""
        self._write(f"{self._named(line)}\n")

    def show(self, lines: Sequence[str], board: str) -> None:
        """Write the events and the board."""
        lines = [self._named(line) for line in lines]
        drawn = self._paint_board(board) if self._coloured else printable(board)
        before = CLEAR if self._coloured and self._last else "\n"
        self._write(before + "\n".join([*lines, *drawn.splitlines(), ""]))
        self._last = board

    def _write(self, text: str) -> None:
        self._out.write(text)
        self._out.flush()

    def _named(self, line: str) -> str:
        """Return a line with the seats' names in their colours."""
        safe = printable(line)
        if not self._coloured or not self._seats:
            return safe
        return re.sub(rf"\b({'|'.join(self._seats)})\b", lambda name: paint(name[0], PAINTS[name[0]]), safe)

    def _paint_board(self, board: str) -> str:
        """Return a board with changed characters reversed, and with pieces in their seats' colours."""
        lines = printable(board).splitlines()
        before = printable(self._last or board).splitlines()
        pairs = [(line, old.ljust(len(line))) for line, old in zip_longest(lines, before[: len(lines)], fillvalue="")]
        return "\n".join("".join(self._character(line, at, old[at]) for at in range(len(line))) for line, old in pairs)

    def _character(self, line: str, at: int, old: str) -> str:
        """Return one character of a line, painted; a single capital is a piece of the seat with that initial."""
        character, around = line[at], line[max(0, at - 1) : at] + line[at + 1 : at + 2]
        seat = next((seat for seat in self._seats if seat[0].upper() == character), None)
        colour = PAINTS[seat] if seat and not any(map(str.isalnum, around)) else ""
        return paint(character, ";".join(code for code in (colour, CHANGED if character != old else "") if code))


def paint(text: str, codes: str) -> str:
    """Return text in a style."""
    return f"\x1b[{codes}m{text}\x1b[0m" if codes else text


def printable(text: str) -> str:
    """Return text without characters that could move the cursor or change other lines."""
    return "".join(character if character == "\n" or character.isprintable() else "?" for character in text)
