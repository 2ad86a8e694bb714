"""A notification that arrives while the room is read is not missed."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from service.domain.game import Seat
from service.domain.ids import Player, PlayerId, Version
from service.domain.room.model.commands import Ready
from service.domain.room.model.settings import OpenRoom
from service.rooms.commands.requests import CommandRequest
from service.rooms.feeds.frames import OutgoingFrame, StateMode
from service.rooms.service import RoomCore, RoomService
from service.rooms.views.match_view import Omitted
from service.rooms.views.room_view import SentView
from service.runtime.environment import HashedNames, SystemEnvironment, new_player
from service.store.contract import Head
from service.store.stream_keys import StreamKey
from service.store.watch.service_clock import ServiceClock
from tests.memory_store.store import MemoryStore

ADA = Player(new_player(), "Ada")


class InterruptedStore(MemoryStore):
    """A store in which something else happens while it returns heads."""

    def __init__(self) -> None:
        """Interrupt nothing at first."""
        super().__init__()
        self.meanwhile: list[Callable[[], Awaitable[object]]] = []

    async def heads(self, keys: Sequence[StreamKey]) -> list[Head | None]:
        """Return where the streams ended before the interruption."""
        found = await super().heads(keys)
        if self.meanwhile:
            await self.meanwhile.pop()()
            await asyncio.sleep(0)
        return found


class RecordingSubscriber:
    """A subscriber that records the versions of its frames."""

    player: PlayerId | None = None
    wanted: Seat | None = None
    state: StateMode = False
    omitted: Omitted = frozenset()
    on_own_feed = True
    view: SentView | None = None

    def __init__(self) -> None:
        """Start without any version."""
        self.at = Version(0)
        self.versions: list[int] = []

    def offer(self, frame: OutgoingFrame) -> None:
        """Record the version of an update."""
        read = msgspec.json.decode(frame.json)
        if read["type"] == "update":
            self.versions.append(read["version"])

    async def drained(self) -> None:
        """Return at once."""


def room_service(store: MemoryStore) -> RoomService:
    """Return the rooms of a store as one process serves them."""
    return RoomService(RoomCore(store, SystemEnvironment(ServiceClock()), b"marks"), HashedNames())


async def test_an_event_written_during_a_read_reaches_subscribers() -> None:
    """At once, not with the next heartbeat."""
    store = InterruptedStore()
    here, there = room_service(store), room_service(store)
    opened = await here.open(OpenRoom("morris", name="friday"), ADA)
    key = opened.room.table.key
    subscriber, loaded = RecordingSubscriber(), await there.loaded(key)
    await there.subscribe(loaded, subscriber, None, None)

    async def write() -> None:
        await here.execute(await here.loaded(key), CommandRequest(Ready(), ADA))

    store.meanwhile.append(write)
    await there.by_key(key)
    for _ in range(20):
        await asyncio.sleep(0)
    assert subscriber.versions == [opened.room.version + 1]
