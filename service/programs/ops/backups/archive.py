"""Backups: an export of all rooms as a compressed file with a manifest, and its restoration into an empty store."""

import gzip
import hashlib
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO

import msgspec

from service.programs.ops.exports.atomic_files import atomic_file, private_folder
from service.programs.ops.exports.format import Damaged
from service.programs.ops.exports.reader import InTheWay, check_export
from service.programs.ops.exports.room_iteration import every_room
from service.programs.ops.exports.writer import Exported, LeftOut, export_rooms
from service.store.contract import Store

SUFFIX = ".ndjson.gz"
NAME = "turnstream-%Y-%m-%dT%H-%M-%SZ"
"""The name of a backup, from the time at which it was begun."""


class Manifest(msgspec.Struct, frozen=True):
    """What a backup contains; written to a file next to it."""

    file: str
    made: str
    rooms: int
    events: int
    bytes: int
    sha256: str
    seal: str
    damaged: tuple[str, ...] = ()
    """What was left out because it was damaged in the store: rooms as `name:epoch`."""
    store: str = ""
    """The id of the store that it was made from; empty in backups of earlier releases."""
    streams: int = 0
    """How many streams other than rooms: accounts, own feeds, webhooks, challenges, the list of bots."""


class Backup(msgspec.Struct, frozen=True):
    """A backup that was just made."""

    path: Path
    manifest: Manifest
    damaged: tuple[LeftOut, ...]


class HashingFile:
    """A file that counts the bytes written to it and computes their SHA-256."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> int:
        """Write bytes."""
        self._digest.update(data)
        self.size += len(data)
        return self._file.write(data)

    def flush(self) -> None:
        """Flush the file."""
        self._file.flush()

    @property
    def sha256(self) -> str:
        """The SHA-256 of the bytes written, in hex."""
        return self._digest.hexdigest()


Check = Callable[[], Awaitable[None]]
"""Raises `StoreLost` if a store has lost data."""


async def check_nothing() -> None:
    """Check nothing."""


async def write_backup(store: Store, folder: Path, sealing: bytes, check: Check = check_nothing) -> Backup:
    """Write a backup of every room, of the other streams and of the audit log.

    It gets its name when it is complete and on the disk. What is damaged is left out and named in the manifest. Folder
    and files are accessible to their owner only. No backup is made if `check` raises, before it is begun or at its end.
    """
    await check()
    path = free_path(private_folder(folder), datetime.now(UTC))
    origin = (await store.identity.observe()).store
    try:
        with atomic_file(path) as raw:
            file = HashingFile(raw)
            exported = await compress(store, file, sealing, folder)
            await check()
            manifest = manifest_for(path, exported, file, origin)
            with atomic_file(manifest_of(path)) as written:
                written.write(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    except BaseException:
        manifest_of(path).unlink(missing_ok=True)
        raise
    return Backup(path, manifest, exported.damaged)


async def compress(store: Store, file: HashingFile, sealing: bytes, folder: Path) -> Exported:
    """Write everything to a file, compressed."""
    with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as into:
        return await export_rooms(store, await every_room(store), sealing, into.write, log=True, folder=folder)


def manifest_for(path: Path, exported: Exported, file: HashingFile, origin: str) -> Manifest:
    """Return the manifest of a backup."""
    damaged = tuple(part.what for part in exported.damaged)
    size, digest = file.size, file.sha256
    counts = {"rooms": exported.rooms, "events": exported.events, "streams": exported.streams}
    return Manifest(
        path.name, exported.made, bytes=size, sha256=digest, seal=exported.seal, damaged=damaged, store=origin, **counts
    )


def free_path(folder: Path, moment: datetime) -> Path:
    """Return the path for a backup that is begun at a time; if it exists, that of a second or more later."""
    path = folder / f"{moment.strftime(NAME)}{SUFFIX}"
    return free_path(folder, moment + timedelta(seconds=1)) if path.exists() else path


def manifest_of(path: Path) -> Path:
    """Return the path of a backup's manifest."""
    return path.with_name(path.name.removesuffix(SUFFIX) + ".json")


def read_manifest(path: Path) -> Manifest:
    """Return the manifest of a backup. Raises `Damaged`, and `OSError` if there is none."""
    try:
        return msgspec.json.decode(manifest_of(path).read_bytes(), type=Manifest)
    except ValueError as fault:
        raise Damaged(f"{manifest_of(path)}: {fault}") from None


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file, in hex."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def lines_of(path: Path) -> Iterator[bytes]:
    """Yield the lines of an export, compressed or not. Raises `Damaged`."""
    opening = gzip.open if path.name.endswith(".gz") else Path.open
    try:
        with opening(path, "rb") as file:
            yield from file
    except (EOFError, gzip.BadGzipFile) as fault:
        raise Damaged(f"{path}: {fault}") from None


def check_backup(path: Path, sealing: bytes | None) -> Manifest:
    """Return a backup's manifest after checking the file against it. Raises `Damaged`."""
    manifest = read_manifest(path)
    if digest_of(path) != manifest.sha256:
        raise Damaged(f"{path} does not match its manifest: the SHA-256 is different")
    ending = check_export(lambda: lines_of(path), sealing)
    if (ending.rooms, ending.events) != (manifest.rooms, manifest.events):
        raise Damaged(f"{path} does not match its manifest: the numbers of rooms and events are different")
    return manifest


async def require_empty(store: Store) -> None:
    """Raise `InTheWay` unless the store has no rooms."""
    if rooms := len(await every_room(store)):
        raise InTheWay(f"the store has {rooms} rooms: restore into an empty store, or use `import`")
