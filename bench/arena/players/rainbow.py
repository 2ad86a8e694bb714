"""Players of Tic-Tac-Rainbow: one that makes winning moves and avoids giving the next seat one."""

from collections.abc import Iterator
from functools import reduce
from typing import Any

from bench.arena.players import Player, Turn
from service.domain.game import Move

ROLLS = 40
"""How many rolls of the die are sampled; the probability that a colour is missing is below 1 in 250."""


def careful(turn: Turn) -> Move:
    """Return a winning move, or else a move that does not lose and after which the next seat cannot win directly."""
    moves = turn.chance.draw().sample(turn.moves, len(turn.moves))
    after = [reduce(turn.game.evolve, turn.game.decide(turn.known, turn.seat, move), turn.known) for move in moves]
    outcomes = [turn.game.outcome(state) for state in after]
    for move, outcome in zip(moves, outcomes, strict=True):
        if outcome and outcome.winners == (turn.seat,):
            return move
    kept = [n for n, outcome in enumerate(outcomes) if outcome is None or turn.seat in outcome.winners]
    return moves[next((n for n in kept if not gives_win(turn, after[n])), kept[0] if kept else 0)]


def gives_win(turn: Turn, state: Any) -> bool:
    """Return whether the next seat can win directly with any possible roll."""
    return any(can_win_now(turn, start) for start in next_turns(turn, state))


def next_turns(turn: Turn, state: Any) -> Iterator[Any]:
    """Yield the possible states at the beginning of the next turn, one for each roll."""
    if turn.game.to_move(state) or turn.game.outcome(state):
        yield state
        return
    follows = (turn.game.follow(state, turn.chance) for _ in range(ROLLS))
    yield from {roll.value: turn.game.evolve(state, roll) for (roll,) in follows}.values()


def can_win_now(turn: Turn, state: Any) -> bool:
    """Return whether the seat to move has a move by which it is the only winner."""
    for seat in turn.game.to_move(state):
        for move in turn.game.legal_moves(state, seat):
            outcome = turn.game.outcome(reduce(turn.game.evolve, turn.game.decide(state, seat, move), state))
            if outcome and outcome.winners == (seat,):
                return True
    return False


PLAYERS: dict[str, Player] = {"careful": careful}
