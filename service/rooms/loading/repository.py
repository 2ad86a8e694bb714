"""The rooms in the memory of this process, which are loaded from the store and synced with it."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Sequence
from contextlib import suppress
from itertools import groupby
from typing import Protocol

import msgspec
import structlog

from service.domain.room.model.ids import PlayerId, RoomKey, RoomName, Version
from service.rooms.errors import ServiceError
from service.rooms.loading.loader import load_room
from service.rooms.loading.reader import SLICE, continues, damaged, read_entries
from service.rooms.loading.room import LoadedRoom
from service.store.codec import Stored
from service.store.contract import Head, Store, StoreFull, StoreUnavailable, Trimmed
from service.store.integrity import is_signed

log = structlog.get_logger()

BUSY_SKIPPED = 8
"""How many locked rooms are skipped in search of one to evict; after that, memory holds one more for a while."""


class RoomListener(Protocol):
    """Receives the changes of loaded rooms."""

    def broadcast(self, live: LoadedRoom, history: Sequence[Stored]) -> None:
        """Handle one command's events, right after they were folded."""

    def resync_all(self, live: LoadedRoom) -> None:
        """Handle that the room's history was replaced by another one."""

    def close_room(self, live: LoadedRoom, code: str) -> None:
        """Handle that a room can no longer be used: the store has lost it, or it cannot be read."""


class RoomRepository:
    """Loads and caches rooms. Rooms with subscribers and rooms whose lock is held are never evicted."""

    def __init__(self, store: Store, listener: RoomListener, size: int) -> None:
        """Cache up to `size` rooms."""
        self.store = store
        self.listener = listener
        self._size = size
        self._rooms: dict[RoomKey, LoadedRoom] = {}
        self._idle: OrderedDict[RoomKey, LoadedRoom] = OrderedDict()
        """Rooms without subscribers, the least recently used first."""
        self._loading: dict[RoomKey, asyncio.Task[LoadedRoom]] = {}
        self._named: dict[RoomName, LoadedRoom] = {}
        """By name, the room that was last found or added; it may be closed."""
        self._syncing: dict[RoomKey, asyncio.Task[None]] = {}
        self._unread: dict[RoomKey, LoadedRoom] = {}
        """Rooms whose new events could not be read because the store was unavailable."""
        self._retrying: asyncio.Task[None] | None = None
        self.retry_seconds = 0.2
        """Seconds between attempts to read them."""

    async def by_name(self, name: RoomName) -> LoadedRoom:
        """Return the open room of this name, which may be behind the store. Raises `ServiceError` (`no_such_room`)."""
        live = self.cached_by_name(name)
        if live is not None:
            return live
        epoch = await self.store.open_epoch(name)
        if epoch is None:
            raise ServiceError("no_such_room")
        live = await self.by_key(RoomKey(name, epoch))
        if live.key in self._rooms:  # the room may have been evicted meanwhile
            self._named[name] = live
        return live

    def cached_by_name(self, name: RoomName) -> LoadedRoom | None:
        """Return the open room of this name if it is in memory."""
        live = self._named.get(name)
        if live is None or live.room.table.status == "closed":
            return None
        self._use(live)
        return live

    async def by_key(self, key: RoomKey) -> LoadedRoom:
        """Return a room by its key, open or closed, which may be behind the store."""
        live = self._rooms.get(key)
        if live is not None:
            self._use(live)
            return live
        loading = self._loading.get(key)
        if loading is None:
            loading = self._loading[key] = asyncio.create_task(self._load(key))
            loading.add_done_callback(lambda _: self._loading.pop(key, None))
        return await asyncio.shield(loading)

    def add(self, live: LoadedRoom) -> LoadedRoom:
        """Cache a room, and evict the least recently used ones."""
        self._named[live.key.name] = self._rooms[live.key] = self._idle[live.key] = live
        self._use(live)
        self._evict(live)
        return live

    def pin(self, key: RoomKey) -> None:
        """Do not evict a room from now on."""
        self._idle.pop(key, None)

    def unpin(self, key: RoomKey) -> None:
        """Let a room be evicted again."""
        live = self._rooms.get(key)
        if live is not None:
            self._idle[key] = live
            self._evict(live)

    def _use(self, live: LoadedRoom) -> None:
        if live.key in self._idle:
            self._idle.move_to_end(live.key)

    def _evict(self, newest: LoadedRoom) -> None:
        """Evict the least recently used rooms, but not the newest one; locked ones count as used now."""
        surplus = len(self._rooms) - self._size
        for _ in range(min(len(self._idle), max(0, surplus) + BUSY_SKIPPED)):
            if len(self._rooms) <= self._size:
                return
            live = next(iter(self._idle.values()))
            if live is newest or live.lock.locked():
                self._idle.move_to_end(live.key)
            else:
                self._forget(live)

    def _forget(self, live: LoadedRoom) -> None:
        self._rooms.pop(live.key, None)
        self._idle.pop(live.key, None)
        if self._named.get(live.key.name) is live:
            del self._named[live.key.name]

    def count(self) -> int:
        """Return how many rooms are in memory."""
        return len(self._rooms)

    def cached(self, key: RoomKey) -> LoadedRoom | None:
        """Return a room if it is in memory."""
        return self._rooms.get(key)

    async def _load(self, key: RoomKey) -> LoadedRoom:
        return self.add(await load_room(self.store, key))

    # Staying up to date

    def on_notification(self, key: RoomKey, version: Version) -> None:
        """Handle a notification of a new version; 0 if notifications may have been lost."""
        live = self._rooms.get(key)
        if live is None or 0 < version <= live.head.version:
            return
        if version:
            live.notified_version = max(live.notified_version, version)
        else:
            live.missed_notifications += 1
        if not live.lock.locked():
            self.sync_soon(live)

    def sync_soon(self, live: LoadedRoom) -> None:
        """Sync a room in the background, after the current holder of its lock."""
        if live.key not in self._syncing:
            self._syncing[live.key] = asyncio.create_task(self._sync_in_background(live))

    async def _sync_in_background(self, live: LoadedRoom) -> None:
        async with live.lock:
            try:
                await self.sync_notified(live)
            except (ServiceError, StoreUnavailable) as failure:
                log.warning("news_not_read", room=live.key.name, error=str(failure))
                if isinstance(failure, StoreUnavailable):
                    self._retry(live)
            finally:
                self._syncing.pop(live.key, None)

    def _retry(self, live: LoadedRoom) -> None:
        """Sync a room when the store answers again, as there may be no other notification."""
        self._unread[live.key] = live
        if self._retrying is None or self._retrying.done():
            self._retrying = asyncio.create_task(self._sync_unread())

    async def _sync_unread(self) -> None:
        """Sync each room for which that failed. One room at a time tests whether the store is available again."""
        while self._unread:
            await asyncio.sleep(self.retry_seconds)
            waiting, self._unread = self._unread, {}
            for key, live in waiting.items():
                if self._unread:  # the store is still unavailable
                    self._unread.setdefault(key, live)
                elif self._rooms.get(key) is live:
                    await self._sync_in_background(live)

    async def current(self, live: LoadedRoom) -> LoadedRoom:
        """Return the same room, up to date; as in memory while the store is full and does not answer."""
        async with RoomLock(self, live):
            with suppress(StoreFull):
                await self.sync(live)
        return live

    async def find(self, key: RoomKey) -> LoadedRoom | None:
        """Return a room by its key, up to date; None if it never existed or was lost."""
        try:
            return await self.current(await self.by_key(key))
        except ServiceError as refused:
            if refused.problem.code != "no_such_room":
                raise
            return None

    async def sync_notified(self, live: LoadedRoom) -> None:
        """Read the events named by notifications, in one round trip. The caller holds the room's lock.

        If the store has fewer events than named, or other ones, the room is synced with its head.
        """
        while live.has_news:
            notified, missed = live.notified_version, live.missed_notifications
            if missed or not await self._catch_up(live, notified):
                await self.sync(live)
                live.missed_notifications -= missed
                if live.notified_version == notified:
                    live.notified_version = live.head.version

    async def sync(self, live: LoadedRoom, head: Head | None = None) -> bool:
        """Bring a room up to date with the store; return whether it was behind. The caller holds the room's lock.

        If the store's history does not continue that in memory, it was lost or replaced, and the room is loaded again.
        """
        head = head or (await self.store.heads([live.key]))[0]
        if head == live.head:
            return False
        if head is None or head.version <= live.head.version or not await self._catch_up(live, head.version):
            await self._replace(live)
        return True

    async def _catch_up(self, live: LoadedRoom, version: Version) -> bool:
        """Fold events of other processes, at least up to a version; return whether they continue the room's history."""
        try:
            entries = await self.store.read(live.key, live.head.version)
        except Trimmed:
            return False
        if live.head.version + len(entries) < version or not continues(self.store, live, entries):
            return False
        history = await read_entries(self.store, live.key, live.room.table.game, entries)
        if live.signed is None and is_signed(self.store.signer, live.key, entries[-1]):
            live.signed = entries[-1].version
        for _, events in groupby(history, key=lambda stored: stored.recorded.command):
            command = list(events)
            for stored in command:
                live.apply(stored)
            self.listener.broadcast(live, command)
            if len(history) > SLICE and live.head.version // SLICE != (command[0].recorded.version - 1) // SLICE:
                await asyncio.sleep(0)
        return True

    async def _replace(self, live: LoadedRoom) -> None:
        log.warning("history_replaced", room=live.key.name, epoch=live.key.epoch, version=live.head.version)
        try:
            fresh = await load_room(self.store, live.key)
            await self._refuse_other_head(fresh)
        except ServiceError as refused:
            self._forget(live)
            self.listener.close_room(live, refused.problem.code)
            raise
        live.replace_with(fresh)
        self.listener.resync_all(live)

    async def reload_rooms_of(self, player: PlayerId) -> None:
        """Load again all rooms in memory that contain a player whose nickname was erased."""
        for live in [live for live in self._rooms.values() if live.mentions(player)]:
            async with RoomLock(self, live):
                live.replace_with(await load_room(self.store, live.key))
                self.listener.resync_all(live)

    async def _refuse_other_head(self, fresh: LoadedRoom) -> None:
        """Raise `ServiceError` (`history_damaged`) if the head key does not match the events of a loaded room."""
        head = (await self.store.heads([fresh.key]))[0]
        if head == fresh.head:
            return
        if (
            head is None
            or head.version <= fresh.head.version
            or not await self.store.read(fresh.key, fresh.head.version, 1)
        ):
            raise damaged(fresh.key, f"the head does not name the last event, version {fresh.head.version}")


class RoomLock(msgspec.Struct):
    """The lock of a room, as a context. Events that other processes write meanwhile are read soon after."""

    repository: RoomRepository
    live: LoadedRoom

    def __aenter__(self) -> Awaitable[object]:
        """Wait for the lock."""
        return self.live.lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        """Release the lock, and read events that other processes wrote meanwhile."""
        self.live.lock.release()
        if self.live.has_news:
            self.repository.sync_soon(self.live)
