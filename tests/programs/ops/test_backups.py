"""Backups of a damaged store and on a full disk, and the command after each backup."""

import asyncio
import gzip
import os
import resource
import signal
import stat
import subprocess
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from prometheus_client import REGISTRY

from service.domain.ids import Epoch, RoomKey, RoomName, Version
from service.programs.ops.backups.archive import Backup, Manifest, write_backup
from service.programs.ops.backups.service import BackupPlan, CommandFailed, keep_backing_up, run_command
from service.programs.ops.exports.writer import export_rooms
from service.store.codec import chain_digest
from service.store.contract import Head
from service.store.redis.append import pack_head
from service.store.redis.keys import Keys
from service.store.redis.store import RedisStore
from tests.e2e.processes import SECRET
from tests.programs.ops.conftest import Verb
from tests.programs.ops.test_verify import change_event, key_of
from tests.store_server import StoreServer
from tests.waiting import PATIENCE, wait_for, wait_until

KEYS = Keys(16)


def damage(store: StoreServer, name: str = "finished") -> str:
    """Change an event of a room, and return the room as `name:epoch`."""
    key = key_of(store, name)
    change_event(store, KEYS.stream(key), 7, b'"at":"a1"', b'"at":"a4"')
    return f"{key.name}:{key.epoch}"


def manifest_in(folder: Path) -> Manifest:
    """Return the manifest of the only backup in a folder."""
    [path] = folder.glob("*.json")
    return msgspec.json.decode(path.read_bytes(), type=Manifest)


def sample(name: str, folder: Path) -> float | None:
    """Return a figure of the backups in a folder."""
    return REGISTRY.get_sample_value(f"turnstream_backup_{name}", {"folder": str(folder)})


def test_a_damaged_room_does_not_stop_a_backup(
    full_store: StoreServer, empty_store: StoreServer, verb: Verb, tmp_path: Path
) -> None:
    """It is named on standard error and in the manifest, the exit code is 1, and all other rooms can be restored."""
    damaged = damage(full_store)
    made = verb(full_store, "backup", tmp_path)
    assert made.code == 1
    assert f"DAMAGED {damaged}: version 7 is not what was written" in made.error
    assert manifest_in(tmp_path).damaged == (damaged,)
    assert manifest_in(tmp_path).rooms == 4
    [backup] = tmp_path.glob("*.ndjson.gz")
    restored = verb(empty_store, "restore", backup)
    assert restored.code == 0
    assert damaged in restored.error
    assert restored.lines[-1].startswith("4 rooms,")


@pytest.mark.parametrize(
    "break_room",
    [
        lambda store, key: store.execute("DEL", KEYS.head(key)) and store.execute("SET", KEYS.head(key), "nonsense"),
        lambda store, key: store.execute("DEL", KEYS.stream(key)),
        lambda store, key: store.execute("DEL", KEYS.stream(key)) and store.execute("SET", KEYS.stream(key), "x"),
        lambda store, key: store.execute("XADD", KEYS.stream(key), "11-0", "e", "{", "d", "x"),
        lambda store, key: store.execute("XADD", KEYS.stream(key), "11-0", "e", "{"),
        lambda store, key: store.execute("SET", KEYS.head(key).replace(b"finished", b"fin\xffshed"), "1 x"),
        lambda store, key: store.execute("SET", KEYS.head(key).replace(b":head:", b":head:lost"), "1 x"),
    ],
    ids=["a head", "all events", "another kind", "an event too many", "half an event", "a name", "another name"],
)
def test_any_damage_of_one_room_leaves_the_others_in_the_backup(
    full_store: StoreServer, verb: Verb, tmp_path: Path, break_room: object
) -> None:
    """Backup and export name the damage and contain the other rooms."""
    break_room(full_store, key_of(full_store, "finished"))  # type: ignore[operator]  # one of the lambdas above
    made = verb(full_store, "backup", tmp_path)
    assert (made.code, made.error.count("DAMAGED")) == (1, 1)
    assert manifest_in(tmp_path).rooms >= 4
    file = tmp_path / "all.ndjson"
    assert verb(full_store, "export", file).code == 1
    assert file.read_bytes().count(b'{"room":') >= 4


def test_a_damaged_entry_of_the_audit_log_is_left_out(full_store: StoreServer, verb: Verb, tmp_path: Path) -> None:
    """It would make the whole backup unreadable."""
    verb(full_store, "rooms", "close", "running")
    full_store.execute("XADD", "{p00}:audit", "*", "l", b'{"half')
    made = verb(full_store, "backup", tmp_path)
    assert made.code == 1
    assert "DAMAGED audit log" in made.error
    [backup] = tmp_path.glob("*.ndjson.gz")
    assert verb(full_store, "restore", "--check", backup).code == 0
    assert b'{"log":' in gzip.decompress(backup.read_bytes())


async def test_repeated_backups_continue_and_count_the_damage(full_store: StoreServer, tmp_path: Path) -> None:
    """Immediately, for the alert; no longer after the room was repaired."""
    damage(full_store)
    store = RedisStore(full_store.url)
    backing_up = asyncio.create_task(keep_backing_up(store, BackupPlan(tmp_path, b"key"), every=0.05))
    await wait_until(lambda: len(files_under(tmp_path)) >= 4)
    assert sample("damaged", tmp_path) == 1
    change_event(full_store, KEYS.stream(key_of(full_store, "finished")), 7, b'"at":"a4"', b'"at":"a1"')
    await wait_until(lambda: sample("damaged", tmp_path) == 0)
    backing_up.cancel()
    await store.close()


async def test_backups_continue_after_a_failed_one(own_server: StoreServer, tmp_path: Path) -> None:
    """Its folder is a file here; the failure is counted, and the backup retried."""
    folder = tmp_path / "backups"
    folder.touch()
    store = RedisStore(own_server.url)
    backing_up = asyncio.create_task(keep_backing_up(store, BackupPlan(folder, b"key"), every=0.05))
    await wait_until(lambda: (sample("failures", folder) or 0) > 1 or backing_up.done())
    folder.unlink()
    await wait_until(lambda: len(files_under(tmp_path)) >= 2 and sample("failures", folder) == 0)
    assert not backing_up.done()
    backing_up.cancel()
    await store.close()


def test_only_the_owner_can_read_backups_and_exports_from_their_creation_on(
    full_store: StoreServer, verb: Verb, tmp_path: Path
) -> None:
    """They contain the secrets of running matches: 0600 in a folder with 0700, regardless of the umask."""
    folder, file = tmp_path / "new" / "backups", tmp_path / "all.ndjson"
    before = os.umask(0)
    try:
        assert verb(full_store, "backup", folder, "--then", f"{sys.executable} -c pass").code == 0
        assert verb(full_store, "export", file).code == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in [*folder.iterdir(), file]} == {0o600}
    assert len(list(folder.iterdir())) == 2


def test_only_the_owner_can_read_an_unfinished_file(
    full_store: StoreServer, monkeypatch: pytest.MonkeyPatch, verb: Verb, tmp_path: Path
) -> None:
    """It has another name, and is deleted if the export fails."""
    seen: list[tuple[str, int]] = []

    async def failing(*_args: object, **_more: object) -> None:
        seen.extend((path.name, stat.S_IMODE(path.stat().st_mode)) for path in files_under(tmp_path))
        raise OSError("in the middle")

    monkeypatch.setattr("service.programs.ops.verbs.export_rooms", failing)
    assert verb(full_store, "export", tmp_path / "all.ndjson").code == 2
    [(name, mode)] = seen
    assert name.startswith(".all.ndjson.")
    assert mode == 0o600
    assert list(tmp_path.iterdir()) == []


def test_an_export_of_an_unknown_room_writes_nothing(full_store: StoreServer, verb: Verb, tmp_path: Path) -> None:
    """Not even an empty file."""
    asked = verb(full_store, "export", tmp_path / "some.ndjson", "finished", "nowhere")
    assert asked.code == 2
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("what", ["export", "backup"])
def test_an_interrupted_backup_leaves_nothing(
    own_server: StoreServer, tmp_path: Path, number: signal.Signals, what: str
) -> None:
    """It ends with a message and without a traceback."""
    long_room(own_server, 12_000)
    settings = {"TURNSTREAM_REDIS_URL": own_server.url, "TURNSTREAM_SECRET": SECRET}
    command = [sys.executable, "-m", "service", what, str(tmp_path / "made")]
    with subprocess.Popen(command, env={**os.environ, **settings}, stderr=subprocess.PIPE, text=True) as process:
        wait_for(lambda: bool(files_under(tmp_path)))
        own_server.pause()
        process.send_signal(number)
        _, error = process.communicate(timeout=PATIENCE)
    own_server.resume()
    assert process.returncode == 130
    assert error.splitlines()[-1] == f"turnstream {what}: interrupted"
    assert files_under(tmp_path) == []


def files_under(folder: Path) -> list[Path]:
    """Return all files in a folder and its subfolders."""
    return [path for path in folder.rglob("*") if path.is_file()]


@contextmanager
def no_file_longer_than(size: int) -> Iterator[None]:
    """Limit the size of the files that this process writes, which has the effect of a full disk on longer files."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handler)


@pytest.mark.parametrize("what", ["export", "backup"])
def test_a_full_disk_leaves_no_partial_file(full_store: StoreServer, verb: Verb, tmp_path: Path, what: str) -> None:
    """The message says so, and the exit code is 1."""
    with no_file_longer_than(500):
        failed = verb(full_store, what, tmp_path / "made")
    assert failed.code == 1
    assert failed.error.splitlines()[-1].startswith(f"turnstream {what}: there is no space left on the disk")
    assert files_under(tmp_path) == []


def test_a_command_runs_with_the_finished_backup(full_store: StoreServer, verb: Verb, tmp_path: Path) -> None:
    """Its last arguments are the paths of the file and of the manifest. No shell is used, and it gets no secrets."""
    notes = tmp_path / "notes"
    exported = "(sys.argv[2:], 'TURNSTREAM_SECRET' in os.environ)"
    script = f"import os, sys; open(sys.argv[1], 'w').write(repr({exported}))"
    command = f"{sys.executable} -c \"{script}\" {notes} '$HOME; false'"
    assert verb(full_store, "backup", tmp_path / "backups", "--then", command).code == 0
    [backup], [manifest] = (tmp_path / "backups").glob("*.gz"), (tmp_path / "backups").glob("*.json")
    assert notes.read_text() == repr((["$HOME; false", str(backup), str(manifest)], False))


@pytest.mark.parametrize(
    ("command", "why"),
    [(f"{sys.executable} -c 'raise SystemExit(3)'", "exit code 3"), ("/nowhere/at-all", "cannot be started")],
)
def test_a_command_that_fails_leaves_a_good_backup(
    full_store: StoreServer, verb: Verb, tmp_path: Path, command: str, why: str
) -> None:
    """A message says so, and the exit code is 1."""
    made = verb(full_store, "backup", tmp_path, "--then", command)
    assert made.code == 1
    assert "the backup is complete, but its command failed" in made.error
    assert why in made.error
    [backup] = tmp_path.glob("*.ndjson.gz")
    assert verb(full_store, "restore", "--check", backup).code == 0


async def test_a_command_has_a_time_limit(tmp_path: Path) -> None:
    """Then it is killed, with its child processes."""
    backup = Backup(tmp_path / "b.ndjson.gz", Manifest("", "", 0, 0, 0, "", ""), ())
    started = tmp_path / "started"
    script = f"sleep 1000 & echo $$ $! > '{started}'; wait"
    with pytest.raises(CommandFailed, match="did not end within 2 s and was killed"):
        await run_command(("/bin/sh", "-c", script), backup, within=2.0)
    processes = [int(number) for number in started.read_text().split()]
    assert len(processes) == 2
    await wait_until(lambda: not any(is_alive(number) for number in processes))


def is_alive(process: int) -> bool:
    """Return whether a process runs."""
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


async def test_failed_commands_are_counted_until_one_succeeds(own_server: StoreServer, tmp_path: Path) -> None:
    """For the alert about consecutive backups that were not copied."""
    folder, flag = tmp_path / "backups", tmp_path / "flag"
    script = f"import os, sys; sys.exit(not os.path.exists({str(flag)!r}))"
    plan = BackupPlan(folder, b"key", command=(sys.executable, "-c", script))
    store = RedisStore(own_server.url)
    backing_up = asyncio.create_task(keep_backing_up(store, plan, every=0.01))
    await wait_until(lambda: (sample("command_failures", folder) or 0) >= 2)
    flag.touch()
    await wait_until(lambda: sample("command_failures", folder) == 0)
    backing_up.cancel()
    await store.close()


def long_room(store: StoreServer, count: int) -> RoomKey:
    """Write a room with this number of events to a store, and return it."""
    key, head = RoomKey(RoomName("long"), Epoch("epoch")), Head(Version(0), b"")
    store.execute("DEL", KEYS.stream(key))
    script = "for i = 1, #ARGV, 3 do redis.call('XADD', KEYS[1], ARGV[i], 'e', ARGV[i + 1], 'd', ARGV[i + 2]) end"
    for first in range(1, count + 1, 1000):
        arguments: list[bytes] = []
        for version in range(first, min(first + 1000, count + 1)):
            data = msgspec.json.encode([2, version, 0, 1, None, None, None, None, {"type": "said", "x": "x" * 500}])
            head = Head(Version(version), chain_digest(head.digest, data))
            arguments += [b"%d-0" % version, data, head.digest]
        store.execute("EVAL", script, 1, KEYS.stream(key), *arguments)
    store.execute("SET", KEYS.head(key), pack_head(head))
    store.execute("SET", KEYS.of("name", key.name), key.epoch)
    return key


async def peak_of_export(server: StoreServer, key: RoomKey, folder: Path) -> tuple[int, int]:
    """Return the peak memory of an export of a room in bytes, and the size of its file."""
    store, sizes = RedisStore(server.url), list[int]()
    await store.heads([key])
    tracemalloc.start()
    exported = await export_rooms(store, [key], b"key", lambda data: sizes.append(len(data)), log=False, folder=folder)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    await store.close()
    assert exported.rooms == 1
    return peak, sum(sizes)


async def test_the_memory_of_an_export_does_not_grow_with_the_room(own_server: StoreServer, tmp_path: Path) -> None:
    """A room of 12,000 events needs about as much as one of 3,000, and less than its size."""
    short, _ = await peak_of_export(own_server, long_room(own_server, 3_000), tmp_path)
    long, size = await peak_of_export(own_server, long_room(own_server, 12_000), tmp_path)
    assert long < 1.5 * short
    assert long < size / 1.5


async def test_two_backups_within_a_second_are_both_kept(own_server: StoreServer, tmp_path: Path) -> None:
    """Neither replaces the other."""
    store = RedisStore(own_server.url)
    made = [await write_backup(store, tmp_path, b"key") for _ in range(3)]
    await store.close()
    assert len({backup.path for backup in made}) == 3
    assert len(files_under(tmp_path)) == 6
