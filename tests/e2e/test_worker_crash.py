"""Workers are killed while bots play: every room continues, and no move and no start is repeated."""

import random
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.e2e.bot_rooms import check_history, history, longest_silence, open_rooms, run_service, timestamp, watched
from tests.e2e.client import ApiClient, Json
from tests.e2e.processes import ServiceProcess
from tests.e2e.results import record_result
from tests.store_server import StoreServer
from tests.waiting import wait_for

ROOMS = 50
PAUSE, RESTART = 1000, 500
CONTINUES_WITHIN = 5.0
"""Seconds within which every room continues, in addition to the bots' own pause; measured by the long study."""


def kill_workers(store: StoreServer, folder: Path, kills: int, rooms: int) -> tuple[float, int, int]:
    """Kill workers at random times; return the longest silence, and the numbers of moves and matches."""
    dice = random.Random(7)  # noqa: S311 - which moments
    with run_service(store, folder, workers=2) as (client, workers):
        names = open_rooms(client, rooms, bot_pause=PAUSE, restart=RESTART)
        with watched(client, names):
            for _ in range(kills):
                time.sleep(dice.uniform(0.3, 1.5))
                victim = dice.choice(workers)
                victim.kill()
                victim.start()
                wait_for_bot_processes(victim)
            ended = time.time()
            histories = {name: wait_for_history(client, name, partial(has_event_after, ended)) for name in names}
    for events in histories.values():
        check_history(events)
    silence = max(longest_silence(events, timestamp(events[-1])) for events in histories.values())
    moves = sum(str(event.get("by")).startswith("bot") for events in histories.values() for event in events)
    matches = sum(event["type"] == "match_started" for events in histories.values() for event in events)
    return silence, moves, matches


def has_event_after(moment: float, events: list[Json]) -> bool:
    """Return whether the latest event is from after a moment."""
    return timestamp(events[-1]) > moment


def is_longer_than(length: int, events: list[Json]) -> bool:
    """Return whether there are more events than that."""
    return len(events) > length


def wait_for_history(client: ApiClient, name: str, wanted: Callable[[list[Json]], bool]) -> list[Json]:
    """Return the events of a room as soon as `wanted` accepts them."""
    wait_for(lambda: wanted(history(client, name)), lambda: history(client, name)[-1])
    return history(client, name)


def wait_for_bot_processes(worker: ServiceProcess) -> None:
    """Wait until a worker has started its bot processes; otherwise both workers could be starting all the time."""
    children = Path(f"/proc/{worker.id}/task/{worker.id}/children")
    wait_for(children.read_text)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the bot processes are found in /proc")
def test_every_room_continues_when_a_worker_is_killed(own_server: StoreServer, tmp_path: Path) -> None:
    """Five times, at any time: the other worker takes over what the killed one had claimed."""
    _, moves, _ = kill_workers(own_server, tmp_path, kills=5, rooms=ROOMS)
    assert moves > ROOMS


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the bot processes are found in /proc")
@pytest.mark.soak
def test_a_hundred_killed_workers(own_server: StoreServer, tmp_path: Path) -> None:
    """The same at full length; the figures are written to RESULTS.md."""
    silence, moves, matches = kill_workers(own_server, tmp_path, kills=100, rooms=ROOMS)
    assert silence < CONTINUES_WITHIN + PAUSE / 1000
    record_result(
        "50 rooms of bots, one of 2 workers killed (kill -9) 100 times",
        f"every room continued within {silence - PAUSE / 1000:.1f} s; {moves} moves in {matches} matches, none twice, "
        "no version left out",
    )


def test_rooms_of_a_restarted_worker_continue_after_their_lease(own_server: StoreServer, tmp_path: Path) -> None:
    """The only worker is killed and started again: the rooms that it had claimed continue."""
    with run_service(own_server, tmp_path, workers=1) as (client, [worker]):
        names = open_rooms(client, 10, bot_pause=0, restart=100)
        with watched(client, names):
            for name in names:
                wait_for_history(client, name, partial(is_longer_than, 20))
            worker.kill()
            versions = {name: len(history(client, name)) for name in names}
            worker.start()
            for name in names:
                check_history(wait_for_history(client, name, partial(is_longer_than, versions[name])))
