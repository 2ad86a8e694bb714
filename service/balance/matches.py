"""The matches of a round, and who won them."""

import hashlib
from collections import Counter

from msgspec import Struct

from service.balance.blocks import Written, laid_out
from service.domain.chance import Chance, Draw, DrawNumber
from service.domain.game import Budget
from service.domain.games.ternio.bot import choose
from service.domain.games.ternio.model import Place, Position
from service.domain.games.ternio.rules import decide, evolve, legal_moves, outcome, to_move

OPENING = 3
"""The first moves of the three seats are drawn, so that no two matches need be the same."""

TOGETHER = 20
"""How many matches one task plays and one line summarizes."""


class Task(Struct, frozen=True):
    """Some matches from one block, in which each seat looks at about so many positions a move."""

    round: int
    block: Written
    first: int
    """The number of the first match in its round."""
    matches: int
    nodes: int
    seed: int


class Batch(Struct, frozen=True):
    """The result of a task: how often each set of seats came first, as in `{"0": 11, "2": 8, "01": 1}`."""

    round: int
    block: Written
    first: int
    winners: dict[str, int]


def played(task: Task) -> Batch:
    """Play the matches of a task."""
    winners = Counter(won(task, number) for number in range(task.first, task.first + task.matches))
    return Batch(task.round, task.block, task.first, dict(sorted(winners.items())))


def won(task: Task, number: int) -> str:
    """Play one match and return who came first."""
    text = f"balance {task.seed} {task.round} {task.block} {number}"
    chance = Chance(hashlib.sha256(text.encode()).digest(), (), DrawNumber(0))
    own, position, ply = chance.draw(), laid_out(task.block), 0
    while (ended := outcome(position)) is None:
        move = drawn(position, own) if ply < OPENING else thought(position, own, chance, task.nodes)
        for event in decide(position, position.turn, move):
            position = evolve(position, event)
        ply += 1
    return "".join(map(str, ended.winners))


def drawn(position: Position, draw: Draw) -> Place:
    """Return any legal move."""
    moves = legal_moves(position, to_move(position)[0])
    return moves[draw.below(len(moves))]


def thought(position: Position, draw: Draw, chance: Chance, nodes: int) -> Place:
    """Return the hard bot's move after half to one and a half times as many positions, so that matches differ."""
    return choose(position, position.turn, chance, Budget("hard", nodes // 2 + draw.below(nodes + 1)))
