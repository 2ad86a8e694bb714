"""A notification is heard whenever it comes, also while the room is being looked at."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import msgspec

from service.domain.game import Seat
from service.domain.room.model.commands import OpenRoom, Ready
from service.domain.room.model.ids import PlayerId, RoomKey, Version
from service.environment import HashedNames, SystemEnvironment, new_player
from service.rooms.commands.requests import CommandRequest
from service.rooms.feeds.frames import OutgoingFrame
from service.rooms.player import Player
from service.rooms.service import RoomCore, RoomService
from service.service_clock import ServiceClock
from service.store.contract import Head
from service.store.memory.store import MemoryStore

ADA = Player(new_player(), "Ada")


class Interrupted(MemoryStore):
    """A store whose answer about heads is on its way while something else happens."""

    def __init__(self) -> None:
        """Let nothing happen at first."""
        super().__init__()
        self.meanwhile: list[Callable[[], Awaitable[object]]] = []

    async def heads(self, keys: Sequence[RoomKey]) -> list[Head | None]:
        """Return where the streams ended before whatever happens meanwhile."""
        found = await super().heads(keys)
        if self.meanwhile:
            await self.meanwhile.pop()()
            await asyncio.sleep(0)
        return found


class Reader:
    """Someone who follows a room and keeps the frames."""

    player: PlayerId | None = None
    wanted: Seat | None = None
    state = False

    def __init__(self) -> None:
        """Have heard nothing yet."""
        self.at = Version(0)
        self.versions: list[int] = []

    def offer(self, frame: OutgoingFrame) -> None:
        """Keep the version of an update."""
        read = msgspec.json.decode(frame.json)
        if read["type"] == "update":
            self.versions.append(read["version"])

    async def drained(self) -> None:
        """Be quick."""


def a_process(store: MemoryStore) -> RoomService:
    """Return the rooms of a store, as one process serves them."""
    return RoomService(RoomCore(store, SystemEnvironment(ServiceClock()), b"marks"), HashedNames())


async def test_news_that_comes_while_a_reader_is_just_looking_reaches_those_who_follow() -> None:
    """At once, not at the next heartbeat."""
    store = Interrupted()
    here, there = a_process(store), a_process(store)
    opened = await here.open(OpenRoom("morris", name="friday"), ADA)
    key = opened.room.table.key
    reader, followed = Reader(), await there.loaded(key)
    await there.subscribe(followed, reader, None, None)

    async def write() -> None:
        await here.execute(await here.loaded(key), CommandRequest(Ready(), ADA))

    store.meanwhile.append(write)
    await there.by_key(key)
    for _ in range(20):
        await asyncio.sleep(0)
    assert reader.versions == [opened.room.version + 1]
