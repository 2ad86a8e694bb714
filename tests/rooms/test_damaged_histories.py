"""Histories that cannot be served, because they are changed, trimmed, or written by a newer release, are refused."""

import pytest
from msgspec.structs import replace

from service.domain.ids import RoomKey, Version
from service.domain.room.model import commands
from service.domain.room.model.settings import OpenRoom
from service.rooms.kind import ROOM_EVENTS
from service.store.codec import chain_digest
from service.store.contract import Entry, Head
from service.streams.errors import ServiceError
from tests.rooms.processes import ANNA, BEN, Process


async def flip_letter(process: Process, key: RoomKey) -> None:
    """Flip a letter in a stored event."""
    entries = process.store._streams[key].entries
    entries[1] = replace(entries[1], data=entries[1].data.replace(b"anna", b"Anna"))


async def test_a_changed_event_is_detected(process: Process) -> None:
    """The room is not served; a process that has folded it before continues, because its state is correct."""
    live = await process.open()
    await flip_letter(process, live.key)
    with pytest.raises(ServiceError, match="history_damaged"):
        await process.start_another().cached_room()
    await process.execute(BEN, commands.Join())


async def test_a_damaged_room_hides_no_other_of_its_players(process: Process) -> None:
    """They read the others, can leave them all, and the damaged one is kept for its repair."""
    damaged = await process.open()
    other = (await process.rooms.open(OpenRoom("morris", "Other"), ANNA)).room.table
    await flip_letter(process, damaged.key)
    rooms = process.start_another().rooms
    assert [room.table.key for room in await rooms.rooms_of(ANNA.id)] == [other.key]
    assert damaged.key in await process.store.rooms_of(ANNA.id)


async def test_a_trimmed_history_without_a_snapshot_is_refused(process: Process) -> None:
    """With an error code, not with a failure; also where only the tail is left."""
    live = await process.open()
    del process.store._streams[live.key].entries[:1]
    with pytest.raises(ServiceError):
        await process.start_another().cached_room()
    with pytest.raises(ServiceError, match="trimmed"):
        await process.rooms.at(live, Version(2))


async def test_a_trimmed_history_is_served_from_its_snapshot(process: Process) -> None:
    """Earlier events can no longer be read."""
    key = (await process.start_match(ANNA, BEN)).key
    await process.place_man(ANNA, "a1")
    await process.rooms.close()
    snapshot = await process.store.snapshot(key)
    assert snapshot is not None
    del process.store._streams[key].entries[: snapshot.version]
    other = process.start_another()
    live = await other.cached_room()
    assert live.state == (await process.cached_room()).state
    with pytest.raises(ServiceError, match="trimmed"):
        await other.rooms.history(live, Version(0))
    assert await other.rooms.history(live, snapshot.version)


OURS = b"[%d," % ROOM_EVENTS.format

NEWER_OPENINGS = [
    ("a newer format", OURS, b"[9,"),
    ("another envelope", OURS, b'[9,{"at":"noon"},'),
    ("an unknown event", b'"room_opened"', b'"room_imported"'),
    ("an unknown game", b'"game":"morris"', b'"game":"chess"'),
    ("an unknown setting", b'"hot_seat":false', b'"hot_seat":false,"gravity":true'),
    ("an unknown option", b'"quiet_limit":100', b'"quiet_limit":100,"gravity":true'),
]
NEWER_EVENTS = [
    ("a newer format", OURS, b"[9,"),
    ("another envelope", OURS, b'[9,{"at":"noon"},'),
    ("an unknown event", b'"player_joined"', b'"player_beamed"'),
    ("an unknown value", b'"as":"player"', b'"as":"referee"'),
]


@pytest.mark.parametrize(("change", "old", "new"), NEWER_OPENINGS)
async def test_a_room_opened_by_a_newer_release_is_refused(
    process: Process, change: str, old: bytes, new: bytes
) -> None:
    """The code is `newer_events`, and this release never writes to the room."""
    await check_refused_as_newer(process, 0, old, new, change)


@pytest.mark.parametrize(("change", "old", "new"), NEWER_EVENTS)
async def test_a_room_written_by_a_newer_release_is_refused(
    process: Process, change: str, old: bytes, new: bytes
) -> None:
    """The same, although its opening can be decoded."""
    await check_refused_as_newer(process, 1, old, new, change)


async def check_refused_as_newer(process: Process, index: int, old: bytes, new: bytes, change: str) -> None:
    """Check that a room with a changed event is refused by a process that loads it."""
    live = await process.open()
    data = process.store._streams[live.key].entries[index].data
    assert old in data, change
    rewrite(process, live.key, index, data.replace(old, new, 1))
    with pytest.raises(ServiceError, match="newer_events"):
        await process.start_another().cached_room()


def rewrite(process: Process, key: RoomKey, index: int, data: bytes) -> None:
    """Replace an event in the store, with matching digests."""
    stream = process.store._streams[key]
    data_of_entries = [data if n == index else entry.data for n, entry in enumerate(stream.entries)]
    digest, entries = b"", list[Entry]()
    for version, each in enumerate(data_of_entries, 1):
        digest = chain_digest(digest, each)
        entries.append(Entry(Version(version), each, digest))
    stream.entries[:] = entries
    stream.head = Head(entries[-1].version, digest)
