"""A server that is killed: the errors of its clients, what is kept, and how clients recover by themselves."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from service.domain.ids import RoomKey, Version
from service.store.contract import NOT_BEGUN, Batch, Conflict, Head, OutcomeUnknown, StoreUnavailable
from service.store.redis.client import pubsub
from service.store.redis.store import RedisStore
from tests.store.conftest import append_events, end_of, entries_after, open_room, room
from tests.store_server import StoreServer
from tests.waiting import wait_until

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

    await wait_until(answered)


async def sent(store: RedisStore, calls: int) -> None:
    """Wait until this many calls are on their way to a server that doesn't answer."""
    [pipeline] = store._cluster._pipelines.values()
    await wait_until(lambda: len(pipeline._sent) == calls)


async def test_the_outcome_of_appends_in_flight_during_a_crash_is_known(
    crashing_store: RedisStore, own_server: StoreServer
) -> None:
    """An append may have been written; a read has failed; later commands were never sent."""
    head = await open_room(crashing_store, FRIDAY)
    own_server.pause()
    appends = [asyncio.ensure_future(append_events(crashing_store, FRIDAY, head, f"event {n}")) for n in range(5)]
    questions = [asyncio.ensure_future(crashing_store.open_epoch(FRIDAY.name)) for _ in range(5)]
    await sent(crashing_store, 10)
    own_server.kill()
    ended = await asyncio.gather(*appends, *questions, return_exceptions=True)
    assert [type(end) for end in ended] == [OutcomeUnknown] * 5 + [StoreUnavailable] * 5
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await append_events(crashing_store, FRIDAY, head, "too late")
    own_server.start()
    await back(crashing_store)
    assert await crashing_store.heads([FRIDAY]) == [head]
    assert (await append_events(crashing_store, FRIDAY, head, "joined")).version == 2


async def write_until_it_breaks(store: RedisStore, key: RoomKey) -> tuple[Head, Batch]:
    """Append to a room until the store fails; return the last confirmed head and the unconfirmed batch."""
    head = await open_room(store, key)
    while True:
        batch = Batch(entries_after(head, f"event {head.version}", "and another"))
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

    await wait_until(all_went_on)
    own_server.kill()
    answered = await asyncio.gather(*writers)
    own_server.start()
    await back(crashing_store)
    for key, (head, batch) in zip(keys, answered, strict=True):
        assert await head_when_tried_again(crashing_store, key, head, batch) == end_of(batch.entries)
        stored = await crashing_store.read(key, Version(0))
        assert stored[head.version :] == list(batch.entries)
        assert [entry.version for entry in stored] == list(range(1, len(stored) + 1))


async def test_subscribers_are_notified_of_every_room_when_the_server_is_back(
    crashing_store: RedisStore, own_server: StoreServer
) -> None:
    """With version 0, because notifications may have been missed; later ones arrive as before."""
    keys = [room(f"room-{number}") for number in range(20)]
    heads = [await open_room(crashing_store, key) for key in keys]
    heard: asyncio.Queue[tuple[RoomKey, Version]] = asyncio.Queue()
    for key in keys:
        await crashing_store.subscribe(key, lambda key, version: heard.put_nowait((key, version)))
    await crashing_store.unsubscribe(keys[0])
    own_server.restart()
    woken = [await heard.get() for _ in keys[1:]]
    assert sorted(key.name for key, _ in woken) == sorted(key.name for key in keys[1:])
    assert {version for _, version in woken} == {0}
    await back(crashing_store)
    await append_events(crashing_store, keys[0], heads[0], "unheard")
    await append_events(crashing_store, keys[1], heads[1], "heard")
    assert await heard.get() == (keys[1], 2)


async def test_a_silent_connection_is_checked(own_server: StoreServer, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frozen connection is replaced by a new one, and subscribers are notified."""
    monkeypatch.setattr(pubsub, "HEARTBEAT", 0.02)
    store = RedisStore(own_server.url, reply_patience=0.2)
    heard: asyncio.Queue[Version] = asyncio.Queue()
    await store.subscribe(FRIDAY, lambda _, version: heard.put_nowait(version))
    [connection] = store._pubsub._pipelines.values()
    for _ in range(3):
        await wait_until(lambda: bool(connection._sent))
        await wait_until(lambda: not connection._sent)
    head = await open_room(store, FRIDAY)
    assert await heard.get() == 1
    own_server.pause()
    await wait_until(lambda: connection._run is None)
    own_server.resume()
    assert await heard.get() == 0
    await back(store)
    await append_events(store, FRIDAY, head, "joined")
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

    await wait_until(listens)
    await open_room(crashing_store, FRIDAY)
    await open_room(crashing_store, room("bell"))
    await bell.get()
    assert heard == []


async def test_a_batch_is_not_repeated_by_the_client(crashing_store: RedisStore, own_server: StoreServer) -> None:
    """A server that hung and continues has the append once; the writer reads the stream to find out."""
    head = await open_room(crashing_store, FRIDAY)
    impatient = RedisStore(own_server.url, reply_patience=0.2)
    assert await impatient.open_epoch(FRIDAY.name) == FRIDAY.epoch
    own_server.pause()
    with pytest.raises(OutcomeUnknown):
        await append_events(impatient, FRIDAY, head, "joined")
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
        await crashing_store.append(FRIDAY, NOT_BEGUN, Batch(name="claim", entries=entries_after(NOT_BEGUN, "opened")))
    own_server.start()
    await back(crashing_store)
    assert (await open_room(crashing_store, FRIDAY)).version == 1
