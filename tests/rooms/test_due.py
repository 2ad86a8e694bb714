"""What is due in a room: found in the due set, done once, and corrected where the set is wrong."""

import asyncio

from service.domain.ids import Millis, RoomKey
from service.domain.room.model import commands
from service.domain.room.subjects.lifecycle import idle_deadline
from service.store.contract import Batch
from tests.rooms.processes import ANNA, BEN, CLARA, NOON, Process, fold_stored

LEASE = Millis(10_000)
THEN = Millis(NOON + 5000)


async def finish_match(process: Process) -> Process:
    """Let Anna and Ben play a match that Ben resigns at noon."""
    await process.start_match(ANNA, BEN)
    await process.execute(BEN, commands.Resign())
    return process


async def claim(process: Process) -> list[str]:
    """Claim what is due now, and return the rooms."""
    claimed = await process.store.claim_due(process.clock.now(), LEASE, 10)
    return [key.name for key in claimed if isinstance(key, RoomKey)]


async def test_a_finished_room_is_due_when_its_next_match_begins(process: Process) -> None:
    """Not a millisecond earlier; and nothing is due soon once it has begun."""
    await finish_match(process)
    process.clock.time = Millis(THEN - 1)
    assert await claim(process) == []
    process.clock.time = THEN
    assert await claim(process) == ["friday-night"]
    assert await process.rooms.proceed((await process.cached_room()).key)
    assert (await process.stored_room()).table.matches == 2
    process.clock.time = Millis(THEN + LEASE)
    assert await claim(process) == []


async def test_a_due_action_is_executed_once(process: Process) -> None:
    """Although two workers have claimed it, at the same time or one after the other."""
    live = await (await finish_match(process)).cached_room()
    other = process.start_another()
    process.clock.time = THEN
    done = await asyncio.gather(process.rooms.proceed(live.key), other.rooms.proceed(live.key))
    assert sorted(done) == [False, True]
    assert not await other.rooms.proceed(live.key)
    assert await process.stored_room() == await fold_stored(process.store, live.key)
    assert live.state.table.matches == 2


async def test_a_wrong_due_time_is_corrected(process: Process) -> None:
    """An entry that is too early is corrected, one for a room with nothing due is removed."""
    live = await (await finish_match(process)).cached_room()
    await process.store.append(live.key, live.head, Batch((), due=NOON))
    assert await claim(process) == ["friday-night"]
    assert not await process.rooms.proceed(live.key)
    assert process.rooms_due == {live.key: THEN}
    await process.execute(BEN, commands.Unready())
    await process.store.append(live.key, live.head, Batch((), due=NOON))
    assert not await process.rooms.proceed(live.key)
    assert process.rooms_due == {live.key: idle_deadline(live.state)}


async def test_a_closed_room_is_removed_from_the_due_set(process: Process) -> None:
    """This does not depend on its entry."""
    live = await (await finish_match(process)).cached_room()
    await process.execute(ANNA, commands.Close())
    assert process.rooms_due == {}
    await process.store.append(live.key, live.head, Batch((), due=NOON))
    assert not await process.rooms.proceed(live.key)
    assert not await process.start_another().rooms.proceed(live.key)
    assert process.rooms_due == {}


async def test_a_correction_gives_way_to_a_command(process: Process) -> None:
    """Another process writes to the room just before the due set is corrected: no error, and the set is right."""
    live = await (await finish_match(process)).cached_room()
    other = process.start_another()
    await other.cached_room()
    await process.store.append(live.key, live.head, Batch((), due=NOON))
    process.store.before_append = [lambda: other.execute(CLARA, commands.Join(role="spectator"))]
    assert not await process.rooms.proceed(live.key)
    assert not await process.rooms.proceed(live.key)
    assert process.rooms_due == {live.key: THEN}


async def test_the_due_set_follows_every_command(process: Process) -> None:
    """Readiness withdrawn and given again, and a seat left."""
    live = await (await finish_match(process)).cached_room()
    assert process.rooms_due == {live.key: THEN}
    await process.execute(BEN, commands.Unready())
    assert process.rooms_due == {live.key: idle_deadline(live.state)}
    await process.execute(BEN, commands.Ready())
    assert process.rooms_due == {live.key: THEN}
    await process.execute(BEN, commands.Leave())
    assert process.rooms_due == {live.key: idle_deadline(live.state)}


async def test_an_idle_room_is_closed_and_its_name_is_free(process: Process) -> None:
    """A worker closes it a day, and at most an hour more, after its latest event."""
    live = await process.open()
    await process.execute(BEN, commands.Join(role="spectator"))
    process.clock.time = Millis(NOON + 25 * 3_600_000)
    assert await claim(process) == ["friday-night"]
    assert await process.rooms.proceed(live.key)
    assert live.state.table.status == "closed"
    assert process.rooms_due == {}
    assert await process.store.open_epoch(live.key.name) is None
