"""The notation of Triboard: `e5` jumps from e5."""

from msgspec import convert
from msgspec.structs import asdict

from service.domain.board_marks import Mark, Picture, Tint
from service.domain.boards.capture_game import spell
from service.domain.game import Notation
from service.domain.games.triboard.board import GRID
from service.domain.games.triboard.model import Place, View

TINTS: dict[str, Tint] = {"r": "red", "g": "green", "b": "blue"}


def draw(view: View) -> str:
    """Return the board as text with each cell as its owner's letter, `#` for a wall, and the scores below."""
    scores = ", ".join(f"{colour} {score}" for colour, score in asdict(view.scores).items())
    return f"{GRID.draw(view.board)}\n{scores}"


def picture(view: View) -> Picture:
    """Return the owned cells and the walls as marks."""
    shown = GRID.letters(view.board).items()
    owned = [Mark(cell, TINTS[owner], owner.upper(), "square") for cell, owner in shown if owner in TINTS]
    walls = [Mark(cell, "grey", shape="wall") for cell, owner in shown if owner == "#"]
    return Picture({"board": (*owned, *walls)})


def read(text: str) -> Place:
    """Parse a move."""
    return convert({"type": "place", "at": text}, Place)


NOTATION: Notation[Place] = Notation(draw=draw, spell=spell, read=read, picture=picture)
