"""Players of every game in which a placed piece captures."""

from service.arena.players import Player, Turn
from service.domain.game import Move


def greedy(turn: Turn) -> Move:
    """Play a move that captures the most, each of several as likely as another."""
    moves = turn.moves
    counts = [len(turn.game.decide(turn.known, turn.seat, move)[0].captured) for move in moves]
    best = [move for move, count in zip(moves, counts, strict=True) if count == max(counts)]
    return best[turn.chance.draw().below(len(best))]


PLAYERS: dict[str, Player] = {"greedy": greedy}
