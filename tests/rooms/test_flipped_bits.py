"""A flipped bit anywhere in what the store holds of a room: every read gives the truth, or says it is damaged."""

import random
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from service.domain.room.model import commands
from service.domain.room.model.ids import RoomKey, Version
from service.rooms.archive import RoomArchive
from service.rooms.errors import ServiceError
from service.rooms.loading import snapshots
from service.rooms.views.event_view import events_json
from service.rooms.views.room_view import view_json
from service.store.codec import chain_digest
from service.store.contract import Entry, Head
from service.store.memory.store import Stream
from service.telemetry import metrics
from tests.rooms.processes import ANNA, BEN, CLARA, NOON, Clock, Process, Screen, folds
from tests.rooms.test_loading import plays_through

DAMAGED = "history_damaged"


async def played(game: str = "morris") -> tuple[Process, RoomKey]:
    """Return a process and its room, in which a third match has begun after two that were played."""
    process = Process(Clock())
    key = await plays_through(process, game, 2)
    await process.rooms.close()
    return process, key


def flipped(data: bytes, dice: random.Random) -> bytes:
    """Return bytes with one bit changed."""
    at = dice.randrange(8 * len(data))
    changed = bytearray(data)
    changed[at // 8] ^= 1 << at % 8
    return bytes(changed)


def damage(stream: Stream, dice: random.Random) -> str:
    """Flip one bit of what is stored of a room, and return where."""
    where = dice.choice(["entry", "digest", "mac", "snapshot", "receipts", "head"])
    index = dice.randrange(len(stream.entries))
    entry = stream.entries[index]
    version = dice.choice([*stream.snapshots])
    kept = stream.snapshots[version]
    if where == "entry":
        stream.entries[index] = replace(entry, data=flipped(entry.data, dice))
    elif where == "digest":
        stream.entries[index] = replace(entry, digest=flipped(entry.digest, dice))
    elif where == "mac":
        signed = [number for number, each in enumerate(stream.entries) if each.mac]
        index = dice.choice([signed[-1], *signed])
        stream.entries[index] = replace(stream.entries[index], mac=flipped(stream.entries[index].mac, dice))
    elif where == "snapshot":
        stream.snapshots[version] = replace(kept, data=flipped(kept.data, dice))
    elif where == "receipts":
        latest = max(stream.snapshots)
        kept = stream.snapshots[latest]
        stream.snapshots[latest] = replace(kept, receipts=flipped(kept.receipts, dice))
    else:
        version, digest = stream.head.version, stream.head.digest
        other = Head(Version(version ^ 1 << dice.randrange(6)), digest)
        changed = dice.choice([other, Head(version, flipped(digest, dice))])
        stream.head = changed
    return f"{where} {index + 1}"


Read = Callable[[], Awaitable[object]]


def reads(process: Process, key: RoomKey, last: int) -> Iterator[tuple[str, Read]]:
    """Yield every way to read a room, each on a process that has never seen it."""

    async def view(version: int | None) -> bytes:
        rooms = process.another().rooms
        live = await rooms.by_key(key)
        room = live.room if version is None else await rooms.at(live, Version(version))
        return view_json(room, None, NOON)

    async def events(after: int, limit: int | None) -> bytes:
        rooms = process.another().rooms
        live = await rooms.by_key(key)
        return events_json(await rooms.history(live, Version(after), limit), None)

    async def feed(since: int) -> list[dict[str, Any]]:
        other, screen = process.another(), Screen()
        await other.rooms.subscribe(await other.core.repository.by_key(key), screen, Version(since), None)
        return screen.frames

    yield "room", partial(view, None)
    for version in (1, last // 3, last - 2):
        yield f"at {version}", partial(view, version)
    for after, limit in ((0, None), (last // 3, 7), (last - 3, 2)):
        yield f"events {after} {limit}", partial(events, after, limit)
    yield "feed", partial(feed, 0)
    yield "archive", partial(RoomArchive(process.another().line).files, key)


async def told(read: Read) -> object:
    """Return what a read gives, or the code with which it is refused."""
    try:
        return await read()
    except ServiceError as refused:
        return refused.problem.code


@pytest.mark.parametrize("game", ["morris", "turncoat", "rainbow"])
async def test_a_flipped_bit_is_never_served(game: str) -> None:
    """Wherever it is: in an event, a digest, a MAC, a snapshot, its receipts or the head."""
    process, key = await played(game)
    stream = process.line._streams[key]
    truth = {name: await told(read) for name, read in reads(process, key, stream.head.version)}
    assert DAMAGED not in truth.values()
    refusals = 0
    for seed in range(150):
        dice = random.Random(seed)  # noqa: S311 - which bits
        kept = Stream(stream.head, [*stream.entries], dict(stream.matches), dict(stream.snapshots))
        process.line._streams[key] = kept
        where = damage(kept, dice)
        for name, read in reads(process, key, stream.head.version):
            answer = await told(read)
            assert answer in (truth[name], DAMAGED), (seed, where, name)
            refusals += answer == DAMAGED
    assert refusals


async def test_a_seat_moved_in_a_snapshot_gives_nobody_its_view() -> None:
    """The snapshot is deleted and counted, and the room is what its events say."""
    process = Process(Clock())
    live = await process.match(ANNA, BEN, game="turncoat")
    await process.does(ANNA, commands.Play({"type": "select", "at": "c3"}))
    await process.rooms.close()
    stream = process.line._streams[live.key]
    kept = stream.snapshots[max(stream.snapshots)]
    stream.snapshots = {kept.version: replace(kept, data=kept.data.replace(b'"p-anna"', b'"p-clara"'))}
    before = metrics.BAD_SNAPSHOTS._value.get()
    other = process.another()
    assert await other.fresh() == live.room
    assert other.core.repository.cached(live.key)
    assert CLARA.id not in (await other.fresh()).table.seats
    assert metrics.BAD_SNAPSHOTS._value.get() == before + 1
    assert kept.version not in stream.snapshots


async def test_a_flipped_bit_in_the_index_of_matches_is_never_served() -> None:
    """The same for what a room's list of matches says, wherever the bit is."""
    process, key = await played()
    live = await process.core.repository.by_key(key)
    index = process.line._streams[key].matches
    truth = await process.rooms.matches(live, [1, 2])
    assert [entry.number for entry in truth] == [1, 2]
    kept = index[1]
    for bit in range(8 * len(kept)):
        index[1] = kept[: bit // 8] + bytes([kept[bit // 8] ^ 1 << bit % 8]) + kept[bit // 8 + 1 :]
        assert await told(partial(process.rooms.matches, live, [1, 2])) in (truth, DAMAGED)
    index[1] = index[2] = kept
    assert await told(partial(process.rooms.matches, live, [1, 2])) == DAMAGED


@pytest.mark.parametrize("matches", [1, 2])
async def test_an_old_entry_of_the_index_of_matches_is_never_served(process: Process, matches: int) -> None:
    """As where a bit was flipped in the key under which a later entry was written: the old one's MAC fits."""
    live = await process.match(ANNA, BEN, restart=0 if matches == 2 else None)
    index = process.line._streams[live.key].matches
    old, [begun] = index[1], await process.rooms.matches(live, [1])
    assert begun.last is None
    await process.does(ANNA, commands.Resign())
    await process.does(CLARA, commands.Join("spectator"))  # finds that the next match is due
    assert live.room.table.matches == matches
    [ended] = await process.rooms.matches(live, [1])
    assert ended.last is not None
    index[1] = old
    rooms = process.another().rooms
    with pytest.raises(ServiceError, match=DAMAGED):
        await rooms.matches(await rooms.by_key(live.key), [1])


async def test_a_match_that_is_missing_in_the_index_is_not_passed_over() -> None:
    """Neither by its number nor in the list; a match that never was is none."""
    process, key = await played()
    live = await process.core.repository.by_key(key)
    assert await process.rooms.matches(live, [live.room.table.matches + 1, 0]) == []
    del process.line._streams[key].matches[1]
    for numbers in ([1], [2, 1]):
        with pytest.raises(ServiceError, match=DAMAGED):
            await process.rooms.matches(live, numbers)


FOREIGN = sorted({b"0", b"1", b"%d" % (int(snapshots.FORMAT) + 1)} - {snapshots.FORMAT})


@pytest.mark.parametrize("foreign", FOREIGN)
async def test_a_snapshot_of_another_format_says_nothing(foreign: bytes) -> None:
    """It is neither believed nor called bad."""
    process, key = await played()
    stream = process.line._streams[key]
    stream.snapshots = {
        version: replace(kept, data=foreign + kept.data[1:]) for version, kept in stream.snapshots.items()
    }
    before = metrics.BAD_SNAPSHOTS._value.get()
    assert (await process.another().core.repository.by_key(key)).room == (await folds(process.line, key))[-1]
    assert metrics.BAD_SNAPSHOTS._value.get() == before


async def edited(process: Process, key: RoomKey, index: int, *, signed: bool) -> None:
    """Change an event and make every digest after it, and the head, fit; leave the MACs or take them away."""
    stream = process.line._streams[key]
    digest = stream.entries[index - 1].digest if index else b""
    for number in range(index, len(stream.entries)):
        entry = stream.entries[number]
        data = entry.data.replace(b'"p-ben"', b'"p-bob"') if number == index else entry.data
        digest = chain_digest(digest, data)
        stream.entries[number] = Entry(entry.version, data, digest, entry.mac if signed else b"")
    stream.head = Head(stream.head.version, digest)


@pytest.mark.parametrize("signed", [True, False])
async def test_an_edited_end_with_digests_that_fit_is_noticed(process: Process, signed: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Only who has the key can sign; an end without MACs is refused where the room had some before."""
    live = await process.match(ANNA, BEN)
    await process.moves(ANNA, "a1")
    await process.moves(BEN, "d1")
    await process.rooms.close()
    await edited(process, live.key, live.head.version - 1, signed=signed)
    other = process.another()
    with pytest.raises(ServiceError, match=DAMAGED):
        await other.core.repository.by_key(live.key)


async def test_an_edited_middle_is_not_served(process: Process) -> None:
    """Not even where every digest up to the next kept MAC fits: that one does not."""
    key = await plays_through(process, "morris", 2)
    await process.rooms.close()
    live = await process.another().core.repository.by_key(key)
    stream = process.line._streams[key]
    untouched = stream.entries[12:]
    await edited(process, key, 4, signed=False)
    stream.entries[12:] = untouched
    stream.head = live.head
    other = process.another()
    for after, limit in ((4, 2), (2, 4)):
        with pytest.raises(ServiceError, match=DAMAGED):
            await other.rooms.history(await other.core.repository.by_key(key), Version(after), limit)
    with pytest.raises(ServiceError, match=DAMAGED):
        await other.rooms.at(await other.core.repository.by_key(key), Version(10))


async def test_a_newer_event_that_is_damaged_is_no_newer_event(process: Process) -> None:
    """What its digest does not fit is not decoded."""
    live = await process.open()
    entries = process.line._streams[live.key].entries
    entries[1] = replace(entries[1], data=entries[1].data.replace(b"[2,", b"[9,"))
    with pytest.raises(ServiceError, match=DAMAGED):
        await process.another().friday()
