"""A flipped bit anywhere in the stored data of a room: every read is correct, or reports damage."""

import random
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

import pytest
from msgspec.structs import replace

from service.domain.ids import RoomKey, Version
from service.domain.room.model import commands
from service.rooms.archive import RoomArchive
from service.rooms.views.event_view import events_json
from service.rooms.views.match_view import Viewer
from service.rooms.views.room_view import view_for
from service.runtime import metrics
from service.store.codec import chain_digest
from service.store.contract import Entry, Head
from service.streams import snapshots
from service.streams.errors import ServiceError
from tests.memory_store.store import Stream
from tests.rooms.processes import ANNA, BEN, CLARA, NOON, Clock, Process, RecordingSubscriber, fold_versions
from tests.rooms.test_loading import play_matches

DAMAGED = "history_damaged"


async def room_after_matches(game: str = "morris") -> tuple[Process, RoomKey]:
    """Return a process and its room, in which a third match has begun after two that were played."""
    process = Process(Clock())
    key = await play_matches(process, game, 2)
    await process.rooms.close()
    return process, key


def flip_bit(data: bytes, dice: random.Random) -> bytes:
    """Return bytes with one bit changed."""
    at = dice.randrange(8 * len(data))
    changed = bytearray(data)
    changed[at // 8] ^= 1 << at % 8
    return bytes(changed)


def damage(stream: Stream, dice: random.Random) -> str:
    """Flip one bit of the stored data of a room, and return where."""
    place = dice.choice(["entry", "digest", "mac", "snapshot", "idempotency records", "head"])
    index = dice.randrange(len(stream.entries))
    entry = stream.entries[index]
    version = dice.choice([*stream.snapshots])
    copy = stream.snapshots[version]
    if place == "entry":
        stream.entries[index] = replace(entry, data=flip_bit(entry.data, dice))
    elif place == "digest":
        stream.entries[index] = replace(entry, digest=flip_bit(entry.digest, dice))
    elif place == "mac":
        signed = [number for number, each in enumerate(stream.entries) if each.mac]
        index = dice.choice([signed[-1], *signed])
        stream.entries[index] = replace(stream.entries[index], mac=flip_bit(stream.entries[index].mac, dice))
    elif place == "snapshot":
        stream.snapshots[version] = replace(copy, data=flip_bit(copy.data, dice))
    elif place == "idempotency records":
        latest = max(stream.snapshots)
        copy = stream.snapshots[latest]
        stream.snapshots[latest] = replace(copy, idempotency=flip_bit(copy.idempotency, dice))
    else:
        version, digest = stream.head.version, stream.head.digest
        other = Head(Version(version ^ 1 << dice.randrange(6)), digest)
        changed = dice.choice([other, Head(version, flip_bit(digest, dice))])
        stream.head = changed
    return f"{place} {index + 1}"


Read = Callable[[], Awaitable[object]]


def reads(process: Process, key: RoomKey, last: int) -> Iterator[tuple[str, Read]]:
    """Yield every way to read a room, each in a process that has never loaded it."""

    async def view(version: int | None) -> bytes:
        rooms = process.start_another().rooms
        live = await rooms.by_key(key)
        room = live.state if version is None else await rooms.at(live, Version(version))
        return view_for(Viewer(None), room, NOON).json

    async def events(after: int, limit: int | None) -> bytes:
        rooms = process.start_another().rooms
        live = await rooms.by_key(key)
        return events_json(await rooms.history(live, Version(after), limit), None, live.state.table.game)

    async def feed(since: int) -> list[dict[str, Any]]:
        other, subscriber = process.start_another(), RecordingSubscriber()
        await other.rooms.subscribe(await other.core.repository.by_key(key), subscriber, Version(since), None)
        return subscriber.frames

    yield "room", partial(view, None)
    for version in (1, last // 3, last - 2):
        yield f"at {version}", partial(view, version)
    for after, limit in ((0, None), (last // 3, 7), (last - 3, 2)):
        yield f"events {after} {limit}", partial(events, after, limit)
    yield "feed", partial(feed, 0)
    yield "archive", partial(RoomArchive(process.start_another().store).files, key)


async def outcome_of(read: Read) -> object:
    """Return the result of a read, or the code with which it is refused."""
    try:
        return await read()
    except ServiceError as refused:
        return refused.problem.code


@pytest.mark.parametrize("seeds", [range(60), pytest.param(range(60, 1500), marks=pytest.mark.soak)], ids=str)
@pytest.mark.parametrize("game", ["morris", "turncoat", "rainbow"])
async def test_a_flipped_bit_is_never_served(game: str, seeds: range) -> None:
    """Wherever it is: in an event, a digest, a MAC, a snapshot, its idempotency records or the head."""
    process, key = await room_after_matches(game)
    stream = process.store._streams[key]
    expected = {name: await outcome_of(read) for name, read in reads(process, key, stream.head.version)}
    assert DAMAGED not in expected.values()
    refusals = 0
    for seed in seeds:
        dice = random.Random(seed)  # noqa: S311 - which bits
        copy = Stream(stream.head, [*stream.entries], dict(stream.matches), dict(stream.snapshots))
        process.store._streams[key] = copy
        place = damage(copy, dice)
        for name, read in reads(process, key, stream.head.version):
            outcome = await outcome_of(read)
            assert outcome in (expected[name], DAMAGED), (seed, place, name)
            refusals += outcome == DAMAGED
    assert refusals


async def test_a_seat_changed_in_a_snapshot_gives_nobody_its_view() -> None:
    """The snapshot is deleted and counted, and the room is folded from its events."""
    process = Process(Clock())
    live = await process.start_match(ANNA, BEN, game="turncoat")
    await process.execute(ANNA, commands.Play({"type": "select", "at": "c3"}))
    await process.rooms.close()
    stream = process.store._streams[live.key]
    copy = stream.snapshots[max(stream.snapshots)]
    stream.snapshots = {copy.version: replace(copy, data=copy.data.replace(b'"p-anna"', b'"p-clara"'))}
    before = metrics.BAD_SNAPSHOTS._value.get()
    other = process.start_another()
    assert await other.stored_room() == live.state
    assert other.core.repository.cached(live.key)
    assert CLARA.id not in (await other.stored_room()).table.seats
    assert metrics.BAD_SNAPSHOTS._value.get() == before + 1
    assert copy.version not in stream.snapshots


async def test_a_flipped_bit_in_the_index_of_matches_is_never_served() -> None:
    """The same for a room's index of matches."""
    process, key = await room_after_matches()
    live = await process.core.repository.by_key(key)
    index = process.store._streams[key].matches
    expected = await process.rooms.matches(live, [1, 2])
    assert [entry.number for entry in expected] == [1, 2]
    copy = index[1]
    for bit in range(8 * len(copy)):
        index[1] = copy[: bit // 8] + bytes([copy[bit // 8] ^ 1 << bit % 8]) + copy[bit // 8 + 1 :]
        assert await outcome_of(partial(process.rooms.matches, live, [1, 2])) in (expected, DAMAGED)
    index[1] = index[2] = copy
    assert await outcome_of(partial(process.rooms.matches, live, [1, 2])) == DAMAGED


@pytest.mark.parametrize("matches", [1, 2])
async def test_an_old_entry_of_the_index_of_matches_is_never_served(process: Process, matches: int) -> None:
    """As after a flipped bit in the key of a later entry: the MAC of the old one is valid."""
    live = await process.start_match(ANNA, BEN, restart=0 if matches == 2 else None)
    index = process.store._streams[live.key].matches
    old, [begun] = index[1], await process.rooms.matches(live, [1])
    assert begun.last is None
    await process.execute(ANNA, commands.Resign())
    await process.execute(CLARA, commands.Join("spectator"), all_present=True)  # finds that the next match is due
    assert live.state.table.matches == matches
    [ended] = await process.rooms.matches(live, [1])
    assert ended.last is not None
    index[1] = old
    rooms = process.start_another().rooms
    with pytest.raises(ServiceError, match=DAMAGED):
        await rooms.matches(await rooms.by_key(live.key), [1])


async def test_a_match_missing_in_the_index_is_reported() -> None:
    """By its number and in the list; a match that never existed is not found."""
    process, key = await room_after_matches()
    live = await process.core.repository.by_key(key)
    assert await process.rooms.matches(live, [live.state.table.matches + 1, 0]) == []
    del process.store._streams[key].matches[1]
    for numbers in ([1], [2, 1]):
        with pytest.raises(ServiceError, match=DAMAGED):
            await process.rooms.matches(live, numbers)


FOREIGN = sorted({b"0", b"1", b"%d" % (int(snapshots.FORMAT) + 1)} - {snapshots.FORMAT})


@pytest.mark.parametrize("foreign", FOREIGN)
async def test_a_snapshot_of_another_format_is_ignored(foreign: bytes) -> None:
    """It is neither used nor counted as damaged."""
    process, key = await room_after_matches()
    stream = process.store._streams[key]
    stream.snapshots = {
        version: replace(copy, data=foreign + copy.data[1:]) for version, copy in stream.snapshots.items()
    }
    before = metrics.BAD_SNAPSHOTS._value.get()
    assert (await process.start_another().core.repository.by_key(key)).state == (
        await fold_versions(process.store, key)
    )[-1]
    assert metrics.BAD_SNAPSHOTS._value.get() == before


async def edit_event(process: Process, key: RoomKey, index: int, *, signed: bool) -> None:
    """Change an event and adapt every later digest and the head; keep the MACs or remove them."""
    stream = process.store._streams[key]
    digest = stream.entries[index - 1].digest if index else b""
    for number in range(index, len(stream.entries)):
        entry = stream.entries[number]
        data = entry.data.replace(b'"p-ben"', b'"p-bob"') if number == index else entry.data
        digest = chain_digest(digest, data)
        stream.entries[number] = Entry(entry.version, data, digest, entry.mac if signed else b"")
    stream.head = Head(stream.head.version, digest)


@pytest.mark.parametrize("signed", [True, False])
async def test_an_edited_end_with_valid_digests_is_detected(process: Process, signed: bool) -> None:  # noqa: FBT001 - a parameter of the test
    """Only the key can produce a MAC; an end without MACs is refused where the room had some before."""
    live = await process.start_match(ANNA, BEN)
    await process.place_man(ANNA, "a1")
    await process.place_man(BEN, "d1")
    await process.rooms.close()
    await edit_event(process, live.key, live.head.version - 1, signed=signed)
    other = process.start_another()
    with pytest.raises(ServiceError, match=DAMAGED):
        await other.core.repository.by_key(live.key)


async def test_an_edited_middle_is_not_served(process: Process) -> None:
    """Not even where every digest up to the next MAC is valid: the MAC is not."""
    key = await play_matches(process, "morris", 2)
    await process.rooms.close()
    live = await process.start_another().core.repository.by_key(key)
    stream = process.store._streams[key]
    untouched = stream.entries[12:]
    await edit_event(process, key, 4, signed=False)
    stream.entries[12:] = untouched
    stream.head = live.head
    other = process.start_another()
    for after, limit in ((4, 2), (2, 4)):
        with pytest.raises(ServiceError, match=DAMAGED):
            await other.rooms.history(await other.core.repository.by_key(key), Version(after), limit)
    with pytest.raises(ServiceError, match=DAMAGED):
        await other.rooms.at(await other.core.repository.by_key(key), Version(10))


async def test_a_damaged_newer_event_counts_as_damaged(process: Process) -> None:
    """An event whose digest is wrong is not decoded."""
    live = await process.open()
    entries = process.store._streams[live.key].entries
    entries[1] = replace(entries[1], data=entries[1].data.replace(b"[2,", b"[9,"))
    with pytest.raises(ServiceError, match=DAMAGED):
        await process.start_another().cached_room()
