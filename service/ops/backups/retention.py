"""Which backups are kept: all of the last day, the newest of each earlier day, and in any case the newest good ones."""

import time
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import msgspec
import structlog

from service.ops.backups.archive import NAME, SUFFIX, manifest_of, read_manifest
from service.ops.exports.atomic_files import PART
from service.ops.exports.format import Damaged

log = structlog.get_logger()

KEPT_IN_ANY_CASE = 3
"""How many complete backups are kept however old they are: a clock may be wrong, or the service was away for long."""

A_DAY = timedelta(days=1)


class Kept(msgspec.Struct, frozen=True):
    """A backup in the folder."""

    path: Path
    made: datetime
    """When it was begun."""
    lacks: frozenset[str] | None
    """What was damaged when it was made; None where its manifest is missing or can't be read."""

    @property
    def is_complete(self) -> bool:
        """Whether it holds everything that the store held."""
        return self.lacks == frozenset()


def backups_in(folder: Path) -> list[Kept]:
    """Return the backups in a folder, the newest first; files with other names are none."""
    found = [(path, made_at(path)) for path in folder.glob(f"turnstream-*{SUFFIX}")]
    dated = sorted(((made, path) for path, made in found if made is not None), reverse=True)
    return [Kept(path, made, lacks(path)) for made, path in dated]


def made_at(path: Path) -> datetime | None:
    """Return when a backup was begun, by its name."""
    try:
        return datetime.strptime(path.name.removesuffix(SUFFIX), NAME).replace(tzinfo=UTC)
    except ValueError:
        return None


def lacks(path: Path) -> frozenset[str] | None:
    """Return what a backup lacks by its manifest, None where that can't be read."""
    try:
        return frozenset(read_manifest(path).damaged)
    except (Damaged, OSError):
        return None


def outdated(backups: Sequence[Kept], now: datetime, days: int) -> list[Kept]:
    """Return those of all backups, the newest first, that may be deleted when `days` are kept.

    Kept are: those of the last 24 hours; of each earlier day within the age the newest, and the newest complete one;
    the newest complete ones however old; and for each room that the newest backup lacks the newest one that has it.
    """
    aged = [backup for backup in backups if now - backup.made <= timedelta(days=days)]
    complete = [backup for backup in backups if backup.is_complete]
    keep = [
        *(backup for backup in backups if now - backup.made <= A_DAY),
        *newest_by_day(aged),
        *newest_by_day([backup for backup in aged if backup.is_complete]),
        *complete[:KEPT_IN_ANY_CASE],
        *last_holders(backups),
    ]
    paths = {backup.path for backup in keep}
    return [backup for backup in backups if backup.path not in paths]


def newest_by_day(backups: Iterable[Kept]) -> list[Kept]:
    """Return the newest backup of each day."""
    days: dict[date, Kept] = {}
    for backup in backups:
        days.setdefault(backup.made.date(), backup)
    return list(days.values())


def last_holders(backups: Sequence[Kept]) -> list[Kept]:
    """Return for each room that the newest backup lacks the newest backup that has it."""
    known = [(backup, backup.lacks) for backup in backups if backup.lacks is not None]
    missing = known[0][1] if known else frozenset()
    holders = [[backup for backup, lacks in known if room not in lacks] for room in missing]
    return [having[0] for having in holders if having]


def delete_outdated(folder: Path, days: int) -> list[Path]:
    """Delete the backups that may go when `days` are kept, 0 for all of them; return those that are gone.

    What can't be deleted is logged. What an interrupted backup left behind more than a day ago goes, too.
    """
    gone = outdated(backups_in(folder), datetime.now(UTC), days) if days else []
    deleted = [backup.path for backup in gone if is_deleted(backup.path)]
    for part in folder.glob(f".turnstream-*{PART}"):
        if time.time() - part.stat().st_mtime > A_DAY.total_seconds():
            is_deleted(part)
    return deleted


def is_deleted(path: Path) -> bool:
    """Delete a backup with its manifest, and return whether that went well."""
    try:
        path.unlink(missing_ok=True)
        manifest_of(path).unlink(missing_ok=True)
    except OSError as failure:
        log.error("backup_not_deleted", file=str(path), error=str(failure))  # noqa: TRY400 - one line says it all
        return False
    return True
