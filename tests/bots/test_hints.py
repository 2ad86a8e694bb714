"""Hints: how many one player may wait for, which does not affect other players."""

import asyncio
from contextlib import ExitStack
from typing import Any

import pytest

from service.bots.fair_queue import Requester
from service.bots.hints import HINTS_IN_TOTAL, HINTS_PER_PLAYER, Hint, Hints
from service.bots.messages import BotRequest
from service.domain.ids import Player, RoomName
from service.domain.room.model.commands import Play, RequestTakeback
from service.domain.room.model.settings import BotSeat, OpenRoom
from service.rooms.commands.requests import CommandRequest
from service.rooms.repository import LoadedRoom
from service.streams.errors import ServiceError
from tests.rooms.processes import ANNA, BEN, Clock, Process, run_pending
from tests.workers.fake_engine import KEY, RandomEngine


class GatedEngine(RandomEngine):
    """An engine that answers once the test opens its gate."""

    def __init__(self) -> None:
        """Start with the gate closed."""
        super().__init__()
        self.open = asyncio.Event()

    async def move(self, request: BotRequest, requester: Requester) -> dict[str, Any]:
        """Return a random legal move once the gate is open."""
        await self.open.wait()
        return await super().move(request, requester)


async def alone(process: Process, player: Player) -> LoadedRoom:
    """Open a room in which a player plays against a bot."""
    name = RoomName(f"room-of-{player.nickname}")
    await process.rooms.open(OpenRoom("morris", name, seats=("me", BotSeat("easy"))), player)
    return await process.core.repository.by_name(name)


def refusal_codes(answers: list[Hint | BaseException]) -> list[str]:
    """Return the codes of the refusals."""
    return [answer.problem.code for answer in answers if isinstance(answer, ServiceError)]


async def test_too_many_requests_of_a_player_are_refused_to_that_player_only() -> None:
    """Anna requests ten hints at the same time; Ben gets his hint, in his own share of time."""
    process, engine = Process(Clock()), GatedEngine()
    hints, annas, bens = Hints(process.rooms, engine, KEY), await alone(process, ANNA), await alone(process, BEN)
    requests = [asyncio.create_task(hints.hint(annas, ANNA, None)) for _ in range(10)]
    await run_pending()
    other = asyncio.create_task(hints.hint(bens, BEN, None))
    await run_pending()
    engine.open.set()
    assert (await other).seat == 0
    assert refusal_codes(await asyncio.gather(*requests, return_exceptions=True)) == ["too_many_hints"] * (
        10 - HINTS_PER_PLAYER
    )
    assert {requester.owner for requester in engine.requesters} == {ANNA.id, BEN.id}
    assert (await hints.hint(annas, ANNA, None)).seat == 0


async def test_all_players_together_can_wait_for_a_limited_number() -> None:
    """For any number of players; a refused request can be repeated."""
    process, engine = Process(Clock()), GatedEngine()
    hints, live = Hints(process.rooms, engine, KEY), await alone(process, ANNA)
    with ExitStack() as places:
        for number in range(HINTS_IN_TOTAL):
            places.enter_context(hints.waiting.hold(f"p-{number}"))
        with pytest.raises(ServiceError):
            await hints.hint(live, ANNA, None)
    engine.open.set()
    assert (await hints.hint(live, ANNA, None)).seat == 0


async def test_a_hint_is_computed_once_for_each_position() -> None:
    """Anna gets the same move again, without a second request, until the position has changed."""
    process, engine = Process(Clock()), RandomEngine()
    hints, live = Hints(process.rooms, engine, KEY), await alone(process, ANNA)
    first = await hints.hint(live, ANNA, None)
    assert (await hints.hint(live, ANNA, None), len(engine.requests)) == (first, 1)
    for command in (Play(first.move), RequestTakeback()):
        await process.rooms.execute(live, CommandRequest(command, ANNA))
    await hints.hint(live, ANNA, None)
    assert len(engine.requests) == 2
