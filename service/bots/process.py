"""A bot process: it answers requests to bots, with the best move that it has found when its time is up.

    python -m service.bots.process <file descriptor>

One that runs far longer is killed by its own timer, even in an endless loop. The timer counts CPU time, so that a busy
machine kills no process.
"""

import signal
import sys
import time
import traceback
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Literal

import msgspec

from service.bots.messages import BotRequest, BotResult, Choice, Subject, decode_request, encode
from service.domain.catalog import GAMES
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Evaluated, Move
from service.domain.random_player import random_legal_move
from service.runtime.child_messages import answer_requests
from service.runtime.fork_server import forked

OVERTIME = 1.0
"""Seconds of CPU time beyond the request's time after which a process that still runs is killed."""

ABANDONED = 5.0
"""Seconds after the end of the requester's patience after which a process is killed in any case."""

NODES = 5_000
"""How many positions each search examines to evaluate one, so that the result is the same on every machine."""

MINIMUM = 0.01
"""Seconds of CPU time that a search gets in any case: enough to compare the moves."""


def answer_in_time(message: bytes) -> bytes:
    """Return the result of a request; the process dies if that takes too long."""
    request = decode_request(message)
    signal.setitimer(signal.ITIMER_PROF, request.seconds + OVERTIME)
    signal.setitimer(signal.ITIMER_REAL, request.seconds + request.patience + ABANDONED)
    result = answer(request)
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    return encode(result)


def answer(request: BotRequest) -> BotResult:
    """Return the result of a request."""
    try:
        return BotResult(msgspec.to_builtins(ANSWERS[request.subject](request)))
    except Exception:  # noqa: BLE001 - the outermost edge: the worker logs it and asks for a simpler answer
        return BotResult(None, traceback.format_exc())


def choose_move(request: BotRequest) -> Move:
    """Return a bot's move."""
    game, chance = GAMES[request.game], Chance(request.seed, (), DrawNumber(0))
    if game.choose is None:
        return random_legal_move(game, request.known, request.seat, chance)
    budget = Budget(request.level, None, time_is_up(request.seconds))
    move: Move = game.choose(request.known, request.seat, chance, budget)
    return move


GLANCES = (60, 600)
"""How many positions a bot examines to find how hard a choice is: an easy move is found by the first and stays."""

MANY = 32
"""From how many legal moves on a choice is no harder for having more."""


def choose(request: BotRequest) -> Choice:
    """Return what a bot does in its turn."""
    move = choose_move(request)
    return Choice(msgspec.to_builtins(move), difficulty(request, move), ending(request))


def difficulty(request: BotRequest, move: Move) -> float:
    """Return how hard it was to choose a move, from 0 to 1: a quarter is for the number of moves.

    The rest is for how long the bot has to look until it sees that the move is the best one.
    """
    game, chance = GAMES[request.game], Chance(request.seed, (), DrawNumber(0))
    several = min(sum(1 for _ in islice(game.legal_moves(request.known, request.seat), MANY)), MANY) - 1
    if not several or game.choose is None:
        return 0.0
    seen = [game.choose(request.known, request.seat, chance, Budget(request.level, nodes)) for nodes in GLANCES]
    return several / (MANY - 1) / 4 + (0.5 if seen[1] != move else 0.0) + (0.25 if seen[0] != move else 0.0)


LOST, NOT_AHEAD, SAME = 0.02, 0.6, 0.05
"""The most chances of a bot that resigns and of one that offers a draw, and how much the latter's may have changed."""

SECONDS = 0.1
"""The time to evaluate one of the positions by which a bot decides whether to play on."""


def ending(request: BotRequest) -> Literal["resign", "offer_draw"] | None:
    """Return whether a bot resigns, or offers a draw after its move."""
    lost = bool(request.resigns_after) and accepts_draw(request._replace(seconds=SECONDS))
    if lost and all(chance_at(request, state) <= LOST for state in (request.known, *request.resigns_after)):
        return "resign"
    if not request.dead_since:
        return None
    chances = [chance_at(request, state) for state in (request.known, *request.dead_since)]
    return "offer_draw" if max(chances) <= min(NOT_AHEAD, min(chances) + SAME) else None


def chance_at(request: BotRequest, state: Any) -> float:
    """Return the chance of the bot's seat in a position, from 0 to 1."""
    evaluate = GAMES[request.game].evaluate
    if evaluate is None:
        return 1.0
    return evaluate(state, {}, Budget(request.level, NODES, time_is_up(SECONDS))).chances[request.seat]


def accepts_draw(request: BotRequest) -> bool:
    """Return whether a bot agrees to a draw; False for a game whose bots do not evaluate draws."""
    accepts = GAMES[request.game].accepts_draw
    budget = Budget(request.level, None, time_is_up(request.seconds))
    return accepts is not None and accepts(request.known, request.seat, budget)


def evaluate(request: BotRequest) -> Evaluated:
    """Return how a position is evaluated, with numbers in percent and moves in notation."""
    game = GAMES[request.game]
    assert game.evaluate is not None  # noqa: S101 - only matches of games that can evaluate are reviewed
    evaluated = game.evaluate(
        request.known, dict(request.played), Budget(request.level, NODES, time_is_up(request.seconds))
    )
    return (
        tuple(round(100 * chance) for chance in evaluated.chances),
        tuple((seat, game.notation.spell(move)) for seat, move in evaluated.best.items()),
        tuple((seat, round(100 * lost)) for seat, lost in evaluated.lost.items()),
    )


ANSWERS: Mapping[Subject, Callable[[BotRequest], Any]] = {
    "choice": choose,
    "move": choose_move,
    "draw": accepts_draw,
    "evaluate": evaluate,
}
"""The function that answers each kind of request."""


def time_is_up(seconds: float) -> Callable[[], bool]:
    """Return a function that returns whether the time is up and the process has had the minimum of CPU time.

    So a process on a busy machine has at least compared the moves when it answers.
    """
    end, minimum = time.monotonic() + seconds, time.process_time() + MINIMUM
    return lambda: time.monotonic() >= end and time.process_time() >= minimum


if __name__ == "__main__" and (given := forked(int(sys.argv[1]))) is not None and given.connection is not None:
    answer_requests(given.connection, answer_in_time)
