"""Everything that the API lets each viewer read, from an API that has not read anything from its store before."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import NamedTuple
from unittest.mock import patch

import httpx
import msgspec

from service import wiring
from service.runtime import settings
from tests.e2e import routes
from tests.e2e.client import Json
from tests.e2e.processes import SECRET, UNLIMITED
from tests.e2e.recording_clients import Guest

TIME_FIELDS = frozenset({"server_time"})
"""Fields that differ from one response to the next."""

LAST = 2
"""How many of a room's versions before the last one are read by `at`."""


class ReadableRoom(NamedTuple):
    """A room to read, its last version, its matches and its players."""

    room: str
    version: int
    matches: tuple[str, ...]
    players: tuple[Guest, ...]


class Reading(NamedTuple):
    """A response without times: status, problem code, content."""

    status: int
    code: str
    content: str


@asynccontextmanager
async def api_client(store_url: str) -> AsyncIterator[httpx.AsyncClient]:
    """Return a client of a new API over a store, one at a time; the API's background loops do not run."""
    variables = {"redis_url": store_url, "secret": SECRET, **UNLIMITED, "data": tempfile.gettempdir()}
    environment = {f"TURNSTREAM_{name.upper()}": value for name, value in variables.items()}
    with patch.object(wiring, "create_app", routes.serve):
        front, store = wiring.api(settings.read(environment))
    transport = httpx.ASGITransport(app=front, raise_app_exceptions=False)  # type: ignore[arg-type]  # its own protocol
    async with httpx.AsyncClient(base_url="http://service", transport=transport) as http:
        yield http
    await front.context.rooms.close()
    await store.close()


def room_paths(room: ReadableRoom) -> Iterator[str]:
    """Yield the addresses of a room and its matches."""
    base = f"/v1/rooms/{room.room}"
    yield from (base, f"{base}/legal-moves", f"{base}/board.svg", f"{base}/events?limit=1000", f"{base}/matches")
    yield f"{base}/events?since={room.version // 2}&limit=3"
    for at in (1, *range(max(1, room.version - LAST), room.version)):
        yield f"{base}?at={at}"
        yield f"{base}/board.svg?at={at}"
    for match in room.matches:
        yield f"/v1/matches/{match}"
        yield f"/v1/matches/{match}/export"


def other_paths(room: ReadableRoom) -> Iterator[str]:
    """Yield the addresses of what is stored without digests, apart from the events."""
    yield from ("/v1/rooms", "/v1/lobby/chat", "/v1/players/me", f"/v1/rooms/{room.room}/chat")


async def read(http: httpx.AsyncClient, path: str, guest: Guest | None) -> Reading:
    """Return a response as one viewer receives it."""
    response = await http.get(path, headers=guest.headers if guest else {})
    kind = response.headers.get("content-type", "")
    if kind == "application/problem+json":
        return Reading(response.status_code, str(response.json().get("code")), "")
    if kind.startswith("application/json"):
        return Reading(response.status_code, "", msgspec.json.encode(without_time(response.json())).decode())
    return Reading(response.status_code, "", response.text)


def without_time(value: Json | list[Json] | object) -> object:
    """Return JSON without the fields that depend on the time."""
    if isinstance(value, dict):
        return {name: without_time(each) for name, each in value.items() if name not in TIME_FIELDS}
    return [without_time(each) for each in value] if isinstance(value, list) else value


async def read_all(http: httpx.AsyncClient, rooms: list[ReadableRoom]) -> dict[tuple[str, str], Reading]:
    """Return every response by path and viewer."""
    found: dict[tuple[str, str], Reading] = {}
    for room in rooms:
        for guest in (None, *room.players):
            for path in (*room_paths(room), *other_paths(room)):
                found[path, guest.id if guest else ""] = await read(http, path, guest)
    return found
