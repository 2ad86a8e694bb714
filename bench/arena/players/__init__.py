"""The players of the arena: the bots at their levels, `random`, and those in the module of a game's name.

A module `bench/arena/players/<game>.py` names its players in `PLAYERS`, a `dict[str, Player]`.
"""

import os
import pkgutil
import subprocess
from collections.abc import Callable, Sequence
from ctypes import CDLL
from functools import cache
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias, get_args

import msgspec

from bench.arena.schedule import BadArena
from service.domain.catalog import GAMES, AnyGame
from service.domain.chance import Chance
from service.domain.game import SECONDS, Budget, Event, Level, Move, Seat


class Turn(msgspec.Struct, frozen=True):
    """What a player knows when it is to move."""

    game: AnyGame
    options: Any
    known: Any
    """The fold of the events redacted for this seat."""
    events: tuple[Event, ...]
    """These events, from the beginning of the match."""
    seat: Seat
    chance: Chance
    budget: Budget
    detail: str
    """The text after the colon in the player's name: `1000` for `mcts:1000`."""

    @property
    def moves(self) -> Sequence[Move]:
        """The legal moves."""
        return tuple(self.game.legal_moves(self.known, self.seat))


Player: TypeAlias = Callable[[Turn], Move]


def random(turn: Turn) -> Move:
    """Return a random legal move; all are equally likely."""
    moves = turn.moves
    return moves[turn.chance.draw().below(len(moves))]


def best(turn: Turn, mark: Callable[[Move], Any]) -> Move:
    """Return a move with the highest mark; several such moves are equally likely."""
    moves = turn.moves
    marks = list(map(mark, moves))
    highest = [move for move, marked in zip(moves, marks, strict=True) if marked == max(marks)]
    return highest[turn.chance.draw().below(len(highest))]


@cache
def library(source: str) -> CDLL:
    """Compile a search in this folder with CC, or cc, and load it."""
    with TemporaryDirectory() as folder:
        path = Path(folder, "search.so")
        compiler = os.environ.get("CC", "cc")
        subprocess.run(
            [compiler, "-O2", "-shared", "-fPIC", "-o", path, Path(__file__).with_name(source), "-lm"], check=True
        )
        return CDLL(str(path))


def bot(turn: Turn) -> Move:
    """Return the move of the game's bot; the detail is a number of positions, for matches between budgets."""
    nodes = int(turn.detail) if turn.detail else turn.budget.nodes
    assert turn.game.choose is not None  # noqa: S101 - otherwise `players_of` does not offer the level
    chosen: Move = turn.game.choose(turn.known, turn.seat, turn.chance, with_nodes(turn.budget, nodes))
    return chosen


def with_nodes(budget: Budget, nodes: int | None) -> Budget:
    """Return a budget with another number of positions."""
    return Budget(budget.level, nodes, budget.late)


def players_of(slug: str) -> dict[str, Player]:
    """Return the players of a game by name."""
    levels: dict[str, Player] = dict.fromkeys(get_args(Level), bot) if GAMES[slug].choose else {}
    return {**levels, "random": random, **own_players(slug)}


def own_players(slug: str) -> dict[str, Player]:
    """Return the players that are specific to a game."""
    if slug not in {module.name for module in pkgutil.iter_modules(__path__)}:
        return {}
    own: dict[str, Player] = import_module(f"{__name__}.{slug}").PLAYERS
    return own


def player(slug: str, asked: str) -> Player:
    """Return the player with this name, which may have a detail. Raises `BadArena`."""
    known, name = players_of(slug), asked.partition(":")[0]
    if name not in known:
        raise BadArena(f"There is no player {name} for {slug}; expected one of {', '.join(known)}.")
    return known[name]


def level_of(asked: str) -> Level:
    """Return a player's level, `expert` for a player that is not a bot."""
    name = asked.partition(":")[0]
    return next((level for level in get_args(Level) if level == name), "expert")


def seconds_of(asked: str) -> float:
    """Return how many seconds a player has for a move if the plan does not say it."""
    return SECONDS[level_of(asked)]
