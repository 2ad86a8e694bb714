"""Rooms in which bots play among themselves, and what their histories tell."""

import contextlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from pathlib import Path

from service.domain.catalog import GAMES
from service.settings import Settings
from service.store.redis.keys import Keys
from tests.e2e.client import PATIENCE, Door, Json, door_to, fresh_name
from tests.e2e.processes import ApiProcess, ServiceProcess, started
from tests.store_server import StoreServer

UNLIMITED = {name: "0" for name in Settings.__struct_fields__ if name.startswith("limit_")}


@contextlib.contextmanager
def service(store: StoreServer, folder: Path, workers: int) -> Iterator[tuple[Door, list[ServiceProcess]]]:
    """Run an API and so many workers, each with one thinking process, over a store."""
    api = ApiProcess(store.url, folder / "log", **UNLIMITED)
    working = [ServiceProcess("service worker", store.url, folder / "log", thinkers="1") for _ in range(workers)]
    with started(api, *working), door_to(api.url) as door:
        wait_for_pulse(store)
        yield door, working


def wait_for_pulse(store: StoreServer) -> None:
    """Wait until a worker runs."""
    deadline = time.monotonic() + 2 * PATIENCE
    while store.order("GET", Keys(16).pulse) is None:
        assert time.monotonic() < deadline
        time.sleep(0.05)


def open_rooms(door: Door, count: int, level: str = "easy", **settings: object) -> list[str]:
    """Open rooms of all games in turn, with bots on all seats, and return their names."""
    games = list(GAMES.values())
    names = []
    for number in range(count):
        game = games[number % len(games)]
        seats = [{"bot": level}] * len(game.seats(game.options()))
        names.append(fresh_name())
        guest = door.guest(f"Guest {number}")
        opened = guest.opens(game.slug, name=names[-1], seats=seats, settings={"visibility": "unlisted", **settings})
        assert opened.status == 201, opened.body
    return names


def history(door: Door, room: str) -> list[Json]:
    """Return all events of a room."""
    told: list[Json] = []
    reader = door.stranger()
    while True:
        page = reader.gets(f"/v1/rooms/{room}/events", since=len(told), limit=1000).body
        told += page["events"]
        if page["next"] is None:
            return told


def moment(event: Json) -> float:
    """Return when an event happened, in seconds."""
    return datetime.fromisoformat(event["time"]).timestamp()


def check(told: Sequence[Json]) -> None:
    """Judge that a room's history has no gap, no move twice and no start twice."""
    assert [event["version"] for event in told] == list(range(1, len(told) + 1))
    starts = [event["id"].rpartition(".")[2] for event in told if event["type"] == "match_started"]
    assert starts == [str(number) for number in range(1, len(starts) + 1)]
    acts = Counter(
        (event["match"], rounds, event["type"], event["seat"])
        for event, rounds in zip(told, rounds_of(told), strict=True)
        if event["type"] in {"selected", "committed"}
    )
    assert set(acts.values()) <= {1}, acts.most_common(3)


def rounds_of(told: Sequence[Json]) -> list[int]:
    """Return for each event how many rounds have begun before it."""
    rounds, found = 0, []
    for event in told:
        rounds += event["type"] in {"round_begun", "match_started"}
        found.append(rounds)
    return found


def lateness(told: Sequence[Json], pause: float) -> list[float]:
    """Return by how many seconds each move of a bot came later than its pause after what it answers."""
    found: list[float] = []
    answered: dict[int, float] = {}
    latest = 0.0
    for event in told:
        if "match" in event and str(event.get("by", "")).startswith("bot") and event["type"] in ACTS:
            since = answered.get(event["seat"], latest) if event["type"] in SECRET_ACTS else latest
            found.append(moment(event) - since - pause)
        if event["type"] in {"round_begun", "match_started"}:
            answered.clear()
        if event["type"] in SECRET_ACTS:
            answered[event["seat"]] = moment(event)
        else:
            latest = moment(event)
    return found


SECRET_ACTS = frozenset({"selected", "committed"})
ACTS = frozenset({"placed", "moved", "flipped", "removed", *SECRET_ACTS})


def longest_silence(told: Sequence[Json], until: float) -> float:
    """Return the longest time in seconds in which nothing happened in a room whose first match has begun."""
    moments = [moment(event) for event in told if event["version"] >= first_start(told)] + [until]
    return max(after - before for before, after in pairwise(moments))


def first_start(told: Sequence[Json]) -> int:
    """Return the version at which the first match began."""
    return next(int(event["version"]) for event in told if event["type"] == "match_started")


def in_milliseconds(late: Sequence[float], share: float) -> int:
    """Return by how much this share of all moves was late at most."""
    return round(sorted(late)[min(len(late) - 1, int(len(late) * share))] * 1000)
