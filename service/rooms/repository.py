"""The rooms in the memory of this process."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import cast

import structlog
from msgspec.structs import replace

from service.domain.game import Event
from service.domain.ids import Millis, PlayerId, RoomKey, RoomName
from service.domain.room.model.state import Member, Room
from service.domain.streams import Stored
from service.rooms.kind import NAMING, ROOMS
from service.rooms.presence_counts import PresenceCounts
from service.store.contract import Store, StoreFull
from service.store.player_names import PlayerNames
from service.store.stream_keys import StreamKey
from service.streams.errors import ServiceError
from service.streams.heartbeat import Heartbeat
from service.streams.loaded import LoadedStream
from service.streams.repository import StreamRepository

log = structlog.get_logger()


class RoomNames:
    """Looks up the nicknames in rooms."""

    events: tuple[type[Event], ...] = NAMING

    def __init__(self, names: PlayerNames) -> None:
        self._names = names

    async def in_event(self, stored: Stored) -> Stored:
        """Return an event with the nickname to which it refers, if any."""
        event = stored.recorded.event
        if not isinstance(event, NAMING):
            return stored
        nickname = await self._names.shown(event.player, event.nickname, event.name_ref)
        return replace(stored, recorded=replace(stored.recorded, event=replace(event, nickname=nickname)))

    async def in_state(self, room: Room) -> Room:
        """Return a room with the nicknames of its members."""
        members = {
            player: member if member.bot else await self._in_member(player, member)
            for player, member in room.table.members.items()
        }
        return replace(room, table=replace(room.table, members=members))

    async def _in_member(self, player: PlayerId, member: Member) -> Member:
        return replace(member, nickname=await self._names.shown(player, member.nickname, member.name_ref))


class LoadedRoom(LoadedStream[Room]):
    """One room in memory, with what a process knows of it besides its events."""

    key: RoomKey

    def __init__(self, key: StreamKey) -> None:
        """Start before the first event."""
        super().__init__(ROOMS, key)
        self.presence: PresenceCounts | None = None
        """Who is connected; None if the room has no subscriber in this process."""
        self.visited = Millis(0)
        """When a visit was last recorded: a request of a player for this room."""
        self.noted: dict[PlayerId, Millis] = {}
        """Until when no further request of a seated player has to be recorded."""
        self.kept_until = Millis(0)
        """Until when the creator's requests to this process keep the room open, if no other player has entered it."""
        self.predecessors: dict[PlayerId | None, list[RoomKey]] = {}
        """Rooms that had this name before, by their former members, as far as requested."""

    def mentions(self, player: PlayerId) -> bool:
        """Return whether a player is a member, or has joined or declined an invitation in the latest events."""
        recent = (stored.recorded.event for stored in self.recent)
        return player in self.state.table.members or any(
            isinstance(event, NAMING) and event.player == player for event in recent
        )


class RoomRepository(StreamRepository[Room]):
    """Loads and caches rooms, which are also found by their names."""

    def __init__(self, store: Store, size: int, heartbeat: Heartbeat | None = None) -> None:
        """Cache up to `size` rooms, and more only if they are followed; the `heartbeat` keeps those up to date."""
        super().__init__(store, ROOMS, size, heartbeat, RoomNames(store.player_names))
        self._named: dict[RoomName, LoadedRoom] = {}
        """By name, the room that was last found or added; it may be closed."""

    def new(self, key: StreamKey) -> LoadedRoom:
        """Return a room before its first event, which is not cached yet."""
        return LoadedRoom(key)

    def add(self, stream: LoadedStream[Room]) -> None:
        """Cache a room, also by its name."""
        self._named[RoomName(stream.key.name)] = cast("LoadedRoom", stream)
        super().add(stream)

    def evict(self, stream: LoadedStream[Room]) -> None:
        """Remove a room from memory."""
        super().evict(stream)
        name = RoomName(stream.key.name)
        if self._named.get(name) is stream:
            del self._named[name]

    async def by_name(self, name: RoomName) -> LoadedRoom:
        """Return the open room of this name, which may be behind the store. Raises `ServiceError` (`no_such_room`)."""
        live = self.cached_by_name(name)
        if live is not None:
            return live
        epoch = await self.store.open_epoch(name)
        if epoch is None:
            raise ServiceError("no_such_room")
        live = await self.by_key(RoomKey(name, epoch))
        if self.cached(live.key) is live:  # it may have been evicted meanwhile
            self._named[name] = live
        return live

    def cached_by_name(self, name: RoomName) -> LoadedRoom | None:
        """Return the open room of this name if it is in memory."""
        live = self._named.get(name)
        if live is None or live.state.table.status == "closed":
            return None
        if live.key in self._idle:
            self._idle.move_to_end(live.key)
        return live

    def followed(self, key: RoomKey) -> LoadedRoom | None:
        """Return a room if it is in memory."""
        return cast("LoadedRoom", self.cached(key))

    async def by_key(self, key: RoomKey) -> LoadedRoom:
        """Return a room by its key, open or closed, which may be behind the store. Raises what `get` raises."""
        return cast("LoadedRoom", await self.get(key))

    async def current_room(self, key: RoomKey) -> LoadedRoom:
        """Return a room by its key, up to date. Raises what `get` raises."""
        return cast("LoadedRoom", await self.current(key))

    async def refresh(self, stream: LoadedStream[Room]) -> None:
        """Bring a room up to date, unless the store is full and does not answer."""
        with suppress(StoreFull):
            await super().refresh(stream)

    async def find(self, key: RoomKey) -> LoadedRoom | None:
        """Return a room by its key, up to date; None if it never existed or was lost."""
        try:
            return await self.current_room(key)
        except ServiceError as refused:
            if refused.problem.code != "no_such_room":
                raise
            return None

    async def open_rooms(self, keys: Iterable[RoomKey], player: PlayerId | None) -> list[LoadedRoom]:
        """Return those of some rooms that are open and have this member, up to date.

        A room that is missing or damaged hides no other; a damaged one is logged.
        """
        found = await asyncio.gather(*map(self._readable, keys))
        tables = [(live, live.state.table) for live in found if live is not None]
        return [live for live, table in tables if player in table.members and table.status != "closed"]

    async def _readable(self, key: RoomKey) -> LoadedRoom | None:
        try:
            return await self.find(key)
        except ServiceError as refused:
            log.warning("room_left_out", room=key.name, epoch=key.epoch, code=refused.problem.code)
            return None

    async def reload_rooms_of(self, player: PlayerId) -> None:
        """Load again all rooms in memory that contain a player whose nickname was erased."""
        for live in self.all_cached():
            if isinstance(live, LoadedRoom) and live.mentions(player):
                await self.reload(live)
