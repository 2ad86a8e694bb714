"""A worker that is asked to leave hands back what it has claimed; nobody waits for its leases to end."""

import time
from pathlib import Path

from service.store.redis.keys import Keys
from tests.e2e.bot_rooms import check, history, open_rooms, service, wait_for_pulse
from tests.e2e.client import PATIENCE, Door
from tests.e2e.processes import ServiceProcess, started
from tests.store_server import StoreServer

ROOMS = 8


def due(store: StoreServer) -> dict[str, int]:
    """Return when each room is due as the store has it; where one is claimed, that is the end of its lease."""
    found: dict[str, int] = {}
    for home in Keys(16).all:
        told = store.order("ZRANGE", home.due, 0, -1, "WITHSCORES")
        found |= {
            room.decode().partition(":")[0]: int(moment) for room, moment in zip(told[::2], told[1::2], strict=True)
        }
    return found


def now(store: StoreServer) -> int:
    """Return the store's clock in milliseconds."""
    seconds, micros = store.order("TIME")
    return int(seconds) * 1000 + int(micros) // 1000


def until_all_are_claimed(store: StoreServer, names: list[str]) -> None:
    """Wait until every one of these rooms is hidden by a lease."""
    deadline = time.monotonic() + PATIENCE
    while not all(moment > now(store) for name, moment in due(store).items() if name in names):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def until_all_go_on(door: Door, names: list[str], stood: dict[str, int]) -> None:
    """Wait until something has happened in each of these rooms."""
    deadline = time.monotonic() + 2 * PATIENCE
    while any(len(history(door, name)) == stood[name] for name in names):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_worker_that_leaves_hands_its_claims_back(own_server: StoreServer, tmp_path: Path) -> None:
    """On SIGTERM, with bots that think a second each: each room is due now, not when its lease would end."""
    with service(own_server, tmp_path, workers=1) as (door, [worker]):
        names = open_rooms(door, ROOMS, level="hard", bot_pause=0)
        until_all_are_claimed(own_server, names)
        worker.stop()
        left, gone = due(own_server), now(own_server)
        assert worker.exit_code == 0
        assert set(left) == set(names)
        assert max(left.values()) <= gone
        stood = {name: len(history(door, name)) for name in names}
        other = ServiceProcess("service worker", own_server.url, tmp_path / "log", thinkers="1")
        with started(other):
            wait_for_pulse(own_server)
            until_all_go_on(door, names, stood)
        for name in names:
            check(history(door, name))
