"""How fast the games' own functions are, on one core: random matches replayed by deciding each move again."""

import time
from collections.abc import Callable
from statistics import median

import msgspec

from bench.load.play import Line, random_line, replayed
from bench.machine import cores, on_core
from service.domain.catalog import GAMES, AnyGame

Say = Callable[[str], None]


class Plan(msgspec.Struct, frozen=True):
    """How much is measured."""

    rounds: int = 3
    matches: int = 30
    seconds: float = 0.5


QUICK = Plan(rounds=1, matches=2, seconds=0.02)


class Speed(msgspec.Struct, frozen=True):
    """One game's figures; the costs are microseconds a call at the positions of random play."""

    game: str
    plies: float
    """Moves per second through decide, evolve and what follows."""
    legal_moves: float
    view: float
    length: float
    """Moves per match on average."""


def run(plan: Plan, say: Say) -> list[Speed]:
    """Measure every game of the catalogue in rounds; returns the medians."""
    with on_core(cores()[0]):
        lines = {slug: [random_line(game, seed) for seed in range(plan.matches)] for slug, game in GAMES.items()}
        rounds = []
        for number in range(plan.rounds):
            say(f"round {number + 1}/{plan.rounds}  rules of {', '.join(GAMES)}")
            rounds.append([speed(game, lines[slug], plan.seconds) for slug, game in GAMES.items()])
    return [middle(list(same)) for same in zip(*rounds, strict=True)]


def speed(game: AnyGame, lines: list[Line], seconds: float) -> Speed:
    """Measure one game."""
    turns = [turn for line in lines for turn in line.turns]
    a_ply = cost(lambda: [replayed(game, line) for line in lines], seconds) / len(turns)
    listing = cost(lambda: [tuple(game.legal_moves(turn.state, turn.seat)) for turn in turns], seconds)
    viewing = cost(lambda: [msgspec.json.encode(game.view(turn.state, turn.seat)) for turn in turns], seconds)
    return Speed(game.texts.title, 1e6 / a_ply, listing / len(turns), viewing / len(turns), len(turns) / len(lines))


def cost(work: Callable[[], object], seconds: float) -> float:
    """Return how many microseconds of processor time `work` takes, repeated for so many seconds."""
    times, began = 0, time.process_time()
    while (took := time.process_time() - began) < seconds:
        work()
        times += 1
    return took / times * 1e6


def middle(speeds: list[Speed]) -> Speed:
    """Return the medians of one game's figures."""
    return Speed(
        speeds[0].game,
        median(speed.plies for speed in speeds),
        median(speed.legal_moves for speed in speeds),
        median(speed.view for speed in speeds),
        speeds[0].length,
    )
