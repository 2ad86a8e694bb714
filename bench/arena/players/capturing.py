"""Players of capture games."""

from bench.arena.players import Player, Turn, best
from service.domain.game import Move


def greedy(turn: Turn) -> Move:
    """Return a move that captures the most cells; several such moves are equally likely."""
    return best(turn, lambda move: len(turn.game.decide(turn.known, turn.seat, move)[0].captured))


PLAYERS: dict[str, Player] = {"greedy": greedy}
