"""Rooms are imported concurrently, with the same result as one after another."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.domain.ids import Millis, RoomName
from service.domain.room.model import commands
from service.domain.room.model.settings import OpenRoom
from service.programs.ops.exports import reader
from service.programs.ops.exports.reader import import_rooms
from service.programs.ops.exports.room_iteration import every_room
from service.programs.ops.exports.verify import verify_room
from service.programs.ops.exports.writer import export_rooms
from service.rooms.commands.requests import CommandRequest
from tests.memory_store.store import MemoryStore
from tests.rooms.processes import ANNA, BEN, CLARA, Clock, Process

SEALING = b"a key for exports"
TIMES = 6
LONGEST_COMMAND = 6
"""The maximum number of events of a command in these rooms, and the number of other lines per room."""


async def exports(folder: Path) -> list[bytes]:
    """Return the lines of an export with rooms of one name that were opened and closed one after another."""
    process, lines = Process(Clock()), list[bytes]()
    for number in range(TIMES):
        process.clock.time = Millis(process.clock.time + 1000)
        await process.rooms.open(OpenRoom("morris", "again"), ANNA)
        live = await process.core.repository.by_name(RoomName("again"))
        await process.rooms.execute(live, CommandRequest(commands.Join(), BEN))
        if number < TIMES - 1:
            await process.rooms.execute(live, CommandRequest(commands.Close(), ANNA))
    await export_rooms(process.store, await every_room(process.store), SEALING, lines.append, log=False, folder=folder)
    return b"".join(lines).splitlines(keepends=True)


@pytest.mark.parametrize("seed", range(5))
async def test_rooms_of_one_name_are_written_one_after_another(seed: int, tmp_path: Path) -> None:
    """In any order of the store's replies; the last room has the name."""
    lines, there = await exports(tmp_path), Process(Clock())
    there.store.dice = random.Random(seed)  # noqa: S311 - how slow replies are
    did = await import_rooms(there.store, lines, lambda _: None)
    assert (did.rooms, did.there) == (TIMES, 0)
    keys = await there.store.rooms_of(ANNA.id)
    assert len(keys) == TIMES
    assert await there.store.open_epoch(RoomName("again")) == keys[-1].epoch
    for key in keys:
        await verify_room(there.store, key)
    assert (await import_rooms(there.store, lines, lambda _: None)).there == TIMES


async def test_a_code_leads_to_an_imported_room(tmp_path: Path) -> None:
    """Its record is not exported, and is written again from the event."""
    here, there, lines = Process(Clock()), Process(Clock()), list[bytes]()
    await here.rooms.open(OpenRoom("morris", "again"), ANNA)
    made = await here.rooms.command(RoomName("again"), CommandRequest(commands.Invite(), ANNA))
    number, code = here.rooms.invitations.made_by(made) or (0, "")
    await export_rooms(here.store, await every_room(here.store), SEALING, lines.append, log=False, folder=tmp_path)
    await import_rooms(there.store, b"".join(lines).splitlines(keepends=True), lambda _: None)
    found = await there.rooms.invitations.find(code)
    assert (found.live.key, found.invitation.number) == (made.room.table.key, number)


class Reading:
    """Counts the lines of an export that were read and not yet written."""

    def __init__(self, lines: list[bytes], store: MemoryStore) -> None:
        """Take the lines and the store."""
        self._lines = lines
        self._store = store
        self.most_waiting = 0
        """The maximum number of events that were read and not yet written."""

    def __iter__(self) -> Iterator[bytes]:
        for number, line in enumerate(self._lines):
            written = sum(len(stream.entries) for stream in self._store._streams.values())
            self.most_waiting = max(self.most_waiting, number - written)
            yield line


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
async def test_a_long_room_is_written_in_pieces(size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Even if a piece ends within a command; reading is at most two pieces ahead of writing."""
    monkeypatch.setattr(reader, "PIECE", size)
    process, parts = Process(Clock()), list[bytes]()
    live = await process.start_match(ANNA, BEN)
    for _ in range(20):
        await process.execute(CLARA, commands.Join("spectator"))
        await process.execute(CLARA, commands.Leave())
    await export_rooms(process.store, [live.key], SEALING, parts.append, log=False, folder=tmp_path)
    lines, there = b"".join(parts).splitlines(keepends=True), MemoryStore(process.clock.now)
    reading = Reading(lines, there)
    did = await import_rooms(there, reading, lambda _: None)
    assert (did.rooms, did.events, did.there) == (1, live.head.version, 0)
    assert reading.most_waiting <= 2 * size + LONGEST_COMMAND
    assert (await verify_room(there, live.key)).events == live.head.version
    assert (await import_rooms(there, lines, lambda _: None)).there == 1
