"""The notation of Tic-Tac-Rainbow: `RO:R@c3` places RO with red up, `~c3` flips a peg, `b2-c3` moves one."""

from msgspec import convert

from service.domain.game import Notation
from service.domain.games.rainbow.board import GEOMETRY
from service.domain.games.rainbow.model import (
    SEAT_NAMES,
    SIDES,
    Flip,
    Place,
    RainbowMove,
    SeatName,
    Shift,
    Side,
    Standing,
    View,
)
from service.domain.presentation import Mark, Picture, Shape, Tint

TINTS: dict[Side, Tint] = {
    "R": "red",
    "O": "orange",
    "Y": "yellow",
    "G": "green",
    "B": "blue",
    "V": "violet",
    "W": "white",
    "K": "black",
}
SHAPES: dict[SeatName, Shape] = {"one": "disc", "two": "square", "three": "diamond"}


def draw(view: View) -> str:
    """Return the board as text, each peg as `1RO`: its owner's number, upper and lower side; and the other pegs."""
    board = GEOMETRY.sketch({name: mark(peg) for name, peg in view.cells.items()})
    die = [f"rolled: {view.die}"] if view.die else []
    line = [f"line: {' '.join(view.line)}"] if view.line else []
    return "\n".join([board, *(seat_line(view, name) for name in view.off_board), *die, *line])


def mark(peg: Standing) -> str:
    """Return a peg in three characters."""
    return f"{SEAT_NAMES.index(peg.owner) + 1}{peg.up}{side_underneath(peg)}"


def seat_line(view: View, name: SeatName) -> str:
    """Return a line with the pegs of a seat that are off the board and those that have to rest."""
    resting = f", resting {' '.join(view.resting[name])}" if view.resting[name] else ""
    return f"{name}: {' '.join(view.off_board[name]) or 'no peg'} off the board{resting}"


def picture(view: View) -> Picture:
    """Return the pegs as marks, those of a line highlighted."""
    pegs = tuple(picture_peg(name, peg, lit=name in (view.line or ())) for name, peg in view.cells.items())
    shapes = [f"{name} has {SHAPES[name]}s" for name in view.off_board]
    return Picture({"board": pegs}, (*shapes, *([f"rolled: {view.die}"] if view.die else [])))


def picture_peg(cell: str, peg: Standing, *, lit: bool) -> Mark:
    """Return a peg as a mark: its owner's shape and number, the letter of its upper side, the rim of its lower one."""
    under = side_underneath(peg)
    return Mark(
        cell=cell,
        tint=TINTS[peg.up],
        letter=peg.up,
        shape=SHAPES[peg.owner],
        rim=TINTS[under],
        corner=under,
        owner=SEAT_NAMES.index(peg.owner),
        lit=lit,
    )


def side_underneath(peg: Standing) -> Side:
    """Return the side of a peg that is not up."""
    first, second = SIDES[peg.peg]
    return second if peg.up == first else first


def spell(move: RainbowMove) -> str:
    """Return a move as text."""
    match move:
        case Place(peg=peg, side=side, at=at):
            return f"{peg}:{side}@{at.lower()}"
        case Flip(at=at):
            return f"~{at.lower()}"
        case Shift(from_=start, to=to):
            return f"{start}-{to}".lower()


def read(text: str) -> RainbowMove:
    """Parse a move."""
    if text.startswith("~"):
        return convert({"type": "flip", "at": text[1:]}, Flip)
    start, moves, to = text.partition("-")
    if moves:
        return convert({"type": "move", "from": start, "to": to}, Shift)
    placed, _, at = text.partition("@")
    peg, _, side = placed.partition(":")
    return convert({"type": "place", "peg": peg.upper(), "side": side.upper(), "at": at}, Place)


NOTATION: Notation[RainbowMove] = Notation(draw=draw, spell=spell, read=read, picture=picture)
