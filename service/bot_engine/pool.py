"""The bot engine as a pool of processes, in which every request is answered by the bot itself.

A process that dies or does not answer is replaced; another one then answers at once, without search time.
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

from service.bot_engine.fair_queue import FairQueue, Requester
from service.bot_engine.messages import (
    LARGEST,
    READY,
    Begun,
    BotRequest,
    BotResult,
    Died,
    Reply,
    decode_reply,
    encode_request,
)
from service.bot_engine.requests import EngineUnavailable
from service.domain.catalog import GAMES
from service.domain.chance import Chance, DrawNumber
from service.domain.random_player import random_legal_move

log = structlog.get_logger()

START_WITHIN = 30.0
"""Seconds within which a process must start work on a request."""

EXIT_WITHIN = 0.25
"""Seconds that the fork server has to exit before it is killed."""

RESTART_AFTER = 0.5
"""Seconds until a fork server that died is started again."""

RETRY_SEND = 0.01
"""Seconds between attempts to send while the socket's buffer is full."""


@dataclass(slots=True)
class PendingRequest:
    """A request that was sent: the process that works on it, and its result."""

    process: asyncio.Future[int]
    result: asyncio.Future[BotResult]


class BotPool:
    """Bot processes that read from one socket. If one is killed, its request still gets a move."""

    def __init__(self, processes: int | None = None) -> None:
        """Run this many processes, by default one per core."""
        self._processes = processes or os.cpu_count() or 1
        self._free = self._processes
        self._queue: FairQueue[asyncio.Future[float]] = FairQueue(self._processes)
        self._numbers = count(1)
        self._pending: dict[int, PendingRequest] = {}
        self._working: dict[int, int] = {}
        """The latest request of each process."""
        self._socket: socket.socket | None = None
        self._wanted = asyncio.Event()
        self._started = asyncio.Event()

    @asynccontextmanager
    async def running(self) -> AsyncIterator["BotPool"]:
        """Start the processes at the first request, and keep them running while the context lasts."""
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        for end in (ours, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, LARGEST)
        ours.setblocking(False)  # noqa: FBT003 - the method's only argument
        self._socket, loop = ours, asyncio.get_running_loop()
        loop.add_reader(ours, self._read, ours)
        fork_server = asyncio.create_task(self._keep_fork_server(theirs))
        try:
            yield self
        finally:
            fork_server.cancel()
            await asyncio.wait([fork_server])
            loop.remove_reader(ours)
            ours.close()
            theirs.close()

    async def move(self, request: BotRequest, requester: Requester) -> dict[str, Any]:
        """Return a bot's move as JSON values.

        The bot has the time of the request, or less while others wait. Raises `EngineUnavailable`. A random legal
        move is returned only if the bot failed twice at this position.
        """
        move = await self._result_in_turn(request, requester)
        return any_legal_move(request) if move is None else move

    async def accepts_draw(self, request: BotRequest, requester: Requester) -> bool:
        """Return whether a bot agrees to a draw; one that failed at this position twice declines.

        The bot has the same time as for a move. Raises `EngineUnavailable`.
        """
        return await self._result_in_turn(request, requester) is True

    async def _result_in_turn(self, request: BotRequest, requester: Requester) -> Any:
        """Wait for a free process and return its answer, or None if the bot failed twice."""
        seconds = await self._wait_for_process(request.seconds, requester)
        try:
            return await self._attempt_twice(request._replace(seconds=seconds))
        finally:
            self._release_process()

    async def _wait_for_process(self, seconds: float, requester: Requester) -> float:
        """Wait for a free process, and return how many seconds of it are granted."""
        granted: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._queue.add(granted, requester, seconds)
        self._grant()
        try:
            return await granted
        except asyncio.CancelledError:
            if granted.cancelled():
                self._queue.remove(granted, requester)
            else:  # it was granted at the same time
                self._release_process()
            raise

    def _grant(self) -> None:
        """Assign free processes to waiting requests."""
        while self._free and (first := self._queue.next()) is not None:
            granted, seconds = first
            if not granted.done():
                self._free -= 1
                granted.set_result(seconds)

    def _release_process(self) -> None:
        """Assign the process to the next waiting request."""
        self._free += 1
        self._grant()

    async def _attempt_twice(self, request: BotRequest) -> Any:
        """Return a bot's answer; after a failure, try once more without search time."""
        for attempt in (request, request._replace(seconds=0.0)):
            result = await self._attempt(attempt)
            if result.answer is not None:
                return result.answer
            log.error("bot_failed", game=attempt.game, level=attempt.level, failure=result.failure)
        return None

    async def _attempt(self, request: BotRequest) -> BotResult:
        """Send a request and return its result, without an answer if the process died or was killed after its time."""
        number, loop = next(self._numbers), asyncio.get_running_loop()
        pending = self._pending[number] = PendingRequest(loop.create_future(), loop.create_future())
        try:
            process = await self._start(encode_request(number, request), pending)
            try:
                async with asyncio.timeout(request.seconds + request.patience):
                    return await pending.result
            except TimeoutError:
                self._kill(process, number)
                return BotResult(number, None, "The bot did not answer in time.")
        except OSError as failure:
            return BotResult(number, None, f"The request could not be sent: {failure}")
        finally:
            del self._pending[number]

    async def _start(self, message: bytes, pending: PendingRequest) -> int:
        """Send a request and return the process that starts work on it. Raises `EngineUnavailable`."""
        self._wanted.set()
        try:
            async with asyncio.timeout(START_WITHIN):
                await self._started.wait()
                await self._send(message)
                return await pending.process
        except TimeoutError:
            raise EngineUnavailable(f"no bot process started work on a request within {START_WITHIN} seconds") from None

    async def _send(self, message: bytes) -> None:
        assert self._socket is not None  # noqa: S101 - called while running
        while True:
            try:
                self._socket.send(message)
            except BlockingIOError:
                await asyncio.sleep(RETRY_SEND)
            else:
                return

    def _kill(self, process: int, number: int) -> None:
        """Kill a process that still works on this request."""
        if self._working.get(process) == number:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def _read(self, ours: socket.socket) -> None:
        """Receive the messages that have arrived."""
        with suppress(BlockingIOError):
            while True:
                self._receive(decode_reply(ours.recv(LARGEST)))

    def _receive(self, reply: Reply) -> None:
        """Handle a message. A result that arrives too late is dropped."""
        match reply:
            case Begun(number, process):
                self._working[process] = number
                if (pending := self._pending.get(number)) is not None and not pending.process.done():
                    pending.process.set_result(process)
            case Died(process):
                if process in self._working:
                    self._receive(BotResult(self._working.pop(process), None, "The bot process died."))
            case BotResult() as result:
                if result == READY:
                    self._started.set()
                if (pending := self._pending.get(result.number)) is not None and not pending.result.done():
                    pending.result.set_result(result)

    async def _keep_fork_server(self, theirs: socket.socket) -> None:
        """Start the fork server at the first request, and restart it whenever it dies."""
        await self._wanted.wait()
        arguments = ("-P", "-m", "service.bot_engine.fork_server", str(theirs.fileno()), str(self._processes))
        while True:
            fork_server = await asyncio.create_subprocess_exec(
                sys.executable, *arguments, stdin=asyncio.subprocess.PIPE, pass_fds=(theirs.fileno(),)
            )
            try:
                code = await fork_server.wait()
            except asyncio.CancelledError:
                await stop_fork_server(fork_server)
                raise
            log.error("fork_server_died", code=code)
            self._started.clear()
            await asyncio.sleep(RESTART_AFTER)


async def stop_fork_server(fork_server: asyncio.subprocess.Process) -> None:
    """Close the fork server's standard input, on which it exits; kill it if it does not."""
    assert fork_server.stdin is not None  # noqa: S101 - it was started with one
    fork_server.stdin.close()
    try:
        async with asyncio.timeout(EXIT_WITHIN):
            await fork_server.wait()
    except TimeoutError:
        fork_server.kill()
        await fork_server.wait()


def any_legal_move(request: BotRequest) -> dict[str, Any]:
    """Return a random legal move, drawn from the bot's own seed."""
    chance = Chance(request.seed, (), DrawNumber(0))
    plain: dict[str, Any] = msgspec.to_builtins(
        random_legal_move(GAMES[request.game], request.known, request.seat, chance)
    )
    return plain
