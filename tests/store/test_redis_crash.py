"""A server that is killed: the errors of its clients, what is kept, and how clients recover by themselves."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from service.domain.room.model.ids import RoomKey, Version
from service.store.contract import NOT_BEGUN, Batch, Conflict, Head, OutcomeUnknown, StoreUnavailable
from service.store.redis.client import pubsub
from service.store.redis.store import RedisStore
from tests.store.conftest import end_of, happened, opened, room, until, went_on
from tests.store_server import StoreServer

FRIDAY = room()


@pytest.fixture
async def crashing_store(own_server: StoreServer) -> AsyncIterator[RedisStore]:
    """Return a client of a server that the test may kill."""
    store = RedisStore(own_server.url)
    yield store
    await store.close()


async def back(store: RedisStore) -> None:
    """Wait until the client reaches its server again."""

    async def answered() -> bool:
        try:
            await store.time()
        except StoreUnavailable:
            return False
        return True

    await until(answered)


async def sent(store: RedisStore, calls: int) -> None:
    """Wait until this many calls are on their way to a server that doesn't answer."""
    [pipeline] = store._cluster._pipelines.values()
    await until(lambda: len(pipeline._sent) == calls)


async def test_what_was_in_flight_when_the_server_died_is_told_apart(
    crashing_store: RedisStore, own_server: StoreServer
) -> None:
    """An append may have been written; a question was just not answered; whatever comes later was never sent."""
    head = await opened(crashing_store, FRIDAY)
    own_server.pause()
    appends = [asyncio.ensure_future(went_on(crashing_store, FRIDAY, head, f"event {n}")) for n in range(5)]
    questions = [asyncio.ensure_future(crashing_store.open_epoch(FRIDAY.name)) for _ in range(5)]
    await sent(crashing_store, 10)
    own_server.kill()
    ended = await asyncio.gather(*appends, *questions, return_exceptions=True)
    assert [type(end) for end in ended] == [OutcomeUnknown] * 5 + [StoreUnavailable] * 5
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await went_on(crashing_store, FRIDAY, head, "too late")
    own_server.start()
    await back(crashing_store)
    assert await crashing_store.heads([FRIDAY]) == [head]
    assert (await went_on(crashing_store, FRIDAY, head, "joined")).version == 2


async def write_until_it_breaks(store: RedisStore, key: RoomKey) -> tuple[Head, Batch]:
    """Append to a room until the store goes away; return the last head answered and the batch that wasn't."""
    head = await opened(store, key)
    while True:
        batch = Batch(happened(head, f"event {head.version}", "and another"))
        try:
            await store.append(key, head, batch)
        except (OutcomeUnknown, StoreUnavailable):
            return head, batch
        head = end_of(batch.entries)


async def head_when_tried_again(store: RedisStore, key: RoomKey, after: Head, batch: Batch) -> Head:
    """Send a batch again and return where the stream ends then."""
    try:
        await store.append(key, after, batch)
    except Conflict as conflict:
        return conflict.head
    return end_of(batch.entries)


async def test_every_append_that_was_answered_is_there_after_a_crash(
    crashing_store: RedisStore, own_server: StoreServer
) -> None:
    """Every one that wasn't is there as a whole or not at all, and sending it again settles which."""
    keys = [room(f"room-{number}") for number in range(32)]
    writers = [asyncio.ensure_future(write_until_it_breaks(crashing_store, key)) for key in keys]

    async def all_went_on() -> bool:
        return min(head.version if head else 0 for head in await crashing_store.heads(keys)) > 3

    await until(all_went_on)
    own_server.kill()
    answered = await asyncio.gather(*writers)
    own_server.start()
    await back(crashing_store)
    for key, (head, batch) in zip(keys, answered, strict=True):
        assert await head_when_tried_again(crashing_store, key, head, batch) == end_of(batch.entries)
        stored = await crashing_store.read(key, Version(0))
        assert stored[head.version :] == list(batch.entries)
        assert [entry.version for entry in stored] == list(range(1, len(stored) + 1))


async def test_whoever_listens_is_woken_for_every_room_when_the_server_is_back(
    crashing_store: RedisStore, own_server: StoreServer
) -> None:
    """With version 0, for something may have been missed; then notifications come as before."""
    keys = [room(f"room-{number}") for number in range(20)]
    heads = [await opened(crashing_store, key) for key in keys]
    heard: asyncio.Queue[tuple[RoomKey, Version]] = asyncio.Queue()
    for key in keys:
        await crashing_store.subscribe(key, lambda key, version: heard.put_nowait((key, version)))
    await crashing_store.unsubscribe(keys[0])
    own_server.restart()
    woken = [await heard.get() for _ in keys[1:]]
    assert sorted(key.name for key, _ in woken) == sorted(key.name for key in keys[1:])
    assert {version for _, version in woken} == {0}
    await back(crashing_store)
    await went_on(crashing_store, keys[0], heads[0], "unheard")
    await went_on(crashing_store, keys[1], heads[1], "heard")
    assert await heard.get() == (keys[1], 2)


async def test_a_silent_connection_is_asked_whether_it_stands(
    own_server: StoreServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A frozen connection is replaced by a new one, and listeners are called then."""
    monkeypatch.setattr(pubsub, "HEARTBEAT", 0.02)
    store = RedisStore(own_server.url, reply_patience=0.2)
    heard: asyncio.Queue[Version] = asyncio.Queue()
    await store.subscribe(FRIDAY, lambda _, version: heard.put_nowait(version))
    [ear] = store._pubsub._pipelines.values()
    for _ in range(3):
        await until(lambda: bool(ear._sent))
        await until(lambda: not ear._sent)
    head = await opened(store, FRIDAY)
    assert await heard.get() == 1
    own_server.pause()
    await until(lambda: ear._run is None)
    own_server.resume()
    assert await heard.get() == 0
    await back(store)
    await went_on(store, FRIDAY, head, "joined")
    assert await heard.get() == 2
    await store.close()


async def test_pubsub_to_a_store_that_is_down_fails_and_listens_to_nothing(
    crashing_store: RedisStore, own_server: StoreServer
) -> None:
    """So that the caller knows it has to try again."""
    heard: list[Version] = []
    own_server.kill()
    with pytest.raises(StoreUnavailable):
        await crashing_store.subscribe(FRIDAY, lambda _, version: heard.append(version))
    own_server.start()
    await back(crashing_store)
    bell: asyncio.Queue[Version] = asyncio.Queue()

    async def listens() -> bool:
        try:
            await crashing_store.subscribe(room("bell"), lambda _, version: bell.put_nowait(version))
        except StoreUnavailable:
            return False
        return True

    await until(listens)
    await opened(crashing_store, FRIDAY)
    await opened(crashing_store, room("bell"))
    await bell.get()
    assert heard == []


async def test_a_batch_is_not_repeated_by_the_client(crashing_store: RedisStore, own_server: StoreServer) -> None:
    """A server that hung and goes on has the append once; its writer learns that by asking."""
    head = await opened(crashing_store, FRIDAY)
    impatient = RedisStore(own_server.url, reply_patience=0.2)
    assert await impatient.open_epoch(FRIDAY.name) == FRIDAY.epoch
    own_server.pause()
    with pytest.raises(OutcomeUnknown):
        await went_on(impatient, FRIDAY, head, "joined")
    own_server.resume()
    await back(impatient)
    assert [entry.data for entry in await impatient.read(FRIDAY, Version(0))] == [b"opened", b"joined"]
    await impatient.close()


async def test_a_store_that_is_down_at_the_start_is_reached_later(
    crashing_store: RedisStore, own_server: StoreServer
) -> None:
    """The order in which the processes start doesn't matter."""
    own_server.kill()
    with pytest.raises(StoreUnavailable):
        await crashing_store.open(FRIDAY, Batch(happened(NOT_BEGUN, "opened")))
    own_server.start()
    await back(crashing_store)
    assert (await opened(crashing_store, FRIDAY)).version == 1
