"""Writes are refused while the disk is full, reads never; a store that is down then is reported as full."""

import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from service.domain.ids import Millis, Version
from service.store.contract import NOT_BEGUN, Batch, Report, Snapshot, StoreFull, StoreNode, StoreUnavailable
from service.store.free_space import FULL_MARK, RESERVE_BYTES, is_full, is_short
from service.store.redis import scripts
from service.store.redis.client.cluster import WRITES
from service.store.redis.scripts import Script
from service.store.redis.store import RedisStore
from service.store.side_channels import ProcessId
from service.store.write_guard import CHECK_INTERVAL, FreeSpace, Requires, WriteGuard
from tests.store.conftest import entries_after, room
from tests.store_server import StoreServer

KEY = room()


class Seconds:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


@pytest.mark.parametrize(
    ("total", "free", "short"),
    [
        (100 * RESERVE_BYTES, RESERVE_BYTES - 1, True),
        (100 * RESERVE_BYTES, RESERVE_BYTES, False),
        (RESERVE_BYTES, RESERVE_BYTES // 20 - 1, True),
        (RESERVE_BYTES, RESERVE_BYTES // 10, False),
    ],
)
def test_the_reserve_is_64_megabytes_or_5_percent_of_a_small_disk(
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    total: int,
    free: int,
    short: bool,  # noqa: FBT001 - an expectation
) -> None:
    """The lower of the two counts."""
    usage: Any = type(shutil.disk_usage(tmp_path))(total, total - free, free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    assert is_short(tmp_path) == short


def test_a_folder_that_cannot_be_seen_refuses_nothing(tmp_path: Path) -> None:
    """The free space of its disk is unknown."""
    assert not is_full(tmp_path / "nowhere")
    FreeSpace(tmp_path / "nowhere").require_space()
    FreeSpace().require_space()


def test_a_look_holds_for_a_moment(tmp_path: Path) -> None:
    """A check at each write would cost too much."""
    clock = Seconds()
    space = FreeSpace(tmp_path, clock)
    space.require_space()
    (tmp_path / FULL_MARK).touch()
    space.require_space()
    clock.now += CHECK_INTERVAL
    with pytest.raises(StoreFull):
        space.require_space()
    (tmp_path / FULL_MARK).unlink()
    clock.now += CHECK_INTERVAL
    space.require_space()


@pytest.mark.parametrize(
    ("used", "limit", "short"),
    [(86, 100, True), (84, 100, False), (10**12, 0, False)],
)
def test_new_rooms_need_a_part_of_the_memory(used: int, limit: int, short: bool) -> None:  # noqa: FBT001 - an expectation
    """On each server; other writes pass, and a server without a limit has no such part."""
    guard = WriteGuard()
    node, ample = (StoreNode(memory, bound, 0, writes=True, replicas=0) for memory, bound in ((used, limit), (1, 100)))
    assert guard.space.measure([ample, node]) == short
    guard.admit(Requires.COMPARED, 0)
    if short:
        with pytest.raises(StoreFull):
            guard.admit_room(0)
        guard.space.measure([ample])
    guard.admit_room(0)


async def test_nothing_reaches_the_file_of_a_full_store(own_server: StoreServer, tmp_path: Path) -> None:
    """Every kind of write, requested or not; each could fill the store."""
    (tmp_path / FULL_MARK).touch()
    store = RedisStore(own_server.url, guard=WriteGuard(space=FreeSpace(tmp_path)))
    first = Batch(entries_after(NOT_BEGUN, "a"), due=Millis(0))
    writes = (
        lambda: store.append(KEY, NOT_BEGUN, replace(first, name="claim")),
        lambda: store.append(KEY, NOT_BEGUN, first),
        lambda: store.save_snapshot(KEY, Snapshot(Version(1), b"", b"")),
        lambda: store.claim_due(Millis(1), Millis(1), 1),
        lambda: store.remember_room("p", KEY),  # type: ignore[arg-type]  # any text
        lambda: store.forget_room("p", KEY),  # type: ignore[arg-type]  # any text
        lambda: store.side_channels.add_line(None, b"{}", 1, Millis(1)),
        lambda: store.side_channels.beat(ProcessId("p"), Millis(1)),
        lambda: store.side_channels.retire(ProcessId("p")),
        lambda: store.side_channels.store_presence(KEY, ProcessId("p"), b"{}"),
        lambda: store.worker_store.beat(Report(Millis(1), Millis(1)), Millis(1)),
        lambda: store.worker_store.extend_claim(KEY, Millis(1), Millis(2)),
        lambda: store.worker_store.correct_clock(Millis(0), Millis(1)),
        lambda: store.worker_store.claim_scrub(Millis(0), Millis(1)),
        lambda: store.worker_store.set_damaged(KEY, damaged=True),
        lambda: store.worker_store.trim(KEY),
        lambda: store.admin_store.log(b"{}"),
    )
    own_server.execute("ZADD", "{p00}:due", 0, "a-room:e1")  # something is due, or nothing would be claimed
    before = own_server.execute("INFO", "persistence").split(b"aof_current_size:")[1].split(b"\r")[0]
    for write in writes:
        with pytest.raises(StoreFull):
            await write()
    assert await store.read(KEY, Version(0)) == []
    assert await store.snapshot(KEY) is None
    assert (await store.lobby(None, 1)).entries == ()
    assert own_server.execute("INFO", "persistence").split(b"aof_current_size:")[1].split(b"\r")[0] == before
    await store.close()


def writing(server: StoreServer, commands: set[bytes]) -> set[bytes]:
    """Return those of some words that are writing commands of the server."""
    names = sorted(commands)
    return {name for name, info in zip(names, server.execute("COMMAND", "INFO", *names), strict=True) if writes(info)}


def writes(info: Any) -> bool:
    """Return whether the server's description of a command has the flag `write`."""
    return bool(info) and b"write" in [bytes(str(flag), "ascii") if isinstance(flag, str) else flag for flag in info[2]]


@pytest.mark.parametrize("name", [name for name, value in vars(scripts).items() if isinstance(value, Script)])
def test_a_script_is_said_to_write_when_it_does(store_server: StoreServer, name: str) -> None:
    """Or a full store would be written to, or not be read."""
    script: Script = vars(scripts)[name]
    called = set(re.findall(rb"redis\.call\(\s*['\"](\w+)", script.source))
    assert called
    assert bool(writing(store_server, called)) == (script.requires > Requires.NOTHING)


NOTHING_NEW = {b"SETNX", b"INCRBY"}
"""Commands that write only to a new store, or nothing but a zero."""


def test_every_command_that_writes_is_known(store_server: StoreServer) -> None:
    """As far as they are named in the code."""
    sources = [path.read_bytes() for path in Path(scripts.__file__).parents[1].rglob("*.py")]
    named = {word for source in sources for word in re.findall(rb'b"([A-Z]{2,})"', source)}
    assert writing(store_server, named) - NOTHING_NEW == WRITES


async def test_a_store_that_is_away_is_full_where_its_disk_is(own_server: StoreServer, tmp_path: Path) -> None:
    """The error says so; with free space it does not."""
    own_server.kill()
    store = RedisStore(own_server.url, guard=WriteGuard(space=FreeSpace(tmp_path)))
    with pytest.raises(StoreUnavailable) as away:
        await store.time()
    assert not isinstance(away.value, StoreFull)
    await store.close()
    (tmp_path / FULL_MARK).touch()
    full = RedisStore(own_server.url, guard=WriteGuard(space=FreeSpace(tmp_path)))
    with pytest.raises(StoreFull):
        await full.time()
    await full.close()
