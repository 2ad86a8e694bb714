"""The admissible blocks of nine discs for Ternio's start, one of each class under rotation and reflection."""

from collections.abc import Iterator
from itertools import combinations
from typing import TypeAlias

from service.domain.game import Seat
from service.domain.games.ternio.model import Block, LaidOut, Position
from service.domain.games.ternio.rules import RULES, first_position

BlockText: TypeAlias = str
"""A block as text: its rows, the top row first, as in `bbg/grg/brr`."""

RED = Seat(0)


def admissible() -> tuple[BlockText, ...]:
    """Return one block of each class without symmetry in which red can move."""
    found = {min(images(block)) for block in arrangements() if len(images(block)) == 8}
    return tuple(sorted(block for block in found if RULES.legal_moves(start_position(block), RED)))


def arrangements() -> Iterator[BlockText]:
    """Yield all 1,680 arrangements of three discs of each colour."""
    places = frozenset(range(9))
    for reds in combinations(sorted(places), 3):
        for greens in combinations(sorted(places - {*reds}), 3):
            discs = "".join("r" if at in reds else "g" if at in greens else "b" for at in range(9))
            yield f"{discs[:3]}/{discs[3:6]}/{discs[6:]}"


def images(block: BlockText) -> set[BlockText]:
    """Return a block's images under rotation and reflection: eight, or fewer if it is symmetric."""
    found = set()
    rows = block.split("/")
    for _ in range(4):
        rows = ["".join(column) for column in zip(*reversed(rows), strict=True)]  # a quarter turn
        found |= {"/".join(rows), "/".join(reversed(rows))}
    return found


def class_name(block: Block) -> BlockText:
    """Return the text of a block's class: the least of its images."""
    return min(images("/".join(block)))


def start_position(block: BlockText) -> Position:
    """Return the position before red's first move."""
    middle = tuple(f"...{row}..." for row in block.split("/"))
    margin = ("." * 9,) * 3
    return first_position(LaidOut(board=(*margin, *middle, *margin)))
