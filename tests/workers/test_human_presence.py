"""While no human is present, bots do not play on among themselves; their next match needs somebody who watches."""

import asyncio
import random
from typing import Any

import pytest

from service.domain.ids import Millis, PlayerId, RoomKey
from service.domain.room.model.settings import BotSeat, OpenRoom, RequestedSettings
from service.rooms.commands.activity import MINUTE, RECORD_INTERVAL, SEATED_INTERVAL, STAY
from service.rooms.repository import LoadedRoom
from service.rooms.social.lease import Timing
from service.store.contract import StoreUnavailable
from service.store.side_channels import ProcessId
from tests.rooms.processes import (
    ANNA,
    BEN,
    FRIDAY,
    NOON,
    Clock,
    Process,
    RecordingSubscriber,
    place,
    run_pending,
    subscribe,
)
from tests.waiting import PATIENCE, wait_until
from tests.workers.fake_engine import run_worker, worker_of

GONE = Millis(STAY + RECORD_INTERVAL)
"""The maximum time for which a visit counts."""

BOTS = (BotSeat("easy"), BotSeat("easy"))


pytestmark = pytest.mark.usefixtures("no_pauses")


async def open_and_leave(process: Process, *seats: Any, **settings: Any) -> LoadedRoom:
    """Open a room with these seats as Anna, who then leaves."""
    opening = OpenRoom(
        "morris", FRIDAY, settings=RequestedSettings(**{"bot_pause": 0, "restart": 0, **settings}), seats=seats
    )
    await process.rooms.open(opening, ANNA)
    return await process.cached_room()


def version(process: Process, key: RoomKey) -> int:
    """Return how many events a room has."""
    return process.store._streams[key].head.version


async def wait_until_idle(process: Process, key: RoomKey) -> int:
    """Wait until nothing is due in a room, and return its version."""
    await wait_until(lambda: process.store._due[key] > process.clock.time + MINUTE)
    before = version(process, key)
    await run_pending()
    assert version(process, key) == before
    return before


async def wait_for_events(process: Process, key: RoomKey) -> None:
    """Wait until a room has some new events."""
    wanted = version(process, key) + 5
    async with asyncio.timeout(PATIENCE):
        await wait_until(lambda: version(process, key) >= wanted)


async def test_bots_among_themselves_stop_when_no_human_is_present() -> None:
    """Ten minutes after the last request with a token; the next request lets them continue at once."""
    process = Process(Clock())
    live = await open_and_leave(process, *BOTS)
    async with run_worker(process):
        await wait_for_events(process, live.key)
        process.clock.time = Millis(NOON + STAY - 1)
        await wait_for_events(process, live.key)
        process.clock.time = Millis(NOON + GONE)
        still = await wait_until_idle(process, live.key)
        await process.rooms.read(FRIDAY, None)
        assert await wait_until_idle(process, live.key) == still
        await process.rooms.read(FRIDAY, BEN.id)
        await wait_for_events(process, live.key)


async def test_a_subscriber_of_the_rooms_own_feed_counts_as_present() -> None:
    """Even without a token; one of a feed of many rooms, as TV's viewers, does not."""
    process = Process(Clock())
    process.with_social(ProcessId("here"), Timing(pause=0.0))
    live = await open_and_leave(process, *BOTS)
    process.clock.time = Millis(NOON + 2 * GONE)
    async with run_worker(process):
        still = await wait_until_idle(process, live.key)
        await subscribe(process, RecordingSubscriber(on_own_feed=False))
        assert await wait_until_idle(process, live.key) == still
        spectator = await subscribe(process, RecordingSubscriber())
        await wait_for_events(process, live.key)
        process.clock.time = Millis(NOON + 4 * GONE)
        await wait_for_events(process, live.key)
        process.rooms.unsubscribe(live, spectator)
        await wait_until_idle(process, live.key)


async def test_bots_move_for_a_human_regardless_of_presence() -> None:
    """Until it is the human's turn, or the match is over; also a day after the last request."""
    process = Process(Clock())
    live = await open_and_leave(process, "me", BotSeat("easy"))
    process.clock.time = Millis(NOON + 2 * GONE)
    await process.execute(ANNA, place("a1"))
    async with run_worker(process):
        await wait_until(lambda: version(process, live.key) == live.state.version + 1)


async def test_a_visit_between_the_check_and_the_release_is_not_missed() -> None:
    """The worker finds nobody, then somebody comes, then the worker releases the room; the store keeps the visit."""
    process = Process(Clock())
    live = await open_and_leave(process, *BOTS)
    process.clock.time = Millis(NOON + GONE)
    other, stop, came = process.start_another(), asyncio.Event(), False
    look = other.store.side_channels.was_visited

    async def was_visited_slowly(key: RoomKey) -> bool:
        nonlocal came
        seen = await look(key)
        if not came:
            came = True
            await process.rooms.read(FRIDAY, BEN.id)
            await run_pending()
        return seen

    other.store.side_channels.was_visited = was_visited_slowly  # type: ignore[method-assign]  # an answer on its way
    running = asyncio.create_task(worker_of(other).run(stop))
    await wait_for_events(process, live.key)
    stop.set()
    await running


@pytest.mark.parametrize("seed", range(20))
async def test_a_room_continues_after_a_visit_in_any_order_of_writes(seed: int) -> None:
    """Replies of the store take random times; somebody comes at a random time during the release."""
    process = Process(Clock())
    live = await open_and_leave(process, *BOTS)
    process.clock.time = Millis(NOON + GONE)
    dice = random.Random(seed)  # noqa: S311 - an order of events
    async with run_worker(process) as other:
        process.store.dice = other.store.dice = dice
        for _ in range(dice.randrange(40)):
            await asyncio.sleep(0)
        await process.rooms.read(FRIDAY, BEN.id)
        await wait_for_events(process, live.key)


async def test_a_visit_is_stored_once_a_minute_without_delaying_requests() -> None:
    """For a hundred reads, the store records one visit of the room and reads the due time once.

    One of the player is recorded every five seconds.
    """
    process = Process(Clock())
    live = await process.start_match(ANNA, BEN)
    stored = []
    note = process.store.side_channels.record_visit

    async def record_and_count(key: RoomKey, lasts: Millis, player: PlayerId | None = None) -> None:
        stored.append((key, player))
        await note(key, lasts, player)

    process.store.side_channels.record_visit = record_and_count  # type: ignore[method-assign]  # counted on its way
    for moment in (0, 1, SEATED_INTERVAL - 1, RECORD_INTERVAL):
        process.clock.time = Millis(NOON + moment)
        for _ in range(25):
            await process.rooms.read(FRIDAY, BEN.id)
        await run_pending()
    assert stored == [(live.key, BEN.id), (live.key, None)] * 2
    assert process.store.requests.count("heads") <= 100 + 2


async def test_a_visit_that_could_not_be_stored_is_stored_at_the_next_request() -> None:
    """The store was unavailable when somebody came."""
    process = Process(Clock())
    live = await open_and_leave(process, *BOTS)
    process.clock.time = Millis(NOON + GONE)
    async with run_worker(process):
        await wait_until_idle(process, live.key)
        process.store.failing["append"] = StoreUnavailable("away")
        await process.rooms.read(FRIDAY, BEN.id)
        await wait_until(lambda: not process.store.failing)
        await run_pending()
        await process.rooms.read(FRIDAY, BEN.id)
        await wait_for_events(process, live.key)
