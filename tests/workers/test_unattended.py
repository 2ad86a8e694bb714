"""A room that no player but its creator has entered closes an hour after the creator's last request for it."""

import asyncio

import msgspec
import pytest

from service.domain.ids import Millis, PlayerId, RoomKey
from service.domain.room.model import commands
from service.domain.room.subjects.lifecycle import HOUR, MINUTE, attended_until
from service.rooms.presence_counts import PresenceCounts, ProcessShare
from service.rooms.repository import LoadedRoom
from service.rooms.views.match_view import Viewer
from service.rooms.views.room_view import view_for
from service.store.contract import StoreUnavailable
from tests.rooms.processes import (
    ANNA,
    BEN,
    FRIDAY,
    NOON,
    Clock,
    Process,
    RecordingSubscriber,
    run_pending,
    subscribe,
)
from tests.waiting import wait_until
from tests.workers.fake_engine import run_worker


@pytest.fixture
def process() -> Process:
    """Return a process with a store of its own."""
    return Process(Clock())


pytestmark = pytest.mark.usefixtures("no_pauses")


async def read_at(process: Process, minutes: int, player: PlayerId | None) -> LoadedRoom:
    """Read the room as a player, some minutes after noon."""
    process.clock.time = Millis(NOON + minutes * MINUTE)
    live = await process.rooms.read(FRIDAY, player)
    await run_pending()
    return live


def shown(live: LoadedRoom) -> object:
    """Return `expires_at` as the creator sees it."""
    view = msgspec.json.decode(view_for(Viewer(None), live.state, live.state.time, kept_until=live.kept_until).json)
    return view.get("expires_at")


async def test_the_creators_requests_keep_a_room_open(process: Process) -> None:
    """Those of others do not, with a token or without; the view has the time at which it closes."""
    live = await process.open()
    assert shown(live) == "2023-11-14T23:14:00.000Z"
    async with run_worker(process):
        await read_at(process, 40, BEN.id)
        assert shown(live) == "2023-11-14T23:14:00.000Z"
        await read_at(process, 50, ANNA.id)
        assert shown(live) == "2023-11-15T00:04:00.000Z"
        process.clock.time = Millis(attended_until(NOON) + MINUTE)
        await wait_until(lambda: process.rooms_due[live.key] == attended_until(Millis(NOON + 50 * MINUTE)))
        process.clock.time = Millis(attended_until(Millis(NOON + 50 * MINUTE)) - 1)
        await run_pending()
        assert (await process.stored_room()).table.status == "open"
        process.clock.time = Millis(process.clock.time + 1)
        await wait_until(lambda: process.store._due.get(live.key) is None)
    assert (await process.rooms.by_key(live.key)).state.table.status == "closed"


async def test_a_request_is_recorded_once_a_minute(process: Process) -> None:
    """And again if the store was away."""
    live, recorded = await process.open(), list[Millis]()
    keep_open = process.store.side_channels.keep_open

    async def keep_and_count(key: RoomKey, lasts: Millis) -> None:
        recorded.append(lasts)
        if len(recorded) == 1:
            raise StoreUnavailable("gone")
        await keep_open(key, lasts)

    process.store.side_channels.keep_open = keep_and_count  # type: ignore[method-assign]  # counted on its way
    for minutes in (1, 1, 1, 2, 2):
        await read_at(process, minutes, ANNA.id)
    assert len(recorded) == 3
    await process.execute(BEN, commands.Join())
    await read_at(process, 3, ANNA.id)
    assert len(recorded) == 3
    assert shown(live) is None


async def test_a_creator_who_follows_the_feed_keeps_the_room_open(process: Process) -> None:
    """With each heartbeat; a room that somebody else has entered needs no record."""
    live = await process.open()
    await subscribe(process, RecordingSubscriber(ANNA))
    live.presence = PresenceCounts([ProcessShare({ANNA.id: 1})])
    process.clock.time = Millis(NOON + 30 * MINUTE)
    heartbeats = asyncio.create_task(process.rooms.run_heartbeats(0))
    await wait_until(lambda: process.store.side_channels.shared.kept.get(live.key) is not None)
    heartbeats.cancel()
    assert await process.rooms.kept_until(live.key) == attended_until(process.clock.time)


async def test_what_keeps_a_room_open_does_not_delay_what_is_due_in_it(process: Process) -> None:
    """A claim that came for another reason closes no room that is kept open."""
    live = await process.open()
    await read_at(process, 59, ANNA.id)
    process.clock.time = Millis(NOON + HOUR + 2 * MINUTE)
    kept = await process.rooms.kept_until(live.key)
    assert not await process.rooms.proceed(live.key, kept_until=kept)
    assert live.state.table.status == "open"
