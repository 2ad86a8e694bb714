"""Workers are killed while bots play: every room continues, and no move and no start is repeated."""

import random
import time
from pathlib import Path

import pytest

from tests.e2e.bot_rooms import check_history, history, longest_silence, open_rooms, run_service, timestamp
from tests.e2e.client import PATIENCE
from tests.e2e.processes import ServiceProcess
from tests.e2e.results import record_result
from tests.store_server import StoreServer

ROOMS = 50
PAUSE, RESTART = 1000, 500
CONTINUES_WITHIN = 5.0
"""Seconds within which every room continues, in addition to the bots' own pause."""


def kill_workers(store: StoreServer, folder: Path, kills: int, rooms: int) -> tuple[float, int, int]:
    """Kill workers at random times; return the longest silence, and the numbers of moves and matches."""
    dice = random.Random(7)  # noqa: S311 - which moments
    with run_service(store, folder, workers=2) as (client, workers):
        names = open_rooms(client, rooms, bot_pause=PAUSE, restart=RESTART)
        for _ in range(kills):
            time.sleep(dice.uniform(0.3, 1.5))
            victim = dice.choice(workers)
            victim.kill()
            victim.start()
            wait_for_bot_processes(victim)
        ended = time.time()
        time.sleep(CONTINUES_WITHIN + PAUSE / 1000)
        histories = {name: history(client, name) for name in names}
    for events in histories.values():
        check_history(events)
        assert timestamp(events[-1]) > ended, events[-1]
    silence = max(longest_silence(events, timestamp(events[-1])) for events in histories.values())
    moves = sum(str(event.get("by")).startswith("bot") for events in histories.values() for event in events)
    matches = sum(event["type"] == "match_started" for events in histories.values() for event in events)
    return silence, moves, matches


def wait_for_bot_processes(worker: ServiceProcess) -> None:
    """Wait until a worker has started its bot processes; otherwise both workers could be starting all the time."""
    children = Path(f"/proc/{worker.id}/task/{worker.id}/children")
    deadline = time.monotonic() + 2 * PATIENCE
    while not children.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="the bot processes are found in /proc")
@pytest.mark.timeout(300)
def test_every_room_continues_when_a_worker_is_killed(own_server: StoreServer, tmp_path: Path) -> None:
    """Ten times, at any time: the other worker takes over what the killed one had claimed."""
    silence, moves, _ = kill_workers(own_server, tmp_path, kills=10, rooms=ROOMS)
    assert silence < CONTINUES_WITHIN + PAUSE / 1000
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
        deadline = time.monotonic() + PATIENCE
        while any(len(history(client, name)) < 20 for name in names):
            assert time.monotonic() < deadline
        worker.kill()
        versions = {name: len(history(client, name)) for name in names}
        worker.start()
        time.sleep(CONTINUES_WITHIN)
        for name in names:
            events = history(client, name)
            check_history(events)
            assert len(events) > versions[name]
