"""The fork server of the bot processes: it imports the games once, so that processes start quickly and share memory.

    python -m service.bot_engine.fork_server <file descriptor of the socket> <number of processes>

All processes read requests from the same socket, so a free one takes the next request. A process answers with the best
move it has found when its time is up. One that runs far longer is killed by its own timer, even in an endless loop; the
fork server reports its death and forks another one. The timer counts CPU time, so that a busy machine kills no process.
When standard input ends, the parent is gone, and the fork server and its processes exit.
"""

import contextlib
import gc
import os
import select
import signal
import socket
import sys
import time
import traceback
from collections.abc import Callable, Mapping, Sequence

import msgspec

from service.bot_engine.messages import (
    LARGEST,
    READY,
    Begun,
    BotRequest,
    BotResult,
    Died,
    Subject,
    decode_request,
    encode_reply,
)
from service.dead_children import forget_signals, reaped, stop_waking, wake_at_signals
from service.domain.catalog import GAMES
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Move
from service.domain.random_player import random_legal_move

OVERTIME = 1.0
"""Seconds of CPU time beyond the request's time after which a process that still runs is killed."""

ABANDONED = 5.0
"""Seconds after the end of the requester's patience after which a process is killed in any case."""

MINIMUM = 0.01
"""Seconds of CPU time that a search gets in any case: enough to compare the moves."""

BETWEEN_FORKS = 0.02
"""Seconds between two forks, so that processes that die immediately do not overload the machine."""

PATIENCE = 2.0
"""Seconds between checks whether the fork server is still alive."""


def main(arguments: Sequence[str]) -> None:
    """Keep the requested number of processes running until standard input ends."""
    requests, count = socket.socket(fileno=int(arguments[0])), int(arguments[1])
    for number in (signal.SIGINT, signal.SIGTERM):  # a signal to the process group is handled by the parent
        signal.signal(number, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    deaths = wake_at_signals()
    children: set[int] = set()
    try:
        while True:
            died = {child for child, _ in reaped()}
            children -= died
            report(requests, died)
            while len(children) < count:
                children.add(fork_process(requests))
                time.sleep(BETWEEN_FORKS)
            if is_over(deaths):
                return
    finally:
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)


def is_over(deaths: int) -> bool:
    """Wait until a child dies or standard input ends, and return whether it was the latter."""
    ready, _, _ = select.select([sys.stdin, deaths], [], [])
    forget_signals(deaths)
    return sys.stdin in ready


def report(worker: socket.socket, died: set[int]) -> None:
    """Report to the parent which processes have died. If that fails, the parent's timeout replaces it."""
    for child in died:
        with contextlib.suppress(OSError):
            worker.send(encode_reply(Died(child)))


def fork_process(requests: socket.socket) -> int:
    """Fork a bot process and return its id."""
    fork_server, child = os.getpid(), os.fork()
    if child:
        return child
    stop_waking()
    with contextlib.suppress(OSError):  # the worker is gone
        serve(requests, fork_server)
    os._exit(0)


def serve(requests: socket.socket, fork_server: int) -> None:
    """Answer requests while the fork server is alive."""
    requests.settimeout(PATIENCE)
    requests.send(encode_reply(READY))
    while os.getppid() == fork_server:
        try:
            number, request = decode_request(requests.recv(LARGEST))
        except TimeoutError:
            continue
        requests.send(encode_reply(Begun(number, os.getpid())))
        signal.setitimer(signal.ITIMER_PROF, request.seconds + OVERTIME)
        signal.setitimer(signal.ITIMER_REAL, request.seconds + request.patience + ABANDONED)
        result = answer(number, request)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        requests.send(encode_reply(result))


def answer(number: int, request: BotRequest) -> BotResult:
    """Return the result of a request."""
    try:
        return BotResult(number, msgspec.to_builtins(ANSWERS[request.subject](request)))
    except Exception:  # noqa: BLE001 - the outermost edge: the worker logs it and asks for a simpler answer
        return BotResult(number, None, traceback.format_exc())


def choose_move(request: BotRequest) -> Move:
    """Return a bot's move."""
    game, chance = GAMES[request.game], Chance(request.seed, (), DrawNumber(0))
    if game.choose is None:
        return random_legal_move(game, request.known, request.seat, chance)
    budget = Budget(request.level, None, time_is_up(request.seconds))
    move: Move = game.choose(request.known, request.seat, chance, budget)
    return move


def accepts_draw(request: BotRequest) -> bool:
    """Return whether a bot agrees to a draw; False for a game whose bots do not evaluate draws."""
    accepts = GAMES[request.game].accepts_draw
    budget = Budget(request.level, None, time_is_up(request.seconds))
    return accepts is not None and accepts(request.known, request.seat, budget)


ANSWERS: Mapping[Subject, Callable[[BotRequest], Move | bool]] = {"move": choose_move, "draw": accepts_draw}
"""The function that answers each kind of request."""


def time_is_up(seconds: float) -> Callable[[], bool]:
    """Return a function that returns whether the time is up and the process has had the minimum of CPU time.

    So a process on a busy machine has at least compared the moves when it answers.
    """
    end, minimum = time.monotonic() + seconds, time.process_time() + MINIMUM
    return lambda: time.monotonic() >= end and time.process_time() >= minimum


if __name__ == "__main__":
    main(sys.argv[1:])
