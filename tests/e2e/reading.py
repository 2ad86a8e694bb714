"""Everything that the API lets each viewer read, asked of an API that has read nothing of its store yet."""

import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import httpx
import msgspec

from service import settings, wiring
from tests.e2e.client import Json
from tests.e2e.clients import Guest
from tests.e2e.processes import SECRET, UNLIMITED

OF_THE_MOMENT = frozenset({"server_time"})
"""Fields that differ from one answer to the next."""

LAST = 2
"""How many of a room's versions before the last one are read by `at`."""


class Place(NamedTuple):
    """A room to read, its last version and its matches, and who sits there."""

    room: str
    version: int
    matches: tuple[str, ...]
    players: tuple[Guest, ...]


class Reading(NamedTuple):
    """An answer without what belongs to the moment: status, problem code, content."""

    status: int
    code: str
    content: str


@asynccontextmanager
async def api_over(store_url: str) -> AsyncIterator[httpx.AsyncClient]:
    """Return a client of an API over a store that has read nothing of it yet; its loops do not run."""
    given = {"redis_url": store_url, "secret": SECRET, **UNLIMITED, "data": tempfile.gettempdir()}
    front, store = wiring.api(settings.read({f"TURNSTREAM_{name.upper()}": value for name, value in given.items()}))
    transport = httpx.ASGITransport(app=front, raise_app_exceptions=False)  # type: ignore[arg-type]  # its own protocol
    async with httpx.AsyncClient(base_url="http://service", transport=transport) as http:
        yield http
    await front.context.rooms.close()
    await store.close()


def paths(place: Place) -> Iterator[str]:
    """Yield what can be read of a room and its matches."""
    room = f"/v1/rooms/{place.room}"
    yield from (room, f"{room}/legal-moves", f"{room}/board.svg", f"{room}/events?limit=1000", f"{room}/matches")
    yield f"{room}/events?since={place.version // 2}&limit=3"
    for at in (1, *range(max(1, place.version - LAST), place.version)):
        yield f"{room}?at={at}"
        yield f"{room}/board.svg?at={at}"
    for match in place.matches:
        yield f"/v1/matches/{match}"
        yield f"/v1/matches/{match}/export"


def beside(place: Place) -> Iterator[str]:
    """Yield what is kept beside the events, without digests."""
    yield from ("/v1/rooms", "/v1/lobby/chat", "/v1/players/me", f"/v1/rooms/{place.room}/chat")


async def read(http: httpx.AsyncClient, path: str, guest: Guest | None) -> Reading:
    """Return an answer as one viewer gets it."""
    answer = await http.get(path, headers=guest.headers if guest else {})
    kind = answer.headers.get("content-type", "")
    if kind == "application/problem+json":
        return Reading(answer.status_code, str(answer.json().get("code")), "")
    if kind.startswith("application/json"):
        return Reading(answer.status_code, "", msgspec.json.encode(lasting(answer.json())).decode())
    return Reading(answer.status_code, "", answer.text)


def lasting(value: Json | list[Json] | object) -> object:
    """Return JSON without the fields that belong to the moment."""
    if isinstance(value, dict):
        return {name: lasting(each) for name, each in value.items() if name not in OF_THE_MOMENT}
    return [lasting(each) for each in value] if isinstance(value, list) else value


async def read_all(http: httpx.AsyncClient, places: list[Place]) -> dict[tuple[str, str], Reading]:
    """Return every answer by path and viewer."""
    found: dict[tuple[str, str], Reading] = {}
    for place in places:
        for guest in (None, *place.players):
            for path in (*paths(place), *beside(place)):
                found[path, guest.id if guest else ""] = await read(http, path, guest)
    return found
