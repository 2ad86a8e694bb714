"""Rooms in which bots play among themselves, and what their histories show."""

import asyncio
import contextlib
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import get_args

import msgspec
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from service.domain.catalog import GAMES
from service.runtime.settings import Settings
from service.store.redis.keys import Keys
from tests.e2e.client import ApiClient, Json, connect_to, fresh_name
from tests.e2e.processes import ApiProcess, ServiceProcess, run_processes
from tests.store_server import StoreServer
from tests.waiting import PAUSE, wait_for

UNLIMITED = {name: "0" for name in Settings.__struct_fields__ if name.startswith("limit_")}


@contextlib.contextmanager
def run_service(store: StoreServer, folder: Path, workers: int) -> Iterator[tuple[ApiClient, list[ServiceProcess]]]:
    """Run an API and a number of workers over a store, each worker with one bot process."""
    api = ApiProcess(store.url, folder / "log", **UNLIMITED)
    processes = [ServiceProcess("service worker", store.url, folder / "log", thinkers="1") for _ in range(workers)]
    with run_processes(api, *processes), connect_to(api.url) as client:
        wait_for_worker(store)
        yield client, processes


def wait_for_worker(store: StoreServer) -> None:
    """Wait until a worker runs."""
    wait_for(lambda: store.execute("GET", Keys(16).pulse) is not None)


def open_rooms(client: ApiClient, count: int, level: str = "easy", **settings: object) -> list[str]:
    """Open rooms of all games in turn, with bots on all seats, and return their names."""
    games = list(GAMES.values())
    names = []
    for number in range(count):
        game = games[number % len(games)]
        seats = [{"bot": level}] * len(game.seats(game.options()))
        names.append(fresh_name())
        guest = client.guest(f"Guest {number}")
        opened = guest.open_room(
            game.slug, name=names[-1], seats=seats, settings={"visibility": "unlisted", **settings}
        )
        assert opened.status == 201, opened.body
    return names


@contextlib.contextmanager
def watched(client: ApiClient, rooms: Sequence[str]) -> Iterator[None]:
    """Follow rooms on their own feeds, also after their connections were lost, so that bots play on in them."""
    loop = asyncio.new_event_loop()
    following = [loop.create_task(follow(client.url.replace("http", "ws", 1), room)) for room in rooms]
    thread = threading.Thread(target=lambda: loop.run_until_complete(asyncio.wait(following)))
    thread.start()
    yield
    for task in following:
        loop.call_soon_threadsafe(task.cancel)
    thread.join()
    loop.close()


async def follow(url: str, room: str) -> None:
    """Read a room's feed until cancelled, on another connection whenever one is lost."""
    while True:
        with contextlib.suppress(WebSocketException, OSError):
            async with connect(f"{url}/v1/rooms/{room}/feed", proxy=None) as connection:
                await connection.send(f'{{"type":"subscribe","room":"{room}","state":false}}')
                async for _ in connection:
                    pass
        await asyncio.sleep(PAUSE)


def history(client: ApiClient, room: str) -> list[Json]:
    """Return all events of a room."""
    events: list[Json] = []
    reader = client.anonymous()
    while True:
        page = reader.get(f"/v1/rooms/{room}/events", since=len(events), limit=1000).body
        events += page["events"]
        if page["next"] is None:
            return events


def timestamp(event: Json) -> float:
    """Return the time of an event in seconds."""
    return datetime.fromisoformat(event["time"]).timestamp()


def check_history(events: Sequence[Json]) -> None:
    """Check that a room's history has no gap, and that no move and no start of a match is repeated."""
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    starts = [event["id"].rpartition(".")[2] for event in events if event["type"] == "match_started"]
    assert starts == [str(number) for number in range(1, len(starts) + 1)]
    acts = Counter(
        (event["match"], rounds, event["type"], event["seat"])
        for event, rounds in zip(events, rounds_before(events), strict=True)
        if event["type"] in {"selected", "committed"}
    )
    assert set(acts.values()) <= {1}, acts.most_common(3)


def rounds_before(events: Sequence[Json]) -> list[int]:
    """Return for each event how many rounds have begun before it."""
    rounds, found = 0, []
    for event in events:
        rounds += event["type"] in {"round_begun", "match_started"}
        found.append(rounds)
    return found


def lateness(events: Sequence[Json], pause: float) -> list[float]:
    """Return by how many seconds each bot's move was later than its pause after the event that it replies to.

    Before its only move a bot waits two fifths of the pause. What it has selected, it commits without a pause.
    """
    found: list[float] = []
    own_latest: dict[int, float] = {}
    latest = 0.0
    for event, is_only_move in zip(events, only_moves(events), strict=True):
        if "match" in event and str(event.get("by", "")).startswith("bot") and event["type"] in ACTS:
            previous = own_latest.get(event["seat"], latest) if event["type"] in SECRET_ACTS else latest
            share = 0.0 if event["type"] == "committed" else 0.4 if is_only_move else 1.0
            found.append(timestamp(event) - previous - share * pause)
        if event["type"] in {"round_begun", "match_started"}:
            own_latest.clear()
        if event["type"] in SECRET_ACTS:
            own_latest[event["seat"]] = timestamp(event)
        else:
            latest = timestamp(event)
    return found


def only_moves(events: Sequence[Json]) -> list[bool]:
    """Return for each event whether it is the only move that its seat could make."""
    found: list[bool] = []
    game, state = next(iter(GAMES.values())), None
    for event in events:
        if event["type"] == "match_started":
            game = GAMES[event["game"]]
            state = game.start(msgspec.convert(event["options"], game.options))
        is_act = "match" in event and event["type"] in ACTS
        found.append(is_act and len(list(game.legal_moves(state, event["seat"]))) == 1)
        if "match" in event and event["type"] in {kind.__struct_config__.tag for kind in get_args(game.event)}:
            state = game.evolve(state, msgspec.convert(event, game.event))
    return found


SECRET_ACTS = frozenset({"selected", "committed"})
ACTS = frozenset({"placed", "moved", "flipped", "removed", *SECRET_ACTS})


def longest_silence(events: Sequence[Json], until: float) -> float:
    """Return the longest time in seconds without an event in a room whose first match has begun."""
    times = [timestamp(event) for event in events if event["version"] >= first_start(events)] + [until]
    return max(after - before for before, after in pairwise(times))


def first_start(events: Sequence[Json]) -> int:
    """Return the version of the first match's start."""
    return next(int(event["version"]) for event in events if event["type"] == "match_started")


def percentile_ms(values: Sequence[float], share: float) -> int:
    """Return the lateness in milliseconds that this share of all moves does not exceed."""
    return round(sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1000)
