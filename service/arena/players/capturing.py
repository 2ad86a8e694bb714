"""Players of every game in which a placed piece captures."""

from service.arena.players import Player, Turn, best
from service.domain.game import Move


def greedy(turn: Turn) -> Move:
    """Play a move that captures the most, each of several as likely as another."""
    return best(turn, lambda move: len(turn.game.decide(turn.known, turn.seat, move)[0].captured))


PLAYERS: dict[str, Player] = {"greedy": greedy}
