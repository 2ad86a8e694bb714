"""What processes tell each other beside the rooms' streams, in Redis: the lobby's changes, chat, who is connected."""

import asyncio
from functools import partial
from typing import Any

from service.domain.room.model.ids import Millis, RoomKey
from service.store.redis.client.cluster import Cluster
from service.store.redis.client.pubsub import PubSub
from service.store.redis.keys import Keys, PartitionKeys, member, room_of
from service.store.redis.scripts import ATTEND, BEAT, DECLARE_DEAD, SAY
from service.store.side_channels import Beat, Line, OnLobbyChange, ProcessId, SideChannelObserver, Where

SAID, ATTENDED = b"s", b"a"
"""What the first byte of a room's message tells; a line follows as `<id> <data>`."""

UNREPORTED = Millis(5000)
"""By how much the time may be ahead of the latest report, or behind it; more is a step of the store's clock."""


class RedisSideChannels:
    """The contract `SideChannels`, over the store's own connections."""

    def __init__(self, cluster: Cluster, keys: Keys, pubsub: PubSub, publish: bytes) -> None:
        """Speak over `cluster`; `publish` is the command that tells others."""
        self._cluster = cluster
        self._keys = keys
        self._pubsub = pubsub
        self._publish = publish

    async def hear_lobby(self, heard: OnLobbyChange) -> None:
        """Call `heard` with every change of the lobby until `unhear_lobby`."""
        told = partial(tell_lobby, heard)
        await asyncio.gather(*(self._pubsub.subscribe(home, home.lobby, told) for home in self._keys.all))

    async def unhear_lobby(self) -> None:
        """Stop listening to the lobby."""
        for home in self._keys.all:
            self._pubsub.unsubscribe(home.lobby)

    async def hear(self, where: Where, ear: SideChannelObserver) -> None:
        """Tell `ear` what happens beside a room, or in the lobby's chat, until `unhear`."""
        home, channel = self._home(where), self._keys.beside(where)
        await self._pubsub.subscribe(home, channel, partial(tell_ear, ear, where))

    async def unhear(self, where: Where) -> None:
        """Stop listening beside a room."""
        self._pubsub.unsubscribe(self._keys.beside(where))

    async def say(self, where: Where, data: bytes, keep: int, age: Millis) -> Line:
        """Add a line to a chat, of which about `keep` lines are kept that are not much older than `age`."""
        keys = (self._keys.chat(where), self._keys.beside(where))
        arguments = (data, b"%d" % keep, b"%d" % age, self._publish)
        said = await self._cluster.run(self._home(where), SAY, keys, arguments)
        return Line(said.decode(), data)

    async def said(
        self, where: Where, limit: int, *, before: str | None = None, after: str | None = None
    ) -> list[Line]:
        """Return up to `limit` lines in order: the first after one, or the last, or the last before one."""
        home, chat, count = self._home(where), self._keys.chat(where), b"%d" % limit
        if after is not None:
            found: Any = await self._cluster.ask(home, b"XRANGE", chat, b"(" + after.encode(), b"+", b"COUNT", count)
            return [line_of(*entry) for entry in found]
        end = b"+" if before is None else b"(" + before.encode()
        found = await self._cluster.ask(home, b"XREVRANGE", chat, end, b"-", b"COUNT", count)
        return [line_of(*entry) for entry in reversed(found)]

    async def beat(self, process: ProcessId, lease: Millis) -> Beat:
        """Renew a process's lease, also one that has ended; that of a process declared dead stays ended."""
        home = self._keys.all[0]
        arguments = (process.encode(), b"%d" % lease, b"%d" % UNREPORTED)
        alive, dead = await self._cluster.run(home, BEAT, (self._keys.processes, self._keys.clock), arguments)
        return Beat(alive == 1, tuple(ProcessId(each.decode()) for each in dead))

    async def declare_dead(self, process: ProcessId, doubt: Millis) -> bool:
        """Declare a process dead if its lease ended at least `doubt` ago, and return whether it is declared dead."""
        arguments = (process.encode(), b"%d" % doubt, b"%d" % UNREPORTED)
        keys = (self._keys.processes, self._keys.clock)
        declared = await self._cluster.run(self._keys.all[0], DECLARE_DEAD, keys, arguments)
        return bool(declared == 1)

    async def retire(self, process: ProcessId) -> None:
        """Forget a process that was declared dead and whose rooms were left."""
        await self._cluster.ask(self._keys.all[0], b"ZREM", self._keys.processes, process.encode())

    async def attend(
        self, key: RoomKey, process: ProcessId, data: bytes | None, instead_of: ProcessId | None = None
    ) -> dict[ProcessId, bytes]:
        """Note who is in a room through a process, None for nobody any more, tell everyone, return what all noted.

        A process's own list of rooms is written first and cleared last, so that it never misses one.
        """
        if data is not None:
            await self._list_room(b"SADD", process, key)
        keys = (self._keys.attendance(key), self._keys.beside(key))
        arguments = (process.encode(), data or b"", self._publish, (instead_of or "").encode())
        shares = await self._cluster.run(self._home(key), ATTEND, keys, arguments)
        if data is None:
            await self._list_room(b"SREM", process, key)
        if instead_of is not None:
            await self._list_room(b"SREM", instead_of, key)
        return by_process(shares)

    async def _list_room(self, command: bytes, process: ProcessId, key: RoomKey) -> None:
        """Add a room to a process's own list, or take it out."""
        await self._cluster.ask(self._keys.home(process), command, self._keys.attends(process), member(key))

    async def attendance(self, key: RoomKey) -> dict[ProcessId, bytes]:
        """Return who is in a room, by process."""
        found: Any = await self._cluster.ask(self._home(key), b"HGETALL", self._keys.attendance(key))
        return by_process(found)

    async def note_visit(self, key: RoomKey, lasts: Millis) -> None:
        """Note that somebody was in a room just now; the note lasts so long."""
        await self._cluster.ask(self._home(key), b"SET", self._keys.visited(key), b"", b"PX", b"%d" % lasts)

    async def was_visited(self, key: RoomKey) -> bool:
        """Return whether such a note still lasts."""
        found: Any = await self._cluster.ask(self._home(key), b"EXISTS", self._keys.visited(key))
        return bool(found)

    async def attended_by(self, process: ProcessId) -> list[RoomKey]:
        """Return the rooms in which a process has noted somebody."""
        found: Any = await self._cluster.ask(self._keys.home(process), b"SMEMBERS", self._keys.attends(process))
        return [room_of(room) for room in found]

    def _home(self, where: Where) -> PartitionKeys:
        return self._keys.home_of(where)


def tell_lobby(heard: OnLobbyChange, message: bytes | None) -> None:
    """Hand on a change of the lobby: `<name>:<epoch> <card>`, without a card for a room that it shows no more."""
    if message is None:
        heard(None, None)
        return
    room, card = message.split(b" ", 1)
    heard(room_of(room), card or None)


def tell_ear(ear: SideChannelObserver, where: Where, message: bytes | None) -> None:
    """Hand on what happened beside a room."""
    if message is None:
        ear.missed(where)
    elif message.startswith(SAID):
        line_id, data = message[1:].split(b" ", 1)
        ear.said(where, Line(line_id.decode(), data))
    elif message.startswith(ATTENDED):
        ear.attended(where, ProcessId(message[1:].decode()))


def by_process(found: list[bytes]) -> dict[ProcessId, bytes]:
    """Return a hash's fields and values by process."""
    return {ProcessId(process.decode()): data for process, data in zip(found[::2], found[1::2], strict=True)}


def line_of(entry_id: bytes, fields: list[bytes]) -> Line:
    """Return a stream entry as a line of chat."""
    return Line(entry_id.decode(), fields[1])
