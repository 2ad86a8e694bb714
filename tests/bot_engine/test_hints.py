"""Hints: how many one player may wait for, and that others are not refused because of it."""

import asyncio
from contextlib import ExitStack
from typing import Any

import pytest

from service.bot_engine.fair_queue import Requester
from service.bot_engine.hints import HINTS_IN_TOTAL, HINTS_PER_PLAYER, Hint, Hints
from service.bot_engine.messages import BotRequest
from service.domain.room.model.commands import BotSeat, OpenRoom
from service.domain.room.model.ids import PlayerId, RoomName
from service.rooms.errors import ServiceError
from service.rooms.loading.room import LoadedRoom
from service.rooms.player import Player
from tests.rooms.processes import ANNA, BEN, Clock, Process, run_pending
from tests.workers.fake_engine import KEY, Guessing


class Gate(Guessing):
    """A bots whose thoughts end when a test lets them."""

    def __init__(self) -> None:
        """Begin with the gate shut."""
        super().__init__()
        self.open = asyncio.Event()

    async def move(self, request: BotRequest, requester: Requester) -> dict[str, Any]:
        """Return any legal move once the gate is open."""
        await self.open.wait()
        return await super().move(request, requester)


async def alone(process: Process, player: Player) -> LoadedRoom:
    """Open a room in which a player sits alone with a bot."""
    name = RoomName(f"room-of-{player.nickname}")
    await process.rooms.open(OpenRoom("morris", name, seats=("me", BotSeat("easy"))), player)
    return await process.core.repository.by_name(name)


def refused(answers: list[Hint | BaseException]) -> list[str]:
    """Return the codes of the answers that are refusals."""
    return [answer.problem.code for answer in answers if isinstance(answer, ServiceError)]


async def test_one_players_many_requests_refuse_that_player_only() -> None:
    """Anna requests ten hints at the same time; Ben gets his, in a share of his own."""
    process, gate = Process(Clock()), Gate()
    hints, annas, bens = Hints(process.rooms, gate, KEY), await alone(process, ANNA), await alone(process, BEN)
    requests = [asyncio.create_task(hints.hint(annas, ANNA, None)) for _ in range(10)]
    await run_pending()
    other = asyncio.create_task(hints.hint(bens, BEN, None))
    await run_pending()
    gate.open.set()
    assert (await other).seat == 0
    assert refused(await asyncio.gather(*requests, return_exceptions=True)) == ["too_many_hints"] * (
        10 - HINTS_PER_PLAYER
    )
    assert {requester.owner for requester in gate.requesters} == {ANNA.id, BEN.id}
    assert (await hints.hint(annas, ANNA, None)).seat == 0


async def test_all_players_together_wait_for_so_many() -> None:
    """For any number of them; a request that is too late can be repeated."""
    process, gate = Process(Clock()), Gate()
    hints, live = Hints(process.rooms, gate, KEY), await alone(process, ANNA)
    with ExitStack() as places:
        for number in range(HINTS_IN_TOTAL):
            places.enter_context(hints._place(PlayerId(f"p-{number}")))
        with pytest.raises(ServiceError):
            await hints.hint(live, ANNA, None)
    assert not hints._waiting
    gate.open.set()
    assert (await hints.hint(live, ANNA, None)).seat == 0
