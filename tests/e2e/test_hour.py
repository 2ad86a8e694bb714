"""An hour of 200 matches: memory, open files, threads and tasks of every process stay flat."""

import asyncio
import os
import statistics
import sys
import time
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.e2e import results
from tests.e2e.load import Load
from tests.e2e.processes import ApiProcess, ServiceProcess, started
from tests.e2e.study import tables_at
from tests.store_server import StoreServer, free_port

SECONDS = float(os.environ.get("TURNSTREAM_TEST_SECONDS", "3600"))
"""How long the study takes."""

TABLES = 200
SPECTATORS = 200
PAUSE = 4.0
"""Seconds on the average for which players think: about 50 moves a second in all."""

SAMPLES = 60
"""How many samples are taken of each process at most; the first third, in which caches fill, is left out."""

MEGABYTE = 1024 * 1024


class Sample(NamedTuple):
    """What a process holds at a moment."""

    at: float
    memory: int
    """Resident bytes."""
    files: int
    threads: int
    tasks: int


class Watched(NamedTuple):
    """A process, and where it serves its metrics."""

    name: str
    id: int
    metrics: str

    def sample(self) -> Sample:
        """Return what the process holds now."""
        place = Path(f"/proc/{self.id}")
        status = dict(line.split(":", 1) for line in (place / "status").read_text().splitlines())
        memory = int(status["VmRSS"].split()[0]) * 1024
        files = len(list((place / "fd").iterdir()))
        return Sample(time.monotonic(), memory, files, int(status["Threads"]), self._tasks())

    def _tasks(self) -> int:
        with urlopen(self.metrics, timeout=30) as answer:  # noqa: S310 - an http URL of our own
            families = text_string_to_metric_families(answer.read().decode())
            return next(int(family.samples[0].value) for family in families if family.name == "turnstream_tasks")


def slope(samples: list[Sample]) -> float:
    """Return by how many megabytes an hour the memory grows."""
    grown = statistics.linear_regression([one.at for one in samples], [one.memory for one in samples])
    return grown.slope * 3600 / MEGABYTE


def figures(name: str, samples: list[Sample]) -> str:
    """Return a process's line."""
    settled = samples[len(samples) // 3 :]
    held = {field: sorted(getattr(one, field) for one in settled) for field in ("memory", "files", "threads", "tasks")}
    ranges = ", ".join(f"{field} {held[field][0]} to {held[field][-1]}" for field in ("files", "threads", "tasks"))
    memory = [value / MEGABYTE for value in held["memory"]]
    return f"{name}: {memory[0]:.0f} to {memory[-1]:.0f} MB, {slope(settled):+.1f} MB/h, {ranges}"


def together(samples: tuple[Sample, ...]) -> Sample:
    """Return what all processes hold at a moment: sockets go from one to another."""
    sums = [sum(one[number] for one in samples) for number in range(1, len(Sample._fields))]
    return Sample(samples[0].at, *map(int, sums))


def is_flat(samples: list[Sample], field: str) -> bool:
    """Return whether the last third holds no more of something than the second one, but for a little."""
    part = len(samples) // 3
    before = [getattr(one, field) for one in samples[part : 2 * part]]
    after = [getattr(one, field) for one in samples[2 * part :]]
    return bool(statistics.median(after) <= 1.1 * max(before) + 2)


async def watch(load: Load, watched: list[Watched]) -> dict[str, list[Sample]]:
    """Return samples of each process over the whole length of the study, while everyone plays."""
    taken: dict[str, list[Sample]] = {each.name: [] for each in watched}
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        await load.go_on(SECONDS / SAMPLES)
        for each in watched:
            taken[each.name].append(await asyncio.to_thread(each.sample))
        sys.stdout.write(f"  {until - time.monotonic():.0f} s left, {load.answered} moves answered\n")
    return taken


def used_by(store: StoreServer) -> float:
    """Return how many megabytes a store uses."""
    lines = store.order("INFO", "memory").decode().splitlines()
    return int(next(line for line in lines if line.startswith("used_memory:")).split(":")[1]) / MEGABYTE


@pytest.mark.soak
async def test_an_hour_of_200_matches_leaves_nothing_behind(own_server: StoreServer, tmp_path: Path) -> None:
    """Two API processes and a worker; the store's memory is in the figures, and grows with the events."""
    if sys.platform != "linux":
        pytest.skip("the processes' figures are read from /proc")
    worker_metrics = free_port()
    apis = [ApiProcess(own_server.url, tmp_path / f"api-{number}.log") for number in range(2)]
    worker = ServiceProcess("service worker", own_server.url, tmp_path / "log", metrics_port=str(worker_metrics))
    with started(*apis, worker):
        watched = [Watched(f"API {number + 1}", api.id, f"{api.url}/metrics") for number, api in enumerate(apis)]
        watched.append(Watched("worker", worker.id, f"http://127.0.0.1:{worker_metrics}/metrics"))
        load = Load([api.url for api in apis], await tables_at(apis[0].url, TABLES), SPECTATORS)
        load.slow_down(PAUSE)
        load.start()
        try:
            taken = await watch(load, watched)
        finally:
            await load.stop()
    lines = [figures(name, samples) for name, samples in taken.items()]
    sys.stdout.write("\n".join(["", *lines, ""]))
    for field in ("memory", "files", "threads", "tasks"):
        assert is_flat([together(samples) for samples in zip(*taken.values(), strict=True)], field), (field, lines)
    results.note(
        f"{TABLES} matches at a time for long",
        f"{SECONDS / 60:.0f} minutes, {load.answered} moves, {len(load.recording.subscribers)} subscribers, "
        f"2 API processes, 1 worker; without the first third: {'; '.join(lines)}; "
        f"the store used {used_by(own_server):.0f} MB at the end",
    )
