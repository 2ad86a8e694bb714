"""Processes of the service that are forked from one which has imported it, as `turnstream up` forks them.

The import is most of what it costs to start a process, and the routes are most of the rest, so each run of the tests
does both once.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(
    ["service.serving", "service.programs.replay.checking", "service.programs.ops.verbs", "tests.e2e.preloaded"]
)


class ForkedProcess:
    """A process that runs `python -m service` with these arguments; its methods are those of `subprocess.Popen`."""

    def __init__(self, arguments: tuple[str, ...], environment: Mapping[str, str], log: Path) -> None:
        """Start the process: it leads a session, has this environment and appends its output to a log."""
        self.args = arguments
        self._process = CONTEXT.Process(target=run_service, args=(arguments, environment, log), daemon=True)
        self._process.start()
        assert self._process.pid is not None
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal; None while the process runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Wait until the process has ended and return its exit code. Raises `subprocess.TimeoutExpired`."""
        self._process.join(timeout)
        code = self.poll()
        if code is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0)
        return code

    def send_signal(self, number: signal.Signals) -> None:
        """Send a signal if the process runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Send SIGKILL if the process runs."""
        self.send_signal(signal.SIGKILL)


def run_service(arguments: tuple[str, ...], environment: Mapping[str, str], log: Path) -> None:
    """In a forked process: run a verb of the service and exit with its code."""
    from service.__main__ import main  # noqa: PLC0415 - has been imported where this runs, not in the tests' own process

    os.setsid()
    with log.open("ab") as out:
        for stream in (sys.stdout, sys.stderr):
            os.dup2(out.fileno(), stream.fileno())
    os.environ.clear()
    os.environ.update(environment)
    sys.exit(main(arguments))
