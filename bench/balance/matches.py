"""The matches of a round, and their winners."""

import hashlib
from collections import Counter

from msgspec import Struct

from bench.balance.blocks import BlockText, start_position
from service.domain.chance import Chance, Draw, DrawNumber
from service.domain.game import Budget
from service.domain.games.ternio.model import Place, Position
from service.domain.games.ternio.rules import BOT, RULES

OPENING = 3
"""The number of random first moves, so that the matches differ."""

BATCH_SIZE = 20
"""The number of matches per task, and per line of the results."""


class Task(Struct, frozen=True):
    """Some matches from one block, in which each seat examines about so many positions per move."""

    round: int
    block: BlockText
    first: int
    """The number of the first match in its round."""
    matches: int
    nodes: int
    seed: int


class Batch(Struct, frozen=True):
    """The result of a task: how often each set of seats had the first place, as in `{"0": 11, "2": 8, "01": 1}`."""

    round: int
    block: BlockText
    first: int
    winners: dict[str, int]


def play_task(task: Task) -> Batch:
    """Play the matches of a task."""
    winners = Counter(play_match(task, number) for number in range(task.first, task.first + task.matches))
    return Batch(task.round, task.block, task.first, dict(sorted(winners.items())))


def play_match(task: Task, number: int) -> str:
    """Play one match and return the seats with the first place."""
    text = f"balance {task.seed} {task.round} {task.block} {number}"
    chance = Chance(hashlib.sha256(text.encode()).digest(), (), DrawNumber(0))
    own, position, ply = chance.draw(), start_position(task.block), 0
    while (ended := RULES.outcome(position)) is None:
        move = random_move(position, own) if ply < OPENING else bot_move(position, own, chance, task.nodes)
        for event in RULES.decide(position, position.turn, move):
            position = RULES.evolve(position, event)
        ply += 1
    return "".join(map(str, ended.winners))


def random_move(position: Position, draw: Draw) -> Place:
    """Return a random legal move."""
    moves = RULES.legal_moves(position, RULES.to_move(position)[0])
    return moves[draw.below(len(moves))]


def bot_move(position: Position, draw: Draw, chance: Chance, nodes: int) -> Place:
    """Return the strongest bot's move, with 0.5 to 1.5 times the number of positions, drawn so that matches differ."""
    return BOT.choose(position, position.turn, chance, Budget("expert", nodes // 2 + draw.below(nodes + 1)))
