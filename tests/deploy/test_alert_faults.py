"""Alerts fire for real faults: Prometheus reads the processes of a service whose store and backups are damaged."""

import re
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest
import yaml  # type: ignore[import-untyped]  # the package comes without types

from tests.e2e.client import connect_to
from tests.e2e.processes import ApiProcess, ServiceProcess, run_processes
from tests.e2e.seated_rooms import seat_players, select
from tests.e2e.test_ratings_crash import RatedPair
from tests.programs.ops.test_drills import write_newer
from tests.store_server import StoreServer, free_port, new_server, run_server
from tests.waiting import PATIENCE, wait_for

METRICS = Path(__file__).parents[2] / "deploy/metrics"
SECOND = "0.0003"
"""About a second in hours, the unit of `turnstream backup --every`."""

LATEST = 'query?query=min(timestamp(turnstream_problems_total{job="turnstream-api"}))'
"""Asks when the counters of the API were read."""


class Watched(NamedTuple):
    """A service with a store, and the Prometheus that watches it with the operators' rules."""

    store: StoreServer
    api: ApiProcess
    backups: Path
    url: str
    """That of Prometheus' API."""

    def ask(self, path: str) -> Any:
        """Return what Prometheus answers."""
        return httpx.get(f"{self.url}/{path}", trust_env=False).json()["data"]

    def firing(self) -> set[str]:
        """Return the names of the alerts that fire."""
        found = self.ask("alerts")["alerts"]
        return {alert["labels"]["alertname"] for alert in found if alert["state"] == "firing"}

    def wait_for_alert(self, name: str) -> None:
        """Wait until an alert fires."""
        wait_for(lambda: name in self.firing(), lambda: f"{name} does not fire: {self.ask('alerts')}")

    def wait_for_samples(self) -> None:
        """Wait until Prometheus has read the counters of a new API, of which it sees only later increases."""
        soon = time.time() + 2
        wait_for(lambda: any(float(each["value"][1]) > soon for each in self.ask(LATEST)["result"]))


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Watched]:
    """Run the service, its backups and Prometheus, which reads each process every second."""
    program = shutil.which("prometheus")
    if program is None:
        pytest.skip("Debian's package prometheus is not installed")
    with run_server(new_server()) as store:
        ports = {name: free_port() for name in ("worker", "backup")}
        backups = tmp_path / "backups"
        backups.mkdir()
        api = ApiProcess(store.url, tmp_path / "log", heartbeat="1")
        worker = ServiceProcess(
            "service worker", store.url, tmp_path / "log", heartbeat="1", metrics_port=str(ports["worker"])
        )
        command = f"service backup {backups} --every {SECOND} --then false"
        backup = ServiceProcess(command, store.url, tmp_path / "log", metrics_port=str(ports["backup"]))
        targets = {"turnstream-api": api.port, **{f"turnstream-{name}": port for name, port in ports.items()}}
        with run_processes(api, worker, backup), run_prometheus(program, tmp_path, targets) as url:
            yield Watched(store, api, backups, url)


@contextmanager
def run_prometheus(program: str, folder: Path, targets: Mapping[str, int]) -> Iterator[str]:
    """Run Prometheus with the operators' rules and the ports of some processes, and return the address of its API."""
    jobs = [
        {"job_name": name, "static_configs": [{"targets": [f"127.0.0.1:{port}"]}]} for name, port in targets.items()
    ]
    config = folder / "prometheus.yml"
    intervals = {"scrape_interval": "1s", "evaluation_interval": "1s"}
    rules = [str(METRICS / "alerts.yml")]
    config.write_text(yaml.safe_dump({"global": intervals, "rule_files": rules, "scrape_configs": jobs}))
    address = f"127.0.0.1:{free_port()}"
    options = ("--config.file", config, "--storage.tsdb.path", folder / "series", "--web.listen-address", address)
    with (folder / "prometheus.log").open("wb") as log:
        process = subprocess.Popen([program, *map(str, options)], stdout=log, stderr=log)
    try:
        wait_for(lambda: b"ready to receive web requests" in (folder / "prometheus.log").read_bytes())
        yield f"http://{address}/api/v1"
    finally:
        process.terminate()
        process.wait(PATIENCE)


def change_event(store: StoreServer, room: str) -> None:
    """Change a letter of a room's latest event."""
    [key] = store.execute("KEYS", f"*:room:{room}:*")
    entries = store.execute("XRANGE", key, "-", "+")
    store.execute("DEL", key)
    for number, fields in entries[:-1]:
        store.execute("XADD", key, number, *fields)
    number, fields = entries[-1]
    store.execute("XADD", key, number, *(part.replace(b'"at":"', b'"at":"x') for part in fields))


def change_value(store: StoreServer, pattern: str) -> None:
    """Change the byte in the middle of the longest value of a hash, the only one whose key has this form."""
    [key] = store.execute("KEYS", pattern)
    pairs = store.execute("HGETALL", key)
    field, value = max(zip(pairs[::2], pairs[1::2], strict=True), key=lambda pair: len(pair[1]))
    half = len(value) // 2
    store.execute("HSET", key, field, value[:half] + bytes([value[half] ^ 1]) + value[half + 1 :])


def test_what_is_damaged_in_the_store_is_reported(watched: Watched) -> None:
    """Events, a snapshot, a nickname, a leaderboard, a count, events of a newer release; a backup lacks two rooms."""
    with connect_to(watched.api.url) as client:
        rated = RatedPair(client, 1)
        rated.resign()
        wait_for(lambda: client.anonymous().get(f"/v1/players/{rated.loser.id}/ratings").body["ratings"])
        changed, newer, played = (seat_players(client, "turncoat", 2) for _ in range(3))
        assert changed.red.play(changed.room, select(9)).status == 200
        watched.api.stop()
        change_event(watched.store, changed.room)
        write_newer(watched.store, newer)
        change_value(watched.store, f"*:states:{played.room}:*")
        change_value(watched.store, f"*:names:{rated.winner.id}")
        change_value(watched.store, "*:standings:morris.blitz:2")
        watched.api.start()
        watched.wait_for_samples()
        anybody = client.anonymous()
        for room in (changed, newer, played):
            anybody.read_room(room.room)
        anybody.read_room(rated.room)
        for player in (rated.winner, rated.loser):
            anybody.get(f"/v1/players/{player.id}/ratings/morris/blitz")
        damaged = ("HistoryDamaged", "SnapshotsBad", "NamesDamaged", "ProjectionsDamaged")
        for name in (*damaged, "ReleaseTooOld", "BackupIncomplete"):
            watched.wait_for_alert(name)
        count = watched.store.execute("KEYS", "*:appended")[0]
        watched.store.execute("SET", count, "text")
        watched.wait_for_alert("CounterDamaged")


def test_a_store_without_memory_or_with_other_settings_is_reported(watched: Watched) -> None:
    """Before new rooms are refused, when nothing can be written, when its connections break, and when it is emptied."""
    [used] = re.findall(rb"used_memory:(\d+)", watched.store.execute("INFO", "memory"))
    with connect_to(watched.api.url) as client:
        ada = client.guest("Ada")
        watched.wait_for_samples()
        watched.store.execute("CONFIG", "SET", "maxmemory", int(int(used) * 1.1))
        watched.wait_for_alert("NewRoomsRefused")
        watched.store.execute("CONFIG", "SET", "maxmemory", "1")
        assert ada.open_room("morris").code == "store_full"
        watched.wait_for_alert("StoreCantWrite")
        watched.store.execute("CONFIG", "SET", "maxmemory", "0")
        watched.store.execute("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")

        def is_away() -> bool:
            watched.store.execute("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
            return "StoreAway" in watched.firing()

        wait_for(is_away)
        watched.wait_for_alert("StoreUnfit")
        watched.store.execute("CONFIG", "SET", "maxmemory-policy", "noeviction")
        watched.store.execute("FLUSHALL")
        watched.wait_for_alert("StoreLostData")


def test_a_backup_that_fails_or_is_not_copied_is_reported(watched: Watched) -> None:
    """A command that fails, then a file in the place of the folder."""
    watched.wait_for_alert("BackupNotCopied")
    shutil.rmtree(watched.backups)
    watched.backups.touch()
    watched.wait_for_alert("BackupFails")
