"""The notation of Ternio: `e5` places a disc on e5."""

from msgspec import convert
from msgspec.structs import asdict

from service.domain.board_marks import Mark, Picture, Tint
from service.domain.boards.capture_game import spell
from service.domain.game import Notation
from service.domain.games.ternio.board import GRID
from service.domain.games.ternio.model import Place, View

TINTS: dict[str, Tint] = {"r": "red", "g": "green", "b": "blue"}


def draw(view: View) -> str:
    """Return the board as text with each disc as its colour's letter, and the scores below."""
    scores = ", ".join(f"{colour} {score}" for colour, score in asdict(view.scores).items())
    return f"{GRID.draw(view.board)}\n{scores}"


def picture(view: View) -> Picture:
    """Return the discs as marks."""
    shown = GRID.letters(view.board).items()
    return Picture({"board": tuple(Mark(square, TINTS[disc], disc.upper()) for square, disc in shown if disc in TINTS)})


def read(text: str) -> Place:
    """Parse a move."""
    return convert({"type": "place", "at": text}, Place)


NOTATION: Notation[Place] = Notation(draw=draw, spell=spell, read=read, picture=picture)
