"""Rooms are read in beside each other, and yet it is as if one came after the other."""

import random
from pathlib import Path

import pytest

from service.domain.room.model import commands as ask
from service.domain.room.model.commands import OpenRoom
from service.domain.room.model.ids import Millis, RoomName
from service.ops.exports.reader import imported
from service.ops.exports.room_iteration import every_room
from service.ops.exports.verify import verified
from service.ops.exports.writer import exported
from service.rooms.commands.requests import CommandRequest
from tests.rooms.processes import ANNA, BEN, Clock, Process

SEALING = b"a key for exports"
TIMES = 6


async def exports(folder: Path) -> list[bytes]:
    """Return the lines of an export: one name, under which rooms were opened and closed again and again."""
    process, lines = Process(Clock()), list[bytes]()
    for number in range(TIMES):
        process.clock.time = Millis(process.clock.time + 1000)
        await process.rooms.open(OpenRoom("morris", "again"), ANNA)
        live = await process.core.repository.by_name(RoomName("again"))
        await process.rooms.execute(live, CommandRequest(ask.Join(), BEN))
        if number < TIMES - 1:
            await process.rooms.execute(live, CommandRequest(ask.Close(), ANNA))
    await exported(process.line, await every_room(process.line), SEALING, lines.append, log=False, folder=folder)
    return b"".join(lines).splitlines(keepends=True)


@pytest.mark.parametrize("seed", range(5))
async def test_rooms_of_one_name_are_written_one_after_another(seed: int, tmp_path: Path) -> None:
    """However long each answer of the store takes; the last one has the name."""
    lines, there = await exports(tmp_path), Process(Clock())
    there.line.dice = random.Random(seed)  # noqa: S311 - how long answers take
    did = await imported(there.line, lines, lambda _: None)
    assert (did.rooms, did.there) == (TIMES, 0)
    keys = await there.line.rooms_of(ANNA.id)
    assert len(keys) == TIMES
    assert await there.line.live(RoomName("again")) == keys[-1].epoch
    for key in keys:
        await verified(there.line, key)
    assert (await imported(there.line, lines, lambda _: None)).there == TIMES
