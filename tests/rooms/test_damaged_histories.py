"""Histories that can't be served: changed, trimmed, or written by a newer release. They are refused, not guessed at."""

import pytest
from msgspec.structs import replace

from service.domain.room.model import commands
from service.domain.room.model.ids import RoomKey, Version
from service.rooms.errors import ServiceError
from service.store.codec import FORMAT, chain_digest
from service.store.contract import Entry, Head
from tests.rooms.processes import ANNA, BEN, Process


async def tampered(process: Process, key: RoomKey) -> None:
    """Flip a letter in a stored event."""
    entries = process.line._streams[key].entries
    entries[1] = replace(entries[1], data=entries[1].data.replace(b"anna", b"Anna"))


async def test_a_changed_event_is_noticed(process: Process) -> None:
    """The room is not served; a process that had it folded goes on, for what it holds was true."""
    live = await process.open()
    await tampered(process, live.key)
    with pytest.raises(ServiceError, match="history_damaged"):
        await process.another().friday()
    await process.does(BEN, commands.Join())


async def test_a_trimmed_history_without_a_snapshot_is_refused(process: Process) -> None:
    """An answer, not a fault; neither where nothing but the tail is left."""
    live = await process.open()
    del process.line._streams[live.key].entries[:1]
    with pytest.raises(ServiceError):
        await process.another().friday()
    with pytest.raises(ServiceError, match="trimmed"):
        await process.rooms.at(live, Version(2))


async def test_a_trimmed_history_is_served_from_its_snapshot(process: Process) -> None:
    """What came before can't be asked for any more."""
    key = (await process.match(ANNA, BEN)).key
    await process.moves(ANNA, "a1")
    await process.rooms.close()
    snapshot = await process.line.snapshot(key)
    assert snapshot is not None
    del process.line._streams[key].entries[: snapshot.version]
    other = process.another()
    live = await other.friday()
    assert live.room == (await process.friday()).room
    with pytest.raises(ServiceError, match="trimmed"):
        await other.rooms.history(live, Version(0))
    assert await other.rooms.history(live, snapshot.version)


OURS = b"[%d," % FORMAT

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
async def test_a_room_that_a_newer_release_opened_is_not_guessed_at(
    process: Process, change: str, old: bytes, new: bytes
) -> None:
    """It is refused with `newer_events`, not with a fault; this release never writes to it."""
    await refused_as_newer(process, 0, old, new, change)


@pytest.mark.parametrize(("change", "old", "new"), NEWER_EVENTS)
async def test_a_room_to_which_a_newer_release_wrote_is_not_guessed_at(
    process: Process, change: str, old: bytes, new: bytes
) -> None:
    """The same, though the room's opening is understood."""
    await refused_as_newer(process, 1, old, new, change)


async def refused_as_newer(process: Process, index: int, old: bytes, new: bytes, change: str) -> None:
    """Judge that a room with a changed event is refused by a process that loads it."""
    live = await process.open()
    data = process.line._streams[live.key].entries[index].data
    assert old in data, change
    rewrite(process, live.key, index, data.replace(old, new, 1))
    with pytest.raises(ServiceError, match="newer_events"):
        await process.another().friday()


def rewrite(process: Process, key: RoomKey, index: int, data: bytes) -> None:
    """Have the store tell another event, with digests that fit."""
    stream = process.line._streams[key]
    told = [data if n == index else entry.data for n, entry in enumerate(stream.entries)]
    digest, entries = b"", list[Entry]()
    for version, each in enumerate(told, 1):
        digest = chain_digest(digest, each)
        entries.append(Entry(Version(version), each, digest))
    stream.entries[:] = entries
    stream.head = Head(entries[-1].version, digest)
