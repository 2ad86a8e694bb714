"""Fits the tables of the evaluation of Nine Men's Morris to matches of the bot against itself.

`python -m bench.morris_tables` plays the matches with the tables that there are, on all cores, and writes the new ones
to where the bot reads them. It needs the compiled search, and takes 20 minutes of a core.

A position's target is the mean of the match's result and of the chance that the search saw. Positions in which the side
to move can remove a man are left out, because the search never estimates them without looking at the removals.
Placements that are images of each other under the symmetries of the board have one value, and with the sides exchanged
its negative. The fit is a logistic regression by AdaGrad.
"""

import argparse
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from math import log, sqrt
from pathlib import Path
from random import Random
from struct import pack
from typing import NamedTuple
from zlib import compress

from bench.arena.arguments import positive
from service.domain.game import Budget
from service.domain.games.morris import evaluation
from service.domain.games.morris.bot import SKILLS, Board, new_search, winning_chance
from service.domain.games.morris.endings import are_solved, images, turns_left
from service.domain.games.morris.evaluation import MASKS, PARTS, STAGES, placements, stage_of
from service.domain.games.morris.model import Options
from service.domain.games.morris.turns import ALL, OTHER, TO_PLACE, Men, Packed

TABLES = Path(evaluation.__file__).with_name("values.zlib")

RULES = (Options(), Options(flying="reduced", all_in_mills="any", double_mill="one"))
"""The usual rules, and those of tournaments."""

NODES = 2000
RANDOM_OPENING = 9
RANDOM_TURNS = 0.06
LONGEST = 160
"""Positions per turn; the most random turns at the beginning, the share of later ones, and the turns of a draw."""

EPOCHS = 5
STEP = 40.0
"""How often each position is used, and the first change of a value."""

Key = tuple[int, int]
"""A placement on a part: the one that stands for all of its images."""


class Example(NamedTuple):
    """A position and the share of the win that its side to move should expect."""

    position: Packed
    target: float
    result: float


def play(number: int, seed: int) -> list[Example]:
    """Play a match, and return its quiet positions."""
    chance = Random(f"{seed} {number}")  # noqa: S311 - matches to learn from
    rules = chance.choice(RULES)
    board, opening = Board(rules), chance.randint(2, RANDOM_OPENING)
    position, seen, visited = 18 << TO_PLACE, list[Packed](), list[tuple[Packed, int, int]]()
    for turn in range(LONGEST):
        turns = board.turns(position)
        chance.shuffle(turns)
        if not turns:
            return examples(visited, turn, -1)
        if not position >> TO_PLACE and are_solved([position], rules):
            left = turns_left(position)
            return examples(visited, turn, 0 if left is None else 1 if left % 2 else -1)
        after = turns[0]
        if turn >= opening:
            search = new_search(board, Budget("expert", NODES), seen)
            after, value, _ = search.compare(turns, turns[:1], SKILLS["expert"].deepest)
            if not board.noisy_turns(position):
                visited.append((position, turn, value))
            if chance.random() < RANDOM_TURNS:
                after = turns[0]
        if after < 0:
            return examples(visited, turn, 1)
        seen = [*seen, position] if not position >> TO_PLACE and not board.is_noisy(position, after) else []
        position = after
    return examples(visited, LONGEST, 0)


def examples(visited: list[tuple[Packed, int, int]], end: int, result: int) -> list[Example]:
    """Return the positions of a match that the side to move after `end` turns has won (1), drawn (0) or lost (-1)."""
    found = []
    for position, turn, value in visited:
        won = (1 + (result if (end - turn) % 2 == 0 else -result)) / 2
        found.append(Example(position, (won + winning_chance(value)) / 2, won))
    return found


def key_of(mine: Men, other: Men) -> tuple[Key, int]:
    """Return the placement that stands for this one, and its sign: -1 if it stands for the exchanged sides."""
    here = min(zip(images(mine), images(other), strict=True))
    exchanged = min(zip(images(other), images(mine), strict=True))
    return min(here, exchanged), (here < exchanged) - (here > exchanged)


@cache
def signed_keys() -> list[dict[Packed, tuple[Key, int]]]:
    """Return for each part the key and the sign of each of its placements."""
    return [{each: key_of(each & ALL, each >> OTHER) for each in placements(part)} for part in PARTS]


class Fit:
    """The values of a stage, by key, and the value of being to move."""

    def __init__(self) -> None:
        """Begin with values of 0."""
        self.values: dict[Key, float] = {}
        self.squares: dict[Key, float] = {}
        self.to_move = 0.0

    def value(self, keys: Sequence[tuple[Key, int]]) -> float:
        """Return the value of a position by the keys of its parts."""
        return self.to_move + sum([sign * self.values.get(key, 0.0) for key, sign in keys])

    def learn(self, keys: Sequence[tuple[Key, int]], target: float) -> None:
        """Move the values towards a target."""
        error = winning_chance(self.value(keys)) - target
        self.to_move -= error / 2
        for key, sign in keys:
            change = error * sign
            self.squares[key] = squares = self.squares.get(key, 1.0) + change * change
            self.values[key] = self.values.get(key, 0.0) - STEP * change / sqrt(squares)


def fitted(found: Sequence[Example], seed: int) -> list[Fit]:
    """Return the values of each stage, and print how well they predict the results of the matches' last twelfth."""
    known, fits = signed_keys(), [Fit() for _ in range(STAGES)]
    rows = [
        (stage_of(each.position), [keys[each.position & mask] for keys, mask in zip(known, MASKS, strict=True)], each)
        for each in found
    ]
    kept = rows[len(rows) * 11 // 12 :]
    rows = rows[: len(rows) * 11 // 12]
    for epoch in range(EPOCHS):
        Random(f"{seed} {epoch}").shuffle(rows)  # noqa: S311 - an order
        for stage, keys, example in rows:
            fits[stage].learn(keys, example.target)
        losses = [loss(winning_chance(fits[stage].value(keys)), example.result) for stage, keys, example in kept]
        print(f"epoch {epoch + 1}: logarithmic loss {sum(losses) / len(losses):.4f}", flush=True)
    return fits


def loss(chance: float, result: float) -> float:
    """Return the logarithmic loss of a chance."""
    return -result * log(chance) - (1 - result) * log(1 - chance)


def packed(fits: Sequence[Fit]) -> bytes:
    """Return the tables as `evaluation.pack_tables` reads them; the first part's has the value of being to move."""
    tables = list[int]()
    for fit in fits:
        for number, keys in enumerate(signed_keys()):
            own = 0 if number else round(fit.to_move)
            tables.extend([own + sign * round(fit.values.get(key, 0.0)) for key, sign in keys.values()])
    return compress(pack(f"<{len(tables)}h", *tables), 9)


def main() -> int:
    """Play, fit and write."""
    parser = argparse.ArgumentParser(prog="bench.morris_tables", description="Fit the evaluation of Nine Men's Morris.")
    parser.add_argument("--matches", type=positive, default=14000, help="the number of matches (default: 14000)")
    parser.add_argument("--seed", type=int, default=1, help="of everything that is random (default: 1)")
    parser.add_argument("--processes", type=positive, help="the matches played at once (default: one per core)")
    parser.add_argument("--out", type=Path, default=TABLES, help="the file to write (default: that of the bot)")
    asked = parser.parse_args()
    found = list[Example]()
    with ProcessPoolExecutor(asked.processes) as pool:
        for number, more in enumerate(pool.map(partial(play, seed=asked.seed), range(asked.matches), chunksize=20), 1):
            found += more
            if number % 1000 == 0:
                print(f"{number} matches, {len(found)} positions", flush=True)
    asked.out.write_bytes(packed(fitted(found, asked.seed)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
