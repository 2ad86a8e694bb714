"""Exports and backups: rooms are the same after a restore, and invalid files are refused."""

import asyncio
import gzip
import os
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from prometheus_client import REGISTRY

from service.programs.ops.backups.archive import Manifest
from service.programs.ops.backups.service import BackupPlan, keep_backing_up
from service.store.redis.store import RedisStore
from tests.programs.ops.conftest import Verb
from tests.store_server import StoreServer


def dump(store: StoreServer) -> dict[bytes, object]:
    """Return the content of a store, without scripts, snapshots, outboxes and keys that expire soon.

    The index of players' matches is left out, too: a restore writes it, otherwise a worker does.
    """
    found: dict[bytes, object] = {}
    for key in store.execute("KEYS", "*"):
        kind = store.execute("TYPE", key)
        read = {
            b"string": ("GET", key),
            b"stream": ("XRANGE", key, "-", "+"),
            b"hash": ("HGETALL", key),
            b"zset": ("ZRANGE", key, 0, -1, "WITHSCORES"),
        }[kind]
        if not any(part in key for part in (b":states:", b":visited:", b":outbox", b":played:", b":results:")):
            answer = store.execute(*read)
            if kind == b"zset":
                answer = [pair for pair in zip(answer[::2], answer[1::2], strict=True) if pair[0] != b"outbox/"]
            found[key] = sorted(answer) if kind == b"hash" else answer
    return {key: answer for key, answer in found.items() if answer}


def test_a_restored_backup_is_the_same_store(
    full_store: StoreServer, empty_store: StoreServer, verb: Verb, tmp_path: Path
) -> None:
    """Byte by byte: streams, heads, names, due times, lobby, index, players' rooms; closing times are new."""
    made = verb(full_store, "backup", tmp_path)
    assert made.code == 0
    [backup] = tmp_path.glob("*.ndjson.gz")
    assert verb(empty_store, "restore", backup).lines[-1].endswith("damaged: 0")
    was, now = dump(full_store), dump(empty_store)
    changed = {b"{p00}:audit", b"{p00}:store"}  # the restore is in the operators' log, and the store is another one
    assert was.keys() - changed == now.keys() - changed
    kept = now.keys() - changed
    assert [key for key in kept if now[key] != was[key] and not key.endswith(b":closed")] == []


def test_the_manifest_lists_the_contents_of_a_backup(full_store: StoreServer, verb: Verb, tmp_path: Path) -> None:
    """For people and for scripts, without access to the store."""
    assert verb(full_store, "backup", tmp_path).code == 0
    [path] = tmp_path.glob("*.json")
    manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    lines = gzip.decompress((tmp_path / manifest.file).read_bytes()).splitlines()
    assert manifest.rooms == 5
    assert manifest.events == sum(line.startswith(b'{"v"') for line in lines) == len(lines) - 5 - 2 - 2  # two players


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("--keep-days", "-1"),
        ("--then", ""),
        ("--every", "0"),
        ("--every", "-1"),
        ("--every", "nan"),
        ("--every", "inf"),
    ],
)
def test_invalid_numbers_are_refused(
    full_store: StoreServer, verb: Verb, tmp_path: Path, name: str, value: str
) -> None:
    """Before anything is written or deleted."""
    with pytest.raises(SystemExit, match="2"):
        verb(full_store, "backup", tmp_path, name, value)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("made", [0, 1_600_000_000])
async def test_the_age_of_the_latest_backup_is_known_from_the_start(
    own_server: StoreServer, tmp_path: Path, made: int
) -> None:
    """Even if the first one fails; without any it is 1970, so that the alert fires."""
    own_server.kill()
    if made:
        for day, moment in ((1, made - 86400), (2, made)):
            path = tmp_path / f"turnstream-2020-01-0{day}T00-00-00Z.ndjson.gz"
            path.touch()
            os.utime(path, (moment, moment))
    store = RedisStore(own_server.url)
    backing_up = asyncio.create_task(keep_backing_up(store, BackupPlan(tmp_path, b"key"), every=60))
    await asyncio.sleep(0)
    sample = {"folder": str(tmp_path)}
    assert REGISTRY.get_sample_value("turnstream_backup_time_seconds", sample) == made
    backing_up.cancel()
    await store.close()


def test_a_backup_can_only_be_restored_into_an_empty_store(full_store: StoreServer, verb: Verb, tmp_path: Path) -> None:
    """Otherwise two histories would be mixed."""
    verb(full_store, "backup", tmp_path)
    [backup] = tmp_path.glob("*.ndjson.gz")
    refused = verb(full_store, "restore", backup)
    assert refused.code == 1
    assert "has 5 rooms" in refused.error


def test_an_import_does_not_change_existing_rooms(
    full_store: StoreServer, empty_store: StoreServer, verb: Verb, tmp_path: Path
) -> None:
    """One room, then all rooms. A room that has new events since the export is refused, not overwritten."""
    one, all_of_them = tmp_path / "one.ndjson", tmp_path / "all.ndjson"
    assert verb(full_store, "export", one, "finished").lines == [f"{one}: 1 rooms, 10 events"]
    assert verb(full_store, "export", all_of_them).code == 0
    assert verb(empty_store, "import", one).code == 0
    assert verb(empty_store, "import", all_of_them).lines[-1].endswith("; 1 rooms were already there")
    assert verb(empty_store, "verify", "--all").code == 0
    assert verb(full_store, "rooms", "close", "running").code == 0
    refused = verb(full_store, "import", all_of_them)
    assert refused.code == 1
    assert "running" in refused.error


def test_an_export_never_overwrites_a_file(full_store: StoreServer, verb: Verb, tmp_path: Path) -> None:
    """Neither an export nor any other file."""
    file = tmp_path / "all.ndjson"
    file.write_text("mine")
    assert verb(full_store, "export", file).code == 2
    assert file.read_text() == "mine"


TAMPERED: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "an event changed": lambda lines: [line.replace(b'"at":"c3"', b'"at":"d3"') for line in lines],
    "an event left out": lambda lines: [line for line in lines if not line.startswith(b'{"v":2,')],
    "a room left out": lambda lines: [line for line in lines if not line.startswith(b'{"room":"finished"')],
    "the end cut off": lambda lines: lines[:-1],
    "a line cut off": lambda lines: [*lines[:-1], lines[-1][:20]],
    "something at the end": lambda lines: [*lines, lines[0]],
    "two rooms exchanged": lambda lines: [lines[0], *sorted(lines[1:-1]), lines[-1]],
    "no export": lambda _: [b"hello\n"],
    "nothing": lambda _: [],
    "a newer format": lambda lines: [lines[0].replace(b'"format":3', b'"format":4'), *lines[1:]],
}


@pytest.mark.parametrize("how", TAMPERED)
@pytest.mark.parametrize("flags", [(), ("--other-key",)])
def test_a_file_that_was_tampered_with_is_refused_before_anything_is_written(
    full_store: StoreServer, empty_store: StoreServer, verb: Verb, tmp_path: Path, how: str, flags: tuple[str, ...]
) -> None:
    """By its seal or, for a file of another installation, by the chains of digests."""
    file, changed = tmp_path / "all.ndjson", tmp_path / "changed.ndjson"
    verb(full_store, "export", file)
    lines = file.read_bytes().splitlines(keepends=True)
    made = TAMPERED[how](lines)
    assert made != lines
    changed.write_bytes(b"".join(made))
    refused = verb(empty_store, "import", changed, *flags)
    assert refused.code == 1
    assert refused.error.startswith("turnstream import: ")
    assert empty_store.execute("KEYS", "*") == [b"{p00}:partitions"]


def test_another_installations_export_is_refused_unless_asked_for(
    full_store: StoreServer, empty_store: StoreServer, verb: Verb, tmp_path: Path
) -> None:
    """Its seal was made with another key."""
    file = tmp_path / "all.ndjson"
    verb(full_store, "export", file)
    other = "another key that is longer than 32 characters"
    assert "seal" in verb(empty_store, "import", file, secret=other).error
    assert verb(empty_store, "import", file, "--other-key", secret=other).code == 0


def test_a_backup_that_was_changed_is_refused(full_store: StoreServer, verb: Verb, tmp_path: Path) -> None:
    """A flipped bit anywhere is found, and an intact file is reported as such."""
    verb(full_store, "backup", tmp_path)
    [backup] = tmp_path.glob("*.ndjson.gz")
    assert verb(full_store, "restore", "--check", backup).code == 0
    data = bytearray(backup.read_bytes())
    data[len(data) // 2] ^= 1
    backup.write_bytes(data)
    assert verb(full_store, "restore", "--check", backup).code == 1
