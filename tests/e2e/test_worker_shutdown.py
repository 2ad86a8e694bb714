"""A worker that shuts down releases its claims; no room waits for a lease to end."""

from pathlib import Path

from service.store.redis.keys import Keys
from tests.e2e.bot_rooms import check_history, history, open_rooms, run_service, wait_for_worker
from tests.e2e.client import ApiClient
from tests.e2e.processes import ServiceProcess, run_processes
from tests.store_server import StoreServer
from tests.waiting import wait_for

ROOMS = 8


def due_times(store: StoreServer) -> dict[str, int]:
    """Return when each room is due in the store; where one is claimed, that is the end of its lease."""
    found: dict[str, int] = {}
    for partition in Keys(16).all:
        values = store.execute("ZRANGE", partition.due, 0, -1, "WITHSCORES")
        found |= {room.decode().partition(":")[0]: int(at) for room, at in zip(values[::2], values[1::2], strict=True)}
    return found


def now(store: StoreServer) -> int:
    """Return the store's clock in milliseconds."""
    seconds, micros = store.execute("TIME")
    return int(seconds) * 1000 + int(micros) // 1000


def wait_until_all_claimed(store: StoreServer, names: list[str]) -> None:
    """Wait until every one of these rooms is claimed."""
    wait_for(lambda: all(at > now(store) for name, at in due_times(store).items() if name in names))


def wait_until_all_continue(client: ApiClient, names: list[str], before: dict[str, int]) -> None:
    """Wait until each of these rooms has another event."""
    wait_for(lambda: all(len(history(client, name)) != before[name] for name in names))


def test_a_worker_that_shuts_down_releases_its_claims(own_server: StoreServer, tmp_path: Path) -> None:
    """On SIGTERM, while bots compute for a second each: each room is due at once, not at the end of its lease."""
    with run_service(own_server, tmp_path, workers=1) as (client, [worker]):
        names = open_rooms(client, ROOMS, level="hard", bot_pause=0)
        wait_until_all_claimed(own_server, names)
        worker.stop()
        released, ended = due_times(own_server), now(own_server)
        assert worker.exit_code == 0
        assert set(released) == set(names)
        assert max(released.values()) <= ended
        before = {name: len(history(client, name)) for name in names}
        other = ServiceProcess("service worker", own_server.url, tmp_path / "log", thinkers="1")
        with run_processes(other):
            wait_for_worker(own_server)
            wait_until_all_continue(client, names, before)
        for name in names:
            check_history(history(client, name))
