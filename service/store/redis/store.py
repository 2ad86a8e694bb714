"""The store of rooms in Redis or Valkey: one server, or a cluster."""

import asyncio
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from time import perf_counter
from typing import Any

from service.domain.room.model.ids import Epoch, Millis, PlayerId, RoomKey, RoomName, Version
from service.store.contract import (
    NOT_BEGUN,
    Batch,
    Conflict,
    Entry,
    Head,
    LobbyPage,
    NameTaken,
    OutcomeUnknown,
    Snapshot,
    Trimmed,
)
from service.store.integrity import verify_match
from service.store.redis.admin_store import RedisAdminStore
from service.store.redis.append import changing_parts, same_parts
from service.store.redis.client.cluster import Cluster
from service.store.redis.client.pipeline import REPLY_PATIENCE
from service.store.redis.client.pubsub import PubSub
from service.store.redis.client.replicas import Replicas
from service.store.redis.identity import RedisIdentity
from service.store.redis.keys import Keys, PartitionKeys, member, room_of
from service.store.redis.lobby_pages import LobbyPages
from service.store.redis.scripts import APPEND, CLAIM, DROP_SNAPSHOT, FIND_SNAPSHOT, REMEMBER, SAVE_SNAPSHOT
from service.store.redis.server_checks import check_servers
from service.store.redis.side_channels import RedisSideChannels
from service.store.redis.worker_store import RedisWorkerStore
from service.store.signing import Signer
from service.store.stream_head import unpack_head
from service.store.write_guard import WriteGuard
from service.telemetry import metrics
from service.telemetry.tracing import TRACING, tell_append

PAGE = 512
"""How many entries are read at once, so that a long stream doesn't hold up everyone else's replies."""

ROOMS_AT_HAND = 4096
"""Of how many rooms the parts are kept that are the same in every append."""

TAKEN = 0
WRITTEN = 1


class RedisStore:
    """The contract, spoken to Redis 6.2 and later or Valkey over one batching connection a node."""

    def __init__(  # noqa: PLR0913 - each has a default, and none belongs to another
        self,
        url: str,
        *,
        partitions: int = 16,
        cluster: bool = False,
        reply_patience: float = REPLY_PATIENCE,
        replicas: int = 0,
        signer: Signer | None = None,
        guard: WriteGuard | None = None,
    ) -> None:
        """Prepare to use the store at this URL; nothing is dialled before it is needed.

        `partitions` never changes once a store is in use. A `cluster` (Redis 7 or later) gets sharded notifications.
        `reply_patience` is how many seconds a sent command may stay without an answer; an append has an outcome when as
        many `replicas` have it. The `signer` makes the MACs of commands; without it there are none. Every write asks
        `guard` first.
        """
        self.signer = signer or Signer()
        self._guard = guard or WriteGuard()
        self._keys = Keys(partitions)
        publish = b"SPUBLISH" if cluster else b"PUBLISH"
        self._same_parts = lru_cache(maxsize=ROOMS_AT_HAND)(partial(same_parts, self._keys, publish))
        self._cluster = Cluster(
            url,
            self._keys,
            clustered=cluster,
            reply_patience=reply_patience,
            guard=self._guard,
        )
        self._replicas = Replicas(self._cluster, replicas)
        self._pubsub = PubSub(self._cluster, sharded=cluster)
        self._lobby = LobbyPages(self._cluster, self._keys)
        self.worker_store = RedisWorkerStore(self._cluster, self._keys)
        self.side_channels = RedisSideChannels(self._cluster, self._keys, self._pubsub, publish=publish)
        self.admin_store = RedisAdminStore(self._cluster, self._keys)
        self.identity = RedisIdentity(self._cluster, self._keys, self._guard)

    async def open(self, key: RoomKey, batch: Batch) -> None:
        """Begin a room's stream and point its name at it. Raises `NameTaken`."""
        await self.append(key, NOT_BEGUN, batch, claims=True)

    async def append(self, key: RoomKey, after: Head, batch: Batch, *, claims: bool = False) -> None:
        """Append a command's events if the stream ends at `after`. Raises `Conflict`, and `NameTaken` for a claim."""
        home, keys, same = self._same_parts(key)
        parts = changing_parts(key, after, batch, self.signer, claims=claims)
        began = perf_counter()
        used = self._replicas.connection(home)
        reply = await self._cluster.run(home, APPEND, keys, (*same, *parts), OutcomeUnknown)
        if reply == WRITTEN:
            await self._replicas.confirm(home, used)
        else:  # the conflict may be with an earlier attempt of this very command
            await self._replicas.settle(home)
        seconds = perf_counter() - began
        metrics.APPEND_SECONDS.observe(seconds)
        if reply != WRITTEN:
            raise NameTaken(key.name) if reply == TAKEN else Conflict(unpack_head(reply))
        if TRACING.on and batch.entries:
            tell_append(key.name, key.epoch, batch.entries[-1].version, seconds)

    async def settle(self, key: RoomKey) -> None:
        """Return when all that a room's stream has is as durable as an answer promises. Raises `OutcomeUnknown`."""
        await self._replicas.settle(self._keys.home(key.name))

    async def live(self, name: RoomName) -> Epoch | None:
        """Return the epoch of the live room of this name."""
        epoch = await self._ask(self._keys.home(name), b"GET", self._keys.name(name))
        return None if epoch is None else Epoch(epoch.decode())

    async def heads(self, keys: Sequence[RoomKey]) -> list[Head | None]:
        """Return where each room's stream ends, None for one that never began."""
        by_partition: dict[int, list[RoomKey]] = {}
        for key in keys:
            by_partition.setdefault(self._keys.home(key.name).number, []).append(key)
        found: dict[RoomKey, Head | None] = {}
        for heads in await asyncio.gather(*map(self._heads, by_partition.values())):
            found.update(heads)
        return [found[key] for key in keys]

    async def _heads(self, keys: Sequence[RoomKey]) -> dict[RoomKey, Head | None]:
        """Return where rooms of one partition end."""
        packed = await self._ask(self._keys.home(keys[0].name), b"MGET", *map(self._keys.head, keys))
        return {key: None if head is None else unpack_head(head) for key, head in zip(keys, packed, strict=True)}

    async def read(self, key: RoomKey, after: Version, limit: int | None = None) -> list[Entry]:
        """Return the entries with versions from `after + 1` on, at most `limit`. Raises `Trimmed`."""
        entries: list[Entry] = []
        while limit is None or len(entries) < limit:
            count = PAGE if limit is None else min(PAGE, limit - len(entries))
            page = await self._page(key, Version(after + len(entries)), count)
            entries += page
            if len(page) < count:
                break
        return entries

    async def _page(self, key: RoomKey, after: Version, count: int) -> list[Entry]:
        page = await self._range(key, after, count)
        if not page and ((await self.heads([key]))[0] or NOT_BEGUN).version > after:
            page = await self._range(key, after, count)  # written in between, if it wasn't trimmed
            if not page and await self._begins_after(key, after):
                raise Trimmed(after)
        if page and page[0].version != after + 1 and await self._begins_after(key, after):
            raise Trimmed(after)
        return page

    async def _begins_after(self, key: RoomKey, version: Version) -> bool:
        """Return whether nothing up to a version is left; else entries in the middle are missing."""
        first = await self._range(key, Version(0), 1)
        return not first or first[0].version > version

    async def _range(self, key: RoomKey, after: Version, count: int) -> list[Entry]:
        bounds = (b"%d-0" % (after + 1), b"+", b"COUNT", b"%d" % count)
        found = await self._ask(self._keys.home(key.name), b"XRANGE", self._keys.stream(key), *bounds)
        return [entry_of(entry_id, fields) for entry_id, fields in found]

    async def save_snapshot(self, key: RoomKey, snapshot: Snapshot) -> None:
        """Keep a snapshot, and the receipts of the latest one only."""
        arguments = (b"%d" % snapshot.version, snapshot.data, snapshot.receipts)
        keys = (self._keys.snapshots(key), self._keys.old_snapshots(key))
        await self._cluster.run(self._keys.home(key.name), SAVE_SNAPSHOT, keys, arguments)

    async def snapshot(self, key: RoomKey, at: Version | None = None) -> Snapshot | None:
        """Return the newest snapshot, or the newest whose version is at most `at`."""
        bound = b"" if at is None else b"%d" % at
        found = await self._cluster.run(self._keys.home(key.name), FIND_SNAPSHOT, [self._keys.snapshots(key)], [bound])
        return None if found is None else Snapshot(Version(int(found[0])), found[1], found[2])

    async def drop_snapshot(self, key: RoomKey, version: Version) -> None:
        """Delete the snapshot of a version; the one before it becomes the latest, without receipts."""
        arguments = (b"%d" % version,)
        await self._cluster.run(self._keys.home(key.name), DROP_SNAPSHOT, [self._keys.snapshots(key)], arguments)

    async def matches(self, key: RoomKey, numbers: Sequence[int]) -> list[bytes | None]:
        """Return the match index's entries by number. Raises `BrokenHistory`."""
        if not numbers:
            return []
        fields = [b"%d" % number for number in numbers]
        found = await self._ask(self._keys.home(key.name), b"HMGET", self._keys.matches(key), *fields)
        pairs = zip(numbers, found, strict=True)
        return [kept and verify_match(self.signer, key, number, kept) for number, kept in pairs]

    async def lobby(self, cursor: str | None, limit: int) -> LobbyPage:
        """Return a page of the lobby, newest room first, over all partitions. Raises `ValueError` for a bad cursor."""
        return await self._lobby.page(cursor, limit)

    async def claim_due(self, now: Millis, lease: Millis, limit: int) -> list[RoomKey]:
        """Return rooms that are due at `now`, the longest due first, and hide each until `now + lease`.

        Looking comes before claiming, so no partition's rooms are hidden in vain and none waits for another's.
        """
        homes = [home for home in self._keys.all if self._guard.is_open(home.number)]
        due = await asyncio.gather(*(self._due(home, now, limit) for home in homes))
        wanted = sorted(moment for moments in due for moment in moments)[:limit]
        by_partition: dict[int, list[bytes]] = {}
        for _, room, partition in wanted:
            by_partition.setdefault(partition, []).append(room)
        arguments = (b"%d" % now, b"%d" % (now + lease))
        claimed = await asyncio.gather(
            *(
                self._cluster.run(home := self._keys.all[partition], CLAIM, [home.due], [*arguments, *rooms])
                for partition, rooms in by_partition.items()
            )
        )
        mine = {room for rooms in claimed for room in rooms}
        return [room_of(room) for _, room, _ in wanted if room in mine]

    async def _due(self, home: PartitionKeys, now: Millis, limit: int) -> list[tuple[int, bytes, int]]:
        """Return one partition's due rooms, each with its moment before it and the partition behind it."""
        bounds = (b"-inf", b"%d" % now, b"WITHSCORES", b"LIMIT", b"0", b"%d" % limit)
        found = await self._ask(home, b"ZRANGEBYSCORE", home.due, *bounds)
        return [(int(moment), room, home.number) for room, moment in zip(found[::2], found[1::2], strict=True)]

    async def remember_room(self, player: PlayerId, key: RoomKey) -> None:
        """Note that a player may be in a room; a room noted already keeps its place."""
        await self._cluster.run(self._keys.home(player), REMEMBER, [self._keys.player(player)], [member(key)])

    async def forget_room(self, player: PlayerId, key: RoomKey) -> None:
        """Drop such a note."""
        await self._ask(self._keys.home(player), b"ZREM", self._keys.player(player), member(key))

    async def rooms_of(self, player: PlayerId) -> list[RoomKey]:
        """Return the noted rooms of a player, oldest note first."""
        noted = await self._ask(self._keys.home(player), b"ZRANGE", self._keys.player(player), b"0", b"-1")
        return [room_of(room) for room in noted]

    async def listen(self, key: RoomKey, heard: Callable[[RoomKey, Version], None]) -> None:
        """Call `heard` at every append to this room, from before this returns; a second `listen` replaces the first."""

        def told(message: bytes | None) -> None:
            heard(key, Version(int(message or b"0")))

        await self._pubsub.subscribe(self._keys.home(key.name), self._keys.stream(key), told)

    async def unlisten(self, key: RoomKey) -> None:
        """Stop listening to a room."""
        self._pubsub.unsubscribe(self._keys.stream(key))

    async def time(self) -> Millis:
        """Return the store's clock."""
        seconds, micros = await self._ask(self._keys.all[0], b"TIME")
        return Millis(int(seconds) * 1000 + int(micros) // 1000)

    async def check(self) -> list[str]:
        """Return warnings about the store's settings. Raises `UnfitStore`."""
        return await check_servers(self._cluster, self._keys)

    async def close(self) -> None:
        """Let go of every connection."""
        await self._pubsub.close()
        await self._cluster.close()

    async def _ask(self, home: PartitionKeys, *parts: bytes) -> Any:
        return await self._cluster.ask(home, *parts)


def entry_of(entry_id: bytes, fields: Sequence[bytes]) -> Entry:
    """Return a stream entry as an event: its id is `<version>-0`, its fields are `e` data `d` digest and `m` MAC.

    One that is laid out otherwise was not written by any release; its version 0 fits nowhere.
    """
    version, _, rest = entry_id.partition(b"-")
    if rest != b"0" or len(fields) < 4:
        return Entry(Version(0), b"", b"")
    return Entry(Version(int(version)), fields[1], fields[3], fields[5] if len(fields) > 5 else b"")
