"""The output of the demo: redrawn in place on a terminal, some positions in a log."""

import os
import shutil
from collections.abc import Sequence
from typing import TextIO

from service.programs.demo.api import Json
from service.programs.demo.drawing import drawing, paint
from service.programs.demo.narration import counts, passes, sentence

FIRST_FRAMES = 8
"""In a log the first frame is shown after so many changes of the board, and then whenever the number has doubled."""


class Stage:
    """Shows one match after another."""

    def __init__(self, out: TextIO) -> None:
        """Show on `out`, in colour if it is a terminal and NO_COLOR is not set."""
        self.is_terminal = out.isatty() and os.environ.get("TERM") != "dumb"
        self._out = out
        self._coloured = out.isatty() and not os.environ.get("NO_COLOR")
        self._geometry: Json = {}
        self._height = 0
        self._drawn: list[str] = []
        self._changes = 0
        self._next_frame = FIRST_FRAMES

    def say(self, text: str = "", colour: str = "") -> None:
        """Write a line."""
        self._out.write(paint(text, colour, coloured=self._coloured) + "\n")
        self._out.flush()

    def open(self, title: str, geometry: Json) -> None:
        """Start another match."""
        self._geometry, self._height, self._drawn = geometry, 0, []
        self._changes, self._next_frame = 0, FIRST_FRAMES
        self.say()
        self.say(title, "bold")

    def show(self, view: Json, events: list[Json]) -> None:
        """Show the position and the latest events, unless it is too soon after the last frame."""
        if view["match"] is None:
            return
        state, colours = view["match"]["state"], [seat["colour"] for seat in view["seats"]]
        lines = [line.rstrip() for line in drawing(state, self._geometry, colours, coloured=self._coloured)]
        sentences = "; ".join(text for event in events if (text := sentence(event, colours)))
        words = [f"   {text}" for text in (counts(state, colours), sentences)]
        if self.is_terminal:
            self._redraw([*lines, *(line[: shutil.get_terminal_size().columns - 1] for line in words)])
        elif self._is_shown_in_log(lines) or view["match"]["status"] == "finished":
            self._out.write("\n".join(["", *lines, *(line for line in words if line.strip()), ""]))
        else:
            self._out.writelines(f"   {text}\n" for text in passes(events, colours))
        self._out.flush()

    def _is_shown_in_log(self, lines: Sequence[str]) -> bool:
        """Return whether a log shows this frame: the first one, and then fewer and fewer of those that differ."""
        self._changes += lines != self._drawn
        is_first, self._drawn = not self._drawn, list(lines)
        if self._changes < self._next_frame:
            return is_first
        self._next_frame *= 2
        return True

    def _redraw(self, lines: list[str]) -> None:
        """Overwrite the frame before, if there is one."""
        up = f"\x1b[{self._height}A" if self._height else ""
        self._out.write(up + "".join(f"\x1b[2K{line}\n" for line in lines))
        self._height = len(lines)
