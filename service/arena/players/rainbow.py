"""Players of Tic-Tac-Rainbow: one that takes a win, hands none over where it can help it, and thinks no further."""

from collections.abc import Iterator
from functools import reduce
from typing import Any

from service.arena.players import Player, Turn
from service.domain.game import Move

ROLLS = 40
"""How often the die is rolled to see what it may show; each colour comes up, but for one time in 250."""


def careful(turn: Turn) -> Move:
    """Win at once; or else play any move that doesn't lose and after which the next seat can't win at once."""
    moves = turn.chance.draw().sample(turn.moves, len(turn.moves))
    after = [reduce(turn.game.evolve, turn.game.decide(turn.known, turn.seat, move), turn.known) for move in moves]
    outcomes = [turn.game.outcome(state) for state in after]
    for move, outcome in zip(moves, outcomes, strict=True):
        if outcome and outcome.winners == (turn.seat,):
            return move
    kept = [n for n, outcome in enumerate(outcomes) if outcome is None or turn.seat in outcome.winners]
    return moves[next((n for n in kept if not hands_over(turn, after[n])), kept[0] if kept else 0)]


def hands_over(turn: Turn, state: Any) -> bool:
    """Return whether the next seat can win at once, whatever may be rolled for it."""
    return any(wins_at_once(turn, start) for start in begun(turn, state))


def begun(turn: Turn, state: Any) -> Iterator[Any]:
    """Yield the state as the next turn may begin with it, once for each event that may come before."""
    if turn.game.to_move(state) or turn.game.outcome(state):
        yield state
        return
    follows = (turn.game.follow(state, turn.chance) for _ in range(ROLLS))
    yield from {roll.value: turn.game.evolve(state, roll) for (roll,) in follows}.values()


def wins_at_once(turn: Turn, state: Any) -> bool:
    """Return whether the seat to move has a move that wins alone."""
    for seat in turn.game.to_move(state):
        for move in turn.game.legal_moves(state, seat):
            outcome = turn.game.outcome(reduce(turn.game.evolve, turn.game.decide(state, seat, move), state))
            if outcome and outcome.winners == (seat,):
                return True
    return False


PLAYERS: dict[str, Player] = {"careful": careful}
