"""Random legal moves: for seats whose time ran out, and for bots of games without a `choose`."""

from typing import Any

from service.domain.catalog import AnyGame
from service.domain.chance import Chance
from service.domain.game import Move, Seat


def random_legal_move(game: AnyGame, state: Any, seat: Seat, chance: Chance) -> Move:
    """Return a random legal move.

    In a simultaneous game it is one that ends the seat's turn, if there is one: otherwise the seat could change its
    selection forever.
    """
    moves: list[Move] = list(game.legal_moves(state, seat))
    if game.simultaneous:
        moves = [move for move in moves if ends_turn(game, state, seat, move)] or moves
    return moves[chance.draw().below(len(moves))]


def ends_turn(game: AnyGame, state: Any, seat: Seat, move: Move) -> bool:
    """Return whether a seat is no longer to move after a move."""
    for event in game.decide(state, seat, move):
        state = game.evolve(state, event)
    return seat not in game.to_move(state)
