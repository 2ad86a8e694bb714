"""A study of a service under faults: matches are played, faults are caused, and everything recorded is compared."""

import asyncio
import math
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import NamedTuple

import httpx
import msgspec

from tests.e2e.client import Json, fresh_name
from tests.e2e.history import recording_faults
from tests.e2e.load import OPENING, Load
from tests.e2e.recording_clients import Guest, PlayedRoom
from tests.e2e.stored import StoredRoom
from tests.waiting import PATIENCE

RESTART = 300
"""Milliseconds between a match and the next."""

PAGE = 1000

ATTEMPTS = 20

SCALE = float(os.environ.get("TURNSTREAM_TEST_SCALE", "1"))
"""The size of the long studies as a share of the full one: of their matches, subscribers, moves and faults."""

Fault = Callable[[], Awaitable[object]]


class Size(NamedTuple):
    """The number of rooms and spectators, and of acknowledged moves between two faults."""

    rooms: int
    spectators: int
    moves: int


SMALL = Size(5, 10, 40)


def scaled(number: int, least: int = 1) -> int:
    """Return a number of the full study at the size that is configured."""
    return max(least, math.ceil(number * SCALE))


LARGE = Size(scaled(50, 5), scaled(200, 10), scaled(200, 40))
ReadStore = Callable[[], Awaitable[list[StoredRoom]]]


async def open_rooms(url: str, count: int, settings: Json | None = None) -> list[PlayedRoom]:
    """Open a number of rooms of all games in turn, fill their seats, and so start their matches."""
    games = list(OPENING.items())
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False) as http:
        return [await open_room(http, *games[number % len(games)], settings or {}) for number in range(count)]


async def open_room(http: httpx.AsyncClient, game: str, seats: int, settings: Json) -> PlayedRoom:
    """Open one room and fill its seats."""
    guests = []
    for number in range(seats):
        guest = (await http.post("/v1/players", json={"nickname": f"Player {number}"})).json()
        guests.append(Guest(guest["player"]["id"], guest["token"]))
    name = fresh_name()
    opening: Json = {"game": game, "name": name, "settings": {"start": "full", "restart": RESTART, **settings}}
    await post_accepted(http, "/v1/rooms", guests[0], opening)
    for guest in guests[1:]:
        await post_accepted(http, f"/v1/rooms/{name}/commands", guest, {"type": "join"})
    return PlayedRoom(name, game, tuple(guests))


async def post_accepted(http: httpx.AsyncClient, path: str, guest: Guest, body: Json) -> None:
    """Send a request that must be accepted, again while the store is unavailable."""
    response = await http.post(path, json=body, headers=guest.headers)
    for _ in range(ATTEMPTS):
        if response.status_code != 503 or response.json()["code"] != "store_unavailable":
            break
        await asyncio.sleep(1)
        response = await http.post(path, json=body, headers=guest.headers)
    assert response.is_success, response.text


async def histories(url: str, load: Load) -> dict[tuple[str, str | None], list[Json]]:
    """Return all events of each room as the API returns them to each viewer who followed it."""
    found: dict[tuple[str, str | None], list[Json]] = {}
    async with httpx.AsyncClient(base_url=url, timeout=PATIENCE, trust_env=False) as http:
        for room in load.rooms:
            for guest in (None, *room.players):
                found[room.room, guest and guest.id] = await history(http, room.room, guest)
    return found


async def history(http: httpx.AsyncClient, name: str, guest: Guest | None) -> list[Json]:
    """Return all events of a room as one viewer may know them."""
    events: list[Json] = []
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while True:
        query = {"since": len(events), "limit": PAGE}
        response = await http.get(f"/v1/rooms/{name}/events", params=query, headers=guest.headers if guest else {})
        if response.status_code == 503 and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(1)
            continue
        assert response.status_code == 200, response.text
        page = msgspec.json.decode(response.content)["events"]
        events += page
        if len(page) < PAGE:
            return events


@asynccontextmanager
async def play(
    urls: Sequence[str], read_store: ReadStore, size: Size, settings: Json | None = None
) -> AsyncIterator[Load]:
    """Play while the caller causes faults; then wait until nothing is in progress, and compare everything."""
    load = Load(urls, await open_rooms(urls[0], size.rooms, settings), size.spectators)
    load.start()
    try:
        yield load
        try:
            await load.settle()
        except TimeoutError:
            raise AssertionError(load.describe_lag()) from None
        settled = datetime.now(UTC).isoformat()
        shown = await histories(urls[0], load)  # before the players disconnect, which is an event
    finally:
        await load.stop()
    own = {room.room for room in load.rooms}
    stored = [room for room in await read_store() if room.key.name in own]
    found = recording_faults(load.recording, stored, shown)
    assert not found, "\n".join([f"settled at {settled}, losses at {load.recording.losses}", *found[:20]])


async def play_through(urls: Sequence[str], faults: Sequence[Fault], read_store: ReadStore, size: Size) -> Load:
    """Play while faults are caused one after another, with a number of moves between them; compare everything."""
    async with play(urls, read_store, size) as load:
        for number, fault in enumerate(faults, start=1):
            await load.wait_for_acknowledged(load.acknowledged + size.moves)
            await fault()
            sys.stdout.write(f"  fault {number} of {len(faults)}: {load.acknowledged} moves acknowledged\n")
        await load.wait_for_acknowledged(load.acknowledged + size.moves)
    return load
