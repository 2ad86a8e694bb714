"""The processes that the fork server forks for the supervisor, and their restarts."""

import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Mapping
from contextlib import suppress

import msgspec

from service.programs.restarts import RestartPolicy, exit_text, say
from service.runtime.child_messages import receive, send
from service.runtime.fork_server import Ended, Start, Started, decode_notice, encode


class ForkedProcess(msgspec.Struct):
    """A process that was requested."""

    name: str
    pid: int | None = None
    """None until it is known."""
    code: int | None = None
    """Its exit code, negative for a signal; None while it runs."""


class ForkServer:
    """The process from which the children are forked. If it dies, it is started again, and its children with it."""

    def __init__(self, command: tuple[str, ...], environment: Mapping[str, str], lifeline: int) -> None:
        """Start the process."""
        self._command, self._environment, self._lifeline = command, environment, lifeline
        self._restarts = RestartPolicy("fork server")
        self._processes: list[ForkedProcess] = []
        self._start_at: float | None = None
        """When it is started again; None while it runs."""
        self._process, self._control = self._start()

    @property
    def is_running(self) -> bool:
        """Whether processes can be requested."""
        return self._start_at is None

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when there are notices; another one after a restart."""
        return self._control.fileno()

    def request(self, name: str, arguments: tuple[str, ...]) -> ForkedProcess:
        """Request a process. Call it while the server is running."""
        process = ForkedProcess(name)
        self._processes.append(process)
        with suppress(OSError):  # the server has just died, which `tend` notices
            send(self._control, encode(Start(name, arguments)))
        return process

    def tend(self) -> None:
        """Read notices; notice that the server has died, and start it again at the right time. Does not wait."""
        self._read_notices()
        if self._start_at is not None:
            if time.monotonic() >= self._start_at:
                self._control.close()
                self._process, self._control = self._start()
                self._start_at = None
        elif (code := self._process.poll()) is not None:
            self._end_processes()
            self._start_at = time.monotonic() + self._restarts.end(exit_text(code))

    def stop(self) -> None:
        """Kill the server, which must no longer have processes."""
        self._process.kill()
        self._process.wait()
        self._end_processes()
        self._control.close()

    def _start(self) -> tuple[subprocess.Popen[bytes], socket.socket]:
        """Start the server, and return it with this process's end of the socket."""
        ours, theirs = socket.socketpair()
        with theirs:
            process = subprocess.Popen(  # noqa: S603 - the service's own command, no shell
                (*self._command, str(theirs.fileno())),
                env=self._environment,
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(), self._lifeline),
                start_new_session=True,
            )
        return process, ours

    def _read_notices(self) -> None:
        with suppress(EOFError, OSError):  # the server has died
            while select.select([self._control], [], [], 0)[0]:
                self._handle(decode_notice(receive(self._control)[0]))

    def _handle(self, notice: Started | Ended) -> None:
        match notice:
            case Started(name, pid):
                self._requested(name, None).pid = pid
            case Ended(name, pid, code):
                process = self._requested(name, pid)
                process.code = code
                self._processes.remove(process)

    def _requested(self, name: str, pid: int | None) -> ForkedProcess:
        """Return the process with this name and id; the id of one that died very early is not known."""
        return next(each for each in self._processes if each.name == name and each.pid in {pid, None})

    def _end_processes(self) -> None:
        """Kill the processes of the dead server, because nobody would be notified of their end."""
        self._read_notices()
        for process in self._processes:
            kill_session(process)
            process.code = -signal.SIGKILL
        self._processes.clear()


class Child:
    """One of the service's processes, which is restarted when it ends."""

    def __init__(self, name: str, arguments: tuple[str, ...], server: ForkServer) -> None:
        self._name, self._arguments, self._server = name, arguments, server
        self._restarts = RestartPolicy(name)
        self._process: ForkedProcess | None = None
        self._start_at = time.monotonic()

    @property
    def is_running(self) -> bool:
        """Whether the process was requested and has not ended."""
        return self._process is not None

    def tend(self) -> None:
        """Request the process at the right time; notice that it has ended. Does not wait."""
        if self._process is None:
            if time.monotonic() >= self._start_at and self._server.is_running:
                self._process = self._server.request(self._name, self._arguments)
        elif (code := self._process.code) is not None:
            kill_session(self._process)
            self._process = None
            self._start_at = time.monotonic() + self._restarts.end(exit_text(code))

    def stop(self, grace: float, wait: Callable[[float], bool]) -> None:
        """Ask the process to exit; kill it after `grace` seconds, or as soon as `wait` returns True."""
        if self._process is None or self._process.pid is None:
            return
        with suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGTERM)
        deadline, is_hurried = time.monotonic() + grace, False
        while self._process.code is None and not is_hurried and (left := deadline - time.monotonic()) > 0:
            is_hurried = wait(min(left, 0.1))
            self._server.tend()
        if self._process.code is None:
            say(f"{self._name} did not exit in time and was killed.")
        kill_session(self._process)
        self._process = None


def kill_session(process: ForkedProcess) -> None:
    """Kill the rest of a process's session, including processes that it started."""
    if process.pid is not None:
        with suppress(ProcessLookupError, PermissionError):  # the session is empty, which some systems report as EPERM
            os.killpg(process.pid, signal.SIGKILL)
