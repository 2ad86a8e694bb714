"""A service for the libraries' tests."""

from collections.abc import Iterator

import pytest

from tests.e2e.processes import ApiProcess, run_processes
from tests.store_server import StoreServer

PROXIES = ("http_proxy", "https_proxy", "all_proxy")


@pytest.fixture(autouse=True)
def direct(monkeypatch: pytest.MonkeyPatch) -> None:
    """Connect to the service directly, whatever proxy this machine has."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


@pytest.fixture(scope="module")
def url(shared_server: StoreServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of an API process that serves all tests of a file."""
    shared_server.execute("FLUSHDB")
    api = ApiProcess(shared_server.url, tmp_path_factory.mktemp("service") / "log")
    with run_processes(api):
        yield api.url
