"""Analyses: how many one reader may wait for, and what is remembered."""

import asyncio
from collections.abc import Sequence

import pytest

from service.bots import analyses
from service.bots.analyses import PER_READER, Analyses
from service.domain.game import Seat
from service.domain.ids import RoomName
from service.domain.room.model.commands import Play, PlayerCommand, RequestNew, Resign
from service.domain.room.model.opening import OpenRoom
from service.domain.room.model.settings import RequestedSettings
from service.rooms.commands.requests import CommandRequest
from service.rooms.match_index import MatchEntry
from service.rooms.repository import LoadedRoom
from service.streams.errors import ServiceError
from tests.bots.test_hints import GatedEngine
from tests.rooms.processes import ANNA, Clock, Process, run_pending
from tests.workers.fake_engine import KEY

FRIDAY = RoomName("friday-night")


async def finished(process: Process) -> tuple[LoadedRoom, MatchEntry]:
    """Play a match of three moves and a drop-out."""
    settings = RequestedSettings(hot_seat=True, restart=None)
    await process.rooms.open(OpenRoom("morris", FRIDAY, settings=settings, seats=("me", "me")), ANNA)
    live = await process.core.repository.by_name(FRIDAY)
    moves: list[PlayerCommand] = [Play({"type": "place", "at": at}) for at in ("a1", "d1", "g1")]
    for command in (*moves, Resign(Seat(1))):
        await process.rooms.execute(live, CommandRequest(command, ANNA))
    (entry,) = await process.rooms.matches(live, [1])
    return live, entry


def codes(answers: Sequence[object]) -> list[str]:
    """Return the codes of the refusals."""
    return [answer.problem.code for answer in answers if isinstance(answer, ServiceError)]


async def test_a_reader_can_wait_for_a_limited_number() -> None:
    """The others are refused; another reader gets an analysis in their own share of time."""
    process, engine = Process(Clock()), GatedEngine()
    found, (live, entry) = Analyses(process.rooms, engine, KEY), await finished(process)
    requests = [asyncio.create_task(found.analyse(live, entry, ply, "reader")) for ply in (0, 1, 2, 0, 1)]
    await run_pending()
    other = asyncio.create_task(found.analyse(live, entry, 2, "other"))
    await run_pending()
    engine.open.set()
    assert (await other).positions[0].ply == 2
    answers = await asyncio.gather(*requests, return_exceptions=True)
    assert codes(answers) == ["too_many_analyses"] * (5 - PER_READER)
    assert {requester.owner for requester in engine.requesters} == {"reader", "other"}
    assert (await found.analyse(live, entry, 3, "reader")).positions[0].ply == 3


async def test_an_analysis_is_made_once() -> None:
    """Neither the fold nor the bot's move is repeated, also not for another reader."""
    process, engine = Process(Clock()), GatedEngine()
    found, (live, entry) = Analyses(process.rooms, engine, KEY), await finished(process)
    engine.open.set()
    assert found.known(entry, None) is None
    first = await found.analyse(live, entry, 1, "reader")
    again = await found.analyse(live, entry, 1, "other")
    assert again == first == found.known(entry, 1)
    assert len(engine.requests) == 1
    whole = found.known(entry, None)
    assert whole is not None
    assert [position.values for position in whole.positions] == [(9, 9)] * 5
    assert found.known(entry, 2) is None
    with pytest.raises(ServiceError):
        found.known(entry, 5)


async def test_the_bot_knows_the_position_and_not_what_followed() -> None:
    """The state of each request is that of its ply."""
    process, engine = Process(Clock()), GatedEngine()
    found, (live, entry) = Analyses(process.rooms, engine, KEY), await finished(process)
    engine.open.set()
    for ply in range(4):
        await found.analyse(live, entry, ply, "reader")
    men = [sum(spots.bit_count() for spots in request.known.men) for request in engine.requests]
    assert men == [0, 1, 2, 3]
    assert [request.seat for request in engine.requests] == [0, 1, 0, 1]


async def test_what_is_kept_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """By the number of positions, and by the number of moves; the latest are kept."""
    monkeypatch.setattr(analyses, "KEPT_MOVES", 2)
    monkeypatch.setattr(analyses, "KEPT_POSITIONS", 7)
    process, engine = Process(Clock()), GatedEngine()
    found, (live, entry) = Analyses(process.rooms, engine, KEY), await finished(process)
    engine.open.set()
    for ply in range(4):
        await found.analyse(live, entry, ply, "reader")
    assert [found.known(entry, ply) is not None for ply in range(4)] == [False, False, True, True]
    for command in (RequestNew(), Play({"type": "place", "at": "a1"}), Resign(Seat(1))):
        await process.rooms.execute(live, CommandRequest(command, ANNA))
    (second,) = await process.rooms.matches(live, [2])
    await found.analyse(live, second, None, "reader")
    assert found.known(second, None) is not None
    assert found.known(entry, None) is None
