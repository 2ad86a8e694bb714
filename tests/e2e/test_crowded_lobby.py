"""A lobby with many rooms and many subscribers, with a real server and a real store."""

import asyncio
import re
import time
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from service.domain.ids import Epoch, Millis, RoomKey, RoomName, Version
from service.rooms.views.lobby_entry import LobbyRecord
from service.store.contract import NOT_BEGUN, Batch, Entry, LobbyRow
from service.store.redis.store import RedisStore
from tests.e2e import results
from tests.e2e.client import ApiClient, connect_to, fresh_name
from tests.e2e.processes import ApiProcess, run_processes
from tests.store_server import StoreServer
from tests.waiting import PATIENCE

ROOMS, SUBSCRIBERS, PAGES = 11_000, 1000, 200


async def add_rooms(url: str, count: int) -> None:
    """Add lobby entries for a number of rooms that do not exist otherwise."""
    store = RedisStore(url)
    for start in range(0, count, 500):
        numbers = range(start, min(count, start + 500))
        await asyncio.gather(*(add_room(store, f"old-{number}", number) for number in numbers))
    await store.close()


async def add_room(store: RedisStore, name: str, opened: int) -> None:
    """Add one lobby entry."""
    entry = LobbyRecord(name, "Old", "e", "morris", {}, "open", 2, 1, 1, Millis(opened + 1))
    stored_entry = LobbyRow(entry.opened, msgspec.json.encode(entry))
    entries = (Entry(Version(1), b"{}", b"digest"),)
    await store.append(
        RoomKey(RoomName(name), Epoch("e")), NOT_BEGUN, Batch(name="claim", entries=entries, lobby=stored_entry)
    )


def lookups(store: StoreServer) -> int:
    """Return how many lobby entries the store has looked up."""
    stats = store.execute("INFO", "commandstats").decode()
    return sum(int(calls) for calls in re.findall(r"cmdstat_hget:calls=(\d+)", stats))


async def subscribe(url: str) -> ClientConnection:
    """Open a socket and return it once it has received the lobby."""
    address = url.replace("http", "ws", 1) + "/v1/feed"
    connection = await connect(address, compression=None, max_size=None, proxy=None, open_timeout=PATIENCE)
    await connection.send('{"type":"subscribe","lobby":true}')
    frame = msgspec.json.decode(await connection.recv())
    assert (frame["type"], frame["snapshot"], len(frame["upsert"])) == ("lobby", True, 200)
    return connection


async def subscribe_many(client: ApiClient, url: str) -> tuple[float, float]:
    """Return how long it takes until all subscribers have received the lobby, and then a new room."""
    began = time.monotonic()
    connections = await asyncio.gather(*(subscribe(url) for _ in range(SUBSCRIBERS)))
    first_frames, name = time.monotonic() - began, fresh_name()
    ada, began = await asyncio.to_thread(client.guest, "Ada"), time.monotonic()
    await asyncio.to_thread(ada.open_room, "morris", name=name)
    frames = await asyncio.gather(*(connection.recv() for connection in connections))
    assert all(name in str(frame) for frame in frames)
    update = time.monotonic() - began
    await asyncio.gather(*(connection.close() for connection in connections))
    return first_frames, update


@pytest.mark.soak
def test_a_crowded_lobby_is_read_from_the_store_once(own_server: StoreServer, tmp_path: Path) -> None:
    """For 200 pages, 1,000 subscribers and a new room; the time limits allow for a busy machine."""
    asyncio.run(add_rooms(own_server.url, ROOMS))
    api = ApiProcess(own_server.url, tmp_path / "api.log")
    with run_processes(api), connect_to(api.url) as client:
        before = lookups(own_server)
        for _ in range(PAGES):
            page = client.anonymous().get("/v1/rooms", limit=500)
            assert len(page.body["rooms"]) == 500
        first_frames, update = asyncio.run(subscribe_many(client, api.url))
        count = lookups(own_server) - before
        results.record_result(
            f"{SUBSCRIBERS} subscribers of a lobby of {ROOMS} rooms",
            f"all received the lobby after {first_frames:.1f} s, and a new room after {update:.1f} s; with {PAGES} "
            f"pages of 500 rooms before, the store looked up {count} lobby entries",
        )
        assert count < 4 * 2000
        assert first_frames < 15
        assert update < 15
