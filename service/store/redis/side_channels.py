"""The side channels in Redis: the lobby's changes, chat, and presence."""

import asyncio
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any

from service.domain.ids import Millis, PlayerId, RoomKey
from service.store.redis.client.cluster import Cluster
from service.store.redis.client.pubsub import PubSub
from service.store.redis.keys import Keys
from service.store.redis.parts import StorePart
from service.store.redis.scripts import ATTEND, BEAT, DECLARE_DEAD, REPLACE_LINES, SAY
from service.store.side_channels import (
    AddedLine,
    Beat,
    Line,
    LineKey,
    OnLobbyChange,
    ProcessId,
    SideChannelObserver,
    Where,
)
from service.store.stream_keys import member, room_of

LINE_ADDED, PRESENCE_CHANGED = b"s", b"a"
"""The first byte of a message: a line of chat as `<id> <data>`, or the id of a process whose players changed."""

UNREPORTED = Millis(5000)
"""Milliseconds by which the time may differ from the latest report. More means that the store's clock was set."""


class RedisSideChannels(StorePart):
    """The contract `SideChannels` in Redis."""

    def __init__(self, cluster: Cluster, keys: Keys, pubsub: PubSub, publish: bytes) -> None:
        """Use `cluster`. `publish` is the command for notifications: PUBLISH or SPUBLISH."""
        super().__init__(cluster, keys)
        self._pubsub = pubsub
        self._publish = publish

    async def subscribe_to_lobby(self, on_change: OnLobbyChange) -> None:
        """Call `on_change` with every change of the lobby until `unsubscribe_from_lobby`."""
        on_message = partial(deliver_lobby_change, on_change)
        await asyncio.gather(
            *(self._pubsub.subscribe(partition, partition.lobby, on_message) for partition in self._keys.all)
        )

    async def unsubscribe_from_lobby(self) -> None:
        """End the subscription to the lobby's changes."""
        for partition in self._keys.all:
            self._pubsub.unsubscribe(partition.lobby)

    async def subscribe(self, where: Where, observer: SideChannelObserver) -> None:
        """Call `observer` for changes in a room's side channels, or in the lobby's chat, until `unsubscribe`."""
        partition, channel = self._keys.partition_at(where), self._keys.at("beside", where)
        await self._pubsub.subscribe(partition, channel, partial(deliver, observer, where))

    async def unsubscribe(self, where: Where) -> None:
        """End the subscription to a room or the lobby."""
        self._pubsub.unsubscribe(self._keys.at("beside", where))

    async def add_line(
        self, where: Where, data: bytes, keep: int, age: Millis, once: LineKey | None = None
    ) -> AddedLine:
        """Add a line to a chat, unless its key was used before."""
        keys = [self._keys.at("chat", where), self._keys.at("beside", where)]
        arguments = [data, b"%d" % keep, b"%d" % age, self._publish]
        if once is not None:
            keys.append(self._keys.at("line", where, once.key))
            arguments += [once.fingerprint.encode(), b"%d" % once.lasts]
        line_id, *earlier = await self._cluster.run(self._keys.partition_at(where), SAY, keys, arguments)
        if not earlier:
            return AddedLine(Line(line_id.decode(), data))
        fingerprint, known = earlier
        return AddedLine(Line(line_id.decode(), known), fingerprint.decode())

    async def read_lines(
        self, where: Where, limit: int, *, before: str | None = None, after: str | None = None
    ) -> list[Line]:
        """Return up to `limit` lines in order: the first after a line, or the last, or the last before a line."""
        partition, chat, count = self._keys.partition_at(where), self._keys.at("chat", where), b"%d" % limit
        if after is not None:
            found: Any = await self._cluster.ask(
                partition, b"XRANGE", chat, b"(" + after.encode(), b"+", b"COUNT", count
            )
            return [line_of(*entry) for entry in found]
        end = b"+" if before is None else b"(" + before.encode()
        found = await self._cluster.ask(partition, b"XREVRANGE", chat, end, b"-", b"COUNT", count)
        return [line_of(*entry) for entry in reversed(found)]

    async def replace_lines(self, where: Where, changed: Mapping[str, bytes]) -> None:
        """Replace the contents of lines of a chat by their ids; those that do not exist are left out."""
        arguments = [part for line, data in changed.items() for part in (line.encode(), data)]
        await self._cluster.run(
            self._keys.partition_at(where), REPLACE_LINES, [self._keys.at("chat", where)], arguments
        )

    async def beat(self, process: ProcessId, lease: Millis) -> Beat:
        """Renew a process's lease, even if it has ended, unless the process was declared dead."""
        partition = self._keys.all[0]
        arguments = (process.encode(), b"%d" % lease, b"%d" % UNREPORTED)
        alive, dead = await self._cluster.run(partition, BEAT, (self._keys.processes, self._keys.clock), arguments)
        return Beat(alive == 1, tuple(ProcessId(each.decode()) for each in dead))

    async def declare_dead(self, process: ProcessId, doubt: Millis) -> bool:
        """Declare a process dead if its lease ended at least `doubt` ago. Return whether it is declared dead now."""
        arguments = (process.encode(), b"%d" % doubt, b"%d" % UNREPORTED)
        keys = (self._keys.processes, self._keys.clock)
        declared = await self._cluster.run(self._keys.all[0], DECLARE_DEAD, keys, arguments)
        return bool(declared == 1)

    async def retire(self, process: ProcessId) -> None:
        """Delete a process that was declared dead, after its players have left its rooms."""
        await self._cluster.ask(self._keys.all[0], b"ZREM", self._keys.processes, process.encode())

    async def store_presence(
        self, key: RoomKey, process: ProcessId, data: bytes | None, instead_of: ProcessId | None = None
    ) -> dict[ProcessId, bytes]:
        """Store who is in a room through a process (None: no one), publish it, and return what all processes stored.

        The process's own list of rooms is written first and cleared last, so that no room is ever missing in it.
        """
        if data is not None:
            await self._list_room(b"SADD", process, key)
        keys = (self._keys.at("here", key), self._keys.at("beside", key))
        arguments = (process.encode(), data or b"", self._publish, (instead_of or "").encode())
        shares = await self._cluster.run(self._keys.partition_at(key), ATTEND, keys, arguments)
        if data is None:
            await self._list_room(b"SREM", process, key)
        if instead_of is not None:
            await self._list_room(b"SREM", instead_of, key)
        return by_process(shares)

    async def _list_room(self, command: bytes, process: ProcessId, key: RoomKey) -> None:
        """Add a room to a process's own list, or remove it."""
        await self._cluster.ask(
            self._keys.partition_of(process), command, self._keys.of("attends", process), member(key)
        )

    async def read_presence(self, key: RoomKey) -> dict[ProcessId, bytes]:
        """Return what each process stored about who is in a room."""
        found: Any = await self._cluster.ask(self._keys.partition_at(key), b"HGETALL", self._keys.at("here", key))
        return by_process(found)

    async def record_visit(self, key: RoomKey, lasts: Millis, player: PlayerId | None = None) -> None:
        """Record that someone is in a room now, or that this player is. The record expires after `lasts`."""
        name = self._keys.at("visited", key, *filter(None, (player,)))
        await self._cluster.ask(self._keys.partition_at(key), b"SET", name, b"", b"PX", b"%d" % lasts)

    async def was_visited(self, key: RoomKey) -> bool:
        """Return whether that record still exists."""
        found: Any = await self._cluster.ask(self._keys.partition_at(key), b"EXISTS", self._keys.at("visited", key))
        return bool(found)

    async def who_visited(self, key: RoomKey, players: Collection[PlayerId]) -> Collection[PlayerId]:
        """Return those of these players of whom such a record still exists."""
        if not players:
            return ()
        names = [self._keys.at("visited", key, player) for player in players]
        found: Any = await self._cluster.ask(self._keys.partition_at(key), b"MGET", *names)
        return [player for player, record in zip(players, found, strict=True) if record is not None]

    async def forget_visits(self, key: RoomKey, players: Collection[PlayerId]) -> None:
        """Delete the records of these players, who have left."""
        names = [self._keys.at("visited", key, player) for player in players]
        if names:
            await self._cluster.ask(self._keys.partition_at(key), b"DEL", *names)

    async def keep_open(self, key: RoomKey, lasts: Millis) -> None:
        """Record that a room is kept open for the next `lasts` milliseconds."""
        await self._cluster.ask(
            self._keys.partition_at(key), b"SET", self._keys.at("kept", key), b"", b"PX", b"%d" % lasts
        )

    async def kept_open_for(self, key: RoomKey) -> Millis:
        """Return for how many more milliseconds a room is kept open; 0 if it is not."""
        found: Any = await self._cluster.ask(self._keys.partition_at(key), b"PTTL", self._keys.at("kept", key))
        return Millis(max(0, int(found)))  # negative without a record

    async def record_progress(self, match_id: str, plies: int, lasts: Millis) -> None:
        """Record how many plies of a match's review are done. The record expires after `lasts`."""
        partition, name = self._keys.partition_of(match_id), self._keys.of("reviewed", match_id)
        await self._cluster.ask(partition, b"SET", name, b"%d" % plies, b"PX", b"%d" % lasts)

    async def find_progress(self, match_id: str) -> int:
        """Return how many plies of a match's review are done, 0 if that is not known."""
        found: Any = await self._cluster.ask(
            self._keys.partition_of(match_id), b"GET", self._keys.of("reviewed", match_id)
        )
        return int(found or 0)

    async def record_invitation(self, code_hash: str, key: RoomKey, lasts: Millis) -> None:
        """Record which room the code with this hash leads to. The record expires after `lasts`."""
        partition, name = self._keys.partition_of(code_hash), self._keys.of("invitation", code_hash)
        await self._cluster.ask(partition, b"SET", name, member(key), b"PX", b"%d" % lasts)

    async def find_invitation(self, code_hash: str) -> RoomKey | None:
        """Return the room that the code with this hash leads to, None if it is not known."""
        found = await self._cluster.ask(
            self._keys.partition_of(code_hash), b"GET", self._keys.of("invitation", code_hash)
        )
        return None if found is None else room_of(found)

    async def record_link_code(self, code_hash: str, data: bytes, lasts: Millis) -> None:
        """Record what the code with this hash links to. The record expires after `lasts`."""
        partition, name = self._keys.partition_of(code_hash), self._keys.of("link", code_hash)
        await self._cluster.ask(partition, b"SET", name, data, b"PX", b"%d" % lasts)

    async def take_link_code(self, code_hash: str) -> bytes | None:
        """Delete the record of the code with this hash and return it; None if it has expired or was taken before."""
        partition, name = self._keys.partition_of(code_hash), self._keys.of("link", code_hash)
        found: bytes | None = await self._cluster.ask(partition, b"GETDEL", name)
        return found

    async def rooms_of_process(self, process: ProcessId) -> list[RoomKey]:
        """Return the rooms in which a process has stored players."""
        found: Any = await self._cluster.ask(
            self._keys.partition_of(process), b"SMEMBERS", self._keys.of("attends", process)
        )
        return [room_of(room) for room in found]


def deliver_lobby_change(on_change: OnLobbyChange, message: bytes | None) -> None:
    """Deliver a change of the lobby: `<name>:<epoch> <entry>`, without an entry for a room that left the lobby."""
    if message is None:
        on_change(None, None)
        return
    room, card = message.split(b" ", 1)
    on_change(room_of(room), card or None)


def deliver(observer: SideChannelObserver, where: Where, message: bytes | None) -> None:
    """Deliver a message of a room's side channel."""
    if message is None:
        observer.changes_missed(where)
    elif message.startswith(LINE_ADDED):
        line_id, data = message[1:].split(b" ", 1)
        observer.line_added(where, Line(line_id.decode(), data))
    elif message.startswith(PRESENCE_CHANGED):
        observer.presence_changed(where, ProcessId(message[1:].decode()))


def by_process(found: list[bytes]) -> dict[ProcessId, bytes]:
    """Return the fields of a hash by process."""
    return {ProcessId(process.decode()): data for process, data in zip(found[::2], found[1::2], strict=True)}


def line_of(entry_id: bytes, fields: list[bytes]) -> Line:
    """Return a stream entry as a line of chat."""
    return Line(entry_id.decode(), fields[1])
