"""A process that cannot start says why in one line, with exit code 2; one that waits for the store can be stopped."""

import time
from pathlib import Path

import pytest

from tests.e2e.processes import ServiceProcess, run_processes
from tests.store_server import StoreServer, free_port
from tests.waiting import wait_for

PROGRAMS = ("service api", "service worker")


@pytest.fixture(params=PROGRAMS)
def process(request: pytest.FixtureRequest, own_server: StoreServer, tmp_path: Path) -> ServiceProcess:
    """Return a process over the test's store, not yet started."""
    process = ServiceProcess(str(request.param), own_server.url, tmp_path / "log", port=str(free_port()))
    process.is_forked = False  # but for this, `python -m service` itself would not be tested
    return process


def test_a_store_that_may_evict_keys_is_refused_in_one_line(process: ServiceProcess, own_server: StoreServer) -> None:
    """It names the setting to change."""
    own_server.execute("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    with run_processes(process):
        wait_for(lambda: not process.is_running())
    assert process.exit_code == 2
    [line] = process.log.read_text().splitlines()
    assert line.startswith("turnstream: the store evicts keys")


def test_a_process_that_waits_for_its_store_says_so_and_can_be_stopped(
    process: ServiceProcess, own_server: StoreServer
) -> None:
    """Long before its time limit."""
    own_server.kill()
    with run_processes(process):
        wait_for(lambda: "store_awaited" in process.log.read_text())
        began = time.monotonic()
        process.stop()
    assert time.monotonic() - began < 10
    assert process.exit_code in {0, 2}
