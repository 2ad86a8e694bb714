"""Any legal move, for whoever has none of their own."""

from typing import Any

from service.domain.catalog import AnyGame
from service.domain.chance import Chance
from service.domain.game import Move, Seat


def random_legal_move(game: AnyGame, state: Any, seat: Seat, chance: Chance) -> Move:
    """Return a legal move by chance; where seats act at the same time one that ends the turn, if there is one.

    There a seat could change its mind for ever.
    """
    moves: list[Move] = list(game.legal_moves(state, seat))
    if game.simultaneous:
        moves = [move for move in moves if ends_turn(game, state, seat, move)] or moves
    return moves[chance.draw().below(len(moves))]


def ends_turn(game: AnyGame, state: Any, seat: Seat, move: Move) -> bool:
    """Tell whether a seat isn't awaited any more after a move."""
    for event in game.decide(state, seat, move):
        state = game.evolve(state, event)
    return seat not in game.to_move(state)
