"""Thinking for bots: questions go to processes of their own, and every question gets the bot's own move.

A process that dies or doesn't answer is replaced, and another one answers with what the bot sees at a glance.
"""

import asyncio
import os
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import count
from typing import Any

import msgspec
import structlog

from service.bot_engine.fair_queue import Claimant, Turns
from service.bot_engine.messages import HERE, LARGEST, Died, Question, Reply, Taken, Thought, packed, unpacked_reply
from service.bot_engine.questions import ThinkingUnavailable
from service.domain.catalog import GAMES
from service.domain.chance import Chance, DrawNumber
from service.domain.random_player import any_move

log = structlog.get_logger()

UNTAKEN = 30.0
"""Seconds in which some process must have begun with a question that was sent."""

ENDING = 0.25
"""Seconds in which a nursery ends by itself."""

AGAIN = 0.5
"""Seconds until a nursery that died is started again."""

SEND_AGAIN = 0.01
"""Seconds until a question is sent again for which the socket had no room."""


@dataclass(slots=True)
class Asked:
    """A question that was sent: which process has begun with it, and its answer."""

    taken: asyncio.Future[int]
    answer: asyncio.Future[Thought]


class Thinkers:
    """Thinking processes that share one socket; whichever is killed, the question gets a move and the others go on."""

    def __init__(self, processes: int | None = None) -> None:
        """Have so many processes, by default as many as there are cores."""
        self._processes = processes or os.cpu_count() or 1
        self._free = self._processes
        self._turns: Turns[asyncio.Future[float]] = Turns(self._processes)
        self._numbers = count(1)
        self._asked: dict[int, Asked] = {}
        self._thinking: dict[int, int] = {}
        """By process the question with which it began last."""
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

    async def move(self, question: Question, claimant: Claimant) -> dict[str, Any]:
        """Return a bot's move in the form in which it is sent: what it thought of, or what it sees at a glance.

        It has the time that is asked for, or less where others wait. Raises `ThinkingUnavailable`. Any legal move is
        returned only for a bot that failed at this position twice.
        """
        move = await self._answered(question, claimant)
        return stand_in(question) if move is None else move

    async def accepts_draw(self, question: Question, claimant: Claimant) -> bool:
        """Return whether a bot agrees to a draw; one that failed at this position twice declines.

        It has the same time as for a move. Raises `ThinkingUnavailable`.
        """
        return await self._answered(question, claimant) is True

    async def _answered(self, question: Question, claimant: Claimant) -> Any:
        """Return the answer to a question in its claimant's share of time, None for a bot that failed twice."""
        seconds = await self._turn(question.seconds, claimant)
        try:
            return await self._thought(question._replace(seconds=seconds))
        finally:
            self._leave()

    async def _turn(self, seconds: float, claimant: Claimant) -> float:
        """Wait for a process, and return how many seconds it is there for."""
        granted: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._turns.add(granted, claimant, seconds)
        self._grant()
        try:
            return await granted
        except asyncio.CancelledError:
            if granted.cancelled():
                self._turns.remove(granted, claimant)
            else:  # it was granted at the same moment
                self._leave()
            raise

    def _grant(self) -> None:
        """Let as many begin as there are processes free."""
        while self._free and (turn := self._turns.next()) is not None:
            granted, seconds = turn
            if not granted.done():
                self._free -= 1
                granted.set_result(seconds)

    def _leave(self) -> None:
        """Let the next one have the process."""
        self._free += 1
        self._grant()

    async def _thought(self, question: Question) -> Any:
        """Return a bot's answer; where a process fails, another one has no time but for a comparison of the moves."""
        for asked in (question, question._replace(seconds=0.0)):
            thought = await self._answer(asked)
            if thought.answer is not None:
                return thought.answer
            log.error("bot_failed", game=asked.game, level=asked.level, failure=thought.failure)
        return None

    async def _answer(self, question: Question) -> Thought:
        """Ask, and return the answer; one without a move where the process died or was ended for its silence."""
        number, loop = next(self._numbers), asyncio.get_running_loop()
        asked = self._asked[number] = Asked(loop.create_future(), loop.create_future())
        try:
            process = await self._begun(packed(number, question), asked)
            try:
                async with asyncio.timeout(question.seconds + question.patience):
                    return await asked.answer
            except TimeoutError:
                self._end(process, number)
                return Thought(number, None, "There was no answer in time.")
        except OSError as failure:
            return Thought(number, None, f"The question could not be sent: {failure}")
        finally:
            del self._asked[number]

    async def _begun(self, message: bytes, asked: Asked) -> int:
        """Send a question and return the process that has begun with it. Raises `ThinkingUnavailable`."""
        try:
            async with asyncio.timeout(UNTAKEN):
                await self._started.wait()
                await self._send(message)
                return await asked.taken
        except TimeoutError:
            raise ThinkingUnavailable(f"no thinking process took a question for {UNTAKEN} seconds") from None

    async def _send(self, message: bytes) -> None:
        assert self._socket is not None  # noqa: S101 - asked while running
        while True:
            try:
                self._socket.send(message)
            except BlockingIOError:
                await asyncio.sleep(SEND_AGAIN)
            else:
                return

    def _end(self, process: int, number: int) -> None:
        """End a process that still has this question, unless it has died already."""
        if self._thinking.get(process) == number:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def _read(self, ours: socket.socket) -> None:
        """Take the messages that have come."""
        with suppress(BlockingIOError):
            while True:
                self._take(unpacked_reply(ours.recv(LARGEST)))

    def _take(self, reply: Reply) -> None:
        """Take a message; an answer that comes too late isn't waited for any more."""
        match reply:
            case Taken(number, process):
                self._thinking[process] = number
                if (asked := self._asked.get(number)) is not None and not asked.taken.done():
                    asked.taken.set_result(process)
            case Died(process):
                if process in self._thinking:
                    self._take(Thought(self._thinking.pop(process), None, "The thinking process died."))
            case Thought() as thought:
                if thought == HERE:
                    self._started.set()
                if (asked := self._asked.get(thought.number)) is not None and not asked.answer.done():
                    asked.answer.set_result(thought)

    async def _keep_nursery(self, theirs: socket.socket) -> None:
        """Run the nursery, and start it again whenever it dies."""
        arguments = ("-P", "-m", "service.bot_engine.fork_server", str(theirs.fileno()), str(self._processes))
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


async def ended(nursery: asyncio.subprocess.Process) -> None:
    """Let a nursery go: when its standard input ends, so does it."""
    assert nursery.stdin is not None  # noqa: S101 - it was started with one
    nursery.stdin.close()
    try:
        async with asyncio.timeout(ENDING):
            await nursery.wait()
    except TimeoutError:
        nursery.kill()
        await nursery.wait()


def stand_in(question: Question) -> dict[str, Any]:
    """Return any legal move, drawn from the bot's own chance."""
    chance = Chance(question.seed, (), DrawNumber(0))
    plain: dict[str, Any] = msgspec.to_builtins(any_move(GAMES[question.game], question.known, question.seat, chance))
    return plain
