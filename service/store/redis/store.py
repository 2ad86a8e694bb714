"""The store of event streams in Redis or Valkey: one server, or a cluster."""

import asyncio
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from time import perf_counter
from typing import Any, TypeVar

from service.domain.ids import DAY, Epoch, Millis, PlayerId, RoomKey, RoomName, Version
from service.runtime import metrics
from service.runtime.tracing import TRACING, record_append
from service.store.contract import (
    NOT_BEGUN,
    Batch,
    Conflict,
    Entry,
    Head,
    NameTaken,
    OutcomeUnknown,
    Snapshot,
    Trimmed,
)
from service.store.integrity import verify_match
from service.store.player_names import PlayerNames
from service.store.protection import Protection
from service.store.redis.admin_store import RedisAdminStore
from service.store.redis.append import append_call, unpack_head, variable_parts
from service.store.redis.client.cluster import Cluster, Replicas
from service.store.redis.client.pipeline import REPLY_PATIENCE
from service.store.redis.client.pubsub import PubSub
from service.store.redis.identity import RedisIdentity
from service.store.redis.keys import Keys, PartitionKeys
from service.store.redis.lobby_pages import LobbyPages
from service.store.redis.name_table import RedisNameTable
from service.store.redis.projections.leaderboards import RedisLeaderboards
from service.store.redis.projections.notable_matches import RedisNotableMatches
from service.store.redis.projections.player_matches import RedisPlayerMatches
from service.store.redis.scripts import (
    DROP_SNAPSHOT,
    FIND_SNAPSHOT,
    REMEMBER,
    SAVE_SNAPSHOT,
    SETTLE_WEBHOOKS,
    TRIM_BEFORE,
)
from service.store.redis.server_checks import check_servers
from service.store.redis.side_channels import RedisSideChannels
from service.store.redis.worker_store import DueSets, RedisOutbox, RedisWorkerStore
from service.store.signing import Signer
from service.store.stream_keys import PLAYER, KindKey, StreamKey, member, room_of
from service.store.write_guard import WriteGuard

PAGE = 512
"""Entries per read, so that a long stream does not delay other replies."""

CACHED_ROOMS = 4096
"""The number of rooms for which the constant parts of an append are cached."""

TAKEN = 0
WRITTEN = 1

Key = TypeVar("Key", bound=StreamKey)


class RedisStore:
    """The contract `Store` on Redis 6.2 and later or Valkey, with one batching connection per node."""

    def __init__(  # noqa: PLR0913 - each has a default, and they are independent
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
        """Connect with the first command to the store at this URL.

        `partitions` never changes once a store is in use. A `cluster` (Redis 7 or later) gets sharded notifications.
        A command has to be answered within `reply_patience` seconds. An append needs that many `replicas` to have it.
        The `signer` makes the MACs of commands; without it there are none. `guard` checks every command.
        """
        self.signer = signer or Signer()
        self._guard = guard or WriteGuard()
        self._keys = Keys(partitions)
        publish = b"SPUBLISH" if cluster else b"PUBLISH"
        self._append_call = lru_cache(maxsize=CACHED_ROOMS)(partial(append_call, self._keys, publish))
        self._cluster = Cluster(
            url,
            self._keys,
            clustered=cluster,
            reply_patience=reply_patience,
            guard=self._guard,
        )
        self._replicas = Replicas(self._cluster, replicas)
        self._pubsub = PubSub(self._cluster, sharded=cluster)
        self.claim_due = DueSets(self._cluster, self._keys, self._guard).claim
        self._lobby = LobbyPages(self._cluster, self._keys)
        protection = Protection(self.signer, partial(self._ask, self._keys.all[0], b"GET", self._keys.signed))
        self.outbox = RedisOutbox(self._cluster, self._keys)
        self.leaderboards = RedisLeaderboards(self._cluster, self._keys, protection)
        self.notable_matches = RedisNotableMatches(self._cluster, self._keys, protection)
        self.worker_store = RedisWorkerStore(self._cluster, self._keys)
        self.side_channels = RedisSideChannels(self._cluster, self._keys, self._pubsub, publish=publish)
        self.admin_store = RedisAdminStore(self._cluster, self._keys, protection)
        self.player_matches = RedisPlayerMatches(self._cluster, self._keys, protection)
        self.player_names = PlayerNames(RedisNameTable(self._cluster, self._keys, self._replicas, protection))
        self.identity = RedisIdentity(self._cluster, self._keys, self._guard)
        self.lobby = self._lobby.page
        """Returns a page of the lobby, newest room first. Raises `ValueError` for an invalid cursor."""

    async def append(self, key: StreamKey, after: Head, batch: Batch) -> None:
        """Append a command's events if the stream ends at `after`. Raises `Conflict`, and `NameTaken` for a claim."""
        call = self._append_call(key)
        partition, parts = call.partition, variable_parts(key, after, batch, self.signer)
        began = perf_counter()
        used = self._replicas.connection(partition) if self._replicas.are_awaited else None
        reply = await self._cluster.call(call, parts, OutcomeUnknown)
        if reply != WRITTEN:  # the conflict may be with an earlier attempt of this command
            await self._replicas.wait_until_durable(partition)
        elif used is not None:
            await self._replicas.confirm(partition, used)
        seconds = perf_counter() - began
        metrics.APPEND_SECONDS.observe(seconds)
        if reply != WRITTEN:
            raise NameTaken(key.name) if reply == TAKEN else Conflict(unpack_head(reply))
        if TRACING.on and batch.entries and isinstance(key, RoomKey):
            record_append(key.name, key.epoch, batch.entries[-1].version, seconds)

    async def wait_until_durable(self, key: StreamKey) -> None:
        """Wait until everything in a stream is as durable as an answered command. Raises `OutcomeUnknown`."""
        await self._replicas.wait_until_durable(self._keys.partition_of(key.name))

    async def open_epoch(self, name: RoomName) -> Epoch | None:
        """Return the epoch of the open room of this name, None if there is none."""
        epoch = await self._ask(self._keys.partition_of(name), b"GET", self._keys.of("name", name))
        return None if epoch is None else Epoch(epoch.decode())

    async def heads(self, keys: Sequence[StreamKey]) -> list[Head | None]:
        """Return the head of each stream, None for one that never began."""
        by_partition: dict[int, list[StreamKey]] = {}
        for key in keys:
            by_partition.setdefault(self._keys.partition_of(key.name).number, []).append(key)
        found: dict[StreamKey, Head | None] = {}
        for heads in await asyncio.gather(*map(self._heads, by_partition.values())):
            found.update(heads)
        return [found[key] for key in keys]

    async def _heads(self, keys: Sequence[StreamKey]) -> dict[StreamKey, Head | None]:
        """Return the heads of streams of one partition."""
        packed = await self._ask(self._keys.partition_of(keys[0].name), b"MGET", *map(self._keys.head, keys))
        return {key: None if head is None else unpack_head(head) for key, head in zip(keys, packed, strict=True)}

    async def read(self, key: StreamKey, after: Version, limit: int | None = None) -> list[Entry]:
        """Return the entries with versions from `after + 1` on, at most `limit`. Raises `Trimmed`."""
        entries: list[Entry] = []
        while limit is None or len(entries) < limit:
            count = PAGE if limit is None else min(PAGE, limit - len(entries))
            page = await self._page(key, Version(after + len(entries)), count)
            entries += page
            if len(page) < count:
                break
        return entries

    async def _page(self, key: StreamKey, after: Version, count: int) -> list[Entry]:
        page = await self._range(key, after, count)
        if not page and ((await self.heads([key]))[0] or NOT_BEGUN).version > after:
            page = await self._range(key, after, count)  # written between the two reads, unless it was trimmed
            if not page and await self._begins_after(key, after):
                raise Trimmed(after)
        if page and page[0].version != after + 1 and await self._begins_after(key, after):
            raise Trimmed(after)
        return page

    async def _begins_after(self, key: StreamKey, version: Version) -> bool:
        """Return whether all entries up to a version were trimmed; if not, entries in the middle are missing."""
        first = await self._range(key, Version(0), 1)
        return not first or first[0].version > version

    async def _range(self, key: StreamKey, after: Version, count: int) -> list[Entry]:
        bounds = (b"%d-0" % (after + 1), b"+", b"COUNT", b"%d" % count)
        found = await self._ask(self._keys.partition_of(key.name), b"XRANGE", self._keys.stream(key), *bounds)
        return [entry_of(entry_id, fields) for entry_id, fields in found]

    async def trim_before(self, key: StreamKey, version: Version) -> None:
        """Delete a stream's entries before a version. Its head does not change."""
        partition = self._keys.partition_of(key.name)
        await self._cluster.run(partition, TRIM_BEFORE, [self._keys.stream(key)], [b"%d" % version])

    async def first_version(self, key: StreamKey) -> Version | None:
        """Return the version of a stream's oldest entry, None for one without entries."""
        first = await self._range(key, Version(0), 1)
        return first[0].version if first else None

    async def save_snapshot(self, key: StreamKey, snapshot: Snapshot) -> None:
        """Store a snapshot; only the latest one keeps its idempotency records."""
        arguments = (b"%d" % snapshot.version, snapshot.data, snapshot.idempotency)
        keys = (self._keys.at("states", key), self._keys.at("snapshots", key))
        await self._cluster.run(self._keys.partition_of(key.name), SAVE_SNAPSHOT, keys, arguments)

    async def snapshot(self, key: StreamKey, at: Version | None = None) -> Snapshot | None:
        """Return the newest snapshot, or the newest one with a version of at most `at`."""
        bound = b"" if at is None else b"%d" % at
        found = await self._cluster.run(
            self._keys.partition_of(key.name), FIND_SNAPSHOT, [self._keys.at("states", key)], [bound]
        )
        return None if found is None else Snapshot(Version(int(found[0])), found[1], found[2])

    async def drop_snapshot(self, key: StreamKey, version: Version) -> None:
        """Delete the snapshot of a version. If it was the latest, the one before it is, without records."""
        arguments = (b"%d" % version,)
        await self._cluster.run(
            self._keys.partition_of(key.name), DROP_SNAPSHOT, [self._keys.at("states", key)], arguments
        )

    async def matches(self, key: RoomKey, numbers: Sequence[int]) -> list[bytes | None]:
        """Return match index entries by number. Raises `BrokenHistory` for an invalid MAC."""
        if not numbers:
            return []
        fields = [b"%d" % number for number in numbers]
        found = await self._ask(self._keys.partition_of(key.name), b"HMGET", self._keys.at("matches", key), *fields)
        pairs = zip(numbers, found, strict=True)
        return [kept and verify_match(self.signer, key, number, kept) for number, kept in pairs]

    async def settle_webhooks(self, key: KindKey, seen: Version, seen_of_owner: Version, due: Millis | None) -> None:
        """Set when webhooks are due again, None for never; at once if one of the two streams has newer events."""
        keys = (self._keys.due_set(key), self._keys.head(key), self._keys.head(KindKey(PLAYER, key.id)))
        moment = b"none" if due is None else b"%d" % due
        arguments = (member(key), b"%d" % seen, b"%d" % seen_of_owner, moment)
        await self._cluster.run(self._keys.partition_of(key.name), SETTLE_WEBHOOKS, keys, arguments)

    async def remember_room(self, player: PlayerId, key: RoomKey) -> None:
        """Record that a player may be in a room. A room that is already recorded keeps its place."""
        await self._cluster.run(
            self._keys.partition_of(player), REMEMBER, [self._keys.of("player", player)], [member(key)]
        )

    async def forget_room(self, player: PlayerId, key: RoomKey) -> None:
        """Delete that record."""
        await self._ask(self._keys.partition_of(player), b"ZREM", self._keys.of("player", player), member(key))

    async def rooms_of(self, player: PlayerId) -> list[RoomKey]:
        """Return the recorded rooms of a player, oldest first."""
        noted = await self._ask(
            self._keys.partition_of(player), b"ZRANGE", self._keys.of("player", player), b"0", b"-1"
        )
        return [room_of(room) for room in noted]

    async def turns_read_until(self, key: StreamKey) -> Millis:
        """Return until when the turns of a player, or those that begin in a room, are read; 0 if they were not."""
        partition = self._keys.partition_of(key.name)
        return Millis(int(await self._ask(partition, b"ZSCORE", partition.read, member(key)) or 0))

    async def read_turns(self, key: StreamKey, until: Millis) -> None:
        """Record that turns are read until this time at least, and delete the times that are three days earlier."""
        partition = self._keys.partition_of(key.name)
        ended = b"(%d" % (until - 3 * DAY)
        await self._ask(partition, b"ZREMRANGEBYSCORE", partition.read, b"-inf", ended)
        await self._ask(partition, b"ZADD", partition.read, b"GT", b"%d" % until, member(key))

    async def subscribe(self, key: Key, on_append: Callable[[Key, Version], None]) -> None:
        """Call `on_append` after every append to this stream from now on. A second `subscribe` replaces the first."""

        def on_message(message: bytes | None) -> None:
            on_append(key, Version(int(message or b"0")))

        await self._pubsub.subscribe(self._keys.partition_of(key.name), self._keys.stream(key), on_message)

    async def unsubscribe(self, key: StreamKey) -> None:
        """End the subscription to a stream."""
        self._pubsub.unsubscribe(self._keys.stream(key))

    async def time(self) -> Millis:
        """Return the time of the store's clock."""
        seconds, micros = await self._ask(self._keys.all[0], b"TIME")
        return Millis(int(seconds) * 1000 + int(micros) // 1000)

    async def check(self) -> list[str]:
        """Return warnings about the store's settings. Raises `UnsuitableStore`."""
        return await check_servers(self._cluster, self._keys)

    async def close(self) -> None:
        """Close all connections."""
        await self._pubsub.close()
        await self._cluster.close()

    async def _ask(self, partition: PartitionKeys, *parts: bytes) -> Any:
        return await self._cluster.ask(partition, *parts)


def entry_of(entry_id: bytes, fields: Sequence[bytes]) -> Entry:
    """Return a stream entry as an event: its id is `<version>-0`, its fields are `e` data, `d` digest and `m` MAC.

    No release has written an entry in another form. Its version is 0, which is never valid.
    """
    version, _, rest = entry_id.partition(b"-")
    if rest != b"0" or len(fields) < 4:
        return Entry(Version(0), b"", b"")
    return Entry(Version(int(version)), fields[1], fields[3], fields[5] if len(fields) > 5 else b"")
