"""Backups: an export of all rooms as a compressed file with a manifest, and its restoration into an empty store."""

import gzip
import hashlib
from collections.abc import Awaitable, Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO

import msgspec

from service.ops.exports.atomic_files import private_folder, whole_file
from service.ops.exports.format import Damaged
from service.ops.exports.reader import InTheWay, checked
from service.ops.exports.room_iteration import every_room
from service.ops.exports.writer import Exported, LeftOut, exported
from service.store.contract import Store

SUFFIX = ".ndjson.gz"
NAME = "turnstream-%Y-%m-%dT%H-%M-%SZ"
"""How backups are called, after the moment at which they were begun."""


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
    """What is missing because it was damaged in the store: rooms as `name:epoch`."""
    store: str = ""
    """The id of the store that it was made from, empty in backups of earlier releases."""


class Backup(msgspec.Struct, frozen=True):
    """A backup that was just made."""

    path: Path
    manifest: Manifest
    damaged: tuple[LeftOut, ...]


class Counted:
    """A file that knows the size and the SHA-256 of what was written into it."""

    def __init__(self, file: IO[bytes]) -> None:
        """Write into this file."""
        self._file = file
        self._digest = hashlib.sha256()
        self.size = 0

    def write(self, data: bytes) -> int:
        """Write some bytes."""
        self._digest.update(data)
        self.size += len(data)
        return self._file.write(data)

    def flush(self) -> None:
        """Hand on what was written."""
        self._file.flush()

    @property
    def sha256(self) -> str:
        """The digest of what was written, in hex."""
        return self._digest.hexdigest()


Check = Callable[[], Awaitable[None]]
"""Raises `StoreLost` where a store has lost data."""


async def nothing_checked() -> None:
    """Find the store complete."""


async def backed_up(store: Store, folder: Path, sealing: bytes, check: Check = nothing_checked) -> Backup:
    """Write a backup of every room and of the operators' log. It has its name only when it is whole and on the disk.

    What is damaged is left out and named in the manifest. Folder and files are for their owner only. No backup is made
    where `check` raises, before it is begun or at its end.
    """
    await check()
    path = free_path(private_folder(folder), datetime.now(UTC))
    origin = (await store.identity.observe()).store
    try:
        with whole_file(path) as raw:
            file = Counted(raw)
            exported = await compressed(store, file, sealing, folder)
            await check()
            manifest = manifest_for(path, exported, file, origin)
            with whole_file(manifest_of(path)) as written:
                written.write(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    except BaseException:
        manifest_of(path).unlink(missing_ok=True)
        raise
    return Backup(path, manifest, exported.damaged)


async def compressed(store: Store, file: Counted, sealing: bytes, folder: Path) -> Exported:
    """Write everything into a file, compressed."""
    with gzip.GzipFile(fileobj=file, mode="wb", mtime=0) as into:
        return await exported(store, await every_room(store), sealing, into.write, log=True, folder=folder)


def manifest_for(path: Path, exported: Exported, file: Counted, origin: str) -> Manifest:
    """Return the manifest of a backup that was written."""
    damaged = tuple(part.what for part in exported.damaged)
    size, digest = file.size, file.sha256
    return Manifest(
        path.name, exported.made, exported.rooms, exported.events, size, digest, exported.seal, damaged, origin
    )


def free_path(folder: Path, moment: datetime) -> Path:
    """Return the path of a backup that is begun at a moment, a second or more later where one has that name."""
    path = folder / f"{moment.strftime(NAME)}{SUFFIX}"
    return free_path(folder, moment + timedelta(seconds=1)) if path.exists() else path


def manifest_of(path: Path) -> Path:
    """Return the path of a backup's manifest."""
    return path.with_name(path.name.removesuffix(SUFFIX) + ".json")


def read_manifest(path: Path) -> Manifest:
    """Return the manifest of a backup. Raises `Damaged`, and `OSError` where there is none."""
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


def checked_backup(path: Path, sealing: bytes | None) -> Manifest:
    """Return a backup's manifest when the file is what it says. Raises `Damaged`."""
    manifest = read_manifest(path)
    if digest_of(path) != manifest.sha256:
        raise Damaged(f"{path} is not the file of its manifest: its SHA-256 is another one")
    ending = checked(lambda: lines_of(path), sealing)
    if (ending.rooms, ending.events) != (manifest.rooms, manifest.events):
        raise Damaged(f"{path} holds other numbers of rooms and events than its manifest says")
    return manifest


async def refuse_used(store: Store) -> None:
    """Raise `InTheWay` unless the store has no rooms."""
    if rooms := len(await every_room(store)):
        raise InTheWay(f"the store has {rooms} rooms; a backup goes back into an empty one (or use `import`)")
