"""Entries of the match index as they are shown: compared with their room, and with nicknames."""

from collections.abc import Sequence

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from service.domain.ids import Version
from service.domain.room.model.events import Recorded
from service.domain.room.model.settings import CopiedPosition
from service.domain.room.model.state import Room
from service.domain.room.subjects.matches import copy_position
from service.rooms.match_index import ENTRY, MatchEntry, kind_of, nicknames_of, room_of_match
from service.rooms.repository import LoadedRoom, RoomRepository
from service.store.integrity import BrokenHistory
from service.store.player_names import PlayerNames
from service.streams.errors import ServiceError
from service.streams.history import StreamHistory
from service.streams.reader import UNREADABLE, damaged

MOST_COPIED = 2_000
"""Up to how many events of a match its positions can be copied; a copy has at most some 200 KB."""


class MatchEntries:
    """Reads entries. Methods raise `ServiceError` (`history_damaged`)."""

    def __init__(self, repository: RoomRepository, past: StreamHistory[Room]) -> None:
        """Read from the store of the repository."""
        self._repository = repository
        self._store = repository.store
        self._past = past

    async def of(self, live: LoadedRoom, numbers: Sequence[int]) -> list[MatchEntry]:
        """Return the entries of matches of a room by number, without missing ones."""
        room = live.state  # before the index is read, which may be newer
        try:
            found = await self._store.matches(live.key, numbers)
            entries = {number: data and ENTRY.decode(data) for number, data in zip(numbers, found, strict=True)}
        except (BrokenHistory, *UNREADABLE) as broken:
            raise damaged(live.key, broken) from None
        for number, entry in entries.items():
            has_begun = 1 <= number <= room.table.matches
            has_ended = number < room.table.matches or room.playing is None
            if has_begun and (not entry or (has_ended and entry.last is None)):
                raise damaged(live.key, f"the index has no entry for match {number}, or it lacks the match's end")
        return [await self.named(await self.completed(entry)) for entry in entries.values() if entry]

    async def completed(self, entry: MatchEntry) -> MatchEntry:
        """Return an entry with how the match ended, which earlier releases did not store.

        It is found out from the room's events; the entry is returned as it is if they are damaged or no longer stored.
        """
        if entry.lacks_ending:
            ended = await self._room_at(entry, entry.last or entry.first)
            if ended is not None and ended.match is not None:
                return replace(entry, kind=kind_of(ended, ended.match))
        return entry

    async def named(self, entry: MatchEntry) -> MatchEntry:
        """Return an entry with the nicknames that its players had when the match started.

        What an earlier release left out is read from the room's events: who had left, and who was declared a bot.
        """
        if entry.is_incomplete:
            started = await self._room_at(entry, entry.first)
            if started is not None and started.match is not None:
                nicknames, refs = nicknames_of(started.match)
                entry = replace(entry, nicknames=nicknames, name_refs=refs, programs=started.match.programs)
        return await name_match(self._store.player_names, entry)

    async def position(self, live: LoadedRoom, entry: MatchEntry, version: Version) -> CopiedPosition:
        """Return a copy of the position of a match at a version, or after all events of the same command.

        Raises `ServiceError` (`rated_match`, `no_such_version`, `position_too_late`), `Rejected` (`position_over`), and
        what reading events raises.
        """
        last = entry.last or live.head.version
        if entry.last is None and entry.kind is not UNSET and entry.kind.rated:
            raise ServiceError("rated_match")
        if not entry.first <= version <= last:
            raise ServiceError("no_such_version", version=last)
        history: list[Recorded] = []
        async for page in self._past.pages(live, Version(entry.first - 1), last):
            history += [recorded for recorded in page if recorded.command <= version]
            if len(history) > MOST_COPIED:
                raise ServiceError("position_too_late", params={"most": MOST_COPIED})
            if page[-1].command > version:
                break
        return copy_position(history, version)

    async def _room_at(self, entry: MatchEntry, version: Version) -> Room | None:
        """Return the room of a match at a version; None if its events are damaged, or no longer stored."""
        try:
            return await self._past.at(await self._repository.by_key(room_of_match(entry.id)[0]), version)
        except ServiceError:
            return None


async def name_match(names: PlayerNames, entry: MatchEntry) -> MatchEntry:
    """Return the index entry of a match with the nicknames of its players."""
    refs = entry.name_refs or (None,) * len(entry.players)
    shown = [
        None if player is None or nickname is None else await names.shown(player, nickname, ref or msgspec.UNSET)
        for player, nickname, ref in zip(entry.players, entry.nicknames, refs, strict=True)
    ]
    return replace(entry, nicknames=tuple(shown))
