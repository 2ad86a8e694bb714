"""Imports: an export is checked from its first line to its seal before any of it is written to the store."""

import asyncio
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Self

import msgspec
from msgspec.structs import replace

from service.domain.ids import Millis, PlayerId, RoomKey, RoomName
from service.domain.room.due import due_at
from service.domain.room.evolve import evolve
from service.domain.room.model.events import InvitationMade, PlayerJoined, RoomOpened
from service.domain.room.model.state import Room
from service.domain.streams import Stored
from service.people.player_matches.rows import add_matches
from service.programs.ops.exports.format import (
    AccountLine,
    Damaged,
    Ending,
    EventLine,
    LogLine,
    NamesLine,
    RoomLine,
    Seal,
    StreamLine,
    import_names,
    read_lines,
    record_erasures,
)
from service.programs.ops.exports.room_iteration import advance_head
from service.programs.ops.exports.stream_import import import_stream, records_of
from service.rooms.commands.invitations import remember_invitations
from service.rooms.kind import ROOMS
from service.rooms.match_index import ENTRY
from service.rooms.projections import room_batch
from service.store.codec import decode
from service.store.contract import NOT_BEGUN, Batch, Conflict, Entry, Head, NameTaken, Store
from service.streams.processor import Decision

CONCURRENT_ROOMS = 64
"""How many rooms are written at the same time, so that their waits for the disk overlap."""

PIECE = 4096
"""The maximum number of a room's events in memory; a longer room is written in pieces."""


class InTheWay(Exception):  # noqa: N818 - a finding, not a failure
    """A room of the export conflicts with a room in the store; the message says how."""


class Imported(msgspec.Struct, frozen=True):
    """The result of an import."""

    rooms: int
    events: int
    there: int
    """How many rooms were already in the store, identical to the export."""
    streams: int
    """How many other streams were written; those that the store already has are not changed."""


class RoomPiece(msgspec.Struct, frozen=True):
    """Some successive events of a room in an export."""

    line: RoomLine
    entries: tuple[Entry, ...]
    begins: bool
    ends: bool


Contents = RoomPiece | LogLine | NamesLine | StreamLine


def check_export(lines: Callable[[], Iterable[bytes]], sealing: bytes | None) -> Ending:
    """Read an export to its end and return its last line. Raises `Damaged` unless it is as it was written.

    With `sealing` None the seal is not checked: for an export of another installation, whose key is not known.
    """
    ending = check_seal(lines(), sealing)
    for part in contents(lines()):
        if isinstance(part, StreamLine):
            records_of(part, Millis(0))  # raises for what this release cannot read
    return ending


def check_seal(lines: Iterable[bytes], sealing: bytes | None) -> Ending:
    """Read an export to its end and return its last line. Raises `Damaged` unless its counts and its seal match."""
    seal, rooms, events, streams, ending = Seal(sealing or b""), 0, 0, 0, None
    for number, line, said in read_lines(iter(lines)):
        if ending is not None:
            raise Damaged(f"line {number} is after the last line of the export")
        if isinstance(said, Ending):
            ending = said
            said_to_be, found = (ending.rooms, ending.events, ending.streams), (rooms, events, streams)
            if said_to_be != found:
                raise Damaged(f"the last line says (rooms, events, other streams) {said_to_be}; found {found}")
            if sealing is not None and not seal.matches(ending.seal):
                raise Damaged(
                    "the seal does not match: the file was changed, or is from another installation (see --other-key)"
                )
            continue
        rooms, events = rooms + isinstance(said, RoomLine), events + isinstance(said, EventLine)
        streams += isinstance(said, StreamLine)
        seal.add(line)
    if ending is None:
        raise Damaged("the last line is missing: the file is truncated")
    return ending


def contents(lines: Iterable[bytes]) -> Iterator[Contents]:
    """Yield other streams, then each room in pieces, then the audit log.

    Raises `Damaged` for a broken chain of digests. A room's last piece is yielded only after its end was checked.
    """
    room: RoomLine | None = None
    entries: list[Entry] = []
    head = NOT_BEGUN
    for number, _, said in read_lines(iter(lines)):
        if isinstance(said, EventLine):
            if room is None:
                raise Damaged(f"line {number}: an event before the first room")
            if len(entries) == PIECE:
                yield make_piece(room, entries, ends=False)
                entries = []
            head = advance_head(head, said.entry)
            entries.append(said.entry)
            continue
        if room is not None:
            check_end(room, head)
            yield make_piece(room, entries, ends=True)
        room, entries, head = (said if isinstance(said, RoomLine) else None), [], NOT_BEGUN
        if isinstance(said, LogLine | NamesLine | StreamLine):
            yield said
        elif isinstance(said, AccountLine):
            yield said.stream


def make_piece(room: RoomLine, entries: list[Entry], *, ends: bool) -> RoomPiece:
    """Return a piece of a room."""
    return RoomPiece(room, tuple(entries), begins=not entries or entries[0].version == 1, ends=ends)


def check_end(room: RoomLine, head: Head) -> None:
    """Raise `Damaged` unless a room's events end at its head."""
    if head != room.head:
        raise Damaged(
            f"the room {room.room} should end at version {room.version}, but its events end at {head.version}"
        )


async def import_rooms(
    store: Store, lines: Iterable[bytes], progress: Callable[[int], None], erased_since: Collection[PlayerId] = ()
) -> Imported:
    """Write the rooms of a checked export to the store; rooms that are already there are skipped. Raises `InTheWay`.

    Of players who were erased later, or whom the store has erased, only events are written.
    Versions, digests and times do not change; projections are derived again from the events.
    `progress` is called with the number of events written.
    """
    rooms = events = there = streams = 0
    skipped: RoomKey | None = None
    erased = await record_erasures(store, erased_since)
    log = {line.data for line in await store.admin_store.logged()}
    async with RoomWriters(store, progress) as pens:
        for part in contents(lines):
            if isinstance(part, LogLine):
                if bytes(part.line) not in log:
                    await store.admin_store.log(bytes(part.line))
            elif isinstance(part, NamesLine):
                await import_names(store, part, erased)
            elif isinstance(part, StreamLine):
                streams += part.id not in erased and await import_stream(store, part)
            elif part.begins and await is_there(store, part.line):
                there, skipped = there + 1, part.line.key
            elif part.line.key != skipped:
                await pens.write(part)
                rooms, events = rooms + part.begins, events + len(part.entries)
    for player in erased:
        await store.player_matches.discard(player)
    return Imported(rooms, events, there, streams)


async def is_there(store: Store, line: RoomLine) -> bool:
    """Return whether the store has exactly this room. Raises `InTheWay` if it has another history of the room."""
    head = (await store.heads([line.key]))[0]
    if head is not None and head != line.head:
        raise InTheWay(f"the room {line.room}:{line.epoch} is already in the store, at version {head.version}")
    return head is not None


class RoomWriters:
    """Writes several rooms at the same time, those with the same name one after another."""

    def __init__(self, store: Store, progress: Callable[[int], None]) -> None:
        """`progress` is called with the number of events written."""
        self._store = store
        self._progress = progress
        self._writing: dict[RoomName, asyncio.Task[None]] = {}
        self._writer: RoomWriter | None = None
        """The writer of the latest piece's room."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_rest: object) -> None:
        try:
            while self._writing and kind is None:
                await self._wait_for_one()
        finally:
            for task in self._writing.values():
                task.cancel()
            await asyncio.gather(*self._writing.values(), return_exceptions=True)

    async def write(self, part: RoomPiece) -> None:
        """Start to write a piece after the piece before it; the players' rooms are recorded in the order of the export.

        Raises `InTheWay`.
        """
        while part.line.room in self._writing or len(self._writing) >= CONCURRENT_ROOMS:
            await self._wait_for_one()
        if part.begins or self._writer is None:
            opened = decode(ROOMS, "", part.entries[0]).recorded.event
            self._writer = RoomWriter(self._store, part.line, opened.game)
        history = [decode(ROOMS, self._writer.game, entry) for entry in part.entries]
        for stored in history:
            await record_player(self._store, part.line.key, stored)
        self._writing[part.line.room] = asyncio.create_task(self._write_piece(self._writer, part, history))

    async def _write_piece(self, writer: "RoomWriter", part: RoomPiece, history: list[Stored]) -> None:
        await writer.write(list(zip(history, part.entries, strict=True)), ends=part.ends)
        self._progress(len(history))

    async def _wait_for_one(self) -> None:
        """Wait until one of the rooms is written. Raises `InTheWay`."""
        await asyncio.wait(self._writing.values(), return_when=asyncio.FIRST_COMPLETED)
        for name in [name for name, task in self._writing.items() if task.done()]:
            self._writing.pop(name).result()


class RoomWriter:
    """Writes one room command by command, from events that are read in pieces."""

    def __init__(self, store: Store, line: RoomLine, game: str) -> None:
        self.game = game
        self._store = store
        self._line = line
        self._room: Room | None = None
        self._at = NOT_BEGUN
        self._command: list[tuple[Stored, Entry]] = []
        """The events of the latest command, which may continue in the next piece."""

    async def write(self, pairs: Sequence[tuple[Stored, Entry]], *, ends: bool) -> None:
        """Write the commands that are complete. Raises `InTheWay`."""
        grouped = groupby([*self._command, *pairs], key=lambda pair: pair[0].recorded.command)
        commands = [list(command) for _, command in grouped]
        self._command = [] if ends else commands.pop()
        for command in commands:
            self._room, self._at = await write_command(self._store, self._line, self._room, self._at, command)


async def write_command(
    store: Store, line: RoomLine, before: Room | None, at: Head, history: Sequence[tuple[Stored, Entry]]
) -> tuple[Room, Head]:
    """Write one command's events, which deliver nothing, and return the room after them. Raises `InTheWay`."""
    room = before
    for stored, _ in history:
        room = evolve(room, stored.recorded)
    if room is None:
        raise LookupError
    recorded, entries = [stored.recorded for stored, _ in history], tuple([entry for _, entry in history])
    written = replace(room_batch(ROOMS, before, Decision(recorded, room, due_at(room)), entries), outbox=b"")
    try:
        await (begin(store, line, written) if before is None else store.append(line.key, at, written))
    except Conflict as conflict:
        raise InTheWay(
            f"another process writes to {line.room}, which is now at version {conflict.head.version}"
        ) from None
    await add_matches(store, [ENTRY.decode(entry) for _, entry in written.matches])
    return room, Head(history[-1][1].version, history[-1][1].digest)


async def begin(store: Store, line: RoomLine, written: Batch) -> None:
    """Open a room; the name of a closed room may belong to a later one. Raises `InTheWay`."""
    try:
        await store.append(line.key, NOT_BEGUN, written)
    except NameTaken:
        if line.live:
            raise InTheWay(f"another open room has the name {line.room}: close it first") from None
        await store.append(line.key, NOT_BEGUN, replace(written, name=""))


async def record_player(store: Store, key: RoomKey, stored: Stored) -> None:
    """Record the room for the player who joined, or for the code of an invitation."""
    event = stored.recorded.event
    if isinstance(event, RoomOpened) and stored.recorded.by is not None:
        await store.remember_room(stored.recorded.by, key)
    elif isinstance(event, PlayerJoined):
        await store.remember_room(event.player, key)
    elif isinstance(event, InvitationMade):
        await remember_invitations(store.side_channels, key, [stored.recorded])
