"""One owner's rooms don't keep a worker from those of others."""

import asyncio
from typing import Any

import pytest

from service.bot_engine.fair_queue import Requester
from service.bot_engine.messages import BotRequest
from service.domain.room.model.commands import BotSeat, OpenRoom
from service.domain.room.model.ids import Millis
from service.domain.room.model.settings import RequestedSettings
from service.rooms.player import Player
from service.workers import worker
from service.workers.shares import RETRY_AFTER, Shares
from tests.rooms.processes import ANNA, BEN, NOON, Clock, Process, run_pending, wait_until
from tests.workers.fake_engine import Guessing, worker_of

MOST = 4


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let pauses take no time."""
    monkeypatch.setattr(worker, "PAUSE", 0.0001)


class Gate(Guessing):
    """A engine whose thoughts end when a test lets them."""

    def __init__(self) -> None:
        """Begin with the gate shut."""
        super().__init__()
        self.open = asyncio.Event()
        self.thinking = 0

    async def move(self, request: BotRequest, requester: Requester) -> dict[str, Any]:
        """Return any legal move once the gate is open."""
        self.requesters.append(requester)
        self.thinking += 1
        await self.open.wait()
        return await super().move(request, requester)

    def of(self, player: Player) -> int:
        """Return how many moves were requested in a player's rooms."""
        return sum(requester.owner == player.id for requester in self.requesters)


async def opens(process: Process, by: Player, count: int, *seats: Any) -> None:
    """Open rooms in which bots are to move at once."""
    settings = RequestedSettings(bot_pause=0)
    for _ in range(count):
        await process.rooms.open(OpenRoom("morris", None, settings=settings, seats=seats), by)


async def test_the_rooms_of_one_owner_leave_places_for_those_of_another() -> None:
    """Anna's wait in the store, not in the worker's hand; each has its turn when there is a place."""
    process, gate, stop = Process(Clock()), Gate(), asyncio.Event()
    await opens(process, ANNA, 20, BotSeat("hard"), BotSeat("hard"))
    process.clock.time = Millis(NOON + 10)
    await opens(process, BEN, 1, BotSeat("easy"), BotSeat("easy"))
    working = worker_of(process.start_another(), gate)
    working._shares = Shares(MOST)
    running = asyncio.create_task(working.run(stop))
    await wait_until(lambda: gate.of(BEN) == 1)
    await run_pending()
    assert gate.of(ANNA) == MOST
    waiting = sorted(moment for moment in process.store._due.values() if moment > NOON + 10)
    assert len(working._claims) == MOST + 1
    gate.open.set()
    await run_pending()
    for moment in waiting:
        process.clock.time = max(process.clock.time, moment)
        await run_pending()
    await wait_until(lambda: gate.of(ANNA) >= 20)
    stop.set()
    await running


def test_rooms_that_found_no_place_come_back_one_after_another() -> None:
    """No faster than they can be served, so that claiming them costs little."""
    shares, anna = Shares(MOST), Requester(ANNA.id, human=True)
    with shares.held(anna):
        moments = [shares.later(anna, NOON) - NOON for _ in range(2 * MOST)]
    assert moments[0] == RETRY_AFTER
    assert moments[MOST] == 2 * RETRY_AFTER - RETRY_AFTER % MOST
    assert len(set(moments)) == len(moments)


def test_where_a_human_waits_there_are_places_of_its_own() -> None:
    """Rooms in which bots play among themselves take none of them."""
    shares, human = Shares(1), Requester(ANNA.id, human=True)
    with shares.held(human._replace(human=False)):
        assert shares.is_full(human._replace(human=False))
        assert not shares.is_full(human)
    assert not shares.is_full(human._replace(human=False))
