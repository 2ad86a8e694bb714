"""The lobby from memory: the same as the store has it, for one read however many ask, and never too much of it."""

import asyncio
import random
from collections.abc import Iterator

import msgspec
import pytest

from service.domain.room.model.ids import Epoch, Millis, RoomKey, RoomName
from service.rooms.feeds import lobby_cache
from service.rooms.feeds.frames import OutgoingFrame
from service.rooms.feeds.lobby import Lobby
from service.rooms.feeds.lobby_cache import READ_AGAIN, READ_EVERY, UNUSED, LobbyCache
from service.rooms.projections import Card
from service.rooms.views.lobby_entry import LobbyCard as Shown
from service.rooms.views.lobby_entry import lobby_card
from service.store.contract import LobbyCard, LobbyPage
from service.store.lobby_order import place_before
from service.store.memory.store import MemoryStore
from tests.rooms.processes import Process, settle, until

STEPS = 400


class CountingStore(MemoryStore):
    """A store in memory that counts how often its lobby is read."""

    reads = 0

    async def lobby(self, cursor: str | None, limit: int) -> LobbyPage:
        """Count a read."""
        self.reads += 1
        return await super().lobby(cursor, limit)

    def show(self, number: int, title: str = "Room") -> None:
        """Show a room, or show it otherwise than before."""
        card = card_of(number, title)
        self._show(room(number), LobbyCard(card.opened, msgspec.json.encode(card)))

    def hide(self, number: int) -> None:
        """Show a room no more."""
        self._show(room(number), None)

    @property
    def is_subscriptions(self) -> bool:
        """Whether anybody listens to the lobby's changes."""
        return self.side_channels._lobby is not None

    def miss(self) -> None:
        """Say that changes may have been missed."""
        assert self.side_channels._lobby is not None
        self.side_channels._lobby(None, None)


class Audience:
    """Counts what it is told."""

    def __init__(self) -> None:
        """Be nobody."""
        self.there = False
        self.told = 0

    def is_there(self) -> bool:
        """Tell whether anybody is."""
        return self.there

    def changed(self, key: RoomKey, data: bytes | None) -> None:  # noqa: ARG002 - only counted
        """Count."""
        self.told += 1

    def missed(self) -> None:
        """Count."""
        self.told += 1


class Clock:
    """A monotonic clock in seconds that stands still unless it is moved."""

    now = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


class Visitor:
    """Keeps the frames it was offered."""

    def __init__(self, game: str | None = None) -> None:
        """Come for a game, or for all."""
        self.game = game
        self.frames: list[OutgoingFrame] = []

    def offer(self, frame: OutgoingFrame) -> None:
        """Take a frame."""
        self.frames.append(frame)


def room(number: int) -> RoomKey:
    """Return a room's key."""
    return RoomKey(RoomName(f"room-{number}"), Epoch("e"))


def card_of(number: int, title: str = "Room") -> Card:
    """Return a room's card; two rooms opened at each moment."""
    key = room(number)
    return Card(key.name, title, key.epoch, "morris", {}, "open", 2, 1, 1, Millis(1000 + number // 2))


@pytest.fixture
def store() -> CountingStore:
    """Return an empty store."""
    return CountingStore()


@pytest.fixture
def clock() -> Clock:
    """Return a clock."""
    return Clock()


@pytest.fixture
def audience() -> Audience:
    """Return an audience."""
    return Audience()


@pytest.fixture
def cache(store: CountingStore, audience: Audience, clock: Clock) -> LobbyCache:
    """Return a process's listing of the store's lobby."""
    return LobbyCache(store, audience, clock)


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let few cards be many."""
    monkeypatch.setattr(lobby_cache, "MOST", 40)
    monkeypatch.setattr(lobby_cache, "AT_ONCE", 10)


def changes(store: CountingStore, chance: random.Random) -> Iterator[None]:
    """Let rooms open, change and close at random."""
    for step in range(STEPS):
        if chance.random() < 0.5:
            store.show(step)
        elif chance.random() < 0.5 and store._lobby:
            store.show(chance.choice([int(key.name.removeprefix("room-")) for key in store._lobby]), f"step {step}")
        elif store._lobby:
            store.hide(chance.choice([int(key.name.removeprefix("room-")) for key in store._lobby]))
        yield


@pytest.mark.usefixtures("_small")
@pytest.mark.parametrize("seed", range(10))
async def test_a_page_from_memory_is_the_store_s(
    store: CountingStore, cache: LobbyCache, clock: Clock, seed: int
) -> None:
    """From any place, of any length, or it is left to the store; in memory are never more cards than may be."""
    chance = random.Random(seed)  # noqa: S311 - repeatable
    cursors: list[str | None] = [None]
    from_memory = 0
    for _ in changes(store, chance):
        await settle()
        clock.now += 0.2
        cursor, limit = chance.choice(cursors), chance.randrange(1, 15)
        real = await store.lobby(cursor, limit)
        held = await cache.current()
        page = held.page(None if cursor is None else place_before(cursor), limit)
        cursors = [*cursors, real.next][-20:]
        assert len(held._held) == len(held._places) <= 40
        if page is not None:
            from_memory += 1
            assert page.cards == [lobby_card(data) for _, data in real.cards]
            assert page.next == real.next
    assert from_memory > STEPS / 2


@pytest.mark.usefixtures("_small")
async def test_damaged_cards_alone_are_no_end_of_the_lobby(store: CountingStore, cache: LobbyCache) -> None:
    """What is behind them is left to the store."""
    for number in range(50):
        store._show(room(number), LobbyCard(Millis(1000 + number), b"{"))
    held = await cache.current()
    assert held.newest(5).cards == []
    assert held.page(None, 5) is None


async def test_many_pages_and_many_changes_cost_one_read(store: CountingStore, cache: LobbyCache, clock: Clock) -> None:
    """As long as the changes are heard."""
    for number in range(50):
        store.show(number)
    for number in range(100):
        store.show(number)
        await settle()
        clock.now += 0.1
        assert (await cache.current()).newest(1).cards[0].room == f"room-{max(49, number)}"
    assert store.reads == 1


async def test_requests_at_once_share_a_read(store: CountingStore, cache: LobbyCache) -> None:
    """Whoever comes while it is read waits for it."""
    store.show(1)
    found = await asyncio.gather(*(cache.current() for _ in range(50)))
    assert len({id(each) for each in found}) == 1
    assert store.reads == 1


async def test_after_missed_changes_it_is_read_again_once_a_second(
    store: CountingStore, cache: LobbyCache, clock: Clock
) -> None:
    """However many channels report it, and however many ask."""
    await cache.current()
    for _ in range(50):
        store.miss()
        await cache.current()
    assert store.reads == 1
    clock.now += READ_EVERY
    for _ in range(50):
        store.miss()
        await cache.current()
    assert store.reads == 2


async def test_it_is_read_again_now_and_then(store: CountingStore, cache: LobbyCache, clock: Clock) -> None:
    """Should changes be lost without a sign."""
    await cache.current()
    store.side_channels._lobby = None
    store.show(1)
    clock.now += READ_AGAIN - 1
    assert (await cache.current()).newest(5).cards == []
    clock.now += 1
    assert [card.room for card in (await cache.current()).newest(5).cards] == ["room-1"]


async def test_a_change_that_comes_while_it_is_read_is_not_lost(cache: LobbyCache) -> None:
    """It was too late for the page and too early for the listing."""
    reading = asyncio.create_task(cache.current())
    await asyncio.sleep(0)
    cache.note(room(7), msgspec.json.encode(card_of(7)))
    assert [card.room for card in (await reading).newest(5).cards] == ["room-7"]


async def test_an_unused_lobby_is_not_listened_to(
    store: CountingStore, cache: LobbyCache, clock: Clock, audience: Audience
) -> None:
    """From the first change after a minute without a question or an audience; the next question begins anew."""
    await cache.current()
    clock.now += UNUSED + 1
    audience.there = True
    store.show(1)
    await settle()
    assert store.is_subscriptions
    audience.there = False
    store.show(2)
    await settle()
    assert not store.is_subscriptions
    assert len((await cache.current()).newest(5).cards) == 2
    assert store.reads == 2


async def test_a_thousand_visitors_get_one_frame_for_one_read(store: CountingStore) -> None:
    """Encoded once for each game that they came for."""
    for number in range(300):
        store.show(number)
    lobby = Lobby(store, Silence())
    visitors = [Visitor("morris" if number % 2 else None) for number in range(1000)]
    await asyncio.gather(*(lobby.follow(visitor) for visitor in visitors))
    assert store.reads == 1
    assert len({id(visitor.frames[0]) for visitor in visitors}) == 2
    assert [len(visitor.frames) for visitor in visitors] == [1] * 1000
    store.show(300)
    await until_told(visitors, 2)
    assert len({id(visitor.frames[1]) for visitor in visitors}) == 2


async def test_after_missed_changes_every_visitor_is_shown_the_lobby_once(store: CountingStore) -> None:
    """Though each partition's channel reports it."""
    lobby, visitors = Lobby(store, Silence()), [Visitor() for _ in range(500)]
    for visitor in visitors:
        await lobby.follow(visitor)
    for _ in range(16):
        store.miss()
    await until_told(visitors, 2)
    await settle()
    assert {len(visitor.frames) for visitor in visitors} == {2}
    assert msgspec.json.decode(visitors[0].frames[1].json)["snapshot"] is True
    assert store.reads == 2


async def test_what_this_process_wrote_is_in_its_next_listing(process: Process) -> None:
    """Before any notification comes."""
    lobby = Lobby(process.line, Silence())
    process.core.processor.observe(lobby.written)
    assert (await lobby.page(None, 5)).cards == []
    process.line.side_channels._lobby = None
    await process.open()
    cards: list[Shown] = (await lobby.page(None, 5)).cards
    assert [card.room for card in cards] == ["friday-night"]


class Silence:
    """Hears no chat."""

    async def begin_lobby(self) -> None:
        """Don't."""

    async def end_lobby(self) -> None:
        """Don't."""


async def until_told(visitors: list[Visitor], frames: int) -> None:
    """Wait until everyone was offered so many frames."""
    async with asyncio.timeout(10):
        await until(lambda: min(len(visitor.frames) for visitor in visitors) >= frames)
