"""The rooms of one owner do not delay those of others in a worker."""

import asyncio
from typing import Any

import pytest

from service.bots.fair_queue import Requester
from service.bots.messages import BotRequest
from service.domain.ids import Millis, Player
from service.domain.room.model.settings import BotSeat, OpenRoom, RequestedSettings
from service.workers.worker import RETRY_AFTER, Shares
from tests.rooms.processes import ANNA, BEN, NOON, Clock, Process, run_pending
from tests.waiting import wait_until
from tests.workers.fake_engine import RandomEngine, worker_of

ALLOWED = 4


pytestmark = pytest.mark.usefixtures("no_pauses")


class GatedEngine(RandomEngine):
    """An engine that answers once the test opens its gate."""

    def __init__(self) -> None:
        """Start with the gate closed."""
        super().__init__()
        self.open = asyncio.Event()
        self.computing = 0

    async def move(self, request: BotRequest, requester: Requester) -> dict[str, Any]:
        """Return a random legal move once the gate is open."""
        self.requesters.append(requester)
        self.computing += 1
        await self.open.wait()
        return await super().move(request, requester)

    def requests_of(self, player: Player) -> int:
        """Return how many moves were requested in a player's rooms."""
        return sum(requester.owner == player.id for requester in self.requesters)


async def open_rooms(process: Process, by: Player, count: int, *seats: Any) -> None:
    """Open rooms in which bots have to move at once."""
    settings = RequestedSettings(bot_pause=0)
    for _ in range(count):
        await process.rooms.open(OpenRoom("morris", None, settings=settings, seats=seats), by)


async def test_one_owners_rooms_do_not_delay_those_of_another() -> None:
    """Anna's rooms wait in the store, not in the worker; each has its turn as soon as another one is finished."""
    process, engine, stop = Process(Clock()), GatedEngine(), asyncio.Event()
    await open_rooms(process, ANNA, 20, BotSeat("hard"), BotSeat("hard"))
    process.clock.time = Millis(NOON + 10)
    await open_rooms(process, BEN, 1, BotSeat("easy"), BotSeat("easy"))
    working = worker_of(process.start_another(), engine)
    working._shares = Shares(ALLOWED)
    running = asyncio.create_task(working.run(stop))
    await wait_until(lambda: engine.requests_of(BEN) == 1)
    await run_pending()
    assert engine.requests_of(ANNA) == ALLOWED
    waiting = sorted(moment for moment in process.store._due.values() if moment > NOON + 10)
    assert len(working._claims) == ALLOWED + 1
    engine.open.set()
    await run_pending()
    for moment in waiting:
        process.clock.time = max(process.clock.time, moment)
        await run_pending()
    await wait_until(lambda: engine.requests_of(ANNA) >= 20)
    stop.set()
    await running


def test_postponed_rooms_return_one_after_another() -> None:
    """No faster than they can be processed, so that few are claimed in vain."""
    shares, anna = Shares(ALLOWED), Requester(ANNA.id, human=True)
    with shares.held(anna):
        moments = [shares.later(anna, NOON) - NOON for _ in range(2 * ALLOWED)]
    assert moments[0] == RETRY_AFTER
    assert moments[ALLOWED] == 2 * RETRY_AFTER - RETRY_AFTER % ALLOWED
    assert len(set(moments)) == len(moments)


def test_rooms_with_a_human_are_counted_separately() -> None:
    """Rooms in which only bots play do not count against them."""
    shares, human = Shares(1), Requester(ANNA.id, human=True)
    with shares.held(human._replace(human=False)):
        assert shares.is_full(human._replace(human=False))
        assert not shares.is_full(human)
    assert not shares.is_full(human._replace(human=False))
