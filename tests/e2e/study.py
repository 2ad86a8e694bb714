"""A study of a service under faults: rooms are played in, faults happen, and everything recorded is compared."""

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
from tests.e2e.clients import PATIENCE, Guest, Table
from tests.e2e.history import recording_faults
from tests.e2e.load import OPENING, Load
from tests.e2e.stored import StoredRoom

WITHIN = 180.0
"""Seconds that a stretch of play may take on a busy machine."""

RESTART = 300
"""Milliseconds between a match and the next."""

PAGE = 1000

ATTEMPTS = 20

SCALE = float(os.environ.get("TURNSTREAM_TEST_SCALE", "1"))
"""The size of the long studies, as a share of the full one: of their matches, followers, moves and faults."""

Fault = Callable[[], Awaitable[object]]


class Size(NamedTuple):
    """How many play and watch, and how many moves are answered between two faults."""

    tables: int
    spectators: int
    moves: int


SMALL = Size(5, 10, 40)


def scaled(number: int, least: int = 1) -> int:
    """Return a number of the full study at the size that was asked for."""
    return max(least, math.ceil(number * SCALE))


LARGE = Size(scaled(50, 5), scaled(200, 10), scaled(200, 40))
ReadStore = Callable[[], Awaitable[list[StoredRoom]]]


async def tables_at(url: str, count: int, settings: Json | None = None) -> list[Table]:
    """Open so many rooms of all games in turn, fill their seats, and so begin their matches."""
    games = list(OPENING.items())
    async with httpx.AsyncClient(base_url=url, timeout=WITHIN, trust_env=False) as http:
        return [await table_at(http, *games[number % len(games)], settings or {}) for number in range(count)]


async def table_at(http: httpx.AsyncClient, game: str, seats: int, settings: Json) -> Table:
    """Open one room and fill its seats."""
    guests = []
    for number in range(seats):
        made = (await http.post("/v1/players", json={"nickname": f"Player {number}"})).json()
        guests.append(Guest(made["player"]["id"], made["token"]))
    room = fresh_name()
    asked: Json = {"game": game, "name": room, "settings": {"start": "full", "restart": RESTART, **settings}}
    await accepted(http, "/v1/rooms", guests[0], asked)
    for guest in guests[1:]:
        await accepted(http, f"/v1/rooms/{room}/commands", guest, {"type": "join"})
    return Table(room, game, tuple(guests))


async def accepted(http: httpx.AsyncClient, path: str, guest: Guest, body: Json) -> None:
    """Send what is accepted as soon as the store answers in time."""
    answer = await http.post(path, json=body, headers=guest.headers)
    for _ in range(ATTEMPTS):
        if answer.status_code != 503 or answer.json()["code"] != "store_unavailable":
            break
        await asyncio.sleep(1)
        answer = await http.post(path, json=body, headers=guest.headers)
    assert answer.is_success, answer.text


async def histories(url: str, load: Load) -> dict[tuple[str, str | None], list[Json]]:
    """Return all events of each room as the API tells them to each viewer who followed it."""
    found: dict[tuple[str, str | None], list[Json]] = {}
    async with httpx.AsyncClient(base_url=url, timeout=WITHIN, trust_env=False) as http:
        for table in load.tables:
            for guest in (None, *table.players):
                found[table.room, guest and guest.id] = await history(http, table.room, guest)
    return found


async def history(http: httpx.AsyncClient, room: str, guest: Guest | None) -> list[Json]:
    """Return all events of a room as one viewer may know them."""
    events: list[Json] = []
    deadline = asyncio.get_running_loop().time() + PATIENCE
    while True:
        query = {"since": len(events), "limit": PAGE}
        answer = await http.get(f"/v1/rooms/{room}/events", params=query, headers=guest.headers if guest else {})
        if answer.status_code == 503 and asyncio.get_running_loop().time() < deadline:
            await asyncio.sleep(1)
            continue
        assert answer.status_code == 200, answer.text
        page = msgspec.json.decode(answer.content)["events"]
        events += page
        if len(page) < PAGE:
            return events


@asynccontextmanager
async def playing(
    urls: Sequence[str], read_store: ReadStore, size: Size, settings: Json | None = None
) -> AsyncIterator[Load]:
    """Play for as long as the caller hurts the service; then wait until all is quiet, and compare everything."""
    load = Load(urls, await tables_at(urls[0], size.tables, settings), size.spectators)
    load.start()
    try:
        yield load
        try:
            await load.settle(WITHIN)
        except TimeoutError:
            raise AssertionError(load.lagging()) from None
        settled = datetime.now(UTC).isoformat()
        shown = await histories(urls[0], load)  # before players are gone, which is an event
    finally:
        await load.stop()
    ours = {table.room for table in load.tables}
    stored = [room for room in await read_store() if room.key.name in ours]
    found = recording_faults(load.recording, stored, shown)
    assert not found, "\n".join([f"settled at {settled}, losses at {load.recording.losses}", *found[:20]])


async def play_through(urls: Sequence[str], faults: Sequence[Fault], read_store: ReadStore, size: Size) -> Load:
    """Play while one fault after another happens, so many answered moves apart; then compare everything."""
    async with playing(urls, read_store, size) as load:
        for number, fault in enumerate(faults, start=1):
            await load.reach(load.answered + size.moves, WITHIN)
            await fault()
            sys.stdout.write(f"  fault {number} of {len(faults)}: {load.answered} moves answered\n")
        await load.reach(load.answered + size.moves, WITHIN)
    return load
