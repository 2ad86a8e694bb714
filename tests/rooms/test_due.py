"""What the house owes a room: found in the due set, done once, and mended where the set was wrong."""

import asyncio

from service.domain.room.model import commands
from service.domain.room.model.ids import Millis
from service.domain.room.subjects.lifecycle import idle_deadline
from service.store.contract import Batch
from tests.rooms.processes import ANNA, BEN, CLARA, NOON, Process, stored

LEASE = Millis(10_000)
THEN = Millis(NOON + 5000)


async def finished(process: Process) -> Process:
    """Have Anna and Ben play a match that Ben resigns at noon."""
    await process.match(ANNA, BEN)
    await process.does(BEN, commands.Resign())
    return process


async def claimed(process: Process) -> list[str]:
    """Claim what is due now."""
    return [key.name for key in await process.line.claim_due(process.clock.now(), LEASE, 10)]


async def test_a_finished_room_is_due_when_its_next_match_begins(process: Process) -> None:
    """Not a millisecond before; and nothing is due soon once it has begun."""
    await finished(process)
    process.clock.time = Millis(THEN - 1)
    assert await claimed(process) == []
    process.clock.time = THEN
    assert await claimed(process) == ["friday-night"]
    assert await process.rooms.proceed((await process.friday()).key)
    assert (await process.fresh()).table.matches == 2
    process.clock.time = Millis(THEN + LEASE)
    assert await claimed(process) == []


async def test_what_is_due_is_done_once(process: Process) -> None:
    """Though two workers think that it is theirs, at the same moment or one after the other."""
    live = await (await finished(process)).friday()
    other = process.another()
    process.clock.time = THEN
    done = await asyncio.gather(process.rooms.proceed(live.key), other.rooms.proceed(live.key))
    assert sorted(done) == [False, True]
    assert not await other.rooms.proceed(live.key)
    assert await process.fresh() == await stored(process.line, live.key)
    assert live.room.table.matches == 2


async def test_a_due_moment_that_is_wrong_is_mended(process: Process) -> None:
    """An entry too early is put right, one for a room that is owed nothing is taken out."""
    live = await (await finished(process)).friday()
    await process.line.append(live.key, live.head, Batch((), due=NOON))
    assert await claimed(process) == ["friday-night"]
    assert not await process.rooms.proceed(live.key)
    assert process.line._due == {live.key: THEN}
    await process.does(BEN, commands.Unready())
    await process.line.append(live.key, live.head, Batch((), due=NOON))
    assert not await process.rooms.proceed(live.key)
    assert process.line._due == {live.key: idle_deadline(live.room)}


async def test_a_closed_room_is_taken_out_of_the_due_set(process: Process) -> None:
    """Whatever stood there."""
    live = await (await finished(process)).friday()
    await process.does(ANNA, commands.Close())
    assert process.line._due == {}
    await process.line.append(live.key, live.head, Batch((), due=NOON))
    assert not await process.rooms.proceed(live.key)
    assert not await process.another().rooms.proceed(live.key)
    assert process.line._due == {}


async def test_mending_gives_way_to_a_command(process: Process) -> None:
    """Another process writes to the room just before the due set is mended: no fault, and the set is right."""
    live = await (await finished(process)).friday()
    other = process.another()
    await other.friday()
    await process.line.append(live.key, live.head, Batch((), due=NOON))
    process.line.faster = [lambda: other.does(CLARA, commands.Join(role="spectator"))]
    assert not await process.rooms.proceed(live.key)
    assert not await process.rooms.proceed(live.key)
    assert process.line._due == {live.key: THEN}


async def test_the_due_set_follows_every_command(process: Process) -> None:
    """Readiness taken back and given again, and a seat left."""
    live = await (await finished(process)).friday()
    assert process.line._due == {live.key: THEN}
    await process.does(BEN, commands.Unready())
    assert process.line._due == {live.key: idle_deadline(live.room)}
    await process.does(BEN, commands.Ready())
    assert process.line._due == {live.key: THEN}
    await process.does(BEN, commands.Leave())
    assert process.line._due == {live.key: idle_deadline(live.room)}


async def test_a_room_that_stands_idle_is_closed_and_its_name_is_free(process: Process) -> None:
    """By the worker, a day and at most an hour after its latest event."""
    live = await process.open()
    process.clock.time = Millis(NOON + 25 * 3_600_000)
    assert await claimed(process) == ["friday-night"]
    assert await process.rooms.proceed(live.key)
    assert live.room.table.status == "closed"
    assert process.line._due == {}
    assert await process.line.open_epoch(live.key.name) is None
