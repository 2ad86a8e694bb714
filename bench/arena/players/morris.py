"""Players of Nine Men's Morris: a beginner, and for comparison an alpha-beta in C, OpenSpiel and Sanmill."""

import os
import shlex
import subprocess
from ctypes import c_double, c_uint64
from functools import cache, partial
from importlib import import_module
from typing import Any

from bench.arena.players import Player, Turn, best, library
from bench.arena.schedule import BadArena
from service.domain.game import Move
from service.domain.games.morris.model import OPPONENT, Moved, Options, Placed
from service.domain.geometry import Point

SIMULATIONS = 1000
EXPLORATION = 2.0
"""The constant of UCT, as in OpenSpiel's own example."""

RULES = {"first": "seat0", "flying": "reduced", "all_in_mills": "any", "double_mill": "one"}
"""The options under which OpenSpiel plays the same game; both number the points in reading order."""


def mcts(turn: Turn) -> Move:
    """Return the move of OpenSpiel's search with random playouts; the detail is the number of simulations per move."""
    spiel = open_spiel(turn)
    state = spiel.load_game("nine_mens_morris").new_initial_state()
    for event in turn.events:
        for _, move in turn.game.moves_shown(event):
            state.apply_action(action(turn, move))
    chosen = searcher(spiel, int(turn.detail or SIMULATIONS), turn.chance.draw().below(1 << 31)).step(state)
    return next(move for move in turn.moves if action(turn, move) == chosen)


def searcher(spiel: Any, simulations: int, seed: int) -> Any:
    """Return a new search, without any results of earlier moves."""
    game = spiel.load_game("nine_mens_morris")
    playouts = spiel.RandomRolloutEvaluator(n_rollouts=1, seed=seed)
    return spiel.MCTSBot(
        game,
        playouts,
        EXPLORATION,
        max_simulations=simulations,
        max_memory_mb=1000,
        solve=True,
        seed=seed,
        verbose=False,
    )


def open_spiel(turn: Turn) -> Any:
    """Return OpenSpiel's module. Raises `BadArena` if it is not installed or plays other rules."""
    for name, value in RULES.items():
        if getattr(turn.options, name) != value:
            wanted = " ".join(f"{option}={wanted}" for option, wanted in RULES.items())
            raise BadArena(f"OpenSpiel plays other rules; add --options {wanted}")
    return import_open_spiel()


@cache
def import_open_spiel() -> Any:
    """Import OpenSpiel at its first move, as it is rarely installed. Raises `BadArena`."""
    try:
        return import_module("pyspiel")
    except ImportError as failure:
        raise BadArena("mcts needs OpenSpiel; install it with: pip install 'turnstream[arena]'") from failure


def action(turn: Turn, move: Any) -> int:
    """Return OpenSpiel's number for a move: of a point, or after those of a pair of points."""
    spots = numbers(turn.game.geometry.cells)
    if hasattr(move, "from_"):
        return len(spots) * (1 + spots[move.from_]) + spots[move.to]
    return spots[move.at]


@cache
def numbers(cells: tuple[Point, ...]) -> dict[str, int]:
    """Return the numbers of the points by name."""
    return {cell.name: number for number, cell in enumerate(cells)}


PROGRAM = "SANMILL"
"""The environment variable with the command that starts Sanmill's engine, which speaks UCI."""


def sanmill(turn: Turn) -> Move:
    """Return the move of Sanmill's engine; the detail is the time for its search in milliseconds."""
    if not (program := os.environ.get(PROGRAM)):
        raise BadArena(f"sanmill needs Sanmill's engine; set {PROGRAM} to the command that starts it")
    commands = "\n".join([*sanmill_options(turn.options), *sanmill_search(turn), "quit", ""])
    ran = subprocess.run(shlex.split(program), input=commands, capture_output=True, text=True, check=True)
    return sanmill_move(turn, ran.stdout)


def sanmill_options(options: Any) -> list[str]:
    """Return the commands that set Sanmill's rules to these options. Raises `BadArena` if it does not have them."""
    if options.flying == "both" or options.all_in_mills != "any":
        raise BadArena("Sanmill plays other rules; add --options flying=reduced all_in_mills=any")
    quiet = min(max(options.quiet_limit or 200, 10), 200)
    rules = {
        "MayFly": options.flying == "reduced",
        "MayRemoveMultiple": options.double_mill == "two",
        "ThreefoldRepetitionRule": options.repetition,
        "NMoveRule": quiet,
        "EndgameNMoveRule": quiet,
        "SkillLevel": 30,
    }
    return [f"setoption name {name} value {str(value).lower()}" for name, value in rules.items()]


def sanmill_search(turn: Turn) -> list[str]:
    """Return the commands that let Sanmill search the position of a turn; it reads our notation."""
    spell = turn.game.notation.spell
    played = [spell(move) for event in turn.events for _, move in turn.game.moves_shown(event)]
    return [
        " ".join(["position startpos", *(["moves", *played] if played else [])]),
        f"go depth 64 movetime {turn.detail or 1000}",
    ]


def sanmill_move(turn: Turn, printed: str) -> Move:
    """Return the legal move in what Sanmill printed. Raises `BadArena` if it understood the match differently."""
    text = printed.rpartition("bestmove ")[2].strip()
    for move in turn.moves if "ignored" not in printed and "unsupported" not in printed else ():
        if turn.game.notation.spell(move) == text:
            return move
    raise BadArena(f"Sanmill's answer is not a legal move: {printed.strip()}")


MILLISECONDS = 60
NOWHERE = 24
"""The number after that of the last point, for the origin of a move that has none."""


def alphabeta(turn: Turn) -> Move:
    """Return the move of an alpha-beta in C; the detail is the CPU time for its search in milliseconds."""
    chosen, _depth, _nodes = alphabeta_search(turn)
    return chosen


def alphabeta_search(turn: Turn) -> tuple[Move, int, int]:
    """Return the move, the depth in turns, and the number of nodes. Raises `BadArena` if the rules are other ones."""
    default = Options()
    if any(getattr(turn.options, name) != getattr(default, name) for name in RULES if name != "first"):
        raise BadArena("alphabeta plays the default rules; remove flying, all_in_mills and double_mill from --options")
    known, own, other, searched = turn.known, turn.seat, OPPONENT[turn.seat], (c_uint64 * 2)()
    position = known.men[own], known.men[other], known.hand[own], known.hand[other], known.removals_owed
    milliseconds = c_double(float(turn.detail or MILLISECONDS))
    chosen = divmod(library("alphabeta.c").choose(*position, milliseconds, searched), 32)
    depth, nodes = searched
    return next(move for move in turn.moves if origin_and_target(turn, move) == chosen), depth, nodes


def origin_and_target(turn: Turn, move: Any) -> tuple[int, int]:
    """Return the numbers of the points that a man leaves, or `NOWHERE`, and that it reaches or is removed from."""
    spots = numbers(turn.game.geometry.cells)
    if hasattr(move, "from_"):
        return spots[move.from_], spots[move.to]
    return NOWHERE, spots[move.at]


def beginner(turn: Turn) -> Move:
    """Close a mill if possible, else leave the opponent as few as possible to close; random between equal moves."""
    return best(turn, partial(mark, turn))


def mark(turn: Turn, move: Move) -> tuple[bool, int]:
    """Return a move's mark: whether it closes a mill, and the negative number that the opponent can close then."""
    (event,) = turn.game.decide(turn.known, turn.seat, move)
    then = turn.game.evolve(turn.known, event)
    threats = 0
    for seat in turn.game.to_move(then):
        for reply in turn.game.legal_moves(then, seat) if seat != turn.seat else ():
            threats += any(map(closes, turn.game.decide(then, seat, reply)))
    return closes(event), -threats


def closes(event: Any) -> bool:
    """Return whether an event closed a mill, so that a man is removed."""
    return isinstance(event, Placed | Moved) and event.removals_owed > 0


PLAYERS: dict[str, Player] = {"alphabeta": alphabeta, "beginner": beginner, "mcts": mcts, "sanmill": sanmill}
