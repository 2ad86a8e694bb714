"""Stores of earlier releases: their rooms can be loaded, verified and continued, with snapshots and without."""

from collections.abc import AsyncIterator

import pytest

from service.domain.catalog import GAMES
from service.domain.ids import Millis, RoomKey, RoomName, Version
from service.domain.room.evolve import evolve
from service.domain.room.model import commands
from service.domain.room.model.state import Room
from service.domain.room.subjects.matches import restart_at
from service.programs.ops.exports.room_iteration import every_room
from service.programs.ops.exports.verify import verify_room
from service.rooms.kind import ROOMS, game_of
from service.rooms.service import RoomCore, RoomService
from service.runtime.environment import HashedNames
from service.store.codec import decode
from service.store.redis.keys import Keys
from service.store.redis.store import RedisStore
from service.streams.snapshots import unpack
from tests.rooms.processes import MARK_KEY, Clock
from tests.store.older import RELEASES, SIGNER, does, holder, put_back
from tests.store_server import StoreServer

NAMES = sorted(path.stem for path in RELEASES.glob("*.jsonl"))


@pytest.fixture(params=NAMES)
async def store(request: pytest.FixtureRequest, store_server: StoreServer) -> AsyncIterator[RedisStore]:
    """Return the store of each release in turn."""
    put_back(request.param, store_server)
    store = RedisStore(store_server.url, signer=SIGNER)
    yield store
    await store.close()


async def folds(store: RedisStore, key: RoomKey) -> list[Room]:
    """Return a room at every version, folded from its events alone."""
    entries = await store.read(key, Version(0))
    rooms, room = [], None
    for entry in entries:
        room = evolve(room, decode(ROOMS, game_of(room), entry).recorded)
        rooms.append(room)
    return rooms


async def test_no_intact_room_is_called_damaged(store: RedisStore) -> None:
    """Regardless of its snapshots."""
    keys = await every_room(store)
    assert {key.name for key in keys} == {*GAMES, "shut"}
    for key in keys:
        assert (await verify_room(store, key)).events > 10


async def test_a_snapshot_equals_the_fold_or_is_ignored(store: RedisStore) -> None:
    """If this fails, the fold of the same events has changed: raise the format of snapshots."""
    for key in await every_room(store):
        rooms, snapshot = await folds(store, key), await store.snapshot(key)
        while snapshot is not None:
            restored = unpack(SIGNER, ROOMS, key, snapshot)
            assert restored is None or restored.state == rooms[snapshot.version - 1]
            snapshot = await store.snapshot(key, Version(snapshot.version - 1))


async def test_its_rooms_are_served_as_their_events_say(store: RedisStore) -> None:
    """Now and at every earlier version."""
    for key in await every_room(store):
        rooms = RoomService(RoomCore(store, Clock(), MARK_KEY), HashedNames())
        live, truth = await rooms.loaded(key), await folds(store, key)
        assert live.state == truth[-1]
        for version, room in enumerate(truth, 1):
            assert await rooms.at(live, Version(version)) == room


@pytest.mark.parametrize("game", GAMES)
async def test_its_matches_can_be_continued(store: RedisStore, store_server: StoreServer, game: str) -> None:
    """A move is made, the match ends, the next one begins; then another process verifies everything."""
    clock = Clock()
    rooms = RoomService(RoomCore(store, clock, MARK_KEY), HashedNames())
    live = await rooms.named(RoomName(game))
    clock.time = Millis(live.state.time + 1000)
    match, started = live.state.playing, live.state.table.matches
    assert match is not None
    seat = live.state.game.to_move(match.state)[0]
    await does(rooms, live.key.name, holder(live.state, seat), commands.Resign())
    while (playing := live.state.playing) is not None and live.state.table.matches == started:
        left = next(seat for seat in range(3) if seat not in playing.dropped)
        await does(rooms, live.key.name, holder(live.state, left), commands.Resign())
    if (begins := restart_at(live.state)) is not None:
        clock.time = begins
        await rooms.proceed(live.key)
    assert live.state.table.matches == started + 1
    await rooms.close()
    other = RoomService(RoomCore(store, clock, MARK_KEY), HashedNames())
    assert (await other.loaded(live.key)).state == live.state == (await folds(store, live.key))[-1]
    assert (await verify_room(store, live.key)).matches == started + 1
    assert not store_server.execute("EXISTS", Keys(16).at("snapshots", live.key))
