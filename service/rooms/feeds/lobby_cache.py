"""A cache of the newest rooms of the lobby, which the lobby's notifications keep up to date."""

import asyncio
import time
from bisect import bisect_left, insort
from collections.abc import Callable
from itertools import islice
from typing import NamedTuple, Protocol

from service.domain.ids import RoomKey
from service.rooms.views.lobby_entry import LobbyEntry, readable_entry
from service.store.contract import Place, Store, cursor_after, place_before, place_in_lobby, room_at

CACHED_ROOMS = 2000
"""How many entries of the newest rooms are cached: about 3 MB. Older ones are read from the store in pages."""

PAGE = 500
"""How many entries are read from the store per query."""

MIN_READ_INTERVAL = 1.0
"""The minimum number of seconds between two reads of the whole list."""

MAX_READ_INTERVAL = 30.0
"""Seconds after which the list is read again, in case changes were lost without being noticed."""

UNUSED_AFTER = 60.0
"""Seconds after the last use of the list at which the subscription to its changes ends."""


Shows = Callable[[LobbyEntry], bool]
"""Returns whether a room is wanted."""


class LobbyPage(NamedTuple):
    """A page of the lobby, newest room first, and the cursor of the next page (None at the end)."""

    entries: list[LobbyEntry]
    next: str | None


class CachedEntry(NamedTuple):
    """A room's place in the lobby and its entry."""

    place: Place
    entry: LobbyEntry


class NewestRooms:
    """The newest rooms by their places: all rooms, or every room that is not before the oldest cached one."""

    def __init__(self) -> None:
        """Start with a lobby without rooms."""
        self._cached: dict[RoomKey, CachedEntry] = {}
        self._places: list[Place] = []
        """Oldest room first."""
        self._floor: Place | None = None
        """Rooms before this place are not cached; None if all rooms are."""
        self.revision = 0
        """The number of changes."""

    async def read(self, store: Store) -> None:
        """Read the newest rooms from the store."""
        cursor: str | None = None
        for _ in range(CACHED_ROOMS // PAGE):
            page = await store.lobby(cursor, PAGE)
            for key, data in page.entries:
                self.change(key, data)
            if (cursor := page.next) is None:
                return
        self._floor = None if cursor is None else place_before(cursor)

    def change(self, key: RoomKey, data: bytes | None) -> None:
        """Set a room's new entry, in its stored form; None or a damaged entry removes the room."""
        self.revision += 1
        if (before := self._cached.pop(key, None)) is not None:
            del self._places[bisect_left(self._places, before.place)]
        found = None if data is None else readable_entry(key, data)
        if found is None:
            return
        place = place_in_lobby(found.opened, key)
        if self._floor is None or place >= self._floor:
            insort(self._places, place)
            self._cached[key] = CachedEntry(place, found.entry)
        if len(self._places) > CACHED_ROOMS:
            del self._cached[room_at(self._places.pop(0))]
            self._floor = self._places[0]

    @property
    def needs_refill(self) -> bool:
        """Whether so many rooms were removed that older ones should be cached in their place."""
        return self._floor is not None and len(self._places) < CACHED_ROOMS // 2

    def page(self, before: Place | None, limit: int) -> LobbyPage | None:
        """Return up to `limit` rooms before a place, None if some of them are not cached."""
        shown = self.newest(limit, before)
        return shown if self._floor is None or len(shown.entries) == limit else None

    def newest(self, limit: int, before: Place | None = None, shows: Shows | None = None) -> LobbyPage:
        """Return up to `limit` cached rooms before a place, with `shows` only some of all."""
        if shows is not None:
            return self._newest_of(limit, shows)
        end = len(self._places) if before is None else bisect_left(self._places, before)
        places = self._places[max(0, end - limit) : end]
        is_last = end <= limit and self._floor is None
        entries = [self._cached[room_at(place)].entry for place in reversed(places)]
        return LobbyPage(entries, None if is_last or not places else cursor_after(places[0]))

    def _newest_of(self, limit: int, shows: Shows) -> LobbyPage:
        wanted = (place for place in reversed(self._places) if shows(self._cached[room_at(place)].entry))
        places = list(islice(wanted, limit))
        entries = [self._cached[room_at(place)].entry for place in places]
        if len(places) == limit:
            return LobbyPage(entries, cursor_after(places[-1]))
        return LobbyPage(entries, None if self._floor is None else cursor_after(self._places[0]))


class LobbyCacheObserver(Protocol):
    """Receives the changes of the lobby."""

    def is_followed(self) -> bool:
        """Return whether the lobby has subscribers."""

    def changed(self, key: RoomKey, data: bytes | None) -> None:
        """Handle a room's new entry, None for a room that is no longer listed."""

    def missed(self) -> None:
        """Handle that changes may have been missed."""


class LobbyCache:
    """The list of a process: read at its first use, then kept up to date by the lobby's notifications."""

    def __init__(self, store: Store, audience: LobbyCacheObserver, clock: Callable[[], float] = time.monotonic) -> None:
        """`clock` is monotonic, in seconds."""
        self._store = store
        self._audience = audience
        self._clock = clock
        self._newest_rooms: NewestRooms | None = None
        self._is_missed = False
        self._read_at = self._used_at = 0.0
        self._reading: asyncio.Task[NewestRooms] | None = None
        self._during: dict[RoomKey, bytes | None] = {}
        """The changes that arrived while the list was read."""
        self._is_listening = False
        self._lock = asyncio.Lock()
        self._stopping: asyncio.Task[None] | None = None

    async def current(self) -> NewestRooms:
        """Return the list, at most a second behind the store. Raises `StoreUnavailable`."""
        now = self._used_at = self._clock()
        if self._newest_rooms is not None and (
            now - self._read_at < MIN_READ_INTERVAL or not self._is_doubtful(self._newest_rooms)
        ):
            return self._newest_rooms
        if self._reading is None:
            self._reading = asyncio.create_task(self._read())
            self._reading.add_done_callback(self._end_reading)
        return await asyncio.shield(self._reading)

    async def renewed(self) -> NewestRooms:
        """Return a list that was read after the changes missed so far. Raises `StoreUnavailable`."""
        if self._is_missed:
            await asyncio.sleep(max(0.0, self._read_at + MIN_READ_INTERVAL - self._clock()))
        return await self.current()

    def note(self, key: RoomKey, data: bytes | None) -> None:
        """Set a room's current entry."""
        if self._reading is not None:
            self._during[key] = data
        if self._newest_rooms is not None:
            self._newest_rooms.change(key, data)

    def _is_doubtful(self, newest_rooms: NewestRooms) -> bool:
        return self._is_missed or newest_rooms.needs_refill or self._clock() - self._read_at >= MAX_READ_INTERVAL

    async def _read(self) -> NewestRooms:
        """Subscribe before reading, so that no change is missed in between."""
        async with self._lock:
            if not self._is_listening:
                await self._subscribe()
        self._is_missed = False
        newest_rooms = NewestRooms()
        await newest_rooms.read(self._store)
        for key, data in self._during.items():
            newest_rooms.change(key, data)
        self._newest_rooms, self._read_at = newest_rooms, self._clock()
        return newest_rooms

    def _end_reading(self, reading: asyncio.Task[NewestRooms]) -> None:
        self._reading = None
        self._during.clear()
        if not reading.cancelled() and reading.exception() is not None:
            self._is_missed = True

    async def _subscribe(self) -> None:
        try:
            await self._store.side_channels.subscribe_to_lobby(self._on_change)
        except BaseException:
            await self._store.side_channels.unsubscribe_from_lobby()
            raise
        self._is_listening = True

    def _on_change(self, key: RoomKey | None, data: bytes | None) -> None:
        if key is None:
            self._is_missed = True
            self._audience.missed()
            return
        self.note(key, data)
        self._audience.changed(key, data)
        if self._is_unused() and self._stopping is None:
            self._stopping = asyncio.create_task(self._stop())

    def _is_unused(self) -> bool:
        return not self._audience.is_followed() and self._clock() - self._used_at > UNUSED_AFTER

    async def _stop(self) -> None:
        """Drop the list, which has not been used for some time."""
        async with self._lock:
            if self._is_unused() and self._reading is None:
                self._is_listening, self._newest_rooms = False, None
                await self._store.side_channels.unsubscribe_from_lobby()
        self._stopping = None
