"""One running service for all tests of the public API: an API process with operators and a worker over a store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.client import Door, Player, door_to
from tests.e2e.processes import OPERATORS, ApiProcess, ServiceProcess, started
from tests.store_server import StoreServer, new_server, running


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file that both processes log to."""
    return tmp_path_factory.mktemp("service") / "log"


@pytest.fixture(scope="session")
def rooms_store() -> Iterator[StoreServer]:
    """Run the service's store."""
    with running(new_server()) as server:
        yield server


@pytest.fixture(scope="session")
def door(rooms_store: StoreServer, logs: Path) -> Iterator[Door]:
    """Run the service and return the way to it."""
    api = ApiProcess(rooms_store.url, logs, admin_token=OPERATORS)
    worker = ServiceProcess("service worker", rooms_store.url, logs)
    with started(api, worker), door_to(api.url) as door:
        yield door


@pytest.fixture
def operator(door: Door) -> Player:
    """Return whoever has the operators' token."""
    return Player(door, OPERATORS)


@pytest.fixture
def ada(door: Door) -> Player:
    """Return a guest."""
    return door.guest("Ada")


@pytest.fixture
def bob(door: Door) -> Player:
    """Return another guest."""
    return door.guest("Bob")


@pytest.fixture
def cyd(door: Door) -> Player:
    """Return a third guest."""
    return door.guest("Cyd")


@pytest.fixture
def stranger(door: Door) -> Player:
    """Return somebody without a token."""
    return door.stranger()
