"""The lobby's feed: the newest rooms first, then every entry that changes.

A subscriber gets the rooms that its filter selects.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Protocol

import msgspec
import structlog
from msgspec import UNSET

from service.domain.ids import Millis, PlayerId, RoomKey, RoomName
from service.rooms.feeds import frames
from service.rooms.feeds.frames import FrameReceiver, OutgoingFrame
from service.rooms.feeds.lobby_cache import CACHED_ROOMS, LobbyCache, LobbyPage, NewestRooms
from service.rooms.views.lobby_entry import LobbyEntry, readable_entry
from service.store.contract import Batch, Store, StoreUnavailable, place_before
from service.streams.background import BackgroundTasks

Changes = dict[RoomKey, LobbyEntry | None]
"""The latest entry of each room that changed, None for a room that is no longer listed."""


class LobbyFilter(msgspec.Struct, frozen=True):
    """Which rooms are shown."""

    game: str | None = None
    """Only rooms of this game."""
    joinable: bool = False
    """Only rooms in which others can take a seat."""

    def shows(self, entry: LobbyEntry, now: Millis) -> bool:
        """Return whether a room is shown."""
        return self.game in {None, entry.game} and (not self.joinable or entry.is_joinable(now))


EVERYTHING = LobbyFilter()


def change_frames(changes: Changes, wanted: LobbyFilter, now: Millis) -> list[OutgoingFrame]:
    """Return the frames for changes: first the removed rooms, then the new and changed ones.

    A room that can no longer be joined is removed, whether it was shown before or not.
    """
    gone = [key for key, entry in changes.items() if entry is None or (wanted.joinable and not entry.is_joinable(now))]
    entries = tuple([entry for entry in changes.values() if entry is not None and wanted.shows(entry, now)])
    changed = [removal_frame(gone)] if gone else []
    return [*changed, frames.encode_frame(frames.LobbyFrame(upsert=entries), frames.LOBBY)] if entries else changed


def removal_frame(gone: Iterable[RoomKey]) -> OutgoingFrame:
    """Return the frame for rooms that are no longer shown."""
    rooms = tuple(frames.LobbyRoom(key.name, key.epoch) for key in gone)
    return frames.encode_frame(frames.LobbyFrame(remove=rooms), frames.LOBBY)


class AbandonedRooms:
    """Rooms that can still be joined for some time although everybody has left; that ends without an event."""

    def __init__(self) -> None:
        """Start without any."""
        self._rooms: dict[RoomKey, LobbyEntry] = {}

    def note(self, key: RoomKey, entry: LobbyEntry | None, now: Millis) -> None:
        """Take the current entry of a room."""
        self._rooms.pop(key, None)
        if entry is not None and entry.abandoned_at is not None and entry.is_joinable(now):
            self._rooms[key] = entry

    def take_ended(self, now: Millis) -> list[RoomKey]:
        """Return and forget the rooms that can no longer be joined."""
        ended = [key for key, entry in self._rooms.items() if not entry.is_joinable(now)]
        for key in ended:
            del self._rooms[key]
        return ended


log = structlog.get_logger()

SNAPSHOT_SIZE = 200
"""How many rooms the first frame has; older ones are read in pages."""

PAUSE = 0.1
"""Seconds for which changes are collected, so that a room that changes often is sent once."""

PAUSE_AFTER_FAILURE = 1.0
BATCH = 200
"""How many subscribers get a frame before the event loop gets a turn."""

LOOK_FOR_ABANDONED = 1.0
"""The interval in seconds in which rooms are looked for that can no longer be joined since everybody has left."""


class LobbySubscriber(FrameReceiver, Protocol):
    """A subscriber of the lobby, or of some of its rooms."""

    wanted: LobbyFilter

    @property
    def player(self) -> PlayerId | None:
        """The player, None for a client without a token."""


class LobbyObserver(Protocol):
    """Follows the lobby's chat while the lobby has subscribers."""

    async def begin_lobby(self) -> None:
        """Start to follow the lobby's chat."""

    async def end_lobby(self) -> None:
        """Stop following the lobby's chat."""


class Lobby:
    """The lobby, for all its subscribers in this process."""

    def __init__(self, store: Store, observer: LobbyObserver, now: Callable[[], Millis]) -> None:
        self._store = store
        self._now = now
        self._observer = observer
        self._cache = LobbyCache(store, self)
        self.subscribers: dict[LobbySubscriber, bool] = {}
        """The subscribers, and whether the newest rooms were sent to them."""
        self._snapshots: dict[LobbyFilter, OutgoingFrame] = {}
        """The frame with the newest rooms by filter, for one revision of the list and one second."""
        self._snapshots_of: tuple[NewestRooms, int, int] | None = None
        self._changed: Changes = {}
        self._sending: asyncio.Task[None] | None = None
        self._showing: asyncio.Task[None] | None = None
        self._abandoned = AbandonedRooms()
        self._removing: asyncio.Task[None] | None = None
        self._background = BackgroundTasks("lobby_not_sent")
        self._lock = asyncio.Lock()
        self._listening = False

    async def page(self, cursor: str | None, limit: int) -> LobbyPage:
        """Return a page of the lobby, newest room first. Raises `ValueError` for an invalid cursor."""
        before = None if cursor is None else place_before(cursor)
        shown = (await self._cache.current()).page(before, limit)
        if shown is not None:
            return shown
        page = await self._store.lobby(cursor, limit)
        found = [readable_entry(key, data) for key, data in page.entries]
        return LobbyPage([each.entry for each in found if each is not None], page.next)

    async def watchable(self) -> list[LobbyEntry]:
        """Return the cached rooms that admit spectators, newest room first. Raises `StoreUnavailable`."""
        newest_rooms = await self._cache.current()
        return newest_rooms.newest(CACHED_ROOMS, shows=lambda entry: entry.spectators).entries

    async def follow(self, subscriber: LobbySubscriber) -> None:
        """Send a subscriber the newest rooms, then every change."""
        self.subscribers[subscriber] = False
        try:
            await self._subscribe()
            newest_rooms = await self._cache.current()
        except BaseException:
            self.unfollow(subscriber)
            raise
        self._send_snapshot(subscriber, newest_rooms)
        if subscriber.wanted.joinable and self._removing is None:
            self._removing = asyncio.create_task(self._remove_abandoned())

    def unfollow(self, subscriber: LobbySubscriber) -> None:
        """Remove a subscriber; after the last one stop following the lobby."""
        self.subscribers.pop(subscriber, None)
        if not self.subscribers:
            self._background.start(self._unsubscribe())

    def send(self, frame: OutgoingFrame, is_for: Callable[[LobbySubscriber], bool]) -> None:
        """Send a frame to the subscribers for whom `is_for` returns True."""
        self._background.start(self._send_to_all(frame, is_for))

    async def _send_to_all(self, frame: OutgoingFrame, is_for: Callable[[LobbySubscriber], bool]) -> None:
        for count, subscriber in enumerate(list(self.subscribers)):
            if subscriber in self.subscribers and is_for(subscriber):
                subscriber.offer(frame)
            if count % BATCH == BATCH - 1:
                await asyncio.sleep(0)

    def resync(self, subscriber: LobbySubscriber) -> None:
        """Send the newest rooms again to a subscriber that fell behind."""
        self._background.start(self._resync([subscriber]))

    def written(self, key: RoomKey, batch: Batch) -> None:
        """Add what this process has just written to the cache, so that its sender finds it in the lobby."""
        if batch.lobby is None:
            self._cache.note(key, None)
        elif batch.lobby is not UNSET:
            self._cache.note(key, batch.lobby.data)

    def is_followed(self) -> bool:
        """Return whether the lobby has subscribers."""
        return bool(self.subscribers)

    def changed(self, key: RoomKey, data: bytes | None) -> None:
        """Send the new entry of a room to all subscribers soon."""
        if self.subscribers:
            found = None if data is None else readable_entry(key, data)
            entry = self._changed[key] = None if found is None else found.entry
            self._abandoned.note(key, entry, self._now())
            if self._sending is None:
                self._sending = asyncio.create_task(self._send_changes())

    def missed(self) -> None:
        """Send the newest rooms to all subscribers again, once, even if several channels report missed changes."""
        if self.subscribers and self._showing is None:
            self._showing = asyncio.create_task(self._resync_all())

    async def _resync_all(self) -> None:
        await asyncio.sleep(PAUSE)
        self._showing = None
        await self._resync(list(self.subscribers))

    async def _subscribe(self) -> None:
        async with self._lock:
            if not self._listening:
                await self._observer.begin_lobby()
                self._listening = True

    async def _unsubscribe(self) -> None:
        async with self._lock:
            if self._listening and not self.subscribers:
                self._listening = False
                await self._observer.end_lobby()

    async def _send_changes(self) -> None:
        await asyncio.sleep(PAUSE)
        self._sending = None
        changes, self._changed, now = self._changed, {}, self._now()
        by_filter: dict[LobbyFilter, list[OutgoingFrame]] = {}
        for count, (subscriber, is_shown) in enumerate(list(self.subscribers.items())):
            if is_shown:
                if subscriber.wanted not in by_filter:
                    by_filter[subscriber.wanted] = change_frames(changes, subscriber.wanted, now)
                for frame in by_filter[subscriber.wanted]:
                    subscriber.offer(frame)
            if count % BATCH == BATCH - 1:
                await asyncio.sleep(0)

    async def _remove_abandoned(self) -> None:
        """Remove rooms that can no longer be joined, as long as anybody follows those that can."""
        while any(subscriber.wanted.joinable for subscriber in self.subscribers):
            await asyncio.sleep(LOOK_FOR_ABANDONED)
            if ended := self._abandoned.take_ended(self._now()):
                self._snapshots_of = None
                await self._send_to_all(removal_frame(ended), lambda subscriber: subscriber.wanted.joinable)
        self._removing = None

    def _send_snapshot(self, subscriber: LobbySubscriber, newest_rooms: NewestRooms) -> None:
        """Send the newest rooms to a subscriber."""
        if subscriber in self.subscribers:
            self.subscribers[subscriber] = True
            subscriber.offer(self._snapshot(newest_rooms, subscriber.wanted))

    def _snapshot(self, newest_rooms: NewestRooms, wanted: LobbyFilter) -> OutgoingFrame:
        """Return the frame with the newest rooms, which is encoded once per change of the lobby and second."""
        now = self._now()
        at = (newest_rooms, newest_rooms.revision, now // 1000)
        if self._snapshots_of != at:
            self._snapshots, self._snapshots_of = {}, at
        if wanted not in self._snapshots:
            shown = newest_rooms.newest(
                SNAPSHOT_SIZE, shows=None if wanted == EVERYTHING else partial(wanted.shows, now=now)
            )
            for entry in shown.entries if wanted.joinable else ():
                self._abandoned.note(RoomKey(RoomName(entry.room), entry.epoch), entry, now)
            frame = frames.LobbyFrame(upsert=tuple(shown.entries), snapshot=True, next=shown.next)
            self._snapshots[wanted] = frames.encode_frame(frame, frames.LOBBY)
        return self._snapshots[wanted]

    async def _resync(self, subscribers: Sequence[LobbySubscriber]) -> None:
        """Send the newest rooms to subscribers again, as soon as the store answers."""
        for begin in range(0, len(subscribers), BATCH):
            newest_rooms = await self._renewed()
            for subscriber in subscribers[begin : begin + BATCH]:
                self._send_snapshot(subscriber, newest_rooms)
            await asyncio.sleep(0)

    async def _renewed(self) -> NewestRooms:
        while True:
            try:
                return await self._cache.renewed()
            except StoreUnavailable as failure:
                log.warning("lobby_not_read", error=str(failure))
                await asyncio.sleep(PAUSE_AFTER_FAILURE)
