"""The supervisor of `turnstream up`: it runs the embedded store and the service's processes until asked to stop.

This process imports little and none of the service's code, which the fork server imports. Every child leads its own
session, so Ctrl-C in a terminal reaches this process only, which stops all children in order. Each child inherits a
lifeline: a pipe that no one writes to and whose other end only this process has. When this process ends in any way, the
pipe is closed, and a child that called `leave_with_parent` stops as if asked to.
"""

import errno
import http.client
import math
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from types import FrameType

import msgspec

from service.programs.children import Child, ForkServer
from service.programs.data_folder import create_signing_key
from service.programs.embedded_store import EmbeddedStoreError, Pause
from service.programs.restarts import UpFailed, say
from service.programs.store_supervisor import SupervisedStore
from service.runtime.fork_server import forget_signals, wake_at_signals
from service.runtime.os_errors import reason_of

STORE_LOST = "store_lost_data"
"""The code of the problem that a person has to solve."""


def readiness_problem(authority: str) -> str | None:
    """Return None if a service is ready, else the code of the problem, or "" if it does not answer."""
    with closing(http.client.HTTPConnection(authority, timeout=2)) as connection:
        try:
            connection.request("GET", "/health/ready")
            answer = connection.getresponse()
            if answer.status == http.HTTPStatus.OK:
                return None
            return str(msgspec.json.decode(answer.read())["code"])
        except (OSError, http.client.HTTPException, msgspec.DecodeError, KeyError, TypeError):
            return ""


def lost_text(program: str) -> str:
    """Return the message about a store that has lost data; `program` is the command before a verb in a shell."""
    return f"""
The store has lost data, so nothing is written until you decide. Rooms can be read.
This command shows what is missing:

  {program} accept-loss

Stop this program and restore its data folder; or restore a backup into an empty store (the same command with
`restore FILE`); or add --yes to continue with the data that is left. Turnstream then resumes automatically.
"""


STORE_URL = "TURNSTREAM_REDIS_URL"  # passes the store's address to a child
LIFELINE = "TURNSTREAM_LIFELINE"  # passes the file descriptor of its lifeline to a child
IDLE_INTERVAL = 1.0  # seconds between checks while everything runs; the end of a process is noticed immediately
BUSY_INTERVAL = 0.1  # seconds between checks while something starts
PORT_PATIENCE = 3.0  # seconds for a port to become free: the children of a killed parent may still be stopping


class UpPlan(msgspec.Struct, frozen=True):
    """What is run: children are started in this order and stopped in this order."""

    data: Path
    """The embedded store's folder, which is created if it is missing."""
    host: str
    port: int
    metrics_ports: tuple[int, ...]
    """The ports for the metrics of the children, if they have any."""
    fork_server: tuple[str, ...]
    """The command of the fork server; the descriptor of its socket is added."""
    children: tuple[tuple[str, tuple[str, ...]], ...]
    """Each child's name and its arguments."""
    environment: Mapping[str, str]
    """Variables that are added to the children's environment, with the store's URL and the lifeline."""
    program: str = "turnstream"
    """The command before a verb in a shell, with the settings by which it finds the store."""
    examples: tuple[str, ...] = ()
    """Lines of the banner that can be pasted into a shell."""
    ready_within: float = 60.0  # seconds from the first start until `/health/ready` must have answered 200
    grace: float = 10.0  # seconds that each child may take to exit before it is killed

    @property
    def authority(self) -> str:
        """A host and port that reach the server from this machine, even if it listens on every address."""
        host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 - compared
        return f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"


class AskedToStop(Exception):  # noqa: N818 - a request, not an error
    """The service was asked to stop."""


class Requests:
    """Counts the requests to stop: after one everything is stopped in order, after two it is killed."""

    def __init__(self, wakes: int) -> None:
        """`wakes` is the descriptor that becomes readable at every signal."""
        self.count = 0
        self._wakes = wakes

    def note(self, _signal: int, _frame: FrameType | None) -> None:
        """Count a request; a signal handler."""
        self.count += 1

    def pause(self, seconds: float) -> None:
        """Wait. Raises `AskedToStop` once there was a request."""
        until = time.monotonic() + seconds
        while not self.count and (left := until - time.monotonic()) > 0:
            self._wait(left)
        if self.count:
            raise AskedToStop

    def pause_until_news(self, seconds: float, server: ForkServer) -> None:
        """Wait, at most until a child or the store ends. Raises `AskedToStop` once there was a request."""
        if not self.count:
            self._wait(seconds, server.fileno())
        if self.count:
            raise AskedToStop

    def hurry(self, seconds: float) -> bool:
        """Wait for a signal, and return whether there were two requests."""
        if self.count < 2:
            self._wait(seconds)
        return self.count >= 2

    def _wait(self, seconds: float, *others: int) -> None:
        select.select([self._wakes, *others], [], [], seconds)
        forget_signals(self._wakes)


class ProcessGroup:
    """The running store and children of a plan."""

    def __init__(self, plan: UpPlan, requests: Requests) -> None:
        self._plan = plan
        self._requests = requests
        self._store = SupervisedStore(plan.data, requests.pause)
        self._lifeline, self._held_end = os.pipe()
        added = {STORE_URL: self._store.url, LIFELINE: str(self._lifeline)}
        inherited = {**os.environ, **plan.environment, **added}
        try:
            create_signing_key(plan.data)
            self._server = ForkServer(plan.fork_server, inherited, self._lifeline)
        except OSError:
            self._store.stop()
            raise
        self._children = [Child(name, arguments, self._server) for name, arguments in plan.children]

    def stay_up(self) -> None:
        """Keep everything running, and print the banner once it is ready. Only `AskedToStop` or `UpFailed` end it."""
        deadline = time.monotonic() + self._plan.ready_within
        while (problem := readiness_problem(self._plan.authority)) is not None:
            if problem == STORE_LOST and deadline < math.inf:
                say(lost_text(self._plan.program))
                deadline = math.inf
            if time.monotonic() > deadline:
                raise UpFailed(
                    f"{self._plan.authority}/health/ready did not return 200 within {self._plan.ready_within:g} s."
                )
            self._tend()
        say(banner(self._plan))
        while True:
            self._tend(IDLE_INTERVAL)

    def stop(self) -> None:
        """Stop the children in order, then the store."""
        say("Stopping. Press Ctrl-C again to stop immediately.")
        for child in self._children:
            child.stop(self._plan.grace, self._requests.hurry)
        self._server.stop()
        self._store.stop()
        os.close(self._lifeline)
        os.close(self._held_end)

    def _tend(self, seconds: float = BUSY_INTERVAL) -> None:
        """Check everything once, then wait for this long, or less if a process ends."""
        self._store.tend()
        self._server.tend()
        for child in self._children:
            child.tend()
        running = [self._store.is_running, self._server.is_running, *(child.is_running for child in self._children)]
        self._requests.pause_until_news(seconds if all(running) else BUSY_INTERVAL, self._server)


def run_up(plan: UpPlan) -> int:
    """Run a plan until SIGINT, SIGTERM or SIGHUP.

    Returns the exit code: 0 if it was asked to stop, 1 if something could not be kept running, which is then printed.
    """
    with requests_to_stop() as requests:
        try:
            for port in (plan.port, *plan.metrics_ports):
                await_free_port(plan.host, port, requests.pause)
            group = ProcessGroup(plan, requests)
            try:
                group.stay_up()
            finally:
                group.stop()
        except AskedToStop:
            say("Stopped.")
        except (UpFailed, EmbeddedStoreError, OSError) as failure:  # OSError: a folder or program that cannot be used
            sys.stderr.write(f"turnstream: {reason_of(failure)}\n")
            return 1
    return 0


def leave_with_parent(grace: float = 15.0) -> None:
    """In a child: ask this process to stop (SIGTERM) when the supervisor has ended, and kill it `grace` seconds later.

    Does nothing without a lifeline in the environment, as when started by hand or in a container.
    """
    lifeline = os.environ.pop(LIFELINE, None)
    if lifeline is not None:
        threading.Thread(target=_await_end, args=(int(lifeline), grace), daemon=True).start()


def _await_end(lifeline: int, grace: float) -> None:
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(grace)
    os.killpg(0, signal.SIGKILL)  # the child's session: the child and the processes that it started


@contextmanager
def requests_to_stop() -> Iterator[Requests]:
    """Count signals that ask a program to stop as requests while the context lasts."""
    numbers = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # with nohup it must outlive its terminal
        numbers.append(signal.SIGHUP)
    before = [(number, signal.getsignal(number)) for number in (*numbers, signal.SIGCHLD)]
    requests = Requests(wake_at_signals())
    try:
        for number in numbers:
            signal.signal(number, requests.note)
        yield requests
    finally:
        signal.set_wakeup_fd(-1)
        for number, handler in before:
            signal.signal(number, handler)


def await_free_port(host: str, port: int, pause: Pause) -> None:
    """Return when a port is free. Raises `UpFailed` if it stays in use or cannot be used."""
    deadline = time.monotonic() + PORT_PATIENCE
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    while True:
        try:
            socket.create_server((host, port), family=family).close()
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise UpFailed(f"Cannot listen on {host} port {port}: {error.strerror}.") from error
            if time.monotonic() > deadline:
                raise UpFailed(
                    f"Port {port} on {host} is in use, perhaps by another `turnstream up`. Stop that program, or choose"
                    " another port with TURNSTREAM_PORT or, for metrics, TURNSTREAM_METRICS_PORT."
                ) from error
            pause(0.2)
        else:
            return


def banner(plan: UpPlan) -> str:
    """Return the text that is printed when everything is ready."""
    examples = "\n    ".join(("  Try this in another terminal:", *plan.examples)) + "\n" if plan.examples else ""
    return f"""
Turnstream is up.

  Play      http://{plan.authority}/
  API docs  http://{plan.authority}/docs
  Data      {plan.data.resolve()}

{examples}
Press Ctrl-C to stop it. All rooms are kept on the disk.
"""
