"""Notifications: no subscriber waits for events that are stored, whatever happens between two of them."""

import asyncio

import pytest

from service.domain.ids import Version
from service.domain.room.model import commands
from service.rooms.repository import LoadedRoom
from service.store.contract import StoreUnavailable
from service.streams.errors import ServiceError
from tests.rooms.processes import ANNA, BEN, CLARA, Process, RecordingSubscriber, run_pending, subscribe
from tests.waiting import wait_until


async def subscribe_elsewhere(process: Process) -> tuple[Process, LoadedRoom, RecordingSubscriber]:
    """Return another process with a subscriber of the same room, and the room there."""
    await process.start_match(ANNA, BEN)
    here = process.start_another()
    subscriber = await subscribe(here, RecordingSubscriber())
    return here, await here.cached_room(), subscriber


async def test_events_written_during_a_subscription_are_delivered(process: Process) -> None:
    """The reply with the head was on its way when another process wrote."""
    here, live, first = await subscribe_elsewhere(process)
    delayed = here.store.hold("heads")
    second = RecordingSubscriber()
    subscribing = asyncio.create_task(subscribe(here, second))
    await delayed.reached.wait()
    await process.place_man(ANNA, "a1")
    await run_pending()
    delayed.release()
    await subscribing
    await run_pending()
    assert live.head.version == (await process.cached_room()).head.version
    assert first.check_versions(0) == second.check_versions(0) == live.head.version


async def test_events_written_during_a_refusal_are_delivered(process: Process) -> None:
    """The refusal was checked just before the append; the events do not wait for the next heartbeat."""
    here, live, subscriber = await subscribe_elsewhere(process)
    delayed = here.store.hold("heads")
    command = asyncio.create_task(here.place_man(BEN, "a1"))
    await delayed.reached.wait()
    await process.execute(CLARA, commands.Join(role="spectator"))
    await run_pending()
    delayed.release()
    with pytest.raises(ServiceError, match="not_your_turn"):
        await command
    await run_pending()
    assert subscriber.check_versions(0) == live.head.version == (await process.cached_room()).head.version


async def test_events_written_while_older_ones_are_read_are_delivered(process: Process) -> None:
    """The second notification arrives while the first is handled."""
    here, live, subscriber = await subscribe_elsewhere(process)
    delayed = here.store.hold("read")
    await process.place_man(ANNA, "a1")
    await delayed.reached.wait()
    await process.place_man(BEN, "d1")
    await run_pending()
    delayed.release()
    await run_pending()
    assert subscriber.check_versions(0) == live.head.version == (await process.cached_room()).head.version


async def test_events_written_while_the_room_is_read_are_delivered(process: Process) -> None:
    """A request over HTTP syncs the room at the same time."""
    here, live, subscriber = await subscribe_elsewhere(process)
    delayed = here.store.hold("heads")
    reading = asyncio.create_task(here.stored_room())
    await delayed.reached.wait()
    await process.place_man(ANNA, "a1")
    await run_pending()
    delayed.release()
    await reading
    await run_pending()
    assert subscriber.check_versions(0) == live.head.version == (await process.cached_room()).head.version


async def test_events_written_during_an_append_are_delivered(process: Process) -> None:
    """A fast opponent in another process moves before this process has the reply to its own append."""
    here, live, subscriber = await subscribe_elsewhere(process)
    delayed = here.store.hold("append")
    moving = asyncio.create_task(here.place_man(ANNA, "a1"))
    await delayed.reached.wait()
    await process.place_man(BEN, "d1")
    await run_pending()
    delayed.release()
    await moving
    await run_pending()
    assert subscriber.check_versions(0) == live.head.version == (await process.cached_room()).head.version


async def test_an_event_needs_one_round_trip_in_a_process_with_subscribers(process: Process) -> None:
    """The notification names the version, so the head is not read."""
    here, live, subscriber = await subscribe_elsewhere(process)
    here.store.requests.clear()
    await process.place_man(ANNA, "a1")
    await run_pending()
    assert here.store.requests == ["read"]
    assert subscriber.check_versions(0) == live.head.version


async def test_a_notification_of_a_lost_version_causes_one_read_of_the_head(process: Process) -> None:
    """The store lost the event that it announced; its head decides."""
    here, live, _ = await subscribe_elsewhere(process)
    here.store.requests.clear()
    here.store._subscriptions[live.key](Version(live.head.version + 5))
    await run_pending()
    assert here.store.requests == ["read", "heads"]
    assert not (await here.cached_room()).has_news


async def test_a_heartbeat_detects_lost_notifications(process: Process) -> None:
    """There was no notification of the move; the heartbeat of the process finds the head, that of the feed has it."""
    here, live, subscriber = await subscribe_elsewhere(process)
    here.store._subscriptions.clear()
    await process.place_man(ANNA, "a1")
    await run_pending()
    assert subscriber.types[-1] == "caught_up"
    await here.heartbeat.beat()
    await wait_until(lambda: subscriber.types[-1] == "update")
    heartbeats = asyncio.create_task(here.rooms.run_heartbeats(0))
    await wait_until(lambda: "heartbeat" in subscriber.types)
    heartbeats.cancel()
    assert subscriber.frames[4]["version"] == subscriber.check_versions(0) == live.head.version


async def test_every_room_is_synced_after_a_lost_connection(process: Process) -> None:
    """The store announces version 0, because it does not know what was missed."""
    here, live, subscriber = await subscribe_elsewhere(process)
    notify = here.store._subscriptions.pop(live.key)
    await process.place_man(ANNA, "a1")
    await run_pending()
    notify(Version(0))
    await run_pending()
    assert subscriber.check_versions(0) == live.head.version


async def test_an_outage_does_not_stop_heartbeats(process: Process) -> None:
    """Neither those of feeds nor those of the process."""
    here, _, subscriber = await subscribe_elsewhere(process)
    here.store.failing["heads"] = StoreUnavailable()
    assert not await here.heartbeat.beat()
    heartbeats = asyncio.create_task(here.rooms.run_heartbeats(0))
    await wait_until(lambda: "heartbeat" in subscriber.types)
    assert "heads" not in here.store.failing
    heartbeats.cancel()
    assert await here.heartbeat.beat()


async def test_events_that_could_not_be_read_are_read_after_an_outage(process: Process) -> None:
    """By the heartbeat of the process, with one request for all rooms; no other notification is needed."""
    here, live, subscriber = await subscribe_elsewhere(process)
    here.store.failing["read"] = StoreUnavailable()
    await process.place_man(ANNA, "a1")
    await wait_until(lambda: "read" not in here.store.failing)
    await here.heartbeat.beat()
    await wait_until(lambda: subscriber.types[-1] == "update")
    assert "read" not in here.store.failing
    assert subscriber.check_versions(0) == live.head.version == (await process.cached_room()).head.version
