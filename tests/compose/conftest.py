"""The compose file as operators use it: built, started and inspected with the engine's command line."""

import asyncio
import json
import os
import re
import resource
import secrets
import shutil
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.domain.ids import RoomKey
from service.programs.ops.exports.format import EventLine, RoomLine, read_lines
from service.store.contract import Entry, Head
from tests.container_engine import engine_answers
from tests.e2e.load import Load
from tests.e2e.stored import StoredRoom, stored_room
from tests.e2e.study import Size, play_through
from tests.store_server import free_port

ROOT = Path(__file__).parents[2]
PATIENCE = 180
"""Seconds until containers have to be healthy."""

WANTED_FILES = 65536
"""The limit of open files that the compose file asks for, unless `TURNSTREAM_OPEN_FILES` is set."""


class Stack:
    """A project of the compose file, with its own port and volumes."""

    def __init__(self, folder: Path, *profiles: str) -> None:
        """Prepare the project with these profiles."""
        self.project = f"turnstream-test-{secrets.token_hex(3)}"
        self.port = free_port()
        self._folder = folder
        self._files = [ROOT / "docker-compose.yml"]
        self._profiles = ",".join(profiles)
        self.variables = lowered_limit()
        """Further variables of the compose file."""

    @property
    def url(self) -> str:
        """The URL of the proxy."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def environment(self) -> dict[str, str]:
        """The environment variables that select this project for `docker compose`."""
        return {
            "COMPOSE_FILE": os.pathsep.join(map(str, self._files)),
            "COMPOSE_PROFILES": self._profiles,
            "COMPOSE_PROJECT_NAME": self.project,
            "TURNSTREAM_PORT": str(self.port),
            "TURNSTREAM_IMAGE": self.project,
            "TURNSTREAM_WEBHOOK_HTTP": "true",
            "TURNSTREAM_WEBHOOK_NETWORKS": "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16",
            **self.variables,
        }

    def compose(self, *words: str, check: bool = True) -> str:
        """Run `docker compose` and return its output. Fails with the output."""
        return run("docker", "compose", *words, check=check, **self.environment)

    def follow_guide(self, command: str, pages: str = "docs/operating/*.md", **filled_in: str) -> str:
        """Run the block of these pages that contains this command, unchanged, and return its output.

        Only the volumes are this project's, and words such as FILE are filled in.
        """
        lines = documented(command, pages).replace("turnstream_", f"{self.project}_")
        for word, text in filled_in.items():
            lines = lines.replace(word, text)
        return run("sh", "-euc", lines, check=True, **self.environment)

    def add_file(self, content: dict[str, Any]) -> None:
        """Add a compose file after the others."""
        file = self._folder / f"{len(self._files)}.yml"
        file.write_text(json.dumps(content))
        self._files.append(file)

    def releases(self, service: str) -> list[str]:
        """Return the versions of the images of a service's containers."""
        return [self.inspect(each)["Config"]["Image"].rpartition(":")[2] for each in self.containers(service)]

    def exit_codes(self, service: str, action: Callable[[], object]) -> set[str]:
        """Return the exit codes of a service's containers that end during an action.

        The engine keeps its 256 latest events only, of which an action can cause more, so they are recorded meanwhile.
        """
        log = self._folder / "events"
        command = ["docker", "events", "--since", str(time.time()), "--format", "{{json .}}"]
        command += ["--filter", f"label=com.docker.compose.project={self.project}"]
        with log.open("w") as output, subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=output) as recording:
            try:
                action()
                ended = time.time_ns()
                self.wait_until(lambda: any(each["timeNano"] > ended for each in events_in(log)), "a later event")
            finally:
                recording.terminate()
        attributes = [each["Actor"]["Attributes"] for each in events_in(log) if each["Action"] == "die"]
        return {each["exitCode"] for each in attributes if each["com.docker.compose.service"] == service}

    def up(self, *words: str) -> None:
        """Start all services, and wait until they are healthy."""
        self.compose("up", "--detach", "--wait", "--wait-timeout", str(PATIENCE), *words)

    def containers(self, service: str) -> list[str]:
        """Return the ids of a service's running containers, the oldest first."""
        lines = self.compose("ps", "--format", "json", service).splitlines()
        found = [json.loads(line) for line in lines if line.startswith("{")]
        return [one["ID"] for one in sorted(found, key=lambda one: (len(one["Name"]), one["Name"]))]

    def inspect(self, container: str) -> dict[str, Any]:
        """Return the engine's data about a container."""
        found: dict[str, Any] = json.loads(run("docker", "inspect", container))[0]
        return found

    def crash(self, container: str) -> None:
        """Kill every process of a container with SIGKILL from within, like a crash; the engine restarts it."""
        before = self.inspect(container)["RestartCount"]
        run("docker", "exec", container, "sh", "-c", "kill -9 -1", check=False)
        self.wait_until(lambda: self.inspect(container)["RestartCount"] > before, f"{container} is started again")

    def wait_until_healthy(self) -> None:
        """Wait until each running container is healthy."""
        ids = run("docker", "ps", "--quiet", "--filter", f"label=com.docker.compose.project={self.project}").split()
        for container in ids:
            self.wait_until(partial(self.is_healthy, container), f"{container} is healthy")

    def is_healthy(self, container: str) -> bool:
        """Return whether a container's health check succeeds."""
        return bool(self.inspect(container)["State"]["Health"]["Status"] == "healthy")

    def wait_until(self, condition: Callable[[], bool], what: str) -> None:
        """Wait until a condition is true. Fails with the services' logs."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                pytest.fail(f"not within {PATIENCE} s: {what}\n{self.logs()}")
            time.sleep(0.2)

    def wait_until_ready(self) -> None:
        """Wait until the proxy has a replica that is ready."""
        self.wait_until(lambda: ready_status(self.url) == 200, "ready through the proxy")

    def logs(self) -> str:
        """Return the end of each service's log."""
        return self.compose("logs", "--tail", "30", check=False)

    def stored_rooms(self, service: str = "api") -> list[StoredRoom]:
        """Return every room in a service's store, by an export made in one of its containers."""
        path = f"/tmp/check-{secrets.token_hex(3)}.ndjson"  # noqa: S108 - the container's own
        self.compose("exec", "-T", service, "turnstream", "export", path)
        lines = self.compose("exec", "-T", service, "cat", path).splitlines()
        self.compose("exec", "-T", service, "rm", path)
        return rooms_of(f"{line}\n".encode() for line in lines if line)

    def remove(self) -> None:
        """Remove containers, networks, volumes and images of the project."""
        self.compose("down", "--volumes", "--rmi", "local", "--timeout", "5", "--remove-orphans", check=False)
        releases = run("docker", "images", "--format", "{{.Repository}}:{{.Tag}}", self.project).split()
        run("docker", "rmi", *releases, check=False)


def events_in(log: Path) -> list[dict[str, Any]]:
    """Return the engine's events that have been written to a log, without one that is still being written."""
    lines = log.read_text().splitlines(keepends=True)
    return [json.loads(line) for line in lines if line.endswith("\n")]


def rooms_of(lines: Iterator[bytes]) -> list[StoredRoom]:
    """Return the rooms of an export."""
    heads: dict[RoomKey, Head] = {}
    entries: dict[RoomKey, list[Entry]] = {}
    key = None
    for _, _, line in read_lines(lines):
        if isinstance(line, RoomLine):
            key = line.key
            heads[key], entries[key] = line.head, []
        elif isinstance(line, EventLine):
            assert key is not None
            entries[key].append(line.entry)
    return [stored_room(key, entries[key], head) for key, head in heads.items()]


def new_backup(stack: Stack) -> str:
    """Make a backup and return the name of its file."""
    stack.compose("exec", "-T", "backup", "turnstream", "backup", "/backups")
    return max(name for name in backups(stack) if name.endswith(".ndjson.gz"))


def backups(stack: Stack) -> list[str]:
    """Return the files in the folder of backups."""
    return stack.compose("exec", "-T", "backup", "ls", "/backups").split()


def documented(command: str, pages: str) -> str:
    """Return the block of these pages that contains this command."""
    texts = [page.read_text() for page in sorted(ROOT.glob(pages))]
    blocks = [block for text in texts for block in re.findall(r"(?:^    .*\n)+", text, re.MULTILINE)]
    [found] = [block for block in blocks if command in block]
    return textwrap.dedent(found)


def lowered_limit() -> dict[str, str]:
    """Return the variable for a lower limit of open files, if this machine allows no higher one."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most == resource.RLIM_INFINITY or most >= WANTED_FILES:
        return {}
    sys.stdout.write(f"This machine allows {most} open files a process, not {WANTED_FILES}: lowered for this run.\n")
    return {"TURNSTREAM_OPEN_FILES": str(most)}


def run(*command: str, check: bool = True, **environment: str) -> str:
    """Run a program and return its standard output. Fails with all of its output."""
    theirs = {name: value for name, value in os.environ.items() if not name.startswith("TURNSTREAM_")}
    done = subprocess.run(
        command, cwd=ROOT, env={**theirs, **environment}, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False
    )  # fmt: skip
    if check and done.returncode:
        pytest.fail(f"{' '.join(command)}: {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def ready_status(url: str) -> int:
    """Return the status of the readiness route, 0 without an answer."""
    try:
        return httpx.get(f"{url}/health/ready", timeout=5, trust_env=False).status_code
    except httpx.TransportError:
        return 0


async def play_at(
    url: str,
    faults: Sequence[Callable[[], object]],
    read_store: Callable[[], list[StoredRoom]],
    moves: int,
    rooms: int = 6,
) -> Load:
    """Play at an address while containers fail, and compare the recorded history with the store."""
    hits = [partial(asyncio.to_thread, fault) for fault in faults]
    reading = partial(asyncio.to_thread, read_store)
    return await play_through([url], hits, reading, Size(rooms, 2 * rooms, moves))


@pytest.fixture(scope="session")
def engine() -> None:
    """Fail if no container engine answers: these tests are only run by their own command."""
    if shutil.which("docker") is None or not engine_answers():
        pytest.fail("no container engine answers; set DOCKER_HOST, or start Docker")


@contextmanager
def running(stack: Stack) -> Iterator[Stack]:
    """Build the images, start every service, wait until all are healthy, and remove everything afterwards."""
    try:
        stack.compose("up", "--build", "--wait", "--wait-timeout", str(PATIENCE))
        yield stack
    finally:
        stack.remove()


@pytest.fixture(scope="module")
def stack(engine: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:  # noqa: ARG001 - only its answer
    """Run the services of the compose file."""
    with running(Stack(tmp_path_factory.mktemp("compose"))) as stack:
        yield stack
