"""The draws of chance of a match, recomputed from its seed and salts as described in docs/fair-chance.md."""

import hashlib
import hmac
import itertools
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from service.programs.demo.api import Json

T = TypeVar("T")

Below = Callable[[int], int]
"""Returns the next number of a draw, from 0 to below its argument."""

Square = tuple[int, int]
"""The column and the row of a cell of Triboard, from 0."""

DIRECTIONS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]


def numbers(seed: str, salts: Sequence[str], draw: int) -> Below:
    """Return the function that returns the numbers of a draw."""
    key = hashlib.sha256(bytes.fromhex(seed) + b"".join(hashlib.sha256(salt.encode()).digest() for salt in salts))
    blocks = (hmac.digest(key.digest(), struct.pack(">2I", draw, block), "sha256") for block in itertools.count())
    words: Iterator[int] = (word for block in blocks for word in struct.unpack(">8I", block))
    return lambda k: next(word for word in words if word < 2**32 - 2**32 % k) % k


def sample(below: Below, items: Sequence[T], size: int) -> list[T]:
    """Return a sample of the items, in the order in which they are drawn."""
    pool = list(items)
    for i in range(size):
        j = i + below(len(pool) - i)
        pool[i], pool[j] = pool[j], pool[i]
    return pool[:size]


def turncoat(below: Below, _started: Json, _event: Json) -> Json:
    """Return the layout of both boards."""
    blacks, blanks = 2 + below(5), below(4)
    lying = ["W"] * 64
    for place, square in enumerate(sample(below, range(64), blacks + blanks)):
        lying[square] = "B" if place < blacks else "."
    return {"board": ["".join(lying[row : row + 8]) for row in range(56, -1, -8)]}


def triboard(below: Below, started: Json, _event: Json) -> Json:
    """Return the layout, which is drawn until every seat can jump, and the first seat to move."""
    everywhere = [(x, y) for y in range(11) for x in range(16)]
    board: dict[Square, str] = {}
    while not all(can_jump(board, seat) for seat in "brg"):
        cells = sample(below, everywhere, 48)
        board = dict.fromkeys(everywhere, ".") | {cell: "brg#"[place // 12] for place, cell in enumerate(cells)}
    rows = ["".join(board[x, y] for x in range(16)) for y in range(10, -1, -1)]
    return {"board": rows, "first": below(3) if started["options"].get("first") == "random" else 0}


def can_jump(board: dict[Square, str], seat: str) -> bool:
    """Return whether a seat can jump from an empty cell over one opponent's cells to a cell of its own."""
    for (x, y), cell in board.items():
        for dx, dy in DIRECTIONS if cell == "." else ():
            over, n = board.get((x + dx, y + dy)), 1
            while over in set("brg") - {seat} and board.get((x + n * dx, y + n * dy)) == over:
                n += 1
            if n > 1 and board.get((x + n * dx, y + n * dy)) == seat:
                return True
    return False


DRAWS: dict[str, Callable[[Below, Json, Json], Json]] = {
    "turncoat": turncoat,
    "triboard": triboard,
    "morris": lambda below, _started, _event: {"value": 1 + below(6)},
    "rainbow": lambda below, _started, _event: {"value": "ROYGBV"[below(6)]},
}
"""By game, the function that returns the fields of an event which a draw decides."""


def find_wrong_draws(events: Sequence[Json]) -> list[int]:
    """Return the versions of a match's events of chance that differ from its seed and salts."""
    started = next(event for event in events if event["type"] == "match_started")
    seed = next(event["seed"] for event in events if event["type"] == "match_ended")
    wrong = []
    for event in events:
        if "draw" in event:
            below = numbers(seed, started["salts"], event["draw"])
            due = DRAWS[started["game"]](below, started, event)
            wrong += [] if {name: event[name] for name in due} == due else [event["version"]]
    return wrong
