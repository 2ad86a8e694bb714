"""The scrub: each room is checked once a day by one worker, and damaged rooms are named."""

import asyncio
from collections.abc import Callable
from datetime import timedelta

import pytest
from msgspec.structs import replace

from service.domain.ids import Millis, RoomKey, RoomName, Version
from service.domain.room.model import commands
from service.domain.room.model.settings import OpenRoom
from service.runtime import metrics
from service.store.contract import Head, Page
from service.workers.housekeeping import LEASE, Rate, Scrub
from tests.memory_store.store import Stream
from tests.rooms.processes import ANNA, BEN, Clock, Process

DAY = 86_400_000
FAST = Rate(timedelta(days=1), timedelta(minutes=1), 10_000_000)


@pytest.fixture
def process() -> Process:
    """Return a process at noon."""
    return Process(Clock())


def scrub(process: Process) -> Scrub:
    """Return a worker's scrub without pauses."""
    return Scrub(process.store, process.clock.now, FAST)


async def rooms(process: Process, count: int) -> list[RoomKey]:
    """Open some rooms, each with a running match and a snapshot."""
    keys = []
    for number in range(count):
        opened = await process.rooms.open(OpenRoom("morris", f"room-{number}"), ANNA)
        keys.append(opened.room.table.key)
    await process.start_match(ANNA, BEN)
    await process.place_man(ANNA, "a1")
    await process.rooms.close()
    return [*keys, (await process.cached_room()).key]


def checked_rooms() -> float:
    """Return how many rooms were checked so far."""
    return float(metrics.SCRUBBED_ROOMS._value.get())


async def test_every_room_is_checked_once_a_day(process: Process) -> None:
    """By the first worker."""
    await rooms(process, 3)
    before = checked_rooms()
    await asyncio.gather(scrub(process).look(), scrub(process.start_another()).look())
    assert checked_rooms() - before == 4
    process.clock.time = Millis(process.clock.time + DAY - 1)
    await scrub(process).look()
    assert checked_rooms() - before == 4
    process.clock.time = Millis(process.clock.time + 1)
    await scrub(process).look()
    assert checked_rooms() - before == 8
    assert metrics.DAMAGED_ROOMS._value.get() == 0


def lose_an_entry(stream: Stream) -> None:
    """Remove an entry from the middle."""
    del stream.entries[1]


def change_an_event(stream: Stream) -> None:
    """Change one letter."""
    stream.entries[0] = replace(stream.entries[0], data=stream.entries[0].data.replace(b"p-anna", b"p-Anna"))


def change_a_mac(stream: Stream) -> None:
    """Change the MAC of a command that is not the latest."""
    index = next(index for index, entry in enumerate(stream.entries) if entry.mac)
    entry = stream.entries[index]
    stream.entries[index] = replace(entry, mac=entry.mac[:-1] + bytes([entry.mac[-1] ^ 1]))


def change_the_head(stream: Stream) -> None:
    """Set a head that does not exist."""
    stream.head = Head(Version(stream.head.version + 1), stream.head.digest)


@pytest.mark.parametrize("damage", [lose_an_entry, change_an_event, change_a_mac, change_the_head])
async def test_a_damaged_room_is_named_until_it_is_intact(process: Process, damage: Callable[[Stream], None]) -> None:
    """The other rooms are checked as well."""
    key = (await rooms(process, 2))[-1]
    stream = process.store._streams[key]
    process.store._streams[key] = copy = Stream(stream.head, [*stream.entries], stream.matches, dict(stream.snapshots))
    damage(copy)
    before = checked_rooms()
    await scrub(process).look()
    assert checked_rooms() - before == 3
    assert await process.store.worker_store.damaged() == [key]
    assert metrics.DAMAGED_ROOMS._value.get() == 1
    process.store._streams[key] = stream
    process.clock.time = Millis(process.clock.time + DAY)
    await scrub(process).look()
    assert metrics.DAMAGED_ROOMS._value.get() == 0


async def test_a_bad_snapshot_is_deleted_and_the_room_is_not_damaged(process: Process) -> None:
    """Regardless of whether it is the newest."""
    key = (await rooms(process, 0))[-1]
    stream = process.store._streams[key]
    [(version, kept)] = stream.snapshots.items()
    stream.snapshots = {version: replace(kept, data=kept.data[:-1] + b" ")}
    await scrub(process).look()
    assert stream.snapshots == {}
    assert await process.store.worker_store.damaged() == []


async def test_an_interrupted_scrub_is_continued(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the claim of the killed worker ends, from the page of rooms that it had begun."""
    keys = await rooms(process, 4)

    async def page(cursor: str | None = None, *, live: bool = False) -> Page[RoomKey]:  # noqa: ARG001 - as the contract says
        index = int(cursor or 0)
        return Page((keys[index],), str(index + 1) if index + 1 < len(keys) else None)

    monkeypatch.setattr(process.store.admin_store, "rooms", page)
    first, before = scrub(process), checked_rooms()
    held = process.store.hold("heads")
    dying = asyncio.create_task(first.look())
    await held.reached.wait()
    dying.cancel()
    await asyncio.gather(dying, return_exceptions=True)
    await process.store.worker_store.save_scrub_cursor("2", Millis(process.clock.time + LEASE))
    await scrub(process).look()
    assert checked_rooms() == before
    process.clock.time = Millis(process.clock.time + LEASE)
    await scrub(process).look()
    assert checked_rooms() - before == len(keys) - 2
    assert process.store.worker_store.noted.cursor == ""


async def test_a_trimmed_room_is_not_damaged(process: Process) -> None:
    """Only its head and its results are kept. An open room without events is damaged."""
    await rooms(process, 0)
    live = await process.cached_room()
    await process.execute(ANNA, commands.Close())
    await process.store.worker_store.trim(live.key)
    await scrub(process).look()
    assert await process.store.worker_store.damaged() == []
    opened = (await process.rooms.open(OpenRoom("morris", "another"), ANNA)).room.table.key
    process.store._streams[opened].entries.clear()
    process.clock.time = Millis(process.clock.time + DAY)
    await scrub(process).look()
    assert await process.store.worker_store.damaged() == [RoomKey(RoomName("another"), opened.epoch)]


async def test_the_check_signs_the_nicknames_of_an_older_release(process: Process) -> None:
    """Also if it is interrupted after the rooms; the check after the one that signed some marks the store."""
    await rooms(process, 1)
    macs = process.store.name_table.macs
    players = list(macs)
    macs.clear()
    worker = process.store.worker_store
    await worker.claim_scrub(process.clock.now(), LEASE)
    await worker.save_scrub_cursor("values 0 ", process.clock.now())
    await scrub(process).look()
    assert list(macs) == players
    assert process.store.admin_store.sign_off == b""
    process.clock.time = Millis(process.clock.time + DAY)
    await scrub(process).look()
    assert process.store.admin_store.sign_off
