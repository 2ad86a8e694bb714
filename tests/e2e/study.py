"""A study of a service under faults: rooms are played in, faults happen, and everything recorded is compared."""

import sys
from collections.abc import Awaitable, Callable, Sequence

import httpx
import msgspec

from tests.e2e.client import Json, fresh_name
from tests.e2e.history import StoredRoom, recording_faults
from tests.e2e.load import OPENING, Guest, Load, Table

WITHIN = 180.0
"""Seconds that a stretch of play may take on a busy machine."""

RESTART = 300
"""Milliseconds between a match and the next."""

PAGE = 1000

Fault = Callable[[], Awaitable[object]]
ReadStore = Callable[[], Awaitable[list[StoredRoom]]]


async def tables_at(url: str, count: int) -> list[Table]:
    """Open so many rooms of all games in turn, fill their seats, and so begin their matches."""
    games = list(OPENING.items())
    async with httpx.AsyncClient(base_url=url, timeout=WITHIN, trust_env=False) as http:
        return [await table_at(http, *games[number % len(games)]) for number in range(count)]


async def table_at(http: httpx.AsyncClient, game: str, seats: int) -> Table:
    """Open one room and fill its seats."""
    guests = []
    for number in range(seats):
        made = (await http.post("/v1/players", json={"nickname": f"Player {number}"})).json()
        guests.append(Guest(made["player"]["id"], made["token"]))
    room = fresh_name()
    asked: Json = {"game": game, "name": room, "settings": {"start": "full", "restart": RESTART}}
    opened = await http.post("/v1/rooms", json=asked, headers=guests[0].headers)
    assert opened.status_code == 201, opened.text
    for guest in guests[1:]:
        joined = await http.post(f"/v1/rooms/{room}/commands", json={"type": "join"}, headers=guest.headers)
        assert joined.status_code == 200, joined.text
    return Table(room, game, tuple(guests))


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
    while True:
        query = {"since": len(events), "limit": PAGE}
        answer = await http.get(f"/v1/rooms/{room}/events", params=query, headers=guest.headers if guest else {})
        assert answer.status_code == 200, answer.text
        page = msgspec.json.decode(answer.content)["events"]
        events += page
        if len(page) < PAGE:
            return events


async def play_through(
    urls: Sequence[str], faults: Sequence[Fault], read_store: ReadStore, *, tables: int, spectators: int, moves: int
) -> Load:
    """Play while one fault after another happens, so many answered moves apart; then compare everything."""
    load = Load(urls, await tables_at(urls[0], tables), spectators)
    load.start()
    try:
        for number, fault in enumerate(faults, start=1):
            await load.reach(load.answered + moves, WITHIN)
            await fault()
            sys.stdout.write(f"  fault {number} of {len(faults)}: {load.answered} moves answered\n")
        await load.reach(load.answered + moves, WITHIN)
        try:
            await load.settle(WITHIN)
        except TimeoutError:
            raise AssertionError(load.lagging()) from None
        shown = await histories(urls[0], load)  # before players are gone, which is an event
    finally:
        await load.stop()
    ours = {table.room for table in load.tables}
    stored = [room for room in await read_store() if room.key.name in ours]
    found = recording_faults(load.recording, stored, shown)
    assert not found, "\n".join(found[:20])
    return load
