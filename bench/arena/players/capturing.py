"""Players of capture games: one that captures most, and a Monte Carlo tree search."""

from ctypes import c_double, c_uint64
from typing import Any

from bench.arena.players import Player, Turn, best, library
from service.domain.game import Move

PLAYOUTS = 2000
EXPLORATION = 0.5
"""The constant of UCT, for shares of the first place between 0 and 1."""


def greedy(turn: Turn) -> Move:
    """Return a move that captures the most cells; several such moves are equally likely."""
    return best(turn, lambda move: len(turn.game.decide(turn.known, turn.seat, move)[0].captured))


def mcts(turn: Turn) -> Move:
    """Return the move of a search with random playouts; the detail is their number for each move.

    The search is in C: in Python its 2,000 playouts would take two seconds per move.
    """
    view: Any = turn.game.view(turn.known, None)
    rows, seats = view.board, turn.game.seats(turn.options)
    marks = {".": 0, "#": 4, **{seat[0]: number for number, seat in enumerate(seats, 1)}}
    squares = bytes(marks[mark] for row in reversed(rows) for mark in row)
    chosen = library("mcts.c").choose(
        squares,
        len(rows[0]),
        len(rows),
        turn.seat,
        int(turn.detail or PLAYOUTS),
        c_double(EXPLORATION),
        c_uint64(turn.chance.draw().below(1 << 31)),
    )
    row, column = divmod(chosen, len(rows[0]))
    name = f"{chr(ord('a') + column)}{row + 1}"
    return next(move for move in turn.moves if getattr(move, "at", None) == name)


PLAYERS: dict[str, Player] = {"greedy": greedy, "mcts": mcts}
