"""Exports: rooms are written page by page and checked on the way; what is damaged is left out and named."""

import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO

import msgspec
import structlog

from service.domain.ids import Millis, PlayerId, RoomKey, Version, rfc3339
from service.programs.ops.exports.format import (
    FORMAT,
    AnyLine,
    Damaged,
    Ending,
    EventLine,
    Heading,
    LogLine,
    RoomLine,
    Seal,
    named_in,
    named_players,
    names_line,
    write_line,
)
from service.programs.ops.exports.room_iteration import head_of, history_up_to
from service.programs.ops.exports.stream_export import StreamExport
from service.rooms.access.audit_log import know_erased
from service.rooms.kind import ROOM_EVENTS
from service.store.contract import Store, StoreDamaged, Trimmed
from service.store.player_names import ref_of

log = structlog.get_logger()

LOG_PAGE = 1000

SPOOLED = 1024 * 1024
"""The maximum number of bytes of a room in memory until it is checked; a longer one is in a temporary file."""

DAMAGED_NAME = Damaged("it is not what was stored")

Write = Callable[[bytes], object]


class LeftOut(msgspec.Struct, frozen=True):
    """What an export leaves out because it is damaged: a room as `name:epoch`, or a line of the audit log."""

    what: str
    why: str


class Exported(msgspec.Struct, frozen=True):
    """The contents of an export."""

    made: str
    rooms: int
    events: int
    seal: str
    damaged: tuple[LeftOut, ...] = ()
    streams: int = 0
    """How many streams other than rooms."""


async def export_rooms(
    store: Store, keys: Sequence[RoomKey], sealing: bytes, write: Write, *, log: bool, folder: Path
) -> Exported:
    """Write these rooms, each at one version, and with `log` also the audit log and the other streams.

    What is damaged is left out. The memory needed does not depend on a room's length: a long room is kept in a
    temporary file in `folder` until it is checked.
    """
    export, now = Export(store, sealing, write), await store.time()
    made = rfc3339(now)
    export.put(Heading("export", FORMAT, made))
    if log:
        await export.add_streams(now)
    for key in await oldest_first(store, keys):
        with SpooledTemporaryFile(SPOOLED, dir=str(folder)) as spool:
            await export.add_room(key, spool)
    await export.add_names(everyone=log)
    if log:
        await export.add_log()
    return export.end(made)


class Export:
    """An export that is being written: its contents so far, and their seal."""

    def __init__(self, store: Store, sealing: bytes, write: Write) -> None:
        self._store = store
        self._seal = Seal(sealing)
        self._write = write
        self._rooms = self._events = self._streams = 0
        self._damaged: list[LeftOut] = []
        self._named: set[PlayerId] = set()
        """The players to whose nicknames the rooms in the export refer."""

    def write(self, lines: bytes) -> None:
        """Write lines; also called by `shutil.copyfileobj`."""
        self._write(self._seal.add(lines))

    def put(self, line: AnyLine) -> None:
        """Write a line."""
        self.write(write_line(line))

    async def add_room(self, key: RoomKey, spool: IO[bytes]) -> None:
        """Write a room, by way of `spool`, or leave it out if it is damaged."""
        try:
            events = await write_room(self._store, key, spool)
        except (Damaged, StoreDamaged) as fault:
            self._damaged.append(leave_out(f"{key.name}:{key.epoch}", fault))
            return
        self._named |= named_in(spool)
        spool.seek(0)
        shutil.copyfileobj(spool, self)
        self._rooms, self._events = self._rooms + (events > 0), self._events + events

    async def add_log(self) -> None:
        """Write the audit log, and leave out lines that are not valid JSON, or all of it if it is none."""
        try:
            await self._add_lines()
        except StoreDamaged as fault:
            self._damaged.append(leave_out("audit log", fault))

    async def _add_lines(self) -> None:
        after = None
        while lines := await self._store.admin_store.logged(after, LOG_PAGE):
            for line in lines:
                try:
                    msgspec.json.decode(line.data)
                except msgspec.DecodeError as fault:
                    self._damaged.append(leave_out(f"audit log {line.id}", fault))
                else:
                    self.put(LogLine(line.id, msgspec.Raw(line.data)))
            after = lines[-1].id

    async def add_names(self, *, everyone: bool) -> None:
        """Write the nicknames of the players in the rooms so far, or of all players."""
        with suppress(StoreDamaged):  # in the audit log, which is then left out
            await know_erased(self._store)
        players = await named_players(self._store) if everyone else self._named
        for player in sorted(players):
            line, damaged = await names_line(self._store, player)
            if line is not None:
                self.put(line)
            self._damaged += [leave_out(f"nickname {ref_of(player, number)}", DAMAGED_NAME) for number in damaged]

    async def add_streams(self, now: Millis) -> None:
        """Write the streams other than rooms, and leave out damaged ones."""
        streams = StreamExport(self._store, now, lambda what, fault: self._damaged.append(leave_out(what, fault)))
        async for line in streams.lines():
            self.put(line)
            self._streams += 1

    def end(self, made: str) -> Exported:
        """Write the last line."""
        seal = self._seal.text()
        counts = {"rooms": self._rooms, "events": self._events, "streams": self._streams}
        self._write(write_line(Ending(end=True, seal=seal, **counts)))
        return Exported(made, seal=seal, damaged=tuple(self._damaged), **counts)


def leave_out(what: str, fault: Exception) -> LeftOut:
    """Log that something is left out, and return the report of it."""
    log.error("damaged_left_out", what=what, why=str(fault))
    return LeftOut(what, str(fault))


async def write_room(store: Store, key: RoomKey, file: IO[bytes]) -> int:
    """Write a room's lines and return how many events it has. Raises `Damaged`.

    For a trimmed room nothing is written.
    """
    end, count = await head_of(store, key), 0
    async for page in history_up_to(store, key, end):
        if not count:
            live = await store.open_epoch(key.name) == key.epoch
            file.write(write_line(RoomLine(key.name, key.epoch, end.version, end.digest.hex(), live)))
        file.writelines(
            write_line(EventLine(entry.version, entry.digest.hex(), msgspec.Raw(entry.data))) for entry in page
        )
        count += len(page)
    return count


async def oldest_first(store: Store, keys: Sequence[RoomKey]) -> list[RoomKey]:
    """Return the rooms in the order in which they were opened, as in the lists of their players' rooms."""
    opened = [await opened_at(store, key) for key in keys]
    return [key for _, key in sorted(zip(opened, keys, strict=True), key=lambda pair: pair[0])]


async def opened_at(store: Store, key: RoomKey) -> int:
    """Return when a room was opened; 0 if its first event is missing or unreadable."""
    try:
        return max(
            [ROOM_EVENTS.decoder.decode(first.data).time for first in await store.read(key, Version(0), 1)], default=0
        )
    except (Trimmed, ValueError, IndexError, StoreDamaged):
        return 0
