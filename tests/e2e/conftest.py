"""A service of its own for each test that kills a part of it."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.e2e.client import Door, door_to
from tests.e2e.processes import ApiProcess, ServiceProcess, started
from tests.store_server import StoreServer

StartApi = Callable[..., tuple[ApiProcess, Door]]
StartWorker = Callable[..., ServiceProcess]


@pytest.fixture
def stack() -> Iterator[contextlib.ExitStack]:
    """Return what ends everything that a test started."""
    with contextlib.ExitStack() as stack:
        yield stack


@pytest.fixture
def start_api(own_server: StoreServer, tmp_path: Path, stack: contextlib.ExitStack) -> StartApi:
    """Return what starts one more API process over the test's store."""

    def start(**settings: str) -> tuple[ApiProcess, Door]:
        api = ApiProcess(own_server.url, tmp_path / "log", **settings)
        stack.enter_context(started(api))
        return api, stack.enter_context(door_to(api.url))

    return start


@pytest.fixture
def start_worker(own_server: StoreServer, tmp_path: Path, stack: contextlib.ExitStack) -> StartWorker:
    """Return what starts one more worker over the test's store."""

    def start(**settings: str) -> ServiceProcess:
        worker = ServiceProcess("service worker", own_server.url, tmp_path / "log", **settings)
        stack.enter_context(started(worker))
        return worker

    return start
