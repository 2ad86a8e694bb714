"""Loading: a process holds exactly the fold of the stream, from snapshots or from the beginning."""

import asyncio
import random

import msgspec
import pytest

from service.domain.catalog import GAMES
from service.domain.game import Seat
from service.domain.ids import Player, RoomKey, RoomName, Version
from service.domain.room.model import commands
from service.domain.room.model.settings import OpenRoom
from service.domain.room.model.state import Room
from service.rooms.kind import RECENT
from service.rooms.repository import LoadedRoom
from service.streams.errors import ServiceError
from service.streams.loaded import KEPT
from tests.rooms.processes import (
    ANNA,
    BEN,
    CLARA,
    FRIDAY,
    Process,
    RecordingSubscriber,
    fold_stored,
    fold_versions,
    lose_tail,
    run_pending,
)

PLAYERS = (ANNA, BEN, CLARA)


async def play_matches(process: Process, game: str, matches: int, **settings: object) -> RoomKey:
    """Play some matches at random to their end or for sixty moves, then resign; return the room's key."""
    players = PLAYERS[: len(GAMES[game].seats(GAMES[game].options()))]
    live = await process.start_match(*players, game=game, restart=0, **settings)
    dice = random.Random(game)  # noqa: S311 - seeded play
    for number in range(1, matches + 1):
        for _ in range(60):
            if live.state.table.matches == number and live.state.playing:
                await move_at_random(process, live.state, dice)
        while live.state.table.matches == number and live.state.playing:
            await resign(process, live.state)
    return live.key


async def move_at_random(process: Process, room: Room, dice: random.Random) -> None:
    """Let a seat that is to move make a move."""
    match = room.playing
    assert match is not None
    seat = dice.choice(room.game.to_move(match.state))
    move = dice.choice(list(room.game.legal_moves(match.state, seat))[-20:])
    play, key = commands.Play(msgspec.to_builtins(move)), str(room.version)
    await process.execute(holder_of(room, seat), play, key=key, all_present=True)


async def resign(process: Process, room: Room) -> None:
    """Let the first seat that is still in the match resign."""
    match = room.playing
    assert match is not None
    seat = next(seat for seat in range(3) if seat not in match.dropped)
    await process.execute(holder_of(room, seat), commands.Resign(), all_present=True)


def holder_of(room: Room, seat: int) -> Player:
    """Return who holds a seat."""
    return next(player for player in PLAYERS if player.id == room.table.seats[seat])


@pytest.mark.parametrize("game", GAMES)
async def test_a_room_loaded_from_its_snapshot_equals_the_fold(process: Process, game: str) -> None:
    """This is checked after each of three matches with rotating seats."""
    for matches in (1, 2, 3):
        fresh = Process(process.clock)
        key = await play_matches(fresh, game, matches, seats_next="rotate")
        await fresh.rooms.close()
        snapshot = await fresh.store.snapshot(key)
        assert snapshot is not None
        truth = await fold_stored(fresh.store, key)
        assert (await fresh.start_another().core.repository.by_key(key)).state == truth
        assert (await fresh.start_another().stored_room()) == truth == (await fresh.stored_room())


@pytest.mark.parametrize("game", GAMES)
async def test_the_room_at_every_version_is_the_fold_up_to_it(process: Process, game: str) -> None:
    """A snapshot shortly before the version makes no difference."""
    key = await play_matches(process, game, 2)
    await process.rooms.close()
    live = await process.start_another().core.repository.by_key(key)
    for version, room in enumerate(await fold_versions(process.store, key), 1):
        assert await process.rooms.at(live, Version(version)) == room


async def test_there_is_no_room_at_an_unknown_version(process: Process) -> None:
    """Neither before the first event nor after the last."""
    live = await process.open()
    for version in (-1, 0, live.head.version + 1, 10**9):
        with pytest.raises(ServiceError, match="no_such_version"):
            await process.rooms.at(live, Version(version))


async def test_history_is_the_same_from_memory_and_from_the_store(process: Process) -> None:
    """It is read from any version on, in pages of any size."""
    key = await play_matches(process, "morris", 2)
    await process.rooms.close()
    near, far = await process.core.repository.by_key(key), await process.start_another().core.repository.by_key(key)
    assert near.since(Version(near.head.version - RECENT)) is not None
    assert near.since(Version(0)) is None
    for after in range(0, near.head.version + 2, 7):
        for limit in (None, 1, 10):
            page = await process.rooms.history(near, Version(after), limit)
            assert list(page) == list(await process.rooms.history(far, Version(after), limit))
            assert [recorded.version for recorded in page] == list(range(after + 1, near.head.version + 1))[:limit]


async def test_a_long_history_is_not_kept_in_memory(process: Process) -> None:
    """The oldest events are dropped from memory and read from the store."""
    live = await process.open()
    for _ in range(RECENT // 2):
        await process.execute(BEN, commands.Join(role="spectator"))
        await process.execute(BEN, commands.Leave())
    assert live.since(Version(0)) is None
    assert len(await process.rooms.history(live, Version(0))) == live.head.version > RECENT


async def test_idempotency_records_outlast_the_start_of_a_match(process: Process) -> None:
    """Those of the opening, of the command that started the match, and of others."""
    await process.open(start="full", key="opening")
    await process.execute(BEN, commands.Join(role="spectator"), "joined")
    await process.execute(BEN, commands.TakeSeat(Seat(1)), "seated")
    await process.rooms.close()
    for where in (process, process.start_another()):
        live = await where.cached_room()
        assert live.state.playing
        assert live.idempotency
        assert live.idempotency.get(ANNA.id, "opening")
        assert (await where.execute(BEN, commands.Join(role="spectator"), "joined")).replayed
        assert (await where.execute(BEN, commands.TakeSeat(Seat(1)), "seated")).replayed


async def test_the_256th_last_key_is_still_known(process: Process) -> None:
    """Exactly as promised, whatever others have sent since, also after a snapshot; an older key is new again."""
    await process.start_match(ANNA, BEN, start="creator")
    for count in range(-1, KEPT):
        await process.execute(
            ANNA, commands.Unready() if count % 2 else commands.Ready(), f"k{count}"
        ) if count >= 0 else None
        await process.execute(BEN, commands.Ready() if count % 2 else commands.Unready(), f"k{count}")
    await process.execute(ANNA, commands.Start())
    await process.rooms.close()
    for where in (process, process.start_another()):
        assert (await where.execute(ANNA, commands.Ready(), "k0")).replayed


async def test_a_lost_tail_is_detected(process: Process) -> None:
    """The room continues from what is left, and subscribers receive a snapshot of it."""
    live = await process.start_match(ANNA, BEN)
    subscriber = RecordingSubscriber()
    await process.rooms.subscribe(live, subscriber, None, None)
    await process.place_man(ANNA, "a1")
    lose_tail(process.store, live.key, 1)
    assert await process.stored_room() == await fold_stored(process.store, live.key)
    assert subscriber.frames[-1]["type"] == "snapshot"
    assert subscriber.frames[-1]["reason"] == "history_changed"
    await process.place_man(ANNA, "d1")
    assert subscriber.check_versions(0) == live.head.version


async def test_a_lost_tail_that_was_overwritten_is_detected(process: Process) -> None:
    """The version is the same by then, the digest is not."""
    live = await process.start_match(ANNA, BEN)
    other = process.start_another()
    await process.place_man(ANNA, "a1")
    lose_tail(process.store, live.key, 1)
    await other.place_man(ANNA, "d1")
    await process.place_man(BEN, "a1")
    assert live.state == await other.stored_room() == await fold_stored(process.store, live.key)


async def test_a_command_after_a_lost_tail_is_decided_by_what_is_left(process: Process) -> None:
    """A key whose command was lost can be used again."""
    live = await process.start_match(ANNA, BEN)
    await process.place_man(ANNA, "a1", "k1")
    lose_tail(process.store, live.key, 1)
    await process.stored_room()
    assert not (await process.place_man(ANNA, "a1", "k1")).replayed


async def test_a_room_that_was_lost_completely_is_not_found(process: Process) -> None:
    """It looks as if it had never existed."""
    live = await process.open()
    del process.store._streams[live.key], process.store._names[live.key.name]
    with pytest.raises(ServiceError, match="no_such_room"):
        await process.rooms.read(FRIDAY, None)
    assert await process.rooms.find(live.key) is None
    await process.open()


async def test_concurrent_requests_load_a_room_once(process: Process) -> None:
    """All of them get the same one."""
    live = await process.open()
    other = process.start_another()
    held = other.store.hold("read")
    tasks = [asyncio.create_task(other.core.repository.by_key(live.key)) for _ in range(5)]
    await held.reached.wait()
    tasks[0].cancel()
    held.release()
    found = await asyncio.gather(*tasks[1:])
    assert len({id(room) for room in found}) == 1
    assert other.store.requests.count("read") == 1


async def test_the_least_recently_used_rooms_are_evicted(process: Process) -> None:
    """But never one with subscribers; and an evicted room can be loaded again."""
    small = process.start_another(size=3)
    for name in ("one", "two", "three"):
        await small.rooms.open(OpenRoom("morris", name), ANNA)
    one, two, three = [await small.core.repository.by_name(RoomName(name)) for name in ("one", "two", "three")]
    await small.rooms.subscribe(one, RecordingSubscriber(), None, None)
    await small.core.repository.by_key(two.key)
    for name in ("four", "five"):
        await small.rooms.open(OpenRoom("morris", name), ANNA)
    assert [small.core.repository.cached(live.key) for live in (one, two, three)] == [one, None, None]
    again = await small.core.repository.by_key(two.key)
    assert again is not two
    assert again.state == two.state


async def test_a_room_is_evicted_once_it_has_no_subscribers(process: Process) -> None:
    """It was kept while it had some, although the cache was full."""
    small = process.start_another(size=2)
    lives = [await open_room(small, name) for name in ("one", "two", "three")]
    subscribers = [RecordingSubscriber(), RecordingSubscriber()]
    for live, subscriber in zip(lives[1:], subscribers, strict=True):
        await small.rooms.subscribe(live, subscriber, None, None)
    four = await open_room(small, "four")
    assert small.core.repository.count() == 3
    for live, subscriber in zip(lives[1:], subscribers, strict=True):
        small.rooms.unsubscribe(live, subscriber)
    await run_pending()
    assert small.core.repository.count() == 2
    assert small.core.repository.cached(four.key) is None


async def test_a_room_in_use_is_not_evicted(process: Process) -> None:
    """It counts as used now; the next one is evicted."""
    small = process.start_another(size=2)
    one, two = [await open_room(small, name) for name in ("one", "two")]
    async with one.lock:
        three = await open_room(small, "three")
    assert [small.core.repository.cached(live.key) for live in (one, two, three)] == [one, None, three]


async def test_an_eviction_examines_few_rooms(process: Process, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many there are, with subscribers or without."""
    small = process.start_another(size=200)
    for number in range(250):
        live = await open_room(small, f"room-{number}")
        if number < 100:
            await small.rooms.subscribe(live, RecordingSubscriber(), None, None)
    looks, is_locked = 0, asyncio.Lock.locked

    def locked(lock: asyncio.Lock) -> bool:
        nonlocal looks
        looks += 1
        return is_locked(lock)

    monkeypatch.setattr(asyncio.Lock, "locked", locked)
    for number in range(50):
        await open_room(small, f"another-{number}")
    assert small.core.repository.count() == 200
    assert looks < 50 * 5


async def open_room(process: Process, name: str) -> LoadedRoom:
    """Open a room of this name and return it."""
    await process.rooms.open(OpenRoom("morris", name), ANNA)
    return await process.core.repository.by_name(RoomName(name))
