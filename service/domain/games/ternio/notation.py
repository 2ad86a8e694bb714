"""The notation of Ternio: `e5` places a disc on e5."""

from service.domain.board_marks import Mark, Picture, Tint
from service.domain.games.ternio.board import GRID
from service.domain.games.ternio.model import View
from service.domain.games.ternio.rules import RULES

TINTS: dict[str, Tint] = {"r": "red", "g": "green", "b": "blue"}


def picture(view: View) -> Picture:
    """Return the discs as marks."""
    shown = GRID.letters(view.board).items()
    return Picture({"board": tuple(Mark(square, TINTS[disc], disc.upper()) for square, disc in shown if disc in TINTS)})


NOTATION = RULES.notation(picture)
