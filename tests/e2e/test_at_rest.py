"""`turnstream up` hardly does anything while nobody plays: what it does is counted, not the time that it takes."""

import contextlib
import time
from pathlib import Path
from typing import NamedTuple

import redis

from bench.machine import family
from service.programs.data_folder import running_store
from tests.e2e.up_process import run_up

BEATS = 20
"""How many heartbeats of the worker are waited for: two are sent per second, later on a busy machine like all else."""


class Counts(NamedTuple):
    """What has been done since the start, or per second."""

    beats: float
    commands: float
    """Commands that the store has executed, also those in scripts."""
    cycles: float
    """How often the store has woken."""
    wakes: float
    """How often a thread of another process has begun to wait."""


MOST = Counts(beats=2, commands=92, cycles=8, wakes=15)
"""How much may be done per second, the looks of this test included. Lower it when less is done."""


def counted(store: "redis.Redis", pid: int) -> Counts:
    """Return what all processes of a running `up` have done."""
    info = store.info("all")
    others = (each for each in family(pid) if each != info["process_id"])
    wakes = sum(voluntary_switches(status) for each in others for status in Path(f"/proc/{each}/task").glob("*/status"))
    return Counts(info["cmdstat_set"]["calls"], info["total_commands_processed"], info["eventloop_cycles"], wakes)


def voluntary_switches(status: Path) -> int:
    """Return how often a thread has waited for something."""
    lines = status.read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("voluntary_ctxt_switches:"))


def test_an_idle_service_asks_the_store_rarely_and_all_at_once(tmp_path: Path) -> None:
    """Seconds are counted by the worker's heartbeats, so a slow machine does not matter."""
    with run_up(tmp_path, tmp_path / "data") as (_, process):
        url = running_store(tmp_path / "data")
        assert url is not None
        with contextlib.closing(redis.Redis.from_url(url)) as store:
            before = counted(store, process.pid)
            while (after := counted(store, process.pid)).beats < before.beats + BEATS:
                time.sleep(1.0)
    seconds = (after.beats - before.beats) / 2
    done = Counts(*((last - first) / seconds for first, last in zip(before, after, strict=True)))
    assert done.commands <= MOST.commands
    assert done.cycles <= MOST.cycles
    assert done.wakes <= MOST.wakes
