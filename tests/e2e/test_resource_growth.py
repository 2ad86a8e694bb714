"""An hour of 200 matches: memory, open files, threads and tasks of every process do not grow."""

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
from tests.e2e.processes import ApiProcess, ServiceProcess, run_processes
from tests.e2e.study import open_rooms
from tests.store_server import StoreServer, free_port
from tests.waiting import PATIENCE

SECONDS = float(os.environ.get("TURNSTREAM_TEST_SECONDS", "3600"))
"""How long the study takes."""

ROOMS = 200
SPECTATORS = 200
PAUSE = 4.0
"""The mean of the seconds before a player's move: about 50 moves per second in all."""

SAMPLES = 60
"""The maximal number of samples of each process; the first third, in which caches fill, is left out."""

MEGABYTE = 1024 * 1024


class Sample(NamedTuple):
    """The resources of a process at a time."""

    at: float
    memory: int
    """Resident bytes."""
    files: int
    threads: int
    tasks: int


class ObservedProcess(NamedTuple):
    """A process, and the address of its metrics."""

    name: str
    id: int
    metrics: str

    def sample(self) -> Sample:
        """Return the resources that the process uses now."""
        proc = Path(f"/proc/{self.id}")
        status = dict(line.split(":", 1) for line in (proc / "status").read_text().splitlines())
        memory = int(status["VmRSS"].split()[0]) * 1024
        files = len(list((proc / "fd").iterdir()))
        return Sample(time.monotonic(), memory, files, int(status["Threads"]), self._tasks())

    def _tasks(self) -> int:
        with urlopen(self.metrics, timeout=PATIENCE) as response:  # noqa: S310 - an http URL of our own
            families = text_string_to_metric_families(response.read().decode())
            return next(int(family.samples[0].value) for family in families if family.name == "turnstream_tasks")


def memory_slope(samples: list[Sample]) -> float:
    """Return by how many megabytes per hour the memory grows."""
    regression = statistics.linear_regression([one.at for one in samples], [one.memory for one in samples])
    return regression.slope * 3600 / MEGABYTE


def figures(name: str, samples: list[Sample]) -> str:
    """Return the figures of a process."""
    settled = samples[len(samples) // 3 :]
    held = {field: sorted(getattr(one, field) for one in settled) for field in ("memory", "files", "threads", "tasks")}
    ranges = ", ".join(f"{field} {held[field][0]} to {held[field][-1]}" for field in ("files", "threads", "tasks"))
    memory = [value / MEGABYTE for value in held["memory"]]
    return f"{name}: {memory[0]:.0f} to {memory[-1]:.0f} MB, {memory_slope(settled):+.1f} MB/h, {ranges}"


def total(samples: tuple[Sample, ...]) -> Sample:
    """Return the resources of all processes at a time; sockets move between them."""
    sums = [sum(one[number] for one in samples) for number in range(1, len(Sample._fields))]
    return Sample(samples[0].at, *map(int, sums))


def is_flat(samples: list[Sample], field: str) -> bool:
    """Return whether the last third of the samples uses about as much of a resource as the second third."""
    part = len(samples) // 3
    before = [getattr(one, field) for one in samples[part : 2 * part]]
    after = [getattr(one, field) for one in samples[2 * part :]]
    return bool(statistics.median(after) <= 1.1 * max(before) + 2)


async def collect_samples(load: Load, observed: list[ObservedProcess]) -> dict[str, list[Sample]]:
    """Return samples of each process over the whole study, while everyone plays."""
    samples: dict[str, list[Sample]] = {each.name: [] for each in observed}
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        await load.play_for(SECONDS / SAMPLES)
        for each in observed:
            samples[each.name].append(await asyncio.to_thread(each.sample))
        sys.stdout.write(f"  {until - time.monotonic():.0f} s left, {load.acknowledged} moves acknowledged\n")
    return samples


def store_memory(store: StoreServer) -> float:
    """Return how many megabytes a store uses."""
    lines = store.execute("INFO", "memory").decode().splitlines()
    return int(next(line for line in lines if line.startswith("used_memory:")).split(":")[1]) / MEGABYTE


@pytest.mark.soak
async def test_resources_do_not_grow_in_an_hour_of_200_matches(own_server: StoreServer, tmp_path: Path) -> None:
    """Two API processes and a worker; the store's memory, which grows with the events, is only reported."""
    if sys.platform != "linux":
        pytest.skip("the processes' figures are read from /proc")
    worker_metrics = free_port()
    apis = [ApiProcess(own_server.url, tmp_path / f"api-{number}.log") for number in range(2)]
    worker = ServiceProcess("service worker", own_server.url, tmp_path / "log", metrics_port=str(worker_metrics))
    with run_processes(*apis, worker):
        observed = [
            ObservedProcess(f"API {number + 1}", api.id, f"{api.url}/metrics") for number, api in enumerate(apis)
        ]
        observed.append(ObservedProcess("worker", worker.id, f"http://127.0.0.1:{worker_metrics}/metrics"))
        load = Load([api.url for api in apis], await open_rooms(apis[0].url, ROOMS), SPECTATORS)
        load.slow_down(PAUSE)
        load.start()
        try:
            by_process = await collect_samples(load, observed)
        finally:
            await load.stop()
    lines = [figures(name, samples) for name, samples in by_process.items()]
    sys.stdout.write("\n".join(["", *lines, ""]))
    for field in ("memory", "files", "threads", "tasks"):
        assert is_flat([total(samples) for samples in zip(*by_process.values(), strict=True)], field), (field, lines)
    results.record_result(
        f"{ROOMS} matches at a time for long",
        f"{SECONDS / 60:.0f} minutes, {load.acknowledged} moves, {len(load.recording.subscribers)} subscribers, "
        f"2 API processes, 1 worker; without the first third: {'; '.join(lines)}; "
        f"the store used {store_memory(own_server):.0f} MB at the end",
    )
