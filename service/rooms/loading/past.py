"""Earlier states of rooms: positions and events, which are read from the store unless they are in memory."""

from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import TypeVar

import msgspec

from service.domain.room.model.events import Recorded
from service.domain.room.model.ids import Version
from service.domain.room.model.state import Room
from service.rooms.errors import ServiceError
from service.rooms.loading.loader import restore_at
from service.rooms.loading.nicknames import name_match
from service.rooms.loading.reader import UNREADABLE, HistoryReader, damaged, read_entries
from service.rooms.loading.room import LoadedRoom
from service.rooms.loading.snapshots import Restored
from service.rooms.match_index import MatchEntry
from service.store.contract import Trimmed
from service.store.integrity import BrokenHistory

T = TypeVar("T")

MATCH = msgspec.json.Decoder(MatchEntry)

POSITIONS = 64
"""The number of recently requested positions that are kept in memory."""

NEAR = 64
"""A kept position is used for versions up to this many events after it, as when a client steps through a match."""

Position = tuple[LoadedRoom, int, Version]
"""A room, its generation, and a version."""


class RoomHistory:
    """Reads earlier states of rooms. Methods raise `ServiceError` (`history_damaged`, `newer_events`, `trimmed`)."""

    def __init__(self, reader: HistoryReader, sync: Callable[[LoadedRoom], Awaitable[object]]) -> None:
        """Take the reader, and `sync`, which updates a room that seems damaged, in case its history was replaced."""
        self._reader = reader
        self._sync = sync
        self._positions: OrderedDict[Position, Restored] = OrderedDict()

    async def at(self, live: LoadedRoom, version: Version) -> Room:
        """Return the room at a version. Raises `ServiceError` (`no_such_version`) in addition."""
        if version == live.head.version:
            return live.room
        if not 1 <= version <= live.head.version:
            raise ServiceError("no_such_version", version=live.head.version)
        near = self._near(live, version)
        if near is not None and near.head.version == version:
            return near.room
        there = await self._proven(live, lambda: restore_at(self._reader, live, version, near))
        self._positions[live, live.generation, version] = there
        if len(self._positions) > POSITIONS:
            self._positions.popitem(last=False)
        return there.room

    def _near(self, live: LoadedRoom, version: Version) -> Restored | None:
        """Return the closest kept position at or shortly before a version."""
        versions = [at for room, generation, at in self._positions if room is live and generation == live.generation]
        closest = max((at for at in versions if version - NEAR <= at <= version), default=None)
        if closest is None:
            return None
        self._positions.move_to_end((live, live.generation, closest))
        return self._positions[live, live.generation, closest]

    async def history(self, live: LoadedRoom, after: Version, limit: int | None = None) -> list[Recorded]:
        """Return up to `limit` events after a version."""
        if (at_hand := live.since(after)) is not None:
            return [stored.recorded for stored in at_hand[:limit]]
        last = live.head.version if limit is None else Version(min(live.head.version, after + limit))
        return [recorded async for page in self.pages(live, after, last) for recorded in page]

    async def pages(self, live: LoadedRoom, after: Version, last: Version) -> AsyncIterator[list[Recorded]]:
        """Yield the events after a version up to another one, page by page."""
        while after < last:
            page = await self._proven(live, lambda after=after: self._reader.next_page(live, after, last))  # type: ignore[misc]  # mypy knows no default of a lambda
            history = await read_entries(self._reader.store, live.key, live.room.table.game, page)
            yield [stored.recorded for stored in history]
            after = page[-1].version

    async def matches(self, live: LoadedRoom, numbers: Sequence[int]) -> list[MatchEntry]:
        """Return the index entries of matches by number, without missing ones."""
        return await self._proven(live, lambda: self._entries(live, numbers))

    async def _entries(self, live: LoadedRoom, numbers: Sequence[int]) -> list[MatchEntry]:
        room = live.room  # before the index is read, which may be newer
        try:
            found = await self._reader.store.matches(live.key, numbers)
            entries = {number: data and MATCH.decode(data) for number, data in zip(numbers, found, strict=True)}
        except (BrokenHistory, *UNREADABLE) as broken:
            raise damaged(live.key, broken) from None
        for number, entry in entries.items():
            has_begun = 1 <= number <= room.table.matches
            has_ended = number < room.table.matches or room.playing is None
            if has_begun and (not entry or (has_ended and entry.last is None)):
                raise damaged(live.key, f"the index has no entry for match {number}, or it lacks the match's end")
        names = self._reader.store.player_names
        return [await name_match(names, entry) for entry in entries.values() if entry]

    async def _proven(self, live: LoadedRoom, read: Callable[[], Awaitable[T]]) -> T:
        """Return the result of a read; read again if the history was replaced meanwhile."""
        generation = live.generation
        try:
            return await read()
        except Trimmed:
            raise ServiceError("trimmed", version=live.head.version) from None
        except ServiceError:
            await self._sync(live)
            if live.generation == generation:
                raise
        return await read()
