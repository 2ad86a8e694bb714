"""The cached lobby: the same as in the store, for one read with any number of requests, and never too large."""

import asyncio
import random
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from service.domain.ids import Epoch, Millis, RoomKey, RoomName
from service.rooms.feeds import lobby as lobby_feed
from service.rooms.feeds import lobby_cache
from service.rooms.feeds.frames import OutgoingFrame
from service.rooms.feeds.lobby import Lobby, LobbyFilter
from service.rooms.feeds.lobby_cache import MAX_READ_INTERVAL, MIN_READ_INTERVAL, UNUSED_AFTER, LobbyCache
from service.rooms.views.lobby_entry import LISTED_FOR, LobbyRecord, lobby_entry
from service.rooms.views.lobby_entry import LobbyEntry as Shown
from service.store.contract import LobbyPage, LobbyRow, place_before
from tests.memory_store.store import MemoryStore
from tests.rooms.processes import NOON, Process, run_pending
from tests.waiting import PATIENCE, wait_until

STEPS = 400


class CountingStore(MemoryStore):
    """A store in memory that counts how often its lobby is read."""

    reads = 0

    async def lobby(self, cursor: str | None, limit: int) -> LobbyPage:
        """Count a read."""
        self.reads += 1
        return await super().lobby(cursor, limit)

    def show(self, number: int, title: str = "Room", **changed: Any) -> None:
        """Add or change the entry of a room."""
        card = msgspec.structs.replace(entry_of(number, title), **changed)
        self._show(room(number), LobbyRow(card.opened, msgspec.json.encode(card)))

    def hide(self, number: int) -> None:
        """Remove the entry of a room."""
        self._show(room(number), None)

    @property
    def is_subscribed(self) -> bool:
        """Whether anybody listens to the lobby's changes."""
        return self.side_channels._lobby is not None

    def miss(self) -> None:
        """Report that changes may have been missed."""
        assert self.side_channels._lobby is not None
        self.side_channels._lobby(None, None)


class Audience:
    """Counts the changes that it is informed of."""

    def __init__(self) -> None:
        """Start without subscribers."""
        self.has_subscribers = False
        self.changes = 0

    def is_followed(self) -> bool:
        """Return whether there are subscribers."""
        return self.has_subscribers

    def changed(self, key: RoomKey, data: bytes | None) -> None:  # noqa: ARG002 - only counted
        """Count a change."""
        self.changes += 1

    def missed(self) -> None:
        """Count missed changes as one."""
        self.changes += 1


class Clock:
    """A monotonic clock in seconds that advances only when the test sets it."""

    now = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.now


class LobbySubscriber:
    """Records the frames that it receives."""

    def __init__(self, game: str | None = None, *, joinable: bool = False) -> None:
        """Subscribe for a game, or for all."""
        self.wanted = LobbyFilter(game, joinable)
        self.frames: list[OutgoingFrame] = []

    player = None
    """The lobby's chat is for everybody here."""

    def offer(self, frame: OutgoingFrame) -> None:
        """Record a frame."""
        self.frames.append(frame)


def room(number: int) -> RoomKey:
    """Return a room's key."""
    return RoomKey(RoomName(f"room-{number}"), Epoch("e"))


def entry_of(number: int, title: str = "Room") -> LobbyRecord:
    """Return a room's lobby entry; two rooms are opened at each time."""
    key = room(number)
    return LobbyRecord(key.name, title, key.epoch, "morris", {}, "open", 2, 1, 1, Millis(1000 + number // 2))


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
    """Return a process's cache of the store's lobby."""
    return LobbyCache(store, audience, clock)


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lower the limits of the cache."""
    monkeypatch.setattr(lobby_cache, "CACHED_ROOMS", 40)
    monkeypatch.setattr(lobby_cache, "PAGE", 10)


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
async def test_a_cached_page_equals_the_stores(
    store: CountingStore, cache: LobbyCache, clock: Clock, seed: int
) -> None:
    """From any position, of any length, or it is left to the store; the cache never exceeds its limit."""
    chance = random.Random(seed)  # noqa: S311 - repeatable
    cursors: list[str | None] = [None]
    from_memory = 0
    for _ in changes(store, chance):
        await run_pending()
        clock.now += 0.2
        cursor, limit = chance.choice(cursors), chance.randrange(1, 15)
        real = await store.lobby(cursor, limit)
        held = await cache.current()
        page = held.page(None if cursor is None else place_before(cursor), limit)
        cursors = [*cursors, real.next][-20:]
        assert len(held._cached) == len(held._places) <= 40
        if page is not None:
            from_memory += 1
            assert page.entries == [lobby_entry(data) for _, data in real.entries]
            assert page.next == real.next
    assert from_memory > STEPS / 2


@pytest.mark.usefixtures("_small")
async def test_damaged_entries_do_not_end_the_lobby(store: CountingStore, cache: LobbyCache) -> None:
    """What follows them is left to the store."""
    for number in range(50):
        store._show(room(number), LobbyRow(Millis(1000 + number), b"{"))
    held = await cache.current()
    assert held.newest(5).entries == []
    assert held.page(None, 5) is None


async def test_many_pages_and_many_changes_need_one_read(store: CountingStore, cache: LobbyCache, clock: Clock) -> None:
    """This is so as long as changes are received."""
    for number in range(50):
        store.show(number)
    for number in range(100):
        store.show(number)
        await run_pending()
        clock.now += 0.1
        assert (await cache.current()).newest(1).entries[0].room == f"room-{max(49, number)}"
    assert store.reads == 1


async def test_concurrent_requests_share_a_read(store: CountingStore, cache: LobbyCache) -> None:
    """A request during a read waits for it."""
    store.show(1)
    found = await asyncio.gather(*(cache.current() for _ in range(50)))
    assert len({id(each) for each in found}) == 1
    assert store.reads == 1


async def test_after_missed_changes_it_is_read_again_once_a_second(
    store: CountingStore, cache: LobbyCache, clock: Clock
) -> None:
    """However many channels report it, and however many requests there are."""
    await cache.current()
    for _ in range(50):
        store.miss()
        await cache.current()
    assert store.reads == 1
    clock.now += MIN_READ_INTERVAL
    for _ in range(50):
        store.miss()
        await cache.current()
    assert store.reads == 2


async def test_it_is_read_again_from_time_to_time(store: CountingStore, cache: LobbyCache, clock: Clock) -> None:
    """In case changes are lost without notice."""
    await cache.current()
    store.side_channels._lobby = None
    store.show(1)
    clock.now += MAX_READ_INTERVAL - 1
    assert (await cache.current()).newest(5).entries == []
    clock.now += 1
    assert [card.room for card in (await cache.current()).newest(5).entries] == ["room-1"]


async def test_a_change_during_a_read_is_not_lost(cache: LobbyCache) -> None:
    """It is not in the page that was read."""
    reading = asyncio.create_task(cache.current())
    await asyncio.sleep(0)
    cache.note(room(7), msgspec.json.encode(entry_of(7)))
    assert [card.room for card in (await reading).newest(5).entries] == ["room-7"]


async def test_an_unused_lobby_has_no_subscription(
    store: CountingStore, cache: LobbyCache, clock: Clock, audience: Audience
) -> None:
    """From the first change after a minute without a request or subscribers; the next request starts again."""
    await cache.current()
    clock.now += UNUSED_AFTER + 1
    audience.has_subscribers = True
    store.show(1)
    await run_pending()
    assert store.is_subscribed
    audience.has_subscribers = False
    store.show(2)
    await run_pending()
    assert not store.is_subscribed
    assert len((await cache.current()).newest(5).entries) == 2
    assert store.reads == 2


async def test_a_thousand_subscribers_share_one_frame_and_one_read(store: CountingStore) -> None:
    """It is encoded once for each game that they subscribe for."""
    for number in range(300):
        store.show(number)
    lobby = Lobby(store, NoChat(), lambda: NOON)
    subscribers = [LobbySubscriber("morris" if number % 2 else None) for number in range(1000)]
    await asyncio.gather(*(lobby.follow(subscriber) for subscriber in subscribers))
    assert store.reads == 1
    assert len({id(subscriber.frames[0]) for subscriber in subscribers}) == 2
    assert [len(subscriber.frames) for subscriber in subscribers] == [1] * 1000
    store.show(300)
    await wait_for_frames(subscribers, 2)
    assert len({id(subscriber.frames[1]) for subscriber in subscribers}) == 2


async def test_a_subscriber_of_joinable_rooms_gets_no_others(
    store: CountingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A room is removed when its seats are taken, and a minute after everybody who waited has left."""
    monkeypatch.setattr(lobby_feed, "LOOK_FOR_ABANDONED", 0.001)
    monkeypatch.setattr(lobby_feed, "SNAPSHOT_SIZE", 2)
    now = NOON
    for number in range(4):
        store.show(number, seats_taken=1 + number // 3)  # nobody can join the newest one
    lobby, subscriber, other = Lobby(store, NoChat(), lambda: now), LobbySubscriber(joinable=True), LobbySubscriber()
    for each in (subscriber, other):
        await lobby.follow(each)
    first = msgspec.json.decode(subscriber.frames[0].json)
    assert [entry["room"] for entry in first["upsert"]] == ["room-2", "room-1"]
    assert [entry.room for entry in (await lobby.page(first["next"], 5)).entries] == ["room-0"]
    store.show(2, seats_taken=2)
    store.show(1, abandoned=NOON)
    await wait_for_frames([subscriber, other], 2)
    await wait_until(lambda: len(subscriber.frames) == 3)
    removed, changed = (msgspec.json.decode(frame.json) for frame in subscriber.frames[1:])
    assert removed["remove"] == [{"room": "room-2", "epoch": "e"}]
    assert [entry["room"] for entry in changed["upsert"]] == ["room-1"]
    now = Millis(NOON + LISTED_FOR)
    await wait_until(lambda: len(subscriber.frames) == 4)
    assert msgspec.json.decode(subscriber.frames[3].json)["remove"] == [{"room": "room-1", "epoch": "e"}]
    late = LobbySubscriber(joinable=True)
    await lobby.follow(late)
    assert [entry["room"] for entry in msgspec.json.decode(late.frames[0].json)["upsert"]] == ["room-0"]
    assert [len(each.frames) for each in (subscriber, other)] == [4, 2]
    for each in (subscriber, other, late):
        lobby.unfollow(each)


async def test_after_missed_changes_every_subscriber_receives_the_lobby_once(store: CountingStore) -> None:
    """They receive it once although the channel of each partition reports the gap."""
    lobby, subscribers = Lobby(store, NoChat(), lambda: NOON), [LobbySubscriber() for _ in range(500)]
    for subscriber in subscribers:
        await lobby.follow(subscriber)
    for _ in range(16):
        store.miss()
    await wait_for_frames(subscribers, 2)
    await run_pending()
    assert {len(subscriber.frames) for subscriber in subscribers} == {2}
    assert msgspec.json.decode(subscribers[0].frames[1].json)["snapshot"] is True
    assert store.reads == 2


async def test_entries_written_by_this_process_are_in_its_next_page(process: Process) -> None:
    """No notification has to arrive before."""
    lobby = Lobby(process.store, NoChat(), lambda: NOON)
    process.core.processor.engine.observers.append(lobby.written)
    assert (await lobby.page(None, 5)).entries == []
    process.store.side_channels._lobby = None
    await process.open()
    cards: list[Shown] = (await lobby.page(None, 5)).entries
    assert [card.room for card in cards] == ["friday-night"]


class NoChat:
    """A chat without lines."""

    async def begin_lobby(self) -> None:
        """Do nothing."""

    async def end_lobby(self) -> None:
        """Do nothing."""


async def wait_for_frames(subscribers: list[LobbySubscriber], frames: int) -> None:
    """Wait until every subscriber has received so many frames."""
    async with asyncio.timeout(PATIENCE):
        await wait_until(lambda: min(len(subscriber.frames) for subscriber in subscribers) >= frames)
