"""The blocks of nine discs that may be Ternio's start, each class of mirrored and turned ones once."""

from collections.abc import Iterator
from itertools import combinations
from typing import TypeAlias

from service.domain.game import Seat
from service.domain.games.ternio.model import Block, LaidOut, Options, Position
from service.domain.games.ternio.rules import evolve, legal_moves, start

Written: TypeAlias = str
"""A block as text: its rows with the top row first, as in `bbg/grg/brr`."""

RED = Seat(0)


def admissible() -> tuple[Written, ...]:
    """Return one block of each class in which red can move, and which no rotation or reflection maps to itself."""
    found = {min(pictures(block)) for block in arrangements() if len(pictures(block)) == 8}
    return tuple(sorted(block for block in found if legal_moves(laid_out(block), RED)))


def arrangements() -> Iterator[Written]:
    """Yield all 1,680 ways to lay out three discs of each colour."""
    places = frozenset(range(9))
    for reds in combinations(sorted(places), 3):
        for greens in combinations(sorted(places - {*reds}), 3):
            discs = "".join("r" if at in reds else "g" if at in greens else "b" for at in range(9))
            yield f"{discs[:3]}/{discs[3:6]}/{discs[6:]}"


def pictures(block: Written) -> set[Written]:
    """Return all that a block becomes by turning and mirroring the board: eight, or fewer if it is symmetric."""
    found = set()
    rows = block.split("/")
    for _ in range(4):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]  # a quarter turn
        found |= {"/".join(rows), "/".join(reversed(rows))}
    return found


def written(block: Block) -> Written:
    """Return the text of a block, turned and mirrored as its class is named."""
    return min(pictures("/".join(block)))


def laid_out(block: Written) -> Position:
    """Return the position before red's first move."""
    middle = tuple(f"...{row}..." for row in block.split("/"))
    margin = ("." * 9,) * 3
    return evolve(start(Options()), LaidOut(board=(*margin, *middle, *margin)))
