"""A part that can't start says why, in a line and with exit code 2; one that waits for the store can be stopped."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.e2e.processes import UP_WITHIN, ServiceProcess, started
from tests.store_server import StoreServer, free_port

PARTS = ("service api", "service worker")


@pytest.fixture(params=PARTS)
def part(request: pytest.FixtureRequest, own_server: StoreServer, tmp_path: Path) -> ServiceProcess:
    """Return a part over the test's store, not yet started."""
    return ServiceProcess(str(request.param), own_server.url, tmp_path / "log", port=str(free_port()))


def wait_until(holds: Callable[[], bool]) -> None:
    """Return when something holds, at the latest when a start may take no longer."""
    deadline = time.monotonic() + UP_WITHIN
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_a_store_that_would_lose_rooms_is_refused_in_a_line(part: ServiceProcess, own_server: StoreServer) -> None:
    """It names the setting to change."""
    own_server.order("CONFIG", "SET", "maxmemory-policy", "allkeys-lru")
    with started(part):
        wait_until(lambda: not part.runs())
    assert part.exit_code == 2
    [line] = part.log.read_text().splitlines()
    assert line.startswith("turnstream: the store evicts keys")


def test_a_part_that_waits_for_its_store_says_so_and_can_be_stopped(
    part: ServiceProcess, own_server: StoreServer
) -> None:
    """Long before its patience is over."""
    own_server.kill()
    with started(part):
        wait_until(lambda: "store_awaited" in part.log.read_text())
        began = time.monotonic()
        part.stop()
    assert time.monotonic() - began < 10
    assert part.exit_code in {0, 2}
