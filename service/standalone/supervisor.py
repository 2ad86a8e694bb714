"""What `turnstream up` runs: the embedded store, then the service's own processes, until somebody asks to stop.

This process imports little, and nothing of the service that it starts: that is done by the fork server. Every child is
a session of its own, so Ctrl-C in a terminal reaches this process only, which stops all in order. Each child inherits a
lifeline: a pipe that nobody writes to and whose other end lives in this process alone. When this process is gone,
however it went, the pipe ends, and a child that called `leave_with_parent` stops as if asked to.
"""

import errno
import math
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import msgspec

from service.dead_children import forget_signals, wake_at_signals
from service.standalone.children import Child, ForkServer
from service.standalone.embedded_store import EmbeddedStoreError, Pause
from service.standalone.readiness import LOST, lost_text, unready
from service.standalone.restarts import UpFailed, say
from service.standalone.store_supervisor import KeptStore

STORE_URL = "TURNSTREAM_REDIS_URL"  # passes the store's address to a child
LIFELINE = "TURNSTREAM_LIFELINE"  # passes the file descriptor of its lifeline to a child
AT_REST = 1.0  # seconds between looks while all runs; what ends is noticed at once
BUSY = 0.1  # seconds between looks while something starts
PORT_PATIENCE = 3.0  # seconds for a taken port to become free: a killed parent's children may be leaving it just now


class UpPlan(msgspec.Struct, frozen=True):
    """What is brought up: children start in this order and are stopped in this order."""

    data: Path
    """The embedded store's folder, made if need be."""
    host: str
    port: int
    fork_server: tuple[str, ...]
    """The command of the fork server; the descriptor of its socket is added."""
    children: tuple[tuple[str, tuple[str, ...]], ...]
    """Each child's name and its arguments."""
    environment: Mapping[str, str]
    """What the children get beside this process's environment; the store's address and the lifeline are added."""
    program: str = "turnstream"
    """How the verbs of this program are called in a shell."""
    examples: tuple[str, ...] = ()
    """Lines for the banner that can be pasted into a shell."""
    ready_within: float = 60.0  # seconds from the first start until `/health/ready` must have answered 200
    grace: float = 10.0  # seconds that each child may take to leave before it is killed

    @property
    def authority(self) -> str:
        """A host and port that reach the server from here, also where it listens on every address."""
        host = {"0.0.0.0": "127.0.0.1", "": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 - compared
        return f"[{host}]:{self.port}" if ":" in host else f"{host}:{self.port}"


class AskedToStop(Exception):  # noqa: N818 - being asked is no error
    """Somebody wants the service to stop."""


class Requests:
    """Counts the requests to stop: one stops in order, two stop in a hurry."""

    def __init__(self, wakes: int) -> None:
        """Wake up when this descriptor becomes readable, which it does at every signal."""
        self.count = 0
        self._wakes = wakes

    def note(self, _signal: int, _frame: FrameType | None) -> None:
        """Count one more; usable as a signal handler."""
        self.count += 1

    def pause(self, seconds: float) -> None:
        """Wait; raise `AskedToStop` once there was a request."""
        until = time.monotonic() + seconds
        while not self.count and (left := until - time.monotonic()) > 0:
            self._wait(left)
        if self.count:
            raise AskedToStop

    def pause_until_news(self, seconds: float, server: ForkServer) -> None:
        """Wait, but only until a child or the store has ended; raise `AskedToStop` once there was a request."""
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
    """The store and the children of a plan while they are up."""

    def __init__(self, plan: UpPlan, requests: Requests) -> None:
        self._plan = plan
        self._requests = requests
        self._store = KeptStore(plan.data, requests.pause)
        self._lifeline, self._held_end = os.pipe()
        added = {STORE_URL: self._store.url, LIFELINE: str(self._lifeline)}
        inherited = {**os.environ, **plan.environment, **added}
        try:
            self._server = ForkServer(plan.fork_server, inherited, self._lifeline)
        except OSError:
            self._store.stop()
            raise
        self._children = [Child(name, arguments, self._server) for name, arguments in plan.children]

    def stay_up(self) -> None:
        """Keep everything running, and greet once all is ready. Ends with `AskedToStop` or `UpFailed` only."""
        deadline = time.monotonic() + self._plan.ready_within
        while (problem := unready(self._plan.authority)) is not None:
            if problem == LOST and deadline < math.inf:
                say(lost_text(self._plan.program, {**self._plan.environment, STORE_URL: self._store.url}))
                deadline = math.inf
            if time.monotonic() > deadline:
                raise UpFailed(f"{self._plan.authority}/health/ready gave no 200 within {self._plan.ready_within:g} s.")
            self._tend()
        say(banner(self._plan))
        while True:
            self._tend(AT_REST)

    def stop(self) -> None:
        """Stop the children in order, then the store."""
        say("Stopping. Ctrl-C again to hurry.")
        for child in self._children:
            child.stop(self._plan.grace, self._requests.hurry)
        self._server.stop()
        self._store.stop()
        os.close(self._lifeline)
        os.close(self._held_end)

    def _tend(self, seconds: float = BUSY) -> None:
        """Look after everything, then wait for so long, or less if there is something to do."""
        self._store.tend()
        self._server.tend()
        for child in self._children:
            child.tend()
        running = [self._store.is_running, self._server.is_running, *(child.is_running for child in self._children)]
        self._requests.pause_until_news(seconds if all(running) else BUSY, self._server)


def run_up(plan: UpPlan) -> int:
    """Bring up what the plan says and stay until SIGINT, SIGTERM or SIGHUP.

    Returns an exit code: 0 when it was asked to stop, 1 when something could not be kept up, which is then said.
    """
    with requests_to_stop() as requests:
        try:
            await_free_port(plan, requests.pause)
            group = ProcessGroup(plan, requests)
            try:
                group.stay_up()
            finally:
                group.stop()
        except AskedToStop:
            say("Stopped.")
        except (UpFailed, EmbeddedStoreError, OSError) as failure:  # OSError: a folder or program that can't be used
            sys.stderr.write(f"turnstream: {failure}\n")
            return 1
    return 0


def leave_with_parent(grace: float = 15.0) -> None:
    """In a child: ask this process to stop (SIGTERM) when the supervisor is gone, and end it `grace` seconds later.

    Without a lifeline in the environment (started by hand, or in a container) this does nothing.
    """
    lifeline = os.environ.pop(LIFELINE, None)
    if lifeline is not None:
        threading.Thread(target=_await_end, args=(int(lifeline), grace), daemon=True).start()


def _await_end(lifeline: int, grace: float) -> None:
    os.read(lifeline, 1)
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(grace)
    os.killpg(0, signal.SIGKILL)  # the child leads its own session: this is the child and what it started


@contextmanager
def requests_to_stop() -> Iterator[Requests]:
    """Take the signals that ask a program to stop as requests for as long as this lasts."""
    numbers = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # started with nohup, it must outlive its terminal
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


def await_free_port(plan: UpPlan, pause: Pause) -> None:
    """Return when the plan's port is free. Raises `UpFailed` when it stays taken or can't be had."""
    deadline = time.monotonic() + PORT_PATIENCE
    family = socket.AF_INET6 if ":" in plan.host else socket.AF_INET
    while True:
        try:
            socket.create_server((plan.host, plan.port), family=family).close()
        except OSError as trouble:
            if trouble.errno != errno.EADDRINUSE:
                raise UpFailed(f"Can't listen on {plan.host} port {plan.port}: {trouble.strerror}.") from trouble
            if time.monotonic() > deadline:
                raise UpFailed(
                    f"Port {plan.port} on {plan.host} is in use, perhaps by another `turnstream up`. Stop that "
                    f"program, or choose another port: TURNSTREAM_PORT={plan.port + 1}"
                ) from trouble
            pause(0.2)
        else:
            return


def banner(plan: UpPlan) -> str:
    """Return what is said when everything is ready."""
    examples = "\n    ".join(("  Try this in another terminal:", *plan.examples)) + "\n" if plan.examples else ""
    return f"""
Turnstream is up.

  Play      http://{plan.authority}/
  API docs  http://{plan.authority}/docs
  Data      {plan.data.resolve()}

{examples}
Ctrl-C stops it; every room stays on the disk.
"""
