"""Players of Nine Men's Morris: a beginner, and OpenSpiel's Monte Carlo tree search for comparison."""

from functools import cache, partial
from importlib import import_module
from typing import Any

from bench.arena.players import Player, Turn, best
from bench.arena.schedule import BadArena
from service.domain.game import Move
from service.domain.games.morris.model import Moved, Placed
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


PLAYERS: dict[str, Player] = {"beginner": beginner, "mcts": mcts}
