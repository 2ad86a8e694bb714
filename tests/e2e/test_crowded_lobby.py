"""A lobby with many rooms and many subscribers, over a real server and a real store."""

import asyncio
import re
import time
from pathlib import Path

import msgspec
import pytest
from websockets.asyncio.client import ClientConnection, connect

from service.domain.room.model.ids import Epoch, Millis, RoomKey, RoomName, Version
from service.rooms.projections import Card
from service.store.contract import Batch, Entry, LobbyCard
from service.store.redis.store import RedisStore
from tests.e2e import results
from tests.e2e.client import Door, door_to, fresh_name
from tests.e2e.processes import ApiProcess, started
from tests.store_server import StoreServer

ROOMS, SUBSCRIBERS, PAGES = 11_000, 1000, 200


async def show_rooms(url: str, count: int) -> None:
    """Put so many rooms into the lobby, of which nothing else is known."""
    store = RedisStore(url)
    for start in range(0, count, 500):
        numbers = range(start, min(count, start + 500))
        await asyncio.gather(*(show_room(store, f"old-{number}", number) for number in numbers))
    await store.close()


async def show_room(store: RedisStore, name: str, opened: int) -> None:
    """Put one room into the lobby."""
    card = Card(name, "Old", "e", "morris", {}, "open", 2, 1, 1, Millis(opened + 1))
    shown = LobbyCard(card.opened, msgspec.json.encode(card))
    entries = (Entry(Version(1), b"{}", b"digest"),)
    await store.open(RoomKey(RoomName(name), Epoch("e")), Batch(entries, lobby=shown))


def looked_up(store: StoreServer) -> int:
    """Return how many cards the store has looked up."""
    stats = store.order("INFO", "commandstats").decode()
    return sum(int(calls) for calls in re.findall(r"cmdstat_hget:calls=(\d+)", stats))


async def subscribe(url: str) -> ClientConnection:
    """Open a socket and return it when it was shown the lobby."""
    address = url.replace("http", "ws", 1) + "/v1/feed"
    connection = await connect(address, compression=None, max_size=None, proxy=None, open_timeout=60)
    await connection.send('{"type":"subscribe","lobby":true}')
    frame = msgspec.json.decode(await connection.recv())
    assert (frame["type"], frame["snapshot"], len(frame["upsert"])) == ("lobby", True, 200)
    return connection


async def crowd(door: Door, url: str) -> tuple[float, float]:
    """Return how long it takes until all subscribers are shown the lobby, and until all hear of a new room."""
    began = time.monotonic()
    connections = await asyncio.gather(*(subscribe(url) for _ in range(SUBSCRIBERS)))
    there, name = time.monotonic() - began, fresh_name()
    ada, began = await asyncio.to_thread(door.guest, "Ada"), time.monotonic()
    await asyncio.to_thread(ada.opens, "morris", name=name)
    frames = await asyncio.gather(*(connection.recv() for connection in connections))
    assert all(name in str(frame) for frame in frames)
    heard = time.monotonic() - began
    await asyncio.gather(*(connection.close() for connection in connections))
    return there, heard


@pytest.mark.soak
def test_a_crowded_lobby_costs_the_store_one_listing(own_server: StoreServer, tmp_path: Path) -> None:
    """For 200 pages, 1,000 subscribers and a new room; the time is for a machine that does other things, too."""
    asyncio.run(show_rooms(own_server.url, ROOMS))
    api = ApiProcess(own_server.url, tmp_path / "api.log")
    with started(api), door_to(api.url) as door:
        before = looked_up(own_server)
        for _ in range(PAGES):
            page = door.stranger().gets("/v1/rooms", limit=500)
            assert len(page.body["rooms"]) == 500
        there, heard = asyncio.run(crowd(door, api.url))
        cards = looked_up(own_server) - before
        results.note(
            f"{SUBSCRIBERS} subscribers of a lobby of {ROOMS} rooms",
            f"all shown the lobby after {there:.1f} s, all told of a new room after {heard:.1f} s; with {PAGES} pages "
            f"of 500 rooms before, the store looked up {cards} cards",
        )
        assert cards < 4 * 2000
        assert there < 15
        assert heard < 15
