"""The nursery of thinking processes: imports the games once and forks, so that one costs little and is there at once.

    python -m service.thinking.nursery <file descriptor of the socket> <number of processes>

All of them read questions from the same socket, so whoever is free takes the next one. A process that thinks far beyond
its time is ended by its own alarm, even in the middle of a loop that never ends; the nursery forks another one. When
standard input ends, the worker is gone, and all of them go too.
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
from collections.abc import Sequence

import msgspec

from service.domain.catalog import GAMES
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Move
from service.domain.guess import any_move
from service.thinking.thought import HERE, LARGEST, Question, Thought, packed_thought, unpacked

OVERTIME = 0.1
"""Seconds beyond its time after which a process that still thinks is ended."""

BETWEEN_FORKS = 0.02
"""Seconds between two forks, so that processes that die at once don't eat the machine."""

PATIENCE = 2.0
"""Seconds between looks whether the nursery still lives."""


def main(arguments: Sequence[str]) -> None:
    """Keep so many processes thinking until standard input ends."""
    questions, count = socket.socket(fileno=int(arguments[0])), int(arguments[1])
    for asking in (signal.SIGINT, signal.SIGTERM):  # what is sent to all processes is the worker's to answer
        signal.signal(asking, signal.SIG_IGN)
    gc.collect()
    gc.freeze()
    deaths = death_notices()
    children: set[int] = set()
    try:
        while not is_over(deaths):
            children -= set(dead())
            while len(children) < count:
                children.add(forked(questions))
                time.sleep(BETWEEN_FORKS)
    finally:
        for child in children:
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)


def death_notices() -> int:
    """Return a file descriptor that can be read whenever a child has died, and once at the start."""
    told, telling = os.pipe()
    os.set_blocking(telling, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(telling)
    os.write(telling, b"!")
    return told


def is_over(deaths: int) -> bool:
    """Wait for a death or for the end of standard input, and tell whether it was the end."""
    ready, _, _ = select.select([sys.stdin, deaths], [], [])
    if deaths in ready:
        os.read(deaths, 4096)
    return sys.stdin in ready


def dead() -> list[int]:
    """Return the children that have died since it was last asked."""
    found = []
    with contextlib.suppress(ChildProcessError):  # there is no child at all
        while (child := os.waitpid(-1, os.WNOHANG)[0]) != 0:
            found.append(child)
    return found


def forked(questions: socket.socket) -> int:
    """Fork a thinking process and return its id."""
    nursery, child = os.getpid(), os.fork()
    if child:
        return child
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with contextlib.suppress(OSError):  # the worker is gone
        think(questions, nursery)
    os._exit(0)


def think(questions: socket.socket, nursery: int) -> None:
    """Answer questions for as long as the nursery lives."""
    questions.settimeout(PATIENCE)
    questions.send(packed_thought(HERE))
    while os.getppid() == nursery:
        try:
            number, question = unpacked(questions.recv(LARGEST))
        except TimeoutError:
            continue
        signal.setitimer(signal.ITIMER_REAL, question.seconds + OVERTIME)
        thought = answered(number, question)
        signal.setitimer(signal.ITIMER_REAL, 0)
        questions.send(packed_thought(thought))


def answered(number: int, question: Question) -> Thought:
    """Return the answer to a question."""
    try:
        return Thought(number, msgspec.to_builtins(chosen(question)))
    except Exception:  # noqa: BLE001 - the outermost edge: the worker logs it and plays any move
        return Thought(number, None, traceback.format_exc())


def chosen(question: Question) -> Move:
    """Return a bot's move."""
    game, deadline = GAMES[question.game], time.monotonic() + question.seconds
    chance = Chance(question.seed, (), DrawNumber(0))
    if game.choose is None:
        return any_move(game, question.known, question.seat, chance)
    budget = Budget(question.level, None, lambda: time.monotonic() >= deadline)
    move: Move = game.choose(question.known, question.seat, chance, budget)
    return move


if __name__ == "__main__":
    main(sys.argv[1:])
