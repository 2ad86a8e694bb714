"""Rooms written out page by page, each checked on the way; a damaged one is left out and named."""

import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO

import msgspec
import structlog

from service.domain.room.model.ids import RoomKey, Version
from service.ops.exports.format import (
    FORMAT,
    AnyLine,
    Damaged,
    Ending,
    EventLine,
    Heading,
    LogLine,
    RoomLine,
    Seal,
    written,
)
from service.ops.exports.room_iteration import head_of, history_up_to
from service.rooms.views.timestamps import rfc3339
from service.store.codec import UnknownEvent, envelope_of
from service.store.contract import Head, Store, Trimmed

log = structlog.get_logger()

LOG_PAGE = 1000

SPOOLED = 1024 * 1024
"""Bytes of a room that are held in memory until all of it was checked; a longer one waits in a temporary file."""

Write = Callable[[bytes], object]


class LeftOut(msgspec.Struct, frozen=True):
    """What an export does not hold because it is damaged: a room as `name:epoch`, or a line of the operators' log."""

    what: str
    why: str


class Exported(msgspec.Struct, frozen=True):
    """What an export holds."""

    made: str
    rooms: int
    events: int
    seal: str
    damaged: tuple[LeftOut, ...] = ()


async def exported(
    store: Store, keys: Sequence[RoomKey], sealing: bytes, write: Write, *, log: bool, folder: Path
) -> Exported:
    """Write these rooms, each as it is at one moment, and the operators' log where wanted.

    A damaged room is left out as a whole. Memory does not grow with a room's length: a long one waits in a temporary
    file in `folder` until it was checked.
    """
    export, made = Export(store, sealing, write), rfc3339(await store.time())
    export.put(Heading("export", FORMAT, made))
    for key in await oldest_first(store, keys):
        with SpooledTemporaryFile(SPOOLED, dir=str(folder)) as spool:
            await export.add_room(key, spool)
    if log:
        await export.add_log()
    return export.end(made)


class Export:
    """An export while it is written: what it holds so far, and the seal over that."""

    def __init__(self, store: Store, sealing: bytes, write: Write) -> None:
        """Write with `write` what is in a store, under a seal with this key."""
        self._store = store
        self._seal = Seal(sealing)
        self._write = write
        self._rooms = self._events = 0
        self._damaged: list[LeftOut] = []

    def write(self, lines: bytes) -> None:
        """Write some lines; `shutil.copyfileobj` calls this, too."""
        self._write(self._seal.add(lines))

    def put(self, line: AnyLine) -> None:
        """Write a line."""
        self.write(written(line))

    async def add_room(self, key: RoomKey, spool: IO[bytes]) -> None:
        """Write a room, which goes into `spool` first, or leave it out where it is damaged."""
        try:
            events = await write_room(self._store, key, spool)
        except Damaged as fault:
            self._damaged.append(left_out(f"{key.name}:{key.epoch}", fault))
            return
        spool.seek(0)
        shutil.copyfileobj(spool, self)
        self._rooms, self._events = self._rooms + (events > 0), self._events + events

    async def add_log(self) -> None:
        """Write the log of what operators did, and leave out lines that are not valid JSON."""
        after = None
        while lines := await self._store.admin_store.logged(after, LOG_PAGE):
            for line in lines:
                try:
                    msgspec.json.decode(line.data)
                except msgspec.DecodeError as fault:
                    self._damaged.append(left_out(f"operators' log {line.id}", fault))
                else:
                    self.put(LogLine(line.id, msgspec.Raw(line.data)))
            after = lines[-1].id

    def end(self, made: str) -> Exported:
        """Write the last line."""
        seal = self._seal.text()
        self._write(written(Ending(end=True, rooms=self._rooms, events=self._events, seal=seal)))
        return Exported(made, self._rooms, self._events, seal, tuple(self._damaged))


def left_out(what: str, fault: Exception) -> LeftOut:
    """Return something damaged as it is reported, and log it."""
    log.error("damaged_left_out", what=what, why=str(fault))
    return LeftOut(what, str(fault))


async def write_room(store: Store, key: RoomKey, file: IO[bytes]) -> int:
    """Write a room's lines and return how many events it has. Raises `Damaged`.

    Of a closed room that was trimmed nothing is written.
    """
    end, count = await head_of(store, key), 0
    async for page in history_up_to(store, key, end):
        if not count:
            file.write(written(await room_line(store, key, end)))
        file.writelines(
            written(EventLine(entry.version, entry.digest.hex(), msgspec.Raw(entry.data))) for entry in page
        )
        count += len(page)
    return count


async def room_line(store: Store, key: RoomKey, end: Head) -> RoomLine:
    """Return the line that begins a room which is written up to this head."""
    live = await store.open_epoch(key.name) == key.epoch
    return RoomLine(key.name, key.epoch, end.version, end.digest.hex(), live)


async def oldest_first(store: Store, keys: Sequence[RoomKey]) -> list[RoomKey]:
    """Return the rooms in the order in which they were opened, which is that of their players' notes."""
    opened = [await opened_at(store, key) for key in keys]
    return [key for _, key in sorted(zip(opened, keys, strict=True), key=lambda pair: pair[0])]


async def opened_at(store: Store, key: RoomKey) -> int:
    """Return when a room was opened, 0 where its first event is missing or can't be read."""
    try:
        return max([envelope_of(first).time for first in await store.read(key, Version(0), 1)], default=0)
    except (Trimmed, UnknownEvent, ValueError, IndexError):
        return 0
