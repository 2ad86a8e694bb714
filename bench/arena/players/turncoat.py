"""Players of Turncoat: one that considers only its own board and the current round."""

from functools import partial, reduce
from typing import Any

from bench.arena.players import Player, Turn, best
from service.domain.game import Move, Seat


def greedy(turn: Turn) -> Move:
    """Return the selection that turns the most of its own discs black, random between equal ones; then the commit."""
    if turn.known.sides[turn.seat].selected:
        return turn.moves[-1]
    return best(turn, partial(gain, turn))


def gain(turn: Turn, selection: Move) -> int:
    """Return how many more discs of its own board are black after the first half of the round."""
    game, other = turn.game, Seat(1 - turn.seat)
    state = after_move(turn, turn.known, other, next(iter(game.legal_moves(turn.known, other))))
    for seat, move in ((other, None), (turn.seat, selection), (turn.seat, None)):
        state = after_move(turn, state, seat, move or tuple(game.legal_moves(state, seat))[-1])
    own = next(event for event in game.follow(state, turn.chance) if event.board == game.geometry.boards[turn.seat])
    turned = 1 + len(own.trapped)
    return turned if own.to == "B" else -turned


def after_move(turn: Turn, state: Any, seat: Seat, move: Move) -> Any:
    """Return the state after a seat's move."""
    return reduce(turn.game.evolve, turn.game.decide(state, seat, move), state)


PLAYERS: dict[str, Player] = {"greedy": greedy}
