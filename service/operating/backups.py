"""Backups: an export of everything in a compressed file, a manifest beside it, and the way back into an empty store."""

import asyncio
import gzip
import hashlib
import os
import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import structlog

from service.operating.exporting import exported
from service.operating.importing import InTheWay, checked
from service.operating.records import Damaged
from service.operating.survey import every_room
from service.streams.contract import Store, StoreUnavailable
from service.telemetry import metrics

log = structlog.get_logger()

SUFFIX = ".ndjson.gz"
RETRY_SECONDS = 60.0


class Manifest(msgspec.Struct, frozen=True):
    """What a backup holds, in a file of its own beside it."""

    file: str
    made: str
    rooms: int
    events: int
    bytes: int
    sha256: str
    seal: str


async def backed_up(store: Store, folder: Path, sealing: bytes) -> Manifest:
    """Write a backup of every room and of the operators' log. It has its name only when it is whole and on the disk."""
    os.makedirs(folder, exist_ok=True)  # noqa: PTH103 - pathlib's is taken for something slow
    path = folder / f"turnstream-{datetime.now(UTC).strftime('%Y-%m-%dT%H-%M-%SZ')}{SUFFIX}"
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as raw, gzip.GzipFile(fileobj=raw, mode="wb", mtime=0) as file:
            told = await exported(store, await every_room(store), sealing, file.write, log=True)
            file.close()
            raw.flush()
            os.fsync(raw.fileno())
        digest, size = digest_of(part), part.stat().st_size
        manifest = Manifest(path.name, told.made, told.rooms, told.events, size, digest, told.seal)
        part.rename(path)
        manifest_of(path).write_bytes(msgspec.json.format(msgspec.json.encode(manifest)) + b"\n")
    finally:
        part.unlink(missing_ok=True)
    return manifest


def manifest_of(path: Path) -> Path:
    """Return where a backup's manifest stands."""
    return path.with_name(path.name.removesuffix(SUFFIX) + ".json")


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
    try:
        manifest = msgspec.json.decode(manifest_of(path).read_bytes(), type=Manifest)
    except ValueError as fault:
        raise Damaged(f"{manifest_of(path)}: {fault}") from None
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


def backups_in(folder: Path) -> list[Path]:
    """Return the backups in a folder, the oldest first."""
    return sorted(folder.glob(f"turnstream-*{SUFFIX}"))


def kept(folder: Path, keep: int) -> list[Path]:
    """Delete all but the latest `keep` backups, and return those that were deleted."""
    old = backups_in(folder)[:-keep] if keep else []
    for path in old:
        path.unlink()
        manifest_of(path).unlink(missing_ok=True)
    return old


async def keep_backing_up(store: Store, folder: Path, sealing: bytes, *, every: float, keep: int) -> None:
    """Make a backup every so many seconds, until cancelled; one that fails is tried again soon."""
    latest = metrics.BACKUP_TIME.labels(str(folder))
    latest.set(max((path.stat().st_mtime for path in backups_in(folder)), default=0))
    while True:
        try:
            manifest = await backed_up(store, folder, sealing)
            log.info("backup_done", **msgspec.to_builtins(manifest))
            latest.set(datetime.now(UTC).timestamp())
            kept(folder, keep)
        except (StoreUnavailable, Damaged, OSError) as failure:
            log.error("backup_failed", error=str(failure))  # noqa: TRY400 - one line says it all
            await asyncio.sleep(min(every, RETRY_SECONDS))
        else:
            await asyncio.sleep(every)


async def watch_disks(folders: list[Path], every: float = 15.0) -> None:
    """Measure the free space of folders for the metrics, until cancelled."""
    while True:
        for folder in folders:
            if folder.exists():
                metrics.DISK_FREE.labels(str(folder)).set(shutil.disk_usage(folder).free)
        await asyncio.sleep(every)
