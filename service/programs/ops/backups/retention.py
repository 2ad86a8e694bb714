"""Which backups are kept: all of the last day, the newest of each earlier day, and always the newest complete ones."""

import time
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import msgspec
import structlog

from service.programs.ops.backups.archive import NAME, SUFFIX, manifest_of, read_manifest
from service.programs.ops.exports.atomic_files import PART
from service.programs.ops.exports.format import Damaged

log = structlog.get_logger()

ALWAYS_KEPT = 3
"""How many complete backups are kept at any age: a clock may be wrong, or the service may have been down for long."""

ONE_DAY = timedelta(days=1)


class BackupFile(msgspec.Struct, frozen=True):
    """A backup in the folder."""

    path: Path
    made: datetime
    """The time at which it was begun."""
    lacks: frozenset[str] | None
    """What was damaged when it was made; None if its manifest is missing or unreadable."""

    @property
    def is_complete(self) -> bool:
        """Whether it contains everything that the store contained."""
        return self.lacks == frozenset()


def backups_in(folder: Path) -> list[BackupFile]:
    """Return the backups in a folder, the newest first; files with other names are ignored."""
    found = [(path, made_at(path)) for path in folder.glob(f"turnstream-*{SUFFIX}")]
    dated = sorted(((made, path) for path, made in found if made is not None), reverse=True)
    return [BackupFile(path, made, lacks(path)) for made, path in dated]


def made_at(path: Path) -> datetime | None:
    """Return when a backup was begun, by its name."""
    try:
        return datetime.strptime(path.name.removesuffix(SUFFIX), NAME).replace(tzinfo=UTC)
    except ValueError:
        return None


def lacks(path: Path) -> frozenset[str] | None:
    """Return what a backup lacks by its manifest; None if that is unreadable."""
    try:
        return frozenset(read_manifest(path).damaged)
    except (Damaged, OSError):
        return None


def outdated(backups: Sequence[BackupFile], now: datetime, days: int) -> list[BackupFile]:
    """Return the backups that can be deleted if `days` are kept; takes all backups, the newest first.

    These are kept: those of the last 24 hours; of each earlier day up to that age the newest one and the newest
    complete one; the newest complete ones at any age; and for each room that the newest backup lacks, the newest one
    that has it.
    """
    aged = [backup for backup in backups if now - backup.made <= timedelta(days=days)]
    complete = [backup for backup in backups if backup.is_complete]
    keep = [
        *(backup for backup in backups if now - backup.made <= ONE_DAY),
        *newest_by_day(aged),
        *newest_by_day([backup for backup in aged if backup.is_complete]),
        *complete[:ALWAYS_KEPT],
        *last_holders(backups),
    ]
    paths = {backup.path for backup in keep}
    return [backup for backup in backups if backup.path not in paths]


def newest_by_day(backups: Iterable[BackupFile]) -> list[BackupFile]:
    """Return the newest backup of each day."""
    days: dict[date, BackupFile] = {}
    for backup in backups:
        days.setdefault(backup.made.date(), backup)
    return list(days.values())


def last_holders(backups: Sequence[BackupFile]) -> list[BackupFile]:
    """Return, for each room that the newest backup lacks, the newest backup that has it."""
    known = [(backup, backup.lacks) for backup in backups if backup.lacks is not None]
    missing = known[0][1] if known else frozenset()
    holders = [[backup for backup, lacks in known if room not in lacks] for room in missing]
    return [having[0] for having in holders if having]


def delete_outdated(folder: Path, days: int) -> list[Path]:
    """Delete outdated backups if `days` are kept, none if it is 0, and return those that were deleted.

    Files that cannot be deleted are logged. Partial files of backups that were interrupted more than a day ago are
    deleted, too.
    """
    gone = outdated(backups_in(folder), datetime.now(UTC), days) if days else []
    deleted = [backup.path for backup in gone if try_to_delete(backup.path)]
    for part in folder.glob(f".turnstream-*{PART}"):
        if time.time() - part.stat().st_mtime > ONE_DAY.total_seconds():
            try_to_delete(part)
    return deleted


def try_to_delete(path: Path) -> bool:
    """Delete a backup with its manifest, and return whether that succeeded."""
    try:
        path.unlink(missing_ok=True)
        manifest_of(path).unlink(missing_ok=True)
    except OSError as failure:
        log.error("backup_not_deleted", file=str(path), error=str(failure))  # noqa: TRY400 - one line is enough
        return False
    return True
