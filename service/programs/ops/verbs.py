"""The operators' verbs of the command line, over the store of TURNSTREAM_REDIS_URL or of a running `turnstream up`.

Exit codes: 0 success, 1 something is damaged or conflicts, 2 the request cannot be fulfilled, for example because a
room does not exist or the store does not answer.
"""

import argparse
import asyncio
import errno
import signal
import sys
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, nullcontext
from pathlib import Path

import msgspec

from service.domain.ids import RoomKey
from service.programs.ops.backups.archive import lines_of
from service.programs.ops.backups.service import BackupPlan, keep_backing_up, make_backup, watch_disks
from service.programs.ops.data_loss import accept_known, describe_loss, known_loss, require_no_loss
from service.programs.ops.exports.atomic_files import atomic_file
from service.programs.ops.exports.format import Damaged
from service.programs.ops.exports.reader import InTheWay, check_export, import_rooms
from service.programs.ops.exports.room_iteration import every_room, rooms_named
from service.programs.ops.exports.writer import LeftOut, export_rooms
from service.programs.ops.progress import Progress
from service.rooms.service import RoomService
from service.runtime import metrics_server
from service.runtime.os_errors import reason_of
from service.runtime.settings import Settings
from service.store.contract import Store, StoreLost
from service.store.redis.server_checks import require_durability
from service.store.watch.store_watch import NO_WITNESS, StoreWatch
from service.store.write_guard import WriteGuard
from service.streams.errors import ServiceError


class Site(msgspec.Struct, frozen=True):
    """The installation that the verbs work on."""

    store: Store
    rooms: RoomService
    sealing: bytes
    """The key of the seals of exports."""
    settings: Settings


Run = Callable[[Site, argparse.Namespace], Awaitable[int]]
NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
"""The errors that mean that a disk, a quota or a file is full."""


def operate(site: Site, run: Run, arguments: argparse.Namespace) -> int:
    """Run a verb and return its exit code."""

    async def running() -> int:
        if (task := asyncio.current_task()) is not None:
            call_when_asked_to_stop(task.cancel)
        async with AsyncExitStack() as stack:
            stack.push_async_callback(site.store.close)
            stack.push_async_callback(site.rooms.close)
            await site.store.check()  # raises, for example, for another number of partitions
            return await run(site, arguments)

    try:
        return asyncio.run(running())
    except (Damaged, InTheWay, StoreLost) as found:
        warn(f"turnstream {arguments.verb}: {found}")
        return 1
    except asyncio.CancelledError:
        warn(f"turnstream {arguments.verb}: interrupted")
        return 130
    except OSError as failure:
        if failure.errno not in NO_SPACE:
            raise
        warn(f"turnstream {arguments.verb}: there is no space left on the disk; free some ({reason_of(failure)})")
        return 1
    except (LookupError, ServiceError) as failure:
        said = failure.problem.detail if isinstance(failure, ServiceError) else failure.args[0]
        warn(f"turnstream {arguments.verb}: {said}")
        return 2


def call_when_asked_to_stop(stop: Callable[[], object]) -> None:
    """Call `stop` at the signals that ask a program to stop; with nohup, the end of the terminal is ignored."""
    asking = [signal.SIGINT, signal.SIGTERM]
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        asking.append(signal.SIGHUP)
    for number in asking:
        asyncio.get_running_loop().add_signal_handler(number, stop)


async def check_config(site: Site, _arguments: argparse.Namespace) -> int:
    """Print what is wrong with the settings and the store. Raises `UnsuitableStore` and `BadSettings` like a start."""
    _ = site.settings.operators
    warnings = [*await site.store.check(), *([] if site.settings.witness else [NO_WITNESS])]
    for warning in warnings:
        say(f"warning: {warning}")
    if (lost := await known_loss(site.store, site.settings)) is not None:
        for line in describe_loss(lost):
            say(line)
        return 1
    for number, node in enumerate(await site.store.admin_store.nodes()):
        limit = f" of {node.memory_limit}" if node.memory_limit else ", without a limit"
        say(f"store {number}: {node.memory} bytes of memory{limit}; {node.file} bytes on the disk")
    if site.settings.mode == "production":
        require_durability(warnings, vouched=site.settings.store_vouched)
    say("The settings and the store are suitable." if not warnings else "The store is suitable, with these warnings.")
    return 0


async def chosen_rooms(site: Site, arguments: argparse.Namespace) -> list[RoomKey]:
    """Return the rooms named, or all rooms."""
    return await (rooms_named(site.store, arguments.room) if arguments.room else every_room(site.store))


async def export(site: Site, arguments: argparse.Namespace) -> int:
    """Write rooms to a file or to standard output; damaged ones are left out and printed."""
    keys, progress = await chosen_rooms(site, arguments), Progress("lines written")
    is_piped = str(arguments.file) == "-"
    folder = Path(tempfile.gettempdir()) if is_piped else arguments.file.parent
    with nullcontext(sys.stdout.buffer) if is_piped else atomic_file(arguments.file) as file:

        def write(lines: bytes) -> None:
            file.write(lines)
            progress.add(lines.count(b"\n"))

        written = await export_rooms(site.store, keys, site.sealing, write, log=not arguments.room, folder=folder)
    progress.end()
    (warn if is_piped else say)(f"{arguments.file}: {written.rooms} rooms, {written.events} events")
    return print_damaged(written.damaged)


def print_damaged(damaged: Sequence[LeftOut]) -> int:
    """Print what was left out on standard error, and return the exit code: 1 if there is anything."""
    for part in damaged:
        warn(f"DAMAGED {part.what}: {part.why}")
    return 1 if damaged else 0


async def import_(site: Site, arguments: argparse.Namespace) -> int:
    """Check an export and read its rooms into the store. Raises `StoreLost`."""
    check_export(lambda: lines_of(arguments.file), None if arguments.other_key else site.sealing)
    await require_no_loss(site.store, site.settings)
    return await import_file(site, arguments)


async def import_file(site: Site, arguments: argparse.Namespace) -> int:
    """Read the rooms of a checked file into the store."""
    progress = Progress("events written")
    did = await import_rooms(site.store, lines_of(arguments.file), progress.add, arguments.erased)
    progress.end()
    say(f"{did.rooms} rooms, {did.events} events imported; {did.there} rooms were already there")
    if did.streams:
        say(f"{did.streams} other streams imported")
    return 0


async def backup(site: Site, arguments: argparse.Namespace) -> int:
    """Make a backup, or make backups regularly."""
    watch = StoreWatch(site.store, WriteGuard(range(site.settings.partitions)), site.settings.witness)
    plan = BackupPlan(arguments.folder, site.sealing, arguments.keep_days, arguments.then, watch.require_no_loss)
    if arguments.every:
        return await backup_for_ever(site, arguments, plan, watch)
    finished = await make_backup(site.store, plan)
    manifest = finished.backup.manifest
    say(f"{finished.backup.path}: {manifest.rooms} rooms, {manifest.events} events, {manifest.bytes} bytes")
    for old in finished.deleted:
        say(f"{old}: deleted")
    if finished.command_failure:
        warn(f"the backup is complete, but its command failed: {finished.command_failure}")
    print_damaged(finished.backup.damaged)
    return 0 if finished.is_successful else 1


async def backup_for_ever(site: Site, arguments: argparse.Namespace, plan: BackupPlan, watch: StoreWatch) -> int:
    """Make a backup regularly until SIGINT or SIGTERM, and report free space in the metrics."""
    if site.settings.metrics_port:
        metrics_server.serve(site.settings.host, site.settings.metrics_port)
    stop = asyncio.Event()
    call_when_asked_to_stop(stop.set)
    async with asyncio.TaskGroup() as group:  # an error in any of them ends the verb
        tasks = [
            group.create_task(keep_backing_up(site.store, plan, arguments.every * 3600)),
            group.create_task(watch.run()),
            group.create_task(watch_disks([arguments.folder, *arguments.watch])),
        ]
        await stop.wait()
        for task in tasks:
            task.cancel()
    return 0


async def accept_loss(site: Site, arguments: argparse.Namespace) -> int:
    """Print what a store has lost, and accept the loss if that was requested."""
    code, lines = await accept_known(site.store, site.settings, arguments)
    for line in lines:
        say(line)
    return code


def say(line: str) -> None:
    """Print a line."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def warn(line: str) -> None:
    """Print a line on standard error."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
