"""A worker whose bots play a random legal move at once, in the test's process."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from service.bots.fair_queue import Requester
from service.bots.messages import BotRequest, Choice
from service.bots.pool import any_legal_move
from service.bots.requests import evaluate_position
from service.contests.reviews import Reviews
from service.domain.game import Evaluated
from service.workers.bots import Bots
from service.workers.worker import Worker
from tests.rooms.processes import Process

KEY = b"a key that no client knows"


class RandomEngine:
    """An engine that returns random legal moves, and records its requests."""

    def __init__(self) -> None:
        """Start without requests."""
        self.requests: list[BotRequest] = []
        self.requesters: list[Requester] = []

    async def choose(self, request: BotRequest, requester: Requester) -> Choice:
        """Return what `move` returns, as an easy choice."""
        return Choice(await self.move(request, requester))

    async def move(self, request: BotRequest, requester: Requester) -> dict[str, Any]:
        """Return a random legal move."""
        self.requesters.append(requester)
        self.requests.append(request)
        return any_legal_move(request)

    async def accepts_draw(self, request: BotRequest, requester: Requester) -> bool:
        """Agree to every draw."""
        self.requesters.append(requester)
        self.requests.append(request)
        return True

    async def evaluate(self, request: BotRequest, requester: Requester) -> Evaluated | None:
        """Evaluate that every move loses as many percent as its seat's number, and that the chances are even."""
        self.requesters.append(requester)
        self.requests.append(request)
        return (50, 50), (), tuple((seat, int(seat)) for seat, _ in request.played)


def worker_of(process: Process, engine: RandomEngine | None = None) -> Worker:
    """Return a worker in this process."""
    engine = engine or RandomEngine()
    bots, reviews = Bots(process.rooms, engine, KEY), reviews_of(process, engine)
    return Worker(process.rooms, bots, process.outboxes, process.services, process.erasure, reviews.proceed)


def reviews_of(process: Process, engine: RandomEngine) -> Reviews:
    """Return the reviews as a process serves them."""
    return Reviews(process.store, process.rooms, partial(evaluate_position, engine), process.rooms.now)


@asynccontextmanager
async def run_worker(process: Process) -> AsyncIterator[Process]:
    """Run a worker over the same store, as another process, while this one keeps its presence up to date."""
    other, stop = process.start_another(), asyncio.Event()
    running = asyncio.create_task(worker_of(other).run(stop))
    beating = asyncio.create_task(process.social.presence.run()) if process.social else None
    yield other
    stop.set()
    await running
    if beating is not None:
        beating.cancel()
        await asyncio.wait([beating])
