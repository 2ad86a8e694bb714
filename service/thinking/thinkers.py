"""Thinking for bots: questions go to processes of their own, and every question gets a move in time."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import count
from types import MappingProxyType
from typing import Any

import msgspec
import structlog

from service.domain.catalog import GAMES
from service.domain.chance import Chance, DrawNumber
from service.domain.game import SECONDS
from service.domain.guess import any_move
from service.thinking.thought import HERE, LARGEST, Question, Thought, packed, unpacked_thought

log = structlog.get_logger()

GRACE = 0.25
"""Seconds beyond a bot's time after which its answer isn't waited for any more."""

PATIENCE = MappingProxyType({level: 10 * seconds for level, seconds in SECONDS.items()})
"""Seconds in which all bots that wait at the same time shall have their turn: if need be each thinks shorter."""

SHORTEST = 0.005
"""Seconds that a bot has to think in any case."""

STARTING = 10.0
"""Seconds that questions wait for the processes to start."""

AGAIN = 0.5
"""Seconds until a nursery that died is started again."""


class Thinkers:
    """Thinking processes that share one socket; whichever is killed, the question gets a move and the others go on."""

    def __init__(self, processes: int | None = None) -> None:
        """Have so many processes, by default as many as there are cores."""
        self._processes = processes or os.cpu_count() or 1
        self._free = asyncio.Semaphore(self._processes)
        self._waiting = 0
        self._numbers = count(1)
        self._answers: dict[int, asyncio.Future[Thought]] = {}
        self._socket: socket.socket | None = None
        self._started = asyncio.Event()

    @asynccontextmanager
    async def running(self) -> AsyncIterator["Thinkers"]:
        """Keep the processes running beside something."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LARGEST)
        ours.setblocking(False)  # noqa: FBT003 - the method's only argument
        self._socket, loop = ours, asyncio.get_running_loop()
        loop.add_reader(ours, self._read, ours)
        nursery = asyncio.create_task(self._keep_nursery(theirs))
        try:
            yield self
        finally:
            nursery.cancel()
            await asyncio.wait([nursery])
            loop.remove_reader(ours)
            ours.close()
            theirs.close()

    async def move(self, question: Question) -> dict[str, Any]:
        """Return a bot's move as it stands on the wire: one that it thought of, or any legal one in its stead."""
        self._waiting += 1
        try:
            async with self._free:
                await waited(self._started, STARTING)
                thought = await self._answer(question._replace(seconds=self._share(question)))
        finally:
            self._waiting -= 1
        if thought is None or thought.move is None:
            log.error("bot_failed", game=question.game, level=question.level, failure=thought and thought.failure)
            return stand_in(question)
        return thought.move

    def _share(self, question: Question) -> float:
        """Return how many seconds a bot may think, the fewer the more bots wait."""
        share = PATIENCE[question.level] * self._processes / self._waiting
        return max(SHORTEST, min(question.seconds, share))

    async def _answer(self, question: Question) -> Thought | None:
        """Ask, and return the answer, None where there is none in time."""
        assert self._socket is not None  # noqa: S101 - asked while running
        number = next(self._numbers)
        answer: asyncio.Future[Thought] = asyncio.get_running_loop().create_future()
        self._answers[number] = answer
        try:
            self._socket.send(packed(number, question))
            async with asyncio.timeout(question.seconds + GRACE):
                return await answer
        except (TimeoutError, OSError):
            return None
        finally:
            del self._answers[number]

    def _read(self, ours: socket.socket) -> None:
        """Take the answers that have come; one that comes too late isn't waited for any more."""
        try:
            while True:
                thought = unpacked_thought(ours.recv(LARGEST))
                if thought == HERE:
                    self._started.set()
                answer = self._answers.get(thought.number)
                if answer is not None and not answer.done():
                    answer.set_result(thought)
        except BlockingIOError:
            return

    async def _keep_nursery(self, theirs: socket.socket) -> None:
        """Run the nursery, and start it again whenever it dies."""
        arguments = ("-P", "-m", "service.thinking.nursery", str(theirs.fileno()), str(self._processes))
        while True:
            nursery = await asyncio.create_subprocess_exec(
                sys.executable, *arguments, stdin=asyncio.subprocess.PIPE, pass_fds=(theirs.fileno(),)
            )
            try:
                code = await nursery.wait()
            except asyncio.CancelledError:
                await ended(nursery)
                raise
            log.error("nursery_died", code=code)
            self._started.clear()
            await asyncio.sleep(AGAIN)


async def waited(event: asyncio.Event, seconds: float) -> None:
    """Wait for an event, and not for longer."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


async def ended(nursery: asyncio.subprocess.Process) -> None:
    """Let a nursery go: when its standard input ends, so does it."""
    assert nursery.stdin is not None  # noqa: S101 - it was started with one
    nursery.stdin.close()
    try:
        async with asyncio.timeout(GRACE):
            await nursery.wait()
    except TimeoutError:
        nursery.kill()
        await nursery.wait()


def stand_in(question: Question) -> dict[str, Any]:
    """Return any legal move, drawn from the bot's own chance."""
    chance = Chance(question.seed, (), DrawNumber(0))
    plain: dict[str, Any] = msgspec.to_builtins(any_move(GAMES[question.game], question.known, question.seat, chance))
    return plain
