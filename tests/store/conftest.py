"""Both stores behind one fixture, each with a second client as another process would have it."""

import hashlib
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest

from service.domain.ids import Epoch, Millis, RoomKey, RoomName, Version
from service.store.contract import NOT_BEGUN, Batch, Entry, Head, LobbyRow, Store
from service.store.redis.keys import Keys
from service.store.redis.store import RedisStore
from service.store.stream_keys import StreamKey
from tests.memory_store.store import MemoryStore
from tests.store_server import StoreServer


@dataclass(frozen=True)
class Stores:
    """A store, a second client of the same store, and an operator who trims streams."""

    store: Store
    other: Store
    trim: Callable[[RoomKey, int], None]


def memory_stores() -> Stores:
    """Return the store in memory; another process would see another one, so the second client is the first."""
    store = MemoryStore()

    def trim(key: RoomKey, keep: int) -> None:
        entries = store._streams[key].entries
        del entries[: len(entries) - keep]

    return Stores(store, store, trim)


def redis_stores(server: StoreServer) -> Stores:
    """Return two clients of a real server."""

    def trim(key: RoomKey, keep: int) -> None:
        server.execute("XTRIM", Keys(16).stream(key), "MAXLEN", "=", keep)

    return Stores(RedisStore(server.url), RedisStore(server.url), trim)


@pytest.fixture(params=["memory", "redis"])
async def stores(request: pytest.FixtureRequest) -> AsyncIterator[Stores]:
    """Return each kind of store in turn, empty."""
    memory = request.param == "memory"
    stores = memory_stores() if memory else redis_stores(request.getfixturevalue("store_server"))
    yield stores
    await stores.store.close()
    await stores.other.close()


@pytest.fixture
def store(stores: Stores) -> Store:
    """Return each kind of store in turn, empty."""
    return stores.store


def room(name: str = "friday-night", epoch: str = "e1") -> RoomKey:
    """Return a room's key."""
    return RoomKey(RoomName(name), Epoch(epoch))


def entries_after(after: Head, *events: str) -> tuple[Entry, ...]:
    """Return entries that follow a head, their digests chained to it."""
    entries: list[Entry] = []
    digest = after.digest
    for version, event in enumerate(events, after.version + 1):
        digest = hashlib.sha256(digest + event.encode()).digest()
        entries.append(Entry(Version(version), event.encode(), digest))
    return tuple(entries)


def end_of(entries: tuple[Entry, ...]) -> Head:
    """Return the head after the last of some entries."""
    return Head(entries[-1].version, entries[-1].digest)


async def open_room(store: Store, key: RoomKey, *events: str) -> Head:
    """Open a room with these events, one if none are named, and return its head."""
    entries = entries_after(NOT_BEGUN, *(events or ("opened",)))
    await store.append(key, NOT_BEGUN, Batch(name="claim", entries=entries))
    return end_of(entries)


async def append_events(store: Store, key: StreamKey, after: Head, *events: str) -> Head:
    """Append these events to a stream and return its new head."""
    entries = entries_after(after, *events)
    await store.append(key, after, Batch(entries))
    return end_of(entries)


def card(at: int, text: str = "card") -> LobbyRow:
    """Return the lobby row of a room that was opened at a time."""
    return LobbyRow(Millis(at), text.encode())
