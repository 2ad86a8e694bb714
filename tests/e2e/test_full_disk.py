"""`turnstream up` on a disk that gets full: rooms can be read, writes are refused, and with room all goes on."""

import os
import resource
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import pytest
import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.standalone import embedded_store
from service.standalone.server_binary import server_binary
from service.store.disk import is_short
from tests.e2e.client import PATIENCE, Answer, Door
from tests.e2e.tables import Table, seated
from tests.e2e.up_process import PROGRAM, up_in

pytestmark = [
    pytest.mark.skipif(server_binary() is None, reason="the embedded store has no server program here"),
    pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not installed beside this Python"),
    pytest.mark.timeout(240),
]

DISK_BYTES = 48 * 1024 * 1024
CLOCK = 6000
"""Milliseconds for a move: long enough to fill the disk in."""

FULL = "The disk of "
ROOM_AGAIN = "There is room on the disk again"


class Running(NamedTuple):
    """The service over a small disk, and a table at which moves are made."""

    door: Door
    process: "subprocess.Popen[bytes]"
    data: Path
    log: Path
    table: Table

    def moves(self, number: int) -> Answer:
        """Let red select one of the discs that the boards allow, as the room says; return how that or reading went."""
        seen = self.sees()
        if seen.status != 200:
            return seen
        allowed = [move for move in seen.body["match"]["legal_moves"] if move["type"] == "select"]
        return self.table.red.plays(self.table.room, allowed[number % len(allowed)])

    def sees(self) -> Answer:
        """Read the room."""
        return self.table.red.sees(self.table.room)

    def said(self, words: str) -> int:
        """Return how often something was said."""
        return self.log.read_text().count(words)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return a folder with a small disk of its own."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder))
    try:
        mounted = subprocess.run(mount, capture_output=True, text=True, check=False)
    except OSError as failure:
        pytest.skip(f"a small disk can't be mounted here: {failure}")
    if mounted.returncode:
        pytest.skip(f"a small disk can't be mounted here: {mounted.stderr.strip()}")
    try:
        yield folder
    finally:
        subprocess.run(("umount", str(folder)), check=True)  # noqa: S607 - the system's own


@contextmanager
def running(folder: Path, data: Path, game: str = "turncoat", **settings: object) -> Iterator[Running]:
    """Run the service on a data folder and seat two players."""
    with up_in(folder, data) as (door, process):
        yield Running(door, process, data, folder / "up.log", seated(door, game, 2, settings))


def fill(disk: Path, *, leave: int = 0) -> Path:
    """Fill a disk but for so many bytes and return the file that does."""
    file = disk / "ballast"
    with file.open("wb") as ballast, suppress(OSError):
        os.posix_fallocate(ballast.fileno(), 0, os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize - leave)
    with file.open("ab", buffering=0) as ballast, suppress(OSError):
        while not leave:
            ballast.write(b"x" * 512)
    return file


def until(holds: Callable[[], bool], within: float = 2 * PATIENCE) -> None:
    """Wait for what the service does."""
    deadline = time.monotonic() + within
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def selected(running: Running) -> int:
    """Return how many selections the room's history holds."""
    events = running.table.red.gets(f"/v1/rooms/{running.table.room}/events", limit=1000).body["events"]
    return sum(event["type"] == "selected" for event in events)


def store_of(running: Running) -> int | None:
    """Return the id of the store's process, None while there is none."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            is_child = int(fields[1]) == running.process.pid and fields[0] != "Z"
            if is_child and b"-server" in (folder / "cmdline").read_bytes():
                return int(folder.name)
    return None


def write_directly(running: Running, size: int = 64 * 1024) -> None:
    """Write to the store behind the service's back, which ends a store without room."""
    socket = embedded_store.folder_for(running.data).socket
    with redis.Redis(unix_socket_path=str(socket), retry=Retry(NoBackoff(), 0)) as client, suppress(redis.RedisError):
        client.set("ballast", b"x" * size)


def wait_for_room(service: Running) -> None:
    """Wait until moves are made again."""
    until(lambda: service.moves(0).status == 200, within=90)


def end_store(service: Running) -> None:
    """Let the store end for want of room, while the room is read and every move is refused."""
    store = store_of(service)
    while store_of(service) == store:
        write_directly(service)
        assert service.sees().status == 200
        assert service.moves(2).code == "store_full"


def test_writes_are_refused_before_the_store_ends(disk: Path, tmp_path: Path) -> None:
    """The reserve is left: reading goes on through the store, which notices nothing, and all goes on by itself."""
    with running(tmp_path, disk / "data") as service:
        assert service.moves(0).status == 200
        store = store_of(service)
        ballast = fill(disk, leave=DISK_BYTES // 40)
        assert is_short(disk)
        until(lambda: service.moves(1).code == "store_full")
        before = selected(service)
        refused = [service.moves(number) for number in range(10)]
        assert {(answer.status, answer.code, answer.headers["retry-after"]) for answer in refused} == {
            (503, "store_full", "5")
        }
        stranger = service.door.stranger()
        said = service.table.red.posts(f"/v1/rooms/{service.table.room}/chat", {"text": "hello"})
        assert (said.status, said.code) == (503, "store_full")
        assert service.table.red.opens("morris").code == "store_full"
        for path in (f"/v1/rooms/{service.table.room}", "/v1/rooms", "/health/ready"):
            assert stranger.gets(path).status == 200
        assert selected(service) == before
        until(lambda: service.said(FULL) == 1)
        ballast.unlink()
        wait_for_room(service)
        until(lambda: service.said(ROOM_AGAIN) == 1)
        assert service.said(FULL) == 1
        assert store_of(service) == store


def test_a_store_that_ends_on_a_full_disk_is_started_again_for_ever(disk: Path, tmp_path: Path) -> None:
    """Again and again it ends; rooms in memory are read, writes are told why not, and people are told once."""
    with running(tmp_path, disk / "data") as service:
        done = sum(service.moves(number).status == 200 for number in range(30))
        assert done > 0
        ballast = fill(disk)
        until(lambda: service.moves(1).code == "store_full")
        for _ in range(3):
            end_store(service)
            until(lambda: store_of(service) is not None)
        assert service.process.poll() is None
        assert (service.said(FULL), service.said(ROOM_AGAIN)) == (1, 0)
        ballast.unlink()
        wait_for_room(service)
        assert selected(service) > done
        until(lambda: service.said(ROOM_AGAIN) == 1)
        assert service.said(FULL) == 1


def test_while_the_store_is_away_other_rooms_are_told_why_they_cannot_be_read(disk: Path, tmp_path: Path) -> None:
    """A room that this process doesn't have in memory is 503 `store_full`, also a new subscriber's."""
    with running(tmp_path, disk / "data") as service:
        ballast = fill(disk)
        until(lambda: service.moves(1).code == "store_full")
        stranger = service.door.stranger()

        def is_told_why() -> bool:
            write_directly(service)
            answer = stranger.sees("no-such-room-here")
            assert answer.code in {"no_such_room", "store_full"}
            return answer.code == "store_full"

        until(is_told_why)
        assert service.sees().status == 200
        ballast.unlink()
        wait_for_room(service)
        assert stranger.sees("no-such-room-here").status == 404


def test_while_nothing_can_be_written_clocks_stand_still(disk: Path, tmp_path: Path) -> None:
    """Nobody can move then, so nobody's time may run out; it is given back when there is room."""
    with running(tmp_path, disk / "data", "morris", clock={"type": "per_move", "ms": CLOCK}) as service:
        ballast, began = fill(disk, leave=DISK_BYTES // 40), time.monotonic()
        until(lambda: time.monotonic() - began > 2 * CLOCK / 1000)
        assert service.sees().body["match"]["status"] == "playing"
        ballast.unlink()
        place = {"type": "place", "at": "a1"}
        until(lambda: service.table.red.plays(service.table.room, place).status == 200)
        events = service.table.red.gets(f"/v1/rooms/{service.table.room}/events").body["events"]
        given_back = [event["by_seat"][0] for event in events if event["type"] == "clocks_extended"]
        assert sum(given_back) >= CLOCK


def test_a_limit_that_only_the_store_knows_of_does_not_end_the_service_either(tmp_path: Path) -> None:
    """Such as a quota: the store's own words say why it ended; what was answered is there when it has room again."""
    with running(tmp_path, tmp_path / "data") as service:
        store = store_of(service)
        assert store is not None
        files = (*(tmp_path / "data" / "appendonlydir").iterdir(), tmp_path / "data" / "store.log")
        size = max(path.stat().st_size for path in files) + 20_000
        for process in (store, service.process.pid):
            resource.prlimit(process, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        stores, codes, done = {store}, set[str](), 0
        while len(stores) < 3:
            answer = service.moves(done)
            done, codes = done + (answer.status == 200), codes | {answer.code}
            stores |= {found for found in (store_of(service),) if found is not None}
            assert service.process.poll() is None
        assert codes <= {"", "store_full", "store_unavailable", "outcome_unknown"}
        assert "store_full" in codes
        resource.prlimit(service.process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        wait_for_room(service)
        until(lambda: service.said(ROOM_AGAIN) == 1)
        assert service.said(FULL) == 1
        assert selected(service) > done
