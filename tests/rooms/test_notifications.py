"""Notifications are wake-ups: whatever comes between two of them, nobody waits for news that are there."""

import asyncio

import pytest

from service.domain.room.model import commands
from service.domain.room.model.ids import Version
from service.rooms.errors import ServiceError
from service.rooms.loading.room import LoadedRoom
from service.store.contract import StoreUnavailable
from tests.rooms.processes import ANNA, BEN, CLARA, Process, Screen, settle, until, watches


async def in_two(process: Process) -> tuple[Process, LoadedRoom, Screen]:
    """Return another process with a watcher on the same room, and the room there."""
    await process.match(ANNA, BEN)
    here = process.another()
    screen = await watches(here, Screen())
    return here, await here.friday(), screen


async def test_news_that_come_while_a_watcher_attaches_are_told(process: Process) -> None:
    """The answer to where the stream ends was on its way when another process wrote."""
    here, live, first = await in_two(process)
    held = here.line.hold("heads")
    second = Screen()
    coming = asyncio.create_task(watches(here, second))
    await held.reached.wait()
    await process.moves(ANNA, "a1")
    await settle()
    held.release()
    await coming
    await settle()
    assert live.head.version == (await process.friday()).head.version
    assert first.without_gap_or_double(0) == second.without_gap_or_double(0) == live.head.version


async def test_news_that_come_while_a_command_is_refused_are_told(process: Process) -> None:
    """The refusal was looked at again just before the news; they don't wait for the next heartbeat."""
    here, live, screen = await in_two(process)
    held = here.line.hold("heads")
    asking = asyncio.create_task(here.moves(BEN, "a1"))
    await held.reached.wait()
    await process.does(CLARA, commands.Join(role="spectator"))
    await settle()
    held.release()
    with pytest.raises(ServiceError, match="not_your_turn"):
        await asking
    await settle()
    assert screen.without_gap_or_double(0) == live.head.version == (await process.friday()).head.version


async def test_news_that_come_while_older_news_are_read_are_told(process: Process) -> None:
    """The second wake-up falls into the time in which the first is served."""
    here, live, screen = await in_two(process)
    held = here.line.hold("read")
    await process.moves(ANNA, "a1")
    await held.reached.wait()
    await process.moves(BEN, "d1")
    await settle()
    held.release()
    await settle()
    assert screen.without_gap_or_double(0) == live.head.version == (await process.friday()).head.version


async def test_news_that_come_while_the_room_is_read_are_told(process: Process) -> None:
    """A reader over HTTP levels the room at the same moment."""
    here, live, screen = await in_two(process)
    held = here.line.hold("heads")
    reading = asyncio.create_task(here.fresh())
    await held.reached.wait()
    await process.moves(ANNA, "a1")
    await settle()
    held.release()
    await reading
    await settle()
    assert screen.without_gap_or_double(0) == live.head.version == (await process.friday()).head.version


async def test_news_that_come_while_one_writes_are_told(process: Process) -> None:
    """A fast opponent in another process answers before this one has heard of its own success."""
    here, live, screen = await in_two(process)
    held = here.line.hold("append")
    moving = asyncio.create_task(here.moves(ANNA, "a1"))
    await held.reached.wait()
    await process.moves(BEN, "d1")
    await settle()
    held.release()
    await moving
    await settle()
    assert screen.without_gap_or_double(0) == live.head.version == (await process.friday()).head.version


async def test_an_event_costs_a_process_that_follows_one_round_trip(process: Process) -> None:
    """The notification names the version, so the store is not asked for its head."""
    here, live, screen = await in_two(process)
    here.line.questions.clear()
    await process.moves(ANNA, "a1")
    await settle()
    assert here.line.questions == ["read"]
    assert screen.without_gap_or_double(0) == live.head.version


async def test_a_notification_of_more_than_the_store_has_is_no_endless_question(process: Process) -> None:
    """The store lost what it told of: its head is asked for, and decides."""
    here, live, _ = await in_two(process)
    here.line.questions.clear()
    here.line._subscriptions[live.key](live.key, Version(live.head.version + 5))
    await settle()
    assert here.line.questions == ["read", "heads"]
    assert not (await here.friday()).has_news


async def test_what_the_notifications_lost_is_noticed_by_the_heartbeat(process: Process) -> None:
    """Nothing was heard of the move; the heartbeat looks at the store and carries the version."""
    here, live, screen = await in_two(process)
    here.line._subscriptions.clear()
    await process.moves(ANNA, "a1")
    await settle()
    assert screen.kinds[-1] == "caught_up"
    beating = asyncio.create_task(here.rooms.run_heartbeats(0))
    await until(lambda: "heartbeat" in screen.kinds)
    beating.cancel()
    assert screen.kinds[3:5] == ["update", "heartbeat"]
    assert screen.frames[4]["version"] == screen.without_gap_or_double(0) == live.head.version


async def test_after_a_lost_connection_every_room_is_looked_at(process: Process) -> None:
    """The store tells version 0, because it can't know what was missed."""
    here, live, screen = await in_two(process)
    heard = here.line._subscriptions.pop(live.key)
    await process.moves(ANNA, "a1")
    await settle()
    heard(live.key, Version(0))
    await settle()
    assert screen.without_gap_or_double(0) == live.head.version


async def test_a_store_that_is_away_stops_no_heartbeat(process: Process) -> None:
    """The next one comes when the store is back."""
    here, _, screen = await in_two(process)
    here.line.failing["heads"] = StoreUnavailable()
    beating = asyncio.create_task(here.rooms.run_heartbeats(0))
    await until(lambda: "heartbeat" in screen.kinds)
    assert "heads" not in here.line.failing
    beating.cancel()


async def test_news_that_the_store_could_not_give_are_read_when_it_is_back(process: Process) -> None:
    """By one question at a time, however many rooms wait; neither another notification nor a heartbeat has to come."""
    here, live, screen = await in_two(process)
    here.core.repository.retry_seconds = 0
    here.line.failing["read"] = StoreUnavailable()
    await process.moves(ANNA, "a1")
    await until(lambda: screen.kinds[-1] == "update")
    assert "read" not in here.line.failing
    assert screen.without_gap_or_double(0) == live.head.version == (await process.friday()).head.version
