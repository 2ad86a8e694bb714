"""How Triboard is written: `e5` jumps from e5."""

from msgspec import convert
from msgspec.structs import asdict

from service.domain.board_marks import Mark, Picture, Tint
from service.domain.game import Notation
from service.domain.games.triboard.board import CHART
from service.domain.games.triboard.model import Place, View

TINTS: dict[str, Tint] = {"r": "red", "g": "green", "b": "blue"}


def draw(view: View) -> str:
    """Draw the board with each cell as its owner's letter, `#` for a wall, and the scores below."""
    board = CHART.geometry.sketch({cell: owner.upper() for cell, owner in CHART.shown(view.board).items()})
    return f"{board}\n" + ", ".join(f"{colour} {score}" for colour, score in asdict(view.scores).items())


def picture(view: View) -> Picture:
    """Picture the cells that belong to somebody, and the walls."""
    shown = CHART.shown(view.board).items()
    owned = [Mark(cell, TINTS[owner], owner.upper(), "square") for cell, owner in shown if owner in TINTS]
    walls = [Mark(cell, "grey", shape="wall") for cell, owner in shown if owner == "#"]
    return Picture({"board": (*owned, *walls)})


def spell(move: Place) -> str:
    """Write a move: its cell."""
    return move.at.lower()


def read(text: str) -> Place:
    """Read a move."""
    return convert({"type": "place", "at": text}, Place)


NOTATION: Notation[Place] = Notation(draw=draw, spell=spell, read=read, picture=picture)
