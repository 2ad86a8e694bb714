"""Regular backups: each is reported in the log and the metrics and passed to a command, and old ones are deleted."""

import asyncio
import os
import shutil
import signal
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec
import structlog

from service.programs.ops.backups.archive import Backup, Check, check_nothing, manifest_of, write_backup
from service.programs.ops.backups.retention import backups_in, delete_outdated
from service.programs.ops.exports.format import Damaged
from service.runtime import metrics
from service.runtime.os_errors import reason_of
from service.store.contract import Store, StoreUnavailable

TIME_LIMIT = 3600.0
"""Seconds that the command may take."""

STANDARD_ERROR = 2


class CommandFailed(Exception):  # noqa: N818 - the failure of another program
    """The command after a backup failed; the backup itself is complete. The message says how it failed."""


async def run_command(command: Sequence[str], backup: Backup, within: float = TIME_LIMIT) -> None:
    """Run a command with the paths of a backup and of its manifest as its last arguments. Raises `CommandFailed`.

    No shell is used. The command has `within` seconds, no input, and none of the service's settings in its environment;
    its output goes to standard error.
    """
    paths = (str(backup.path.absolute()), str(manifest_of(backup.path).absolute()))
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            *paths,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=STANDARD_ERROR,
            env={name: value for name, value in os.environ.items() if not name.startswith("TURNSTREAM_")},  # no secrets
            start_new_session=True,
        )
    except (OSError, ValueError) as failure:
        raise CommandFailed(f"{command[0]} cannot be started: {reason_of(failure)}") from None
    try:
        async with asyncio.timeout(within):
            code = await process.wait()
    except TimeoutError:
        raise CommandFailed(f"{command[0]} did not end within {within:g} s and was killed") from None
    finally:
        if process.returncode is None:
            await end_group(process)
    if code:
        raise CommandFailed(f"{command[0]} ended with exit code {code}")


async def end_group(process: asyncio.subprocess.Process) -> None:
    """Kill a command and the processes that it started."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()


log = structlog.get_logger()

RETRY_SECONDS = 60.0


class BackupPlan(msgspec.Struct, frozen=True):
    """Where backups are written, and what is done with them."""

    folder: Path
    sealing: bytes
    keep_days: int = 0
    """For how many days backups are kept; 0 for no limit."""
    command: tuple[str, ...] = ()
    """The command to run after each backup, with its path and its manifest's as arguments; empty for none."""
    check: Check = check_nothing
    """Raises if the store has lost data; then no backup is made."""


class Finished(msgspec.Struct, frozen=True):
    """A backup that was made, and the results of the steps after it."""

    backup: Backup
    deleted: list[Path]
    command_failure: str = ""

    @property
    def is_successful(self) -> bool:
        """Whether the backup is complete and its command succeeded."""
        return not self.backup.damaged and not self.command_failure


async def make_backup(store: Store, plan: BackupPlan) -> Finished:
    """Make a backup, run the command after it, and delete old ones. A failed command does not raise."""
    backup = await write_backup(store, plan.folder, plan.sealing, plan.check)
    failure = await command_failure(plan, backup)
    return Finished(backup, delete_outdated(plan.folder, plan.keep_days), failure)


async def command_failure(plan: BackupPlan, backup: Backup) -> str:
    """Run the plan's command after a backup, and return how it failed, "" if it succeeded."""
    try:
        if plan.command:
            await run_command(plan.command, backup)
    except CommandFailed as failure:
        log.error("backup_command_failed", file=str(backup.path), error=str(failure))  # noqa: TRY400 - one line is enough
        return str(failure)
    return ""


async def keep_backing_up(store: Store, plan: BackupPlan, every: float) -> None:
    """Make a backup every so many seconds until cancelled; a failed one is repeated soon."""
    figures = BackupMetrics(plan.folder)
    while True:
        try:
            finished = await make_backup(store, plan)
        except Exception as failure:
            fault = None if isinstance(failure, StoreUnavailable | Damaged | OSError) else failure
            log.error("backup_failed", error=str(failure), exc_info=fault)  # noqa: TRY400 - a traceback for bugs only
            figures.count_failure()
            await asyncio.sleep(min(every, RETRY_SECONDS))
        else:
            log.info("backup_done", **msgspec.to_builtins(finished.backup.manifest))
            figures.show(finished)
            await asyncio.sleep(every)


class BackupMetrics:
    """The metrics of the backups in one folder."""

    def __init__(self, folder: Path) -> None:
        """Start with the time of the newest backup, 1970 if there is none, and without failures."""
        self._time = metrics.BACKUP_TIME.labels(str(folder))
        self._failures = metrics.BACKUP_FAILURES.labels(str(folder))
        self.count_failure = self._failures.inc
        """Counts an attempt that failed."""
        self._damaged = metrics.BACKUP_DAMAGED.labels(str(folder))
        self._command = metrics.BACKUP_COMMAND_FAILURES.labels(str(folder))
        newest = next(iter(backups_in(folder)), None)
        self._time.set(newest.path.stat().st_mtime if newest else 0)
        self._damaged.set(len(newest.lacks or ()) if newest else 0)
        self._failures.set(0)
        self._command.set(0)

    def show(self, finished: Finished) -> None:
        """Update the metrics after a backup."""
        self._time.set(datetime.now(UTC).timestamp())
        self._failures.set(0)
        self._damaged.set(len(finished.backup.damaged))
        if finished.command_failure:
            self._command.inc()
        else:
            self._command.set(0)


async def watch_disks(folders: list[Path], every: float = 15.0) -> None:
    """Measure the free space of folders for the metrics until cancelled."""
    while True:
        for folder in folders:
            if folder.exists():
                metrics.DISK_FREE.labels(str(folder)).set(shutil.disk_usage(folder).free)
        await asyncio.sleep(every)
