"""The notation of Nine Men's Morris: `d6` places a man, `a1-a4` moves one, `xd6` removes an opponent's man."""

from msgspec import convert

from service.domain.game import Notation
from service.domain.games.morris.board import GEOMETRY
from service.domain.games.morris.model import (
    COLOURS,
    MorrisMove,
    Place,
    Remove,
    Shift,
    View,
)
from service.domain.presentation import Mark, Picture


def draw(view: View) -> str:
    """Return the board as text, `W` and `B` for the men, with a line per colour and the removals owed below."""
    board = GEOMETRY.sketch({name: man[0].upper() for name, man in view.points.items() if man})
    counts = [
        f"{colour}: {view.on_board[colour]} on the board, {view.hand[colour]} in hand, {view.lost[colour]} lost, "
        f"{view.phase[colour]}"
        for colour in COLOURS
    ]
    return "\n".join([board, *counts, *([f"to be removed: {view.removals_owed}"] if view.removals_owed else [])])


def picture(view: View) -> Picture:
    """Return the men as marks, those in mills highlighted, with how many each seat has in hand."""
    milled = {point for mill in view.mills for point in mill}
    men = [(name, colour) for name, colour in view.points.items() if colour]
    marks = tuple(Mark(name, colour, colour[0].upper(), lit=name in milled) for name, colour in men)
    return Picture({"board": marks}, tuple(f"{colour}: {view.hand[colour]} in hand" for colour in COLOURS))


def spell(move: MorrisMove) -> str:
    """Return a move as text."""
    match move:
        case Place(at=at):
            return at.lower()
        case Shift(from_=start, to=to):
            return f"{start}-{to}".lower()
        case Remove(at=at):
            return f"x{at}".lower()


def read(text: str) -> MorrisMove:
    """Parse a move."""
    start, moves, to = text.partition("-")
    if moves:
        return convert({"type": "move", "from": start, "to": to}, Shift)
    if text[:1] in ("x", "X"):
        return convert({"type": "remove", "at": text[1:]}, Remove)
    return convert({"type": "place", "at": text}, Place)


NOTATION: Notation[MorrisMove] = Notation(draw=draw, spell=spell, read=read, picture=picture)
