"""How Ternio is written: `e5` puts a disc on e5."""

from msgspec import convert
from msgspec.structs import asdict

from service.domain.board_marks import Mark, Picture, Tint
from service.domain.game import Notation
from service.domain.games.ternio.board import CHART
from service.domain.games.ternio.model import Place, View

TINTS: dict[str, Tint] = {"r": "red", "g": "green", "b": "blue"}


def draw(view: View) -> str:
    """Draw the board with each disc as its colour's letter, and the scores below."""
    board = CHART.geometry.sketch({square: disc.upper() for square, disc in CHART.shown(view.board).items()})
    return f"{board}\n" + ", ".join(f"{colour} {score}" for colour, score in asdict(view.scores).items())


def picture(view: View) -> Picture:
    """Picture the discs."""
    shown = CHART.shown(view.board).items()
    return Picture({"board": tuple(Mark(square, TINTS[disc], disc.upper()) for square, disc in shown if disc in TINTS)})


def spell(move: Place) -> str:
    """Write a move: its square."""
    return move.at.lower()


def read(text: str) -> Place:
    """Read a move."""
    return convert({"type": "place", "at": text}, Place)


NOTATION: Notation[Place] = Notation(draw=draw, spell=spell, read=read, picture=picture)
