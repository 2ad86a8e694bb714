"""One running service for all tests of the public API: an API process with operators and a worker over a store."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.client import ApiClient, Player, connect_to
from tests.e2e.processes import OPERATORS, ApiProcess, ServiceProcess, run_processes
from tests.store_server import StoreServer, new_server, run_server


@pytest.fixture(scope="session")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the file that both processes log to."""
    return tmp_path_factory.mktemp("service") / "log"


@pytest.fixture(scope="session")
def rooms_store() -> Iterator[StoreServer]:
    """Run the service's store."""
    with run_server(new_server()) as server:
        yield server


@pytest.fixture(scope="session")
def client(rooms_store: StoreServer, logs: Path) -> Iterator[ApiClient]:
    """Run the service and return the way to it."""
    api = ApiProcess(rooms_store.url, logs, admin_token=OPERATORS, webhook_http="true")
    local = {"webhook_http": "true", "webhook_networks": "127.0.0.0/8"}
    worker = ServiceProcess("service worker --webhooks", rooms_store.url, logs, **local)
    with run_processes(api, worker), connect_to(api.url) as client:
        yield client


@pytest.fixture
def operator(client: ApiClient) -> Player:
    """Return an operator: a client with the operators' token."""
    return Player(client, OPERATORS)


@pytest.fixture
def ada(client: ApiClient) -> Player:
    """Return a guest."""
    return client.guest("Ada")


@pytest.fixture
def bob(client: ApiClient) -> Player:
    """Return another guest."""
    return client.guest("Bob")


@pytest.fixture
def cyd(client: ApiClient) -> Player:
    """Return a third guest."""
    return client.guest("Cyd")


@pytest.fixture
def anonymous(client: ApiClient) -> Player:
    """Return somebody without a token."""
    return client.anonymous()


@pytest.fixture
def store_and_log(rooms_store: StoreServer, logs: Path) -> tuple[str, Path]:
    """Return where a process finds its store, and where it logs."""
    return rooms_store.url, logs


@pytest.fixture(scope="session")
def there(rooms_store: StoreServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiClient]:
    """Return the way to another process of the same service."""
    other = ApiProcess(rooms_store.url, tmp_path_factory.mktemp("other") / "log")
    with run_processes(other), connect_to(other.url) as client:
        yield client
