"""`turnstream up` on a disk that becomes full: rooms can be read, writes are refused, later everything continues."""

import os
import resource
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.programs import embedded_store
from service.programs.embedded_store import server_binary
from service.store.free_space import is_short
from tests.e2e.client import ApiClient, Response
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.e2e.up_process import PROGRAM, run_up
from tests.waiting import wait_for

pytestmark = [
    pytest.mark.skipif(server_binary() is None, reason="the embedded store has no server program here"),
    pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not installed next to this Python"),
]

DISK_BYTES = 48 * 1024 * 1024
CLOCK = 2000
"""Milliseconds for a move: long enough to fill the disk."""

FULL = "The disk of "
SPACE_AGAIN = "The disk has space again"


class Service(NamedTuple):
    """The service on a small disk, and a room in which moves are made."""

    client: ApiClient
    process: "subprocess.Popen[bytes]"
    data: Path
    log: Path
    seated: SeatedRoom

    def try_move(self, number: int) -> Response:
        """Let red make one of the legal selections, and return the response of the move or of reading the room."""
        response = self.read_room()
        if response.status != 200:
            return response
        allowed = [move for move in response.body["match"]["legal_moves"] if move["type"] == "select"]
        return self.seated.red.play(self.seated.room, allowed[number % len(allowed)])

    def read_room(self) -> Response:
        """Read the room."""
        return self.seated.red.read_room(self.seated.room)

    def count_log(self, text: str) -> int:
        """Return how often the log contains a text."""
        return self.log.read_text().count(text)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return a folder on a small disk of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder))
    try:
        result = subprocess.run(mount, capture_output=True, text=True, check=False)
    except OSError as failure:
        pytest.skip(f"a small disk cannot be mounted: {failure}")
    if result.returncode:
        pytest.skip(f"a small disk cannot be mounted: {result.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(("umount", str(folder)), check=True)  # noqa: S607 - the system's own


@contextmanager
def run_on_disk(folder: Path, data: Path, game: str = "turncoat", **settings: object) -> Iterator[Service]:
    """Run the service with a data folder and seat two players."""
    with run_up(folder, data) as (client, process):
        yield Service(client, process, data, folder / "up.log", seat_players(client, game, 2, settings))


def fill(disk: Path, *, leave: int = 0) -> Path:
    """Fill a disk except for a number of bytes, and return the file that fills it."""
    file = disk / "ballast"
    with file.open("wb") as ballast, suppress(OSError):
        os.posix_fallocate(ballast.fileno(), 0, os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize - leave)
    with file.open("ab", buffering=0) as ballast, suppress(OSError):
        while not leave:
            ballast.write(b"x" * 512)
    return file


def count_selections(service: Service) -> int:
    """Return how many selections the room's history contains."""
    events = service.seated.red.get(f"/v1/rooms/{service.seated.room}/events", limit=1000).body["events"]
    return sum(event["type"] == "selected" for event in events)


def store_pid(service: Service) -> int | None:
    """Return the id of the store's process, or None while there is none."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            is_child = int(fields[1]) == service.process.pid and fields[0] != "Z"
            if is_child and b"-server" in (folder / "cmdline").read_bytes():
                return int(folder.name)
    return None


def write_directly(service: Service, size: int = 64 * 1024) -> None:
    """Write to the store directly, which ends a store without free space."""
    socket = embedded_store.folder_for(service.data).socket
    with redis.Redis(unix_socket_path=str(socket), retry=Retry(NoBackoff(), 0)) as client, suppress(redis.RedisError):
        client.set("ballast", b"x" * size)


def wait_until_writable(service: Service) -> None:
    """Wait until moves are accepted again."""
    wait_for(lambda: service.try_move(0).status == 200)


def crash_store(service: Service) -> None:
    """Make the store end for lack of space; meanwhile the room can be read and every move is refused."""
    store = store_pid(service)
    while store_pid(service) == store:
        write_directly(service)
        assert service.read_room().status == 200
        assert service.try_move(2).code == "store_full"


def test_writes_are_refused_before_the_store_ends(disk: Path, tmp_path: Path) -> None:
    """With little free space left, rooms are read from the store, which keeps running; writes resume by themselves."""
    with run_on_disk(tmp_path, disk / "data") as service:
        assert service.try_move(0).status == 200
        store = store_pid(service)
        ballast = fill(disk, leave=DISK_BYTES // 40)
        assert is_short(disk)
        wait_for(lambda: service.try_move(1).code == "store_full")
        selections = count_selections(service)
        refused = [service.try_move(number) for number in range(10)]
        assert {(response.status, response.code, response.headers["retry-after"]) for response in refused} == {
            (503, "store_full", "5")
        }
        anonymous = service.client.anonymous()
        chat = service.seated.red.post(f"/v1/rooms/{service.seated.room}/chat", {"text": "hello"})
        assert (chat.status, chat.code) == (503, "store_full")
        assert service.seated.red.open_room("morris").code == "store_full"
        for path in (f"/v1/rooms/{service.seated.room}", "/v1/rooms", "/health/ready"):
            assert anonymous.get(path).status == 200
        assert count_selections(service) == selections
        wait_for(lambda: service.count_log(FULL) == 1)
        ballast.unlink()
        wait_until_writable(service)
        wait_for(lambda: service.count_log(SPACE_AGAIN) == 1)
        assert service.count_log(FULL) == 1
        assert store_pid(service) == store


def test_a_store_that_ends_on_a_full_disk_is_always_restarted(disk: Path, tmp_path: Path) -> None:
    """Rooms in memory can be read, writes are refused with the reason, and the log says it only once."""
    with run_on_disk(tmp_path, disk / "data") as service:
        done = sum(service.try_move(number).status == 200 for number in range(30))
        assert done > 0
        ballast = fill(disk)
        wait_for(lambda: service.try_move(1).code == "store_full")
        for _ in range(2):
            crash_store(service)
            wait_for(lambda: store_pid(service) is not None)
        assert service.process.poll() is None
        assert (service.count_log(FULL), service.count_log(SPACE_AGAIN)) == (1, 0)
        ballast.unlink()
        wait_until_writable(service)
        assert count_selections(service) > done
        wait_for(lambda: service.count_log(SPACE_AGAIN) == 1)
        assert service.count_log(FULL) == 1


def test_rooms_that_are_not_in_memory_are_refused_with_store_full(disk: Path, tmp_path: Path) -> None:
    """While the store is not running, reading a room that is not in memory gets 503 `store_full`."""
    with run_on_disk(tmp_path, disk / "data") as service:
        ballast = fill(disk)
        wait_for(lambda: service.try_move(1).code == "store_full")
        anonymous = service.client.anonymous()

        def is_refused() -> bool:
            write_directly(service)
            response = anonymous.read_room("no-such-room-here")
            assert response.code in {"no_such_room", "store_full"}
            return response.code == "store_full"

        wait_for(is_refused)
        assert service.read_room().status == 200
        ballast.unlink()
        wait_until_writable(service)
        assert anonymous.read_room("no-such-room-here").status == 404


def test_clocks_stop_while_nothing_can_be_written(disk: Path, tmp_path: Path) -> None:
    """Nobody can move then, so nobody's time may run out; the time is given back."""
    with run_on_disk(tmp_path, disk / "data", "morris", clock={"type": "per_move", "ms": CLOCK}) as service:
        ballast, began = fill(disk, leave=DISK_BYTES // 40), time.monotonic()
        wait_for(lambda: time.monotonic() - began > 2 * CLOCK / 1000)
        assert service.read_room().body["match"]["status"] == "playing"
        ballast.unlink()
        place = {"type": "place", "at": "a1"}
        wait_for(lambda: service.seated.red.play(service.seated.room, place).status == 200)
        events = service.seated.red.get(f"/v1/rooms/{service.seated.room}/events").body["events"]
        extensions = [event["by_seat"][0] for event in events if event["type"] == "clocks_extended"]
        assert sum(extensions) >= CLOCK


def test_a_limit_of_the_store_alone_does_not_end_the_service(tmp_path: Path) -> None:
    """Such as a quota: the store's own log says why it ended; what was acknowledged is there after its restart."""
    with run_on_disk(tmp_path, tmp_path / "data") as service:
        store = store_pid(service)
        assert store is not None
        files = (*(tmp_path / "data" / "appendonlydir").iterdir(), tmp_path / "data" / "store.log")
        size = max(path.stat().st_size for path in files) + 20_000
        for process in (store, service.process.pid):
            resource.prlimit(process, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        stores, codes, done = {store}, set[str](), 0
        while len(stores) < 2 or "store_full" not in codes:
            response = service.try_move(done)
            done, codes = done + (response.status == 200), codes | {response.code}
            stores |= {found for found in (store_pid(service),) if found is not None}
            assert service.process.poll() is None
        assert codes <= {"", "store_full", "store_unavailable", "outcome_unknown"}
        for process in (service.process.pid, *stores):
            with suppress(ProcessLookupError):
                resource.prlimit(process, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        wait_until_writable(service)
        wait_for(lambda: service.count_log(SPACE_AGAIN) == 1)
        assert service.count_log(FULL) == 1
        assert count_selections(service) > done
