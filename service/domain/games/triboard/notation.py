"""The notation of Triboard: `e5` jumps from e5."""

from service.domain.board_marks import Mark, Picture, Tint
from service.domain.games.triboard.board import GRID
from service.domain.games.triboard.model import View
from service.domain.games.triboard.rules import RULES

TINTS: dict[str, Tint] = {"r": "red", "g": "green", "b": "blue"}


def picture(view: View) -> Picture:
    """Return the owned cells and the walls as marks."""
    shown = GRID.letters(view.board).items()
    owned = [Mark(cell, TINTS[owner], owner.upper(), "square") for cell, owner in shown if owner in TINTS]
    walls = [Mark(cell, "grey", shape="wall") for cell, owner in shown if owner == "#"]
    return Picture({"board": (*owned, *walls)})


NOTATION = RULES.notation(picture)
