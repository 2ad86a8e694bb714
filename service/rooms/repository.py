"""The rooms that this process holds in memory, loaded from the store and kept level with it."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Sequence
from itertools import groupby
from typing import Protocol

import msgspec
import structlog

from service.domain.room.model.ids import RoomKey, RoomName
from service.rooms.errors import ServiceError
from service.rooms.history.loader import load_room
from service.rooms.history.reader import SLICE, damaged, decode_in_slices
from service.rooms.room import LoadedRoom
from service.store.codec import Stored
from service.store.contract import Entry, Head, Store, StoreUnavailable, Trimmed
from service.store.integrity import BrokenHistory, following, is_signed

log = structlog.get_logger()

BUSY_SKIPPED = 8
"""How many rooms at work are passed over for a room that is put away; then memory holds one more for a while."""


class RoomListener(Protocol):
    """Whoever hears of events that other processes wrote."""

    def broadcast(self, live: LoadedRoom, history: Sequence[Stored]) -> None:
        """Tell one command's events, right after they were folded."""

    def resync_all(self, live: LoadedRoom) -> None:
        """Tell that the room's history is another one now."""

    def close_room(self, live: LoadedRoom, code: str) -> None:
        """Tell why the room can't be followed any more: the store has lost it, or it can't be read."""


class RoomRepository:
    """Live rooms by key. A room that somebody follows is never put away, nor is one that is at work."""

    def __init__(self, store: Store, listener: RoomListener, size: int) -> None:
        """Keep up to `size` rooms."""
        self.store = store
        self._listener = listener
        self._size = size
        self._rooms: dict[RoomKey, LoadedRoom] = {}
        self._idle: OrderedDict[RoomKey, LoadedRoom] = OrderedDict()
        """Those that nobody follows, least recently used first."""
        self._loading: dict[RoomKey, asyncio.Task[LoadedRoom]] = {}
        self._named: dict[RoomName, LoadedRoom] = {}
        """Of each name the room that was last looked for or put here; it may be closed."""
        self._unread: dict[RoomKey, LoadedRoom] = {}
        """Rooms whose news could not be read because the store was away."""
        self._reading: asyncio.Task[None] | None = None
        self.read_again_after = 0.2
        """Seconds between attempts to read their news."""

    async def by_name(self, name: RoomName) -> LoadedRoom:
        """Return the live room of this name, perhaps behind the store. Refuses `no_such_room`."""
        live = self.cached_by_name(name)
        if live is not None:
            return live
        epoch = await self.store.live(name)
        if epoch is None:
            raise ServiceError("no_such_room")
        live = await self.by_key(RoomKey(name, epoch))
        if live.key in self._rooms:  # it may have been put away again meanwhile
            self._named[name] = live
        return live

    def cached_by_name(self, name: RoomName) -> LoadedRoom | None:
        """Return the live room of this name if it is in memory."""
        live = self._named.get(name)
        if live is None or live.room.table.status == "closed":
            return None
        self._use(live)
        return live

    async def by_key(self, key: RoomKey) -> LoadedRoom:
        """Return a room by its key, closed ones too, perhaps behind the store."""
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
        """Put a room on the shelf and put the longest unused ones away."""
        self._named[live.key.name] = self._rooms[live.key] = self._idle[live.key] = live
        self._use(live)
        self._evict(live)
        return live

    def pin(self, live: LoadedRoom) -> None:
        """Keep a room in memory from now on, for somebody begins to follow it."""
        self._idle.pop(live.key, None)

    def unpin(self, live: LoadedRoom) -> None:
        """Put a room away when its turn comes, for nobody follows it any more."""
        if self._rooms.get(live.key) is live:
            self._idle[live.key] = live
            self._evict(live)

    def _use(self, live: LoadedRoom) -> None:
        if live.key in self._idle:
            self._idle.move_to_end(live.key)

    def _evict(self, newest: LoadedRoom) -> None:
        """Put the longest unused rooms away, but not the newest; those at work count as used now."""
        surplus = len(self._rooms) - self._size
        for _ in range(min(len(self._idle), max(0, surplus) + BUSY_SKIPPED)):
            if len(self._rooms) <= self._size:
                return
            live = next(iter(self._idle.values()))
            if live is newest or live.lock.locked():
                self._idle.move_to_end(live.key)
            else:
                self._put_away(live)

    def _put_away(self, live: LoadedRoom) -> None:
        self._rooms.pop(live.key, None)
        self._idle.pop(live.key, None)
        if self._named.get(live.key.name) is live:
            del self._named[live.key.name]

    def count(self) -> int:
        """Return how many rooms are at hand."""
        return len(self._rooms)

    def watched(self) -> list[LoadedRoom]:
        """Return the rooms that somebody watches."""
        return [live for live in self._rooms.values() if live.watchers]

    def cached(self, key: RoomKey) -> LoadedRoom | None:
        """Return a room if it is in memory."""
        return self._rooms.get(key)

    async def _load(self, key: RoomKey) -> LoadedRoom:
        return self.add(await load_room(self.store, key))

    def locked(self, live: LoadedRoom) -> "RoomLock":
        """Hold a room's lock; news heard of meanwhile are read before it is let go."""
        return RoomLock(self, live)

    async def release(self, live: LoadedRoom) -> None:
        """Read what was heard of meanwhile, and let go; what was done under the lock stands even if that fails."""
        try:
            await self.sync_notified(live)
        except (ServiceError, StoreUnavailable) as failure:
            log.warning("news_not_read", room=live.key.name, error=str(failure))
            if isinstance(failure, StoreUnavailable):
                self._read_again(live)
        finally:
            live.lock.release()

    def _read_again(self, live: LoadedRoom) -> None:
        """Have the news of a room read when the store answers again; no other notification may come."""
        self._unread[live.key] = live
        if self._reading is None or self._reading.done():
            self._reading = asyncio.create_task(self._read_unread())

    async def _read_unread(self) -> None:
        """Read the news of each room where that failed. One room at a time asks whether the store is back."""
        while self._unread:
            await asyncio.sleep(self.read_again_after)
            waiting, self._unread = self._unread, {}
            for key, live in waiting.items():
                if self._unread:  # the store is still away
                    self._unread.setdefault(key, live)
                elif self._rooms.get(key) is live:
                    async with self.locked(live):
                        pass  # releasing the lock reads the news

    async def sync_notified(self, live: LoadedRoom) -> None:
        """Read the news that notifications told of. The caller holds the room's lock."""
        while (heard := live.heard) > live.head.version:
            await self.sync(live)
            if live.heard == heard:
                live.heard = live.head.version

    async def sync(self, live: LoadedRoom, head: Head | None = None) -> bool:
        """Bring a room level with the store and tell whether it was behind. The caller holds the room's lock.

        Where the store's history is not a continuation of ours, it was lost or replaced: the room is loaded anew.
        """
        head = head or (await self.store.heads([live.key]))[0]
        if head == live.head:
            return False
        if head is None or head.version <= live.head.version or not await self._catch_up(live, head):
            await self._replace(live)
        return True

    async def _catch_up(self, live: LoadedRoom, head: Head) -> bool:
        """Fold what others wrote up to a head or further; return whether the store has that as a continuation."""
        try:
            entries = await self.store.read(live.key, live.head.version)
        except Trimmed:
            return False
        if not continues(self.store, live, entries) or live.head.version + len(entries) < head.version:
            return False
        history = await decode_in_slices(live.key, live.room.table.game, entries)
        if live.signed is None and is_signed(self.store.signer, live.key, entries[-1]):
            live.signed = entries[-1].version
        for _, command in groupby(history, key=lambda stored: stored.recorded.command):
            told = list(command)
            for stored in told:
                live.apply(stored)
            self._listener.broadcast(live, told)
            if len(history) > SLICE and live.head.version // SLICE != (told[0].recorded.version - 1) // SLICE:
                await asyncio.sleep(0)
        return True

    async def _replace(self, live: LoadedRoom) -> None:
        log.warning("history_replaced", room=live.key.name, epoch=live.key.epoch, version=live.head.version)
        try:
            fresh = await load_room(self.store, live.key)
            await self._refuse_other_head(fresh)
        except ServiceError as refused:
            self._put_away(live)
            self._listener.close_room(live, refused.problem.code)
            raise
        live.take_over(fresh)
        self._listener.resync_all(live)

    async def _refuse_other_head(self, fresh: LoadedRoom) -> None:
        """Refuse `history_damaged` where the head key names another end than the events of a room just loaded."""
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
    """A room's lock, from load to fold, as a context."""

    repository: RoomRepository
    live: LoadedRoom

    def __aenter__(self) -> Awaitable[object]:
        """Wait for the lock."""
        return self.live.lock.acquire()

    def __aexit__(self, *_: object) -> Awaitable[None]:
        """Let go."""
        return self.repository.release(self.live)


def continues(store: Store, live: LoadedRoom, entries: Sequence[Entry]) -> bool:
    """Return whether these entries were written behind what a process holds; where they do not, it loads anew."""
    head = live.head
    try:
        for entry in entries:
            head = following(head, entry)
        signed = not entries or is_signed(store.signer, live.key, entries[-1])
    except BrokenHistory:
        return False
    return signed or live.signed is None or store.signer.accepts_unsigned
