"""A service of its own for each test that kills one of its processes."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.client import ApiClient, connect_to
from tests.e2e.processes import ApiProcess, ServiceProcess, run_processes
from tests.store_server import StoreServer

StartApi = Callable[..., tuple[ApiProcess, ApiClient]]
StartWorker = Callable[..., ServiceProcess]


@pytest.fixture
def stack() -> Iterator[contextlib.ExitStack]:
    """Return a stack of everything that the test started, which is ended after it."""
    with contextlib.ExitStack() as stack:
        yield stack


@pytest.fixture
def start_api(own_server: StoreServer, tmp_path: Path, stack: contextlib.ExitStack) -> StartApi:
    """Return a function that starts one more API process over the test's store."""

    def start(**settings: str) -> tuple[ApiProcess, ApiClient]:
        api = ApiProcess(own_server.url, tmp_path / "log", **settings)
        stack.enter_context(run_processes(api))
        return api, stack.enter_context(connect_to(api.url))

    return start


@pytest.fixture
def start_worker(own_server: StoreServer, tmp_path: Path, stack: contextlib.ExitStack) -> StartWorker:
    """Return a function that starts one more worker over the test's store."""

    def start(**settings: str) -> ServiceProcess:
        worker = ServiceProcess("service worker", own_server.url, tmp_path / "log", **settings)
        stack.enter_context(run_processes(worker))
        return worker

    return start
