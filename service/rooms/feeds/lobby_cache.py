"""The newest rooms of the lobby, in memory: a sorted part of it, and what keeps that part up to date."""

import asyncio
import time
from bisect import bisect_left, insort
from collections.abc import Callable
from typing import NamedTuple, Protocol

from service.domain.room.model.ids import RoomKey
from service.rooms.views.lobby_entry import LobbyCard, readable_card
from service.store.contract import Store
from service.store.lobby_order import Place, cursor_after, place_before, place_in_lobby, room_at

MOST = 2000
"""How many cards are held, of the newest rooms: about 3 MB. What is older is read from the store page by page."""

AT_ONCE = 500
"""How many cards are read from the store in one go."""

READ_EVERY = 1.0
"""Seconds that pass at least between two reads of the whole listing."""

READ_AGAIN = 30.0
"""Seconds after which it is read again, should changes have been lost without a sign."""

UNUSED = 60.0
"""Seconds after the last use of the listing when its changes are no longer listened to."""


class LobbyPage(NamedTuple):
    """A part of the lobby, newest room first, and the cursor with which it goes on (None at the end)."""

    cards: list[LobbyCard]
    next: str | None


class CachedEntry(NamedTuple):
    """A room's place in the lobby, and its card."""

    place: Place
    card: LobbyCard


class NewestRooms:
    """The newest rooms by their places: all of them, or every room that is not before the oldest one held."""

    def __init__(self) -> None:
        """Hold a lobby without rooms."""
        self._held: dict[RoomKey, CachedEntry] = {}
        self._places: list[Place] = []
        """Oldest room first."""
        self._floor: Place | None = None
        """Rooms before this place are not held; None where all rooms are."""
        self.revision = 0
        """Counts the changes."""

    async def read(self, store: Store) -> None:
        """Hold the newest rooms of the store's lobby."""
        cursor: str | None = None
        for _ in range(MOST // AT_ONCE):
            page = await store.lobby(cursor, AT_ONCE)
            for key, data in page.cards:
                self.change(key, data)
            if (cursor := page.next) is None:
                return
        self._floor = None if cursor is None else place_before(cursor)

    def change(self, key: RoomKey, data: bytes | None) -> None:
        """Show a room's new card, encoded as the store has it; show the room no more for None or a damaged card."""
        self.revision += 1
        if (before := self._held.pop(key, None)) is not None:
            del self._places[bisect_left(self._places, before.place)]
        found = None if data is None else readable_card(key, data)
        if found is None:
            return
        place = place_in_lobby(found.opened, key)
        if self._floor is None or place >= self._floor:
            insort(self._places, place)
            self._held[key] = CachedEntry(place, found.card)
        if len(self._places) > MOST:
            del self._held[room_at(self._places.pop(0))]
            self._floor = self._places[0]

    @property
    def is_worn(self) -> bool:
        """Whether so many rooms have gone that older ones should be held instead."""
        return self._floor is not None and len(self._places) < MOST // 2

    def page(self, before: Place | None, limit: int) -> LobbyPage | None:
        """Return up to `limit` rooms before a place, None where some of these are not held."""
        shown = self.newest(limit, before)
        return shown if self._floor is None or len(shown.cards) == limit else None

    def newest(self, limit: int, before: Place | None = None) -> LobbyPage:
        """Return up to `limit` rooms before a place, as far as they are held."""
        end = len(self._places) if before is None else bisect_left(self._places, before)
        places = self._places[max(0, end - limit) : end]
        is_last = end <= limit and self._floor is None
        cards = [self._held[room_at(place)].card for place in reversed(places)]
        return LobbyPage(cards, None if is_last or not places else cursor_after(places[0]))


class LobbyListener(Protocol):
    """What is called when the lobby changes."""

    def is_there(self) -> bool:
        """Tell whether anybody is."""

    def changed(self, key: RoomKey, data: bytes | None) -> None:
        """Take a room's new card, None for a room that the lobby shows no more."""

    def missed(self) -> None:
        """Take note that changes may have been missed."""


class LobbyCache:
    """The listing of a process: read when it is first used, then kept level by the lobby's notifications."""

    def __init__(self, store: Store, audience: LobbyListener, clock: Callable[[], float] = time.monotonic) -> None:
        """Read nothing yet; `clock` is monotonic, in seconds."""
        self._store = store
        self._audience = audience
        self._clock = clock
        self._listing: NewestRooms | None = None
        self._is_missed = False
        self._read_at = self._used_at = 0.0
        self._reading: asyncio.Task[NewestRooms] | None = None
        self._during: dict[RoomKey, bytes | None] = {}
        """The changes that came while the listing was read."""
        self._is_listening = False
        self._lock = asyncio.Lock()
        self._stopping: asyncio.Task[None] | None = None

    async def current(self) -> NewestRooms:
        """Return the listing, at most a second behind the store. Raises `StoreUnavailable`."""
        now = self._used_at = self._clock()
        if self._listing is not None and (now - self._read_at < READ_EVERY or not self._is_doubtful(self._listing)):
            return self._listing
        if self._reading is None:
            self._reading = asyncio.create_task(self._read())
            self._reading.add_done_callback(self._end_reading)
        return await asyncio.shield(self._reading)

    async def renewed(self) -> NewestRooms:
        """Return the listing as it is after what was missed so far. Raises `StoreUnavailable`."""
        if self._is_missed:
            await asyncio.sleep(max(0.0, self._read_at + READ_EVERY - self._clock()))
        return await self.current()

    def note(self, key: RoomKey, data: bytes | None) -> None:
        """Hold what the lobby shows of a room now."""
        if self._reading is not None:
            self._during[key] = data
        if self._listing is not None:
            self._listing.change(key, data)

    def _is_doubtful(self, listing: NewestRooms) -> bool:
        return self._is_missed or listing.is_worn or self._clock() - self._read_at >= READ_AGAIN

    async def _read(self) -> NewestRooms:
        """Listen before reading, so that nothing falls between."""
        async with self._lock:
            if not self._is_listening:
                await self._listen()
        self._is_missed = False
        listing = NewestRooms()
        await listing.read(self._store)
        for key, data in self._during.items():
            listing.change(key, data)
        self._listing, self._read_at = listing, self._clock()
        return listing

    def _end_reading(self, reading: asyncio.Task[NewestRooms]) -> None:
        self._reading = None
        self._during.clear()
        if not reading.cancelled() and reading.exception() is not None:
            self._is_missed = True

    async def _listen(self) -> None:
        try:
            await self._store.side_channels.subscribe_to_lobby(self._heard)
        except BaseException:
            await self._store.side_channels.unsubscribe_from_lobby()
            raise
        self._is_listening = True

    def _heard(self, key: RoomKey | None, data: bytes | None) -> None:
        if key is None:
            self._is_missed = True
            self._audience.missed()
            return
        self.note(key, data)
        self._audience.changed(key, data)
        if self._is_unused() and self._stopping is None:
            self._stopping = asyncio.create_task(self._stop())

    def _is_unused(self) -> bool:
        return not self._audience.is_there() and self._clock() - self._used_at > UNUSED

    async def _stop(self) -> None:
        """Forget the listing, for nobody has asked for it for some time."""
        async with self._lock:
            if self._is_unused() and self._reading is None:
                self._is_listening, self._listing = False, None
                await self._store.side_channels.unsubscribe_from_lobby()
        self._stopping = None
