"""The lobby's feed: the newest rooms at once, then every entry that changes."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, Protocol

import structlog
from msgspec import UNSET

from service.domain.room.model.ids import RoomKey
from service.rooms.feeds import frames
from service.rooms.feeds.frames import OutgoingFrame
from service.rooms.feeds.lobby_cache import LobbyCache, LobbyPage, NewestRooms
from service.rooms.views.lobby_entry import LobbyCard, readable_card
from service.store.contract import Batch, Store, StoreUnavailable
from service.store.lobby_order import place_before

log = structlog.get_logger()

FIRST = 200
"""How many rooms the first frame has; older ones are read page by page."""

PAUSE = 0.1
"""Seconds for which changes are gathered, so that a room that changes often is sent once."""

PAUSE_AFTER_FAILURE = 1.0
AT_ONCE = 200
"""How many subscribers are sent to before the event loop gets a turn."""

Changes = dict[RoomKey, LobbyCard | None]
"""The latest card of each room that changed, None for one that the lobby shows no more."""


class LobbySubscriber(Protocol):
    """Somebody who follows the lobby, and the game that they came for."""

    game: str | None

    @property
    def offer(self) -> Callable[[OutgoingFrame], None]:
        """Hands a frame over; never blocks."""


class LobbyObserver(Protocol):
    """Whoever hears what is said in the lobby."""

    async def begin_lobby(self) -> None:
        """Listen from now on."""

    async def end_lobby(self) -> None:
        """Stop listening."""


class Lobby:
    """The lobby, for all its subscribers in this process."""

    def __init__(self, store: Store, beside: LobbyObserver) -> None:
        """Show the lobby of a store, and have its chat listened to while somebody is there."""
        self._store = store
        self._beside = beside
        self._cache = LobbyCache(store, self)
        self.subscribers: dict[LobbySubscriber, bool] = {}
        """Those who follow, and whether they were shown the newest rooms."""
        self._snapshots: dict[str | None, OutgoingFrame] = {}
        """The frame with the newest rooms by game, of one revision of the listing."""
        self._snapshots_of: tuple[NewestRooms, int] | None = None
        self._changed: Changes = {}
        self._sending: asyncio.Task[None] | None = None
        self._showing: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._lock = asyncio.Lock()
        self._listening = False

    async def page(self, cursor: str | None, limit: int) -> LobbyPage:
        """Return a page of the lobby, newest room first. Raises `ValueError` for a bad cursor."""
        before = None if cursor is None else place_before(cursor)
        shown = (await self._cache.current()).page(before, limit)
        if shown is not None:
            return shown
        page = await self._store.lobby(cursor, limit)
        found = [readable_card(key, data) for key, data in page.cards]
        return LobbyPage([each.card for each in found if each is not None], page.next)

    async def follow(self, subscriber: LobbySubscriber) -> None:
        """Send a subscriber the newest rooms, then every change."""
        self.subscribers[subscriber] = False
        try:
            await self._listen()
            listing = await self._cache.current()
        except BaseException:
            self.unfollow(subscriber)
            raise
        self._show(subscriber, listing)

    def unfollow(self, subscriber: LobbySubscriber) -> None:
        """Forget a subscriber; stop listening when nobody is left."""
        self.subscribers.pop(subscriber, None)
        if not self.subscribers:
            self._later(self._unlisten())

    def send(self, frame: OutgoingFrame) -> None:
        """Send a frame to every subscriber."""
        self._later(self._send_to_all(frame))

    async def _send_to_all(self, frame: OutgoingFrame) -> None:
        for count, subscriber in enumerate(list(self.subscribers)):
            if subscriber in self.subscribers:
                subscriber.offer(frame)
            if count % AT_ONCE == AT_ONCE - 1:
                await asyncio.sleep(0)

    def resync(self, subscriber: LobbySubscriber) -> None:
        """Send the newest rooms again to a subscriber that fell behind."""
        self._later(self._show_again([subscriber]))

    def written(self, key: RoomKey, batch: Batch) -> None:
        """Hold at once what this process has just written, so that whoever wrote it finds it in the next listing."""
        if batch.lobby is None:
            self._cache.note(key, None)
        elif batch.lobby is not UNSET:
            self._cache.note(key, batch.lobby.data)

    def is_there(self) -> bool:
        """Return whether anybody follows the lobby."""
        return bool(self.subscribers)

    def changed(self, key: RoomKey, data: bytes | None) -> None:
        """Send the new entry of a room to everyone soon."""
        if self.subscribers:
            found = None if data is None else readable_card(key, data)
            self._changed[key] = None if found is None else found.card
            if self._sending is None:
                self._sending = asyncio.create_task(self._send_changes())

    def missed(self) -> None:
        """Show everyone the newest rooms again, once, however many channels say that something was missed."""
        if self.subscribers and self._showing is None:
            self._showing = asyncio.create_task(self._show_everyone_again())

    async def _show_everyone_again(self) -> None:
        await asyncio.sleep(PAUSE)
        self._showing = None
        await self._show_again(list(self.subscribers))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _listen(self) -> None:
        async with self._lock:
            if not self._listening:
                await self._beside.begin_lobby()
                self._listening = True

    async def _unlisten(self) -> None:
        async with self._lock:
            if self._listening and not self.subscribers:
                self._listening = False
                await self._beside.end_lobby()

    async def _send_changes(self) -> None:
        await asyncio.sleep(PAUSE)
        self._sending = None
        changes, self._changed = self._changed, {}
        frames_by_game: dict[str | None, list[OutgoingFrame]] = {}
        for count, (subscriber, is_shown) in enumerate(list(self.subscribers.items())):
            if is_shown:
                if subscriber.game not in frames_by_game:
                    frames_by_game[subscriber.game] = change_frames(changes, subscriber.game)
                offer_all(subscriber, frames_by_game[subscriber.game])
            if count % AT_ONCE == AT_ONCE - 1:
                await asyncio.sleep(0)

    def _show(self, subscriber: LobbySubscriber, listing: NewestRooms) -> None:
        """Send a subscriber the newest rooms."""
        if subscriber in self.subscribers:
            self.subscribers[subscriber] = True
            subscriber.offer(self._snapshot(listing, subscriber.game))

    def _snapshot(self, listing: NewestRooms, game: str | None) -> OutgoingFrame:
        """Return the frame with the newest rooms, encoded once for everyone who comes while nothing changes."""
        if self._snapshots_of != (listing, listing.revision):
            self._snapshots, self._snapshots_of = {}, (listing, listing.revision)
        if game not in self._snapshots:
            shown = listing.newest(FIRST)
            frame = frames.LobbyTold(upsert=tuple(of_game(shown.cards, game)), snapshot=True, next=shown.next)
            self._snapshots[game] = frames.encode_frame(frame, frames.LOBBY)
        return self._snapshots[game]

    async def _show_again(self, subscribers: Sequence[LobbySubscriber]) -> None:
        """Send subscribers the newest rooms again, as soon as the store answers."""
        for begin in range(0, len(subscribers), AT_ONCE):
            listing = await self._renewed()
            for subscriber in subscribers[begin : begin + AT_ONCE]:
                self._show(subscriber, listing)
            await asyncio.sleep(0)

    async def _renewed(self) -> NewestRooms:
        while True:
            try:
                return await self._cache.renewed()
            except StoreUnavailable as failure:
                log.warning("lobby_not_read", error=str(failure))
                await asyncio.sleep(PAUSE_AFTER_FAILURE)


def offer_all(subscriber: LobbySubscriber, outgoing: Iterable[OutgoingFrame]) -> None:
    """Hand frames over."""
    for frame in outgoing:
        subscriber.offer(frame)


def of_game(cards: Iterable[LobbyCard], game: str | None) -> Iterable[LobbyCard]:
    """Return the cards of a game, or all."""
    return (card for card in cards if game in {None, card.game})


def change_frames(changes: Changes, game: str | None) -> list[OutgoingFrame]:
    """Return the frames that tell changes: first what goes, then what comes."""
    gone = tuple(frames.LobbyRoom(key.name, key.epoch) for key, card in changes.items() if card is None)
    cards = tuple(of_game((card for card in changes.values() if card is not None), game))
    changed = [frames.LobbyTold(remove=gone)] if gone else []
    changed += [frames.LobbyTold(upsert=cards)] if cards else []
    return [frames.encode_frame(frame, frames.LOBBY) for frame in changed]
