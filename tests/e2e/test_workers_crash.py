"""Workers are killed while bots play: every room goes on, nothing is played twice, and no start is told twice."""

import random
import time
from pathlib import Path

import pytest

from tests.e2e.bot_rooms import check, history, longest_silence, moment, open_rooms, service
from tests.e2e.client import PATIENCE
from tests.e2e.processes import ServiceProcess
from tests.e2e.results import note
from tests.store_server import StoreServer

ROOMS = 50
PAUSE, RESTART = 1000, 500
GOES_ON = 5.0
"""Seconds within which every room goes on, beside the bots' own pause."""


def killed_workers(store: StoreServer, folder: Path, kills: int, rooms: int) -> tuple[float, int, int]:
    """Kill workers at random moments; return the longest silence, and how many moves and matches there were."""
    dice = random.Random(7)  # noqa: S311 - which moments
    with service(store, folder, workers=2) as (door, workers):
        names = open_rooms(door, rooms, bot_pause=PAUSE, restart=RESTART)
        for _ in range(kills):
            time.sleep(dice.uniform(0.3, 1.5))
            doomed = dice.choice(workers)
            doomed.kill()
            doomed.start()
            wait_until_at_work(doomed)
        ended = time.time()
        time.sleep(GOES_ON + PAUSE / 1000)
        told = {name: history(door, name) for name in names}
    for events in told.values():
        check(events)
        assert moment(events[-1]) > ended, events[-1]
    silence = max(longest_silence(events, moment(events[-1])) for events in told.values())
    moves = sum(str(event.get("by")).startswith("bot") for events in told.values() for event in events)
    matches = sum(event["type"] == "match_started" for events in told.values() for event in events)
    return silence, moves, matches


def wait_until_at_work(worker: ServiceProcess) -> None:
    """Wait until a worker has started its thinking processes, or both would be starting all the time."""
    children = Path(f"/proc/{worker.id}/task/{worker.id}/children")
    deadline = time.monotonic() + 2 * PATIENCE
    while not children.read_text():
        assert time.monotonic() < deadline
        time.sleep(0.02)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked at in /proc")
@pytest.mark.timeout(300)
def test_whichever_worker_dies_every_room_goes_on(own_server: StoreServer, tmp_path: Path) -> None:
    """Ten times, at any moment: the other one takes over what the dead one had claimed."""
    silence, moves, _ = killed_workers(own_server, tmp_path, kills=10, rooms=ROOMS)
    assert silence < GOES_ON + PAUSE / 1000
    assert moves > ROOMS


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked at in /proc")
@pytest.mark.soak
def test_a_hundred_deaths(own_server: StoreServer, tmp_path: Path) -> None:
    """The same at full length; the figures go into RESULTS.md."""
    silence, moves, matches = killed_workers(own_server, tmp_path, kills=100, rooms=ROOMS)
    assert silence < GOES_ON + PAUSE / 1000
    note(
        "50 rooms of bots, one of 2 workers killed (kill -9) 100 times",
        f"every room went on within {silence - PAUSE / 1000:.1f} s; {moves} moves in {matches} matches, none twice, "
        "no version left out",
    )


def test_a_claim_that_died_is_taken_up_within_its_lease(own_server: StoreServer, tmp_path: Path) -> None:
    """The only worker dies and comes again: what it had in hand goes on."""
    with service(own_server, tmp_path, workers=1) as (door, [worker]):
        names = open_rooms(door, 10, bot_pause=0, restart=100)
        deadline = time.monotonic() + PATIENCE
        while any(len(history(door, name)) < 20 for name in names):
            assert time.monotonic() < deadline
        worker.kill()
        stopped = {name: len(history(door, name)) for name in names}
        worker.start()
        time.sleep(GOES_ON)
        for name in names:
            told = history(door, name)
            check(told)
            assert len(told) > stopped[name]
