"""Processes of the service over a real store, with the settings that an operator gives them; a test may kill them."""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Container, Iterator
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from service.runtime.settings import Settings
from tests.e2e.template import ForkedProcess
from tests.store_server import free_port
from tests.waiting import PATIENCE, wait_for

ROOT = Path(__file__).parents[2]
SECRET = "only-for-tests-and-longer-than-32-characters"  # noqa: S105 - not one that guards anything
OPERATORS = "only for tests, and the operators' own"
"""The token for the operators' routes, where a process has them."""
QUIET = "300"
"""Seconds between heartbeats: so long that none repairs a lost notification during a test."""
UNLIMITED = {name: "0" for name in Settings.__struct_fields__ if name.startswith("limit_")}
"""No limits, because tests are faster than people; the tests of limits set them."""


class ServiceProcess:
    """A program over a store that can be killed and started again with the same settings."""

    def __init__(self, module: str, store: str, log: Path, **settings: str) -> None:
        """Prepare `python -m` with this module and its arguments; `settings` go by their lower-case names."""
        own = {"redis_url": store, "secret": SECRET, "heartbeat": QUIET, "log_level": "warning", **UNLIMITED}
        own |= settings
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("TURNSTREAM_")}
        self._environment = {**inherited, **{f"TURNSTREAM_{name.upper()}": value for name, value in own.items()}}
        self._module, *arguments = module.split()
        self._arguments = tuple(arguments)
        self.is_forked = self._module == "service"
        """Whether the process is forked from one that has imported the service, instead of importing it again."""
        self._folder = ROOT
        self.log = log
        self._process: subprocess.Popen[bytes] | ForkedProcess | None = None
        self.exit_code: int | None = None
        """How the latest run ended."""

    def run_code_in(self, folder: Path, known: Container[str]) -> None:
        """Run the code of another release, which is in this folder and knows these settings."""
        self._folder, self.is_forked = folder, False
        others = {name: value for name, value in self._environment.items() if not name.startswith("TURNSTREAM_")}
        own = {name: value for name, value in self._environment.items() if name[len("TURNSTREAM_") :].lower() in known}
        self._environment = {**others, **own, "PYTHONPATH": str(folder)}

    def start(self) -> None:
        """Start the process."""
        with self.log.open("ab") as log:
            if self.is_forked:
                self._process = ForkedProcess(self._arguments, self._environment, self.log)
            else:
                self._process = subprocess.Popen(
                    (sys.executable, "-m", self._module, *self._arguments),
                    cwd=self._folder,
                    env=self._environment,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,
                )

    def kill(self) -> None:
        """End the process by SIGKILL, as a crash would."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Send SIGTERM and wait until the process has ended."""
        self._end(signal.SIGTERM)

    def terminate(self) -> None:
        """Send SIGTERM and return at once."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)

    def _end(self, number: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            try:
                self.exit_code = self._process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
                raise
            self._process = None

    @property
    def id(self) -> int:
        """The id of the running process."""
        assert self._process is not None
        return self._process.pid

    def is_running(self) -> bool:
        """Return whether the process has been started and has not ended since."""
        return self._process is not None and self._process.poll() is None


class ApiProcess(ServiceProcess):
    """One API process on a port of its own."""

    def __init__(self, store: str, log: Path, module: str = "service api", **settings: str) -> None:
        """Prepare to listen on a free port; it stays the same over restarts."""
        self.port = free_port()
        super().__init__(module, store, log, port=str(self.port), **settings)

    @property
    def url(self) -> str:
        """The address of the process."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start and wait until it can be used."""
        super().start()
        wait_for(lambda: not self.is_running() or self._is_ready(), self.log.read_text)
        if not self.is_running():
            raise TimeoutError(f"no answer from the API: {self.log.read_text()}")

    def _is_ready(self) -> bool:
        try:
            with urlopen(f"{self.url}/health/ready", timeout=PATIENCE) as response:  # noqa: S310 - an http URL of our own
                return bool(response.status == 200)
        except (URLError, OSError):
            return False


class SignalledApi(ApiProcess):
    """An API process that records from one SIGUSR1 to the next, and then writes a file."""

    def __init__(self, store: str, folder: Path, module: str, **settings: str) -> None:
        """Prepare the module's process, which writes its recordings to a folder."""
        self._file = folder / "recorded"
        super().__init__(store, folder / "log", f"{module} {self._file}", **settings)

    def record_lines(self, action: Callable[[], object]) -> list[str]:
        """Return the lines that are recorded during an action."""
        self._signal_and_wait(self._file.with_suffix(".started"))
        action()
        self._signal_and_wait(self._file)
        return self._file.read_text().splitlines()

    def _signal_and_wait(self, awaited: Path) -> None:
        awaited.unlink(missing_ok=True)
        os.kill(self.id, signal.SIGUSR1)
        wait_for(awaited.exists)


@contextlib.contextmanager
def run_processes(*processes: ServiceProcess) -> Iterator[None]:
    """Run processes during a block; those that still run at its end are terminated."""
    with contextlib.ExitStack() as stack:
        for process in processes:
            process.start()
            stack.callback(process.stop)
        yield
