"""The lobby as it is told live: the newest rooms at once, then every card that changes."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any, Protocol

import structlog

from service.domain.room.values import RoomKey
from service.rooms import frames
from service.rooms.cards import LobbyCard, lobby_card
from service.rooms.frames import Told
from service.streams.contract import Store, StoreUnavailable

log = structlog.get_logger()

FIRST = 200
"""How many rooms a visitor is shown at first; more are read page by page."""

PAUSE = 0.1
"""Seconds for which changes are gathered, so that a room that changes at every breath is told once."""

PAUSE_AFTER_FAILURE = 1.0
AT_ONCE = 200
"""How many visitors are told before the loop gets a turn."""

Changes = dict[RoomKey, LobbyCard | None]
"""The latest card of each room that changed, None for one that the lobby shows no more."""


class Visitor(Protocol):
    """Somebody who follows the lobby, and the game that they came for."""

    game: str | None

    @property
    def offer(self) -> Callable[[Told], None]:
        """Hands a frame over; never blocks."""


class Beside(Protocol):
    """Whoever hears what is said in the lobby."""

    async def begin_lobby(self) -> None:
        """Listen from now on."""

    async def end_lobby(self) -> None:
        """Stop listening."""


class Lobby:
    """The lobby, for all its visitors in this process."""

    def __init__(self, store: Store, beside: Beside) -> None:
        """Show the lobby of a store, and have its chat listened to while somebody is there."""
        self._store = store
        self._beside = beside
        self.visitors: dict[Visitor, Changes | None] = {}
        """Those who follow; with changes for as long as these wait for the first page."""
        self._changed: Changes = {}
        self._telling: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._lock = asyncio.Lock()
        self._showing = asyncio.Lock()
        self._listening = False

    async def follow(self, visitor: Visitor) -> None:
        """Show a visitor the newest rooms, then tell them every change."""
        self.visitors[visitor] = {}
        try:
            await self._listen()
            await self._show([visitor])
        except BaseException:
            self.unfollow(visitor)
            raise

    def unfollow(self, visitor: Visitor) -> None:
        """Forget a visitor, and stop listening for nobody."""
        self.visitors.pop(visitor, None)
        if not self.visitors:
            self._later(self._unlisten())

    def tell(self, frame: Told) -> None:
        """Tell a frame to every visitor."""
        self._later(self._tell_all(frame))

    async def _tell_all(self, frame: Told) -> None:
        for count, visitor in enumerate(list(self.visitors)):
            if visitor in self.visitors:
                visitor.offer(frame)
            if count % AT_ONCE == AT_ONCE - 1:
                await asyncio.sleep(0)

    def tell_afresh(self, visitor: Visitor) -> None:
        """Show a visitor who lost track the newest rooms again."""
        self._later(self._show_again([visitor]))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _listen(self) -> None:
        async with self._lock:
            if not self._listening:
                try:
                    await asyncio.gather(self._store.beside.hear_lobby(self._heard), self._beside.begin_lobby())
                except BaseException:
                    await self._stop_listening()
                    raise
                self._listening = True

    async def _unlisten(self) -> None:
        async with self._lock:
            if self._listening and not self.visitors:
                self._listening = False
                await self._stop_listening()

    async def _stop_listening(self) -> None:
        await self._store.beside.unhear_lobby()
        await self._beside.end_lobby()

    def _heard(self, key: RoomKey | None, card: bytes | None) -> None:
        if key is None:
            self._later(self._show_again(list(self.visitors)))
            return
        self._changed[key] = None if card is None else lobby_card(card)
        if self._telling is None:
            self._telling = asyncio.create_task(self._tell())

    async def _tell(self) -> None:
        await asyncio.sleep(PAUSE)
        self._telling = None
        changes, self._changed = self._changed, {}
        told: dict[str | None, list[Told]] = {}
        for count, (visitor, waiting) in enumerate(list(self.visitors.items())):
            if waiting is not None:
                waiting.update(changes)
            else:
                if visitor.game not in told:
                    told[visitor.game] = changes_told(changes, visitor.game)
                offer(visitor, told[visitor.game])
            if count % AT_ONCE == AT_ONCE - 1:
                await asyncio.sleep(0)

    async def _show(self, visitors: Sequence[Visitor]) -> None:
        """Tell these visitors what the lobby shows now, then what changed while it was read."""
        async with self._showing:
            self.visitors |= {visitor: {} for visitor in visitors if visitor in self.visitors}
            page = await self._store.lobby(None, FIRST)
            cards = [lobby_card(data) for _, data in page.cards]
            for visitor in visitors:
                if (waiting := self.visitors.get(visitor)) is not None:
                    shown = tuple(of_game(cards, visitor.game))
                    snapshot = frames.LobbyTold(upsert=shown, snapshot=True, next=page.next)
                    visitor.offer(frames.told(snapshot, frames.LOBBY))
                    offer(visitor, changes_told(waiting, visitor.game))
                    self.visitors[visitor] = None

    async def _show_again(self, visitors: Sequence[Visitor]) -> None:
        """Tell visitors afresh, as soon as the store answers."""
        while True:
            try:
                return await self._show(visitors)
            except StoreUnavailable as failure:
                log.warning("lobby_not_read", error=str(failure))
                await asyncio.sleep(PAUSE_AFTER_FAILURE)


def offer(visitor: Visitor, told: Iterable[Told]) -> None:
    """Hand frames over."""
    for frame in told:
        visitor.offer(frame)


def of_game(cards: Iterable[LobbyCard], game: str | None) -> Iterable[LobbyCard]:
    """Return the cards of a game, or all."""
    return (card for card in cards if game in {None, card.game})


def changes_told(changes: Changes, game: str | None) -> list[Told]:
    """Return the frames that tell changes: first what goes, then what comes."""
    gone = tuple(frames.LobbyRoom(key.name, key.epoch) for key, card in changes.items() if card is None)
    cards = tuple(of_game((card for card in changes.values() if card is not None), game))
    told = [frames.LobbyTold(remove=gone)] if gone else []
    told += [frames.LobbyTold(upsert=cards)] if cards else []
    return [frames.told(frame, frames.LOBBY) for frame in told]
