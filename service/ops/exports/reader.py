"""Rooms read in: an export is checked from its first line to its seal before anything of it is written."""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Self

import msgspec

from service.domain.room.due import due_at
from service.domain.room.evolve import evolve
from service.domain.room.model.events import PlayerJoined, RoomOpened
from service.domain.room.model.ids import RoomKey, RoomName
from service.domain.room.model.state import Room
from service.ops.exports.format import Damaged, Ending, EventLine, LogLine, RoomLine, Seal, opened
from service.ops.exports.room_iteration import follows
from service.rooms.projections import batch
from service.store.codec import Stored, decode, game_of
from service.store.contract import NOT_BEGUN, Batch, Conflict, Entry, Head, NameTaken, Store

AT_ONCE = 64
"""How many rooms are written at the same time: those that wait for the disk wait together."""


PIECE = 4096
"""How many events of a room are held in memory at most; a longer room is written piece by piece."""


class InTheWay(Exception):  # noqa: N818 - what was found
    """The store has something else where a room of the export belongs; the message says what."""


class Imported(msgspec.Struct, frozen=True):
    """What an import did."""

    rooms: int
    events: int
    there: int
    """Rooms that were in the store already, just as they are in the export."""


class RoomPiece(msgspec.Struct, frozen=True):
    """Some of a room's events as they follow each other in an export."""

    line: RoomLine
    entries: tuple[Entry, ...]
    begins: bool
    ends: bool


Contents = RoomPiece | LogLine


def checked(lines: Callable[[], Iterable[bytes]], sealing: bytes | None) -> Ending:
    """Read an export to its end and return that. Raises `Damaged` unless all of it is as it was written.

    `sealing` None doesn't look at the seal: for an export of another installation, of which only the chains are known.
    """
    ending = checked_seal(lines(), sealing)
    for _ in contents(lines()):
        pass
    return ending


def checked_seal(lines: Iterable[bytes], sealing: bytes | None) -> Ending:
    """Read an export to its end and return that. Raises `Damaged` unless its counts and its seal match."""
    seal, rooms, events, ending = Seal(sealing or b""), 0, 0, None
    for number, line, said in opened(iter(lines)):
        if ending is not None:
            raise Damaged(f"line {number} comes after the end")
        if isinstance(said, Ending):
            ending = said
            if (ending.rooms, ending.events) != (rooms, events):
                raise Damaged(
                    f"its last line counts {ending.rooms} rooms, {ending.events} events; found: {rooms}, {events}"
                )
            if sealing is not None and not seal.matches(ending.seal):
                raise Damaged("the seal does not match: the file was changed, or another installation made it")
            continue
        rooms, events = rooms + isinstance(said, RoomLine), events + isinstance(said, EventLine)
        seal.add(line)
    if ending is None:
        raise Damaged("the end is missing: the file is cut off")
    return ending


def contents(lines: Iterable[bytes]) -> Iterator[Contents]:
    """Yield each room in pieces, then the operators' log. Raises `Damaged` where a chain of digests breaks.

    A room's last piece comes only if its events end where the room does.
    """
    room: RoomLine | None = None
    entries: list[Entry] = []
    head = NOT_BEGUN
    for number, _, said in opened(iter(lines)):
        if isinstance(said, EventLine):
            if room is None:
                raise Damaged(f"line {number}: an event before any room")
            if len(entries) == PIECE:
                yield piece(room, entries, ends=False)
                entries = []
            head = follows(head, said.entry)
            entries.append(said.entry)
            continue
        if room is not None:
            refuse_other_end(room, head)
            yield piece(room, entries, ends=True)
        room, entries, head = (said if isinstance(said, RoomLine) else None), [], NOT_BEGUN
        if isinstance(said, LogLine):
            yield said


def piece(room: RoomLine, entries: list[Entry], *, ends: bool) -> RoomPiece:
    """Return some events of a room."""
    return RoomPiece(room, tuple(entries), begins=not entries or entries[0].version == 1, ends=ends)


def refuse_other_end(room: RoomLine, head: Head) -> None:
    """Raise `Damaged` unless a room's events end where the room does."""
    if head != room.head:
        raise Damaged(f"the room {room.room} ends at version {room.version}, its events at {head.version}")


async def imported(store: Store, lines: Iterable[bytes], progress: Callable[[int], None]) -> Imported:
    """Write the rooms of an export that was checked; a room that is there already is left as it is. Raises `InTheWay`.

    Versions, digests and times stay what they were; what is derived from events is derived again.
    `progress` is called with the number of events written.
    """
    rooms = events = there = 0
    skipped: RoomKey | None = None
    log = {line.data for line in await store.admin_store.logged()}
    async with Pens(store, progress) as pens:
        for part in contents(lines):
            if isinstance(part, LogLine):
                if bytes(part.line) not in log:
                    await store.admin_store.log(bytes(part.line))
            elif part.begins and await is_there(store, part.line):
                there, skipped = there + 1, part.line.key
            elif part.line.key != skipped:
                await pens.write(part)
                rooms, events = rooms + part.begins, events + len(part.entries)
    return Imported(rooms, events, there)


async def is_there(store: Store, line: RoomLine) -> bool:
    """Return whether the store holds a room exactly as the export does. Raises `InTheWay` where it is otherwise."""
    head = (await store.heads([line.key]))[0]
    if head is not None and head != line.head:
        raise InTheWay(f"the room {line.room}:{line.epoch} is in the store already, at version {head.version}")
    return head is not None


class Pens:
    """Writes several rooms at the same time, those of one name one after another."""

    def __init__(self, store: Store, progress: Callable[[int], None]) -> None:
        """Write into this store; `progress` is called with the number of events written."""
        self._store = store
        self._progress = progress
        self._writing: dict[RoomName, asyncio.Task[None]] = {}
        self._pen: Pen | None = None
        """Of the room of which the latest piece was."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, *_rest: object) -> None:
        try:
            while self._writing and kind is None:
                await self._one_less()
        finally:
            for task in self._writing.values():
                task.cancel()
            await asyncio.gather(*self._writing.values(), return_exceptions=True)

    async def write(self, part: RoomPiece) -> None:
        """Begin to write a piece, when the one before it is written; players' notes are in the order of the rooms.

        Raises `InTheWay`.
        """
        while part.line.room in self._writing or len(self._writing) >= AT_ONCE:
            await self._one_less()
        if part.begins or self._pen is None:
            self._pen = Pen(self._store, part.line, game_of(part.entries[0]))
        history = [decode(self._pen.game, entry) for entry in part.entries]
        for stored in history:
            await note(self._store, part.line.key, stored)
        self._writing[part.line.room] = asyncio.create_task(self._put_in(self._pen, part, history))

    async def _put_in(self, pen: "Pen", part: RoomPiece, history: list[Stored]) -> None:
        await pen.put_in(list(zip(history, part.entries, strict=True)), ends=part.ends)
        self._progress(len(history))

    async def _one_less(self) -> None:
        """Wait until a room is written. Raises `InTheWay`."""
        await asyncio.wait(self._writing.values(), return_when=asyncio.FIRST_COMPLETED)
        for name in [name for name, task in self._writing.items() if task.done()]:
            self._writing.pop(name).result()


class Pen:
    """Writes one room command by command, from events that come in pieces."""

    def __init__(self, store: Store, line: RoomLine, game: str) -> None:
        """Begin with a room of this game."""
        self.game = game
        self._store = store
        self._line = line
        self._room: Room | None = None
        self._at = NOT_BEGUN
        self._command: list[tuple[Stored, Entry]] = []
        """The events of the latest command, which may go on in the next piece."""

    async def put_in(self, pairs: Sequence[tuple[Stored, Entry]], *, ends: bool) -> None:
        """Write the commands that are complete. Raises `InTheWay`."""
        grouped = groupby([*self._command, *pairs], key=lambda pair: pair[0].recorded.command)
        commands = [list(command) for _, command in grouped]
        self._command = [] if ends else commands.pop()
        for command in commands:
            self._room, self._at = await put_command(self._store, self._line, self._room, self._at, command)


async def put_command(
    store: Store, line: RoomLine, before: Room | None, at: Head, history: Sequence[tuple[Stored, Entry]]
) -> tuple[Room, Head]:
    """Write one command's events and return the room after them. Raises `InTheWay`."""
    room = before
    for stored, _ in history:
        room = evolve(room, stored.recorded)
    if room is None:
        raise LookupError
    recorded, entries = [stored.recorded for stored, _ in history], tuple([entry for _, entry in history])
    written = batch(before, room, recorded, entries, due_at(room))
    try:
        await (begin(store, line, written) if before is None else store.append(line.key, at, written))
    except Conflict as conflict:
        raise InTheWay(f"somebody else writes to {line.room}, now at version {conflict.head.version}") from None
    return room, Head(history[-1][1].version, history[-1][1].digest)


async def begin(store: Store, line: RoomLine, written: Batch) -> None:
    """Open a room; one that is closed by now may have lost its name to a later one. Raises `InTheWay`."""
    try:
        await store.open(line.key, written)
    except NameTaken:
        if line.live:
            raise InTheWay(f"another room has the name {line.room}; close it first") from None
        await store.append(line.key, NOT_BEGUN, written)


async def note(store: Store, key: RoomKey, stored: Stored) -> None:
    """Note the room under the player who came in."""
    event = stored.recorded.event
    if isinstance(event, RoomOpened) and stored.recorded.by is not None:
        await store.remember_room(stored.recorded.by, key)
    elif isinstance(event, PlayerJoined):
        await store.remember_room(event.player, key)
