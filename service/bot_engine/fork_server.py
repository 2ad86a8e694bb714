"""The nursery of thinking processes: imports the games once and forks, so that one costs little and is there at once.

    python -m service.bot_engine.fork_server <file descriptor of the socket> <number of processes>

All of them read questions from the same socket, so whoever is free takes the next one. A process answers with its best
move so far when its time is up. One that goes on far beyond that is ended by its own timer, even in a loop that never
ends; the nursery reports its death and forks another one. The timer counts the processor's time: a busy machine ends no
process. When standard input ends, the worker is gone, and all of them go too.
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

from service.bot_engine.messages import HERE, LARGEST, Died, Question, Subject, Taken, Thought, packed_reply, unpacked
from service.domain.catalog import GAMES
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Budget, Move
from service.domain.random_player import any_move

OVERTIME = 1.0
"""Seconds of the processor's time, beyond its own, after which a process that still thinks is ended."""

LEFT_ALONE = 5.0
"""Seconds after the end of the worker's patience after which it is ended in any case."""

LEAST = 0.01
"""Seconds of the processor's time that a search gets although its time is up: enough to compare the moves."""

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
            died = set(dead())
            children -= died
            report(questions, died)
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


def report(worker: socket.socket, died: set[int]) -> None:
    """Report to the worker which processes have died; a report that can't be sent is replaced by its patience."""
    for child in died:
        with contextlib.suppress(OSError):
            worker.send(packed_reply(Died(child)))


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
    questions.send(packed_reply(HERE))
    while os.getppid() == nursery:
        try:
            number, question = unpacked(questions.recv(LARGEST))
        except TimeoutError:
            continue
        questions.send(packed_reply(Taken(number, os.getpid())))
        signal.setitimer(signal.ITIMER_PROF, question.seconds + OVERTIME)
        signal.setitimer(signal.ITIMER_REAL, question.seconds + question.patience + LEFT_ALONE)
        thought = answered(number, question)
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.setitimer(signal.ITIMER_REAL, 0)
        questions.send(packed_reply(thought))


def answered(number: int, question: Question) -> Thought:
    """Return the answer to a question."""
    try:
        return Thought(number, msgspec.to_builtins(ANSWERS[question.subject](question)))
    except Exception:  # noqa: BLE001 - the outermost edge: the worker logs it and asks for a simpler answer
        return Thought(number, None, traceback.format_exc())


def chosen(question: Question) -> Move:
    """Return a bot's move."""
    game, chance = GAMES[question.game], Chance(question.seed, (), DrawNumber(0))
    if game.choose is None:
        return any_move(game, question.known, question.seat, chance)
    budget = Budget(question.level, None, time_is_up(question.seconds))
    move: Move = game.choose(question.known, question.seat, chance, budget)
    return move


def agrees(question: Question) -> bool:
    """Return whether a bot agrees to a draw; one that can't judge its position declines."""
    accepts = GAMES[question.game].accepts_draw
    budget = Budget(question.level, None, time_is_up(question.seconds))
    return accepts is not None and accepts(question.known, question.seat, budget)


ANSWERS: Mapping[Subject, Callable[[Question], Move | bool]] = {"move": chosen, "draw": agrees}
"""How each kind of question is answered."""


def time_is_up(seconds: float) -> Callable[[], bool]:
    """Return a function that answers whether so many seconds have passed, and the processor has given the least time.

    A process that the machine left waiting has compared the moves all the same when it answers.
    """
    end, least = time.monotonic() + seconds, time.process_time() + LEAST
    return lambda: time.monotonic() >= end and time.process_time() >= least


if __name__ == "__main__":
    main(sys.argv[1:])
