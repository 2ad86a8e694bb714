"""The bot engine as a pool of processes, in which every request is answered by the bot itself.

A process that dies or does not answer is replaced; another one then answers at once, without search time.
"""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import structlog

from service.bots.fair_queue import FairQueue, Requester
from service.bots.messages import BotRequest, BotResult, Choice, decode_result, encode
from service.bots.requests import EngineUnavailable
from service.domain.catalog import GAMES
from service.domain.chance import Chance, DrawNumber
from service.domain.game import Evaluated
from service.domain.random_player import random_legal_move
from service.runtime.child_process import ForkedChildren, NotBegun

log = structlog.get_logger()

START_WITHIN = 30.0
"""Seconds within which a process must start work on a request."""


class BotPool:
    """Bot processes. If one is killed, its request still gets a move."""

    def __init__(self, processes: int | None = None) -> None:
        """Run this many processes, by default one per core."""
        self._free = processes or os.cpu_count() or 1
        self._queue: FairQueue[asyncio.Future[float]] = FairQueue(self._free)
        self._children = ForkedChildren("service.bots.process", self._free)
        self._wanted = asyncio.Event()

    @asynccontextmanager
    async def running(self) -> AsyncIterator["BotPool"]:
        """Start the processes at the first request, and keep them running while the context lasts."""
        keeping = asyncio.create_task(self._keep())
        try:
            yield self
        finally:
            keeping.cancel()
            await asyncio.wait([keeping])

    async def _keep(self) -> None:
        await self._wanted.wait()
        await self._children.run()

    async def choose(self, request: BotRequest, requester: Requester) -> Choice:
        """Return what a bot does in its turn; see `move`."""
        chosen = await self._result_in_turn(request, requester)
        return Choice(any_legal_move(request)) if chosen is None else Choice(*chosen)

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

    async def evaluate(self, request: BotRequest, requester: Requester) -> Evaluated | None:
        """Return how a position is evaluated, None if the bot failed twice. Raises `EngineUnavailable`."""
        evaluated: Evaluated | None = await self._result_in_turn(request, requester)
        return evaluated

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
        """Return the result of a request, without an answer if the process died or was too slow.

        Raises `EngineUnavailable`.
        """
        self._wanted.set()
        within = request.seconds + request.patience
        try:
            async with asyncio.timeout(START_WITHIN):
                child = await self._children.take()
        except TimeoutError:
            raise EngineUnavailable(f"no bot process was free within {START_WITHIN} seconds") from None
        try:
            message = await child.ask(encode(request), begin_within=START_WITHIN, within=within)
        except NotBegun:
            raise EngineUnavailable(f"no bot process started a request within {START_WITHIN} seconds") from None
        except TimeoutError:
            return BotResult(None, "The bot did not answer in time.")
        except (EOFError, OSError) as failure:
            return BotResult(None, f"The bot process could not be asked: {failure}")
        self._children.give_back(child)
        return decode_result(message)


def any_legal_move(request: BotRequest) -> dict[str, Any]:
    """Return a random legal move, drawn from the bot's own seed."""
    chance = Chance(request.seed, (), DrawNumber(0))
    plain: dict[str, Any] = msgspec.to_builtins(
        random_legal_move(GAMES[request.game], request.known, request.seat, chance)
    )
    return plain
