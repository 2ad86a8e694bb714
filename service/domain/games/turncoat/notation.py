"""The notation of Turncoat: `c3` selects c3, `!` commits.

Selections are never revealed, but the discs turned in the first half of a round show the final ones. So a match is
written as if each seat had selected once in each round and committed immediately, red first.
"""

from collections.abc import Iterator

from msgspec import convert

from service.domain.game import Notation
from service.domain.games.turncoat.board import COLOURS, SQUARES, Colour, Square
from service.domain.games.turncoat.model import (
    Select,
    TurncoatMove,
    View,
)
from service.domain.games.turncoat.rules import COMMIT
from service.domain.presentation import Mark, Picture, Tint

TINTS: dict[str, Tint] = {"B": "black", "W": "white"}
HEADING = "   red on the left    yellow on the right"
LETTERS = "   a b c d e f g h     a b c d e f g h"


def draw(view: View) -> str:
    """Return both boards side by side as text, `B` and `W` for the discs, with what is known of each seat below."""
    red, yellow = (view.boards[colour] for colour in COLOURS)
    rows = [f" {8 - n} {' '.join(left)}   {8 - n} {' '.join(yellow[n])}" for n, left in enumerate(red)]
    own = [f"own selection: {view.own_selection}"] if view.own_selection else []
    known = [seat_line(view, colour) for colour in COLOURS]
    return "\n".join([HEADING, *rows, LETTERS, f"round {view.round}", *known, *own])


def seat_line(view: View, colour: Colour) -> str:
    """Return a line with the number of a seat's black discs, and whether it has selected and committed."""
    done = "committed" if view.committed[colour] else "selected" if view.selected[colour] else "to select"
    return f"{colour}: {view.black[colour]} black, {done}"


def picture(view: View) -> Picture:
    """Return both boards as marks; a seat's own selection is highlighted on both, as it is turned on both."""
    return Picture(
        {colour: tuple(discs(rows, view.own_selection)) for colour, rows in view.boards.items()},
        (f"round {view.round}", *(seat_line(view, colour) for colour in COLOURS)),
    )


def discs(rows: tuple[str, ...], selection: Square | None) -> Iterator[Mark]:
    """Yield the discs of a board."""
    for square, disc in zip(SQUARES, "".join(reversed(rows)), strict=True):
        if disc in TINTS:
            yield Mark(square, TINTS[disc], disc, lit=square == selection)


def spell(move: TurncoatMove) -> str:
    """Return a move as text."""
    return move.at.lower() if isinstance(move, Select) else "!"


def read(text: str) -> TurncoatMove:
    """Parse a move."""
    return COMMIT if text == "!" else convert({"type": "select", "at": text}, Select)


NOTATION: Notation[TurncoatMove] = Notation(draw=draw, spell=spell, read=read, picture=picture)
