"""The identity of a store in Redis: its id, the ids that it replaces, and its counters of appended entries."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from service.store.contract import StoreDamaged, StoreUnavailable
from service.store.redis.append import unpack_head
from service.store.redis.client.cluster import Cluster
from service.store.redis.keys import Keys, PartitionKeys
from service.store.redis.parts import StorePart
from service.store.witness import Observation, StoreId, new_store_id, successor
from service.store.write_guard import Requires, WriteGuard

LONGEST = 19
"""A counter with this many digits may exceed 64 bits."""

SCAN_COUNT = b"500"
PAGE = 500
"""How many keys are looked at, and how many heads are read, per command."""


class RedisIdentity(StorePart):
    """The contract `Identity` in Redis."""

    def __init__(self, cluster: Cluster, keys: Keys, guard: WriteGuard) -> None:
        """Use `cluster`. `guard` knows whether the store has lost data."""
        super().__init__(cluster, keys)
        self.admit_writes = partial(guard.admit, Requires.SOUND, keys.all[0].number)
        """Raises `StoreLost` if the store is known to have lost data, `StoreFull` if it is full."""
        self.admit_rooms = partial(guard.admit_room, keys.all[0].number)
        """Raises the same, and `StoreFull` also while the store's memory is too short for new rooms."""

    async def observe(self) -> Observation:
        """Return the store's id and counters. A store without an id gets one."""
        counting = self._counters_by_node() if self._cluster.is_clustered else self._counters()
        known, counters = await asyncio.gather(self._known(), counting)
        readable = {number: int(count) for number, count in counters.items() if is_count(count)}
        unreadable = tuple(number for number in counters if number not in readable)
        return Observation(known.id, known.predecessors, readable, unreadable)

    async def replace(self, predecessors: Sequence[str]) -> Observation:
        """Give the store a new id, which replaces the current id and the given ones."""
        seen = await self.observe()
        new = successor(seen, predecessors)
        await self._cluster.ask(self._keys.all[0], b"SET", self._keys.store, msgspec.json.encode(new))
        return Observation(new.id, new.predecessors, seen.appended)

    async def _known(self) -> StoreId:
        partition, key = self._keys.all[0], self._keys.store
        found: Any = await self._cluster.ask(partition, b"GET", key)
        if found is None:
            await self._cluster.ask(partition, b"SETNX", key, msgspec.json.encode(StoreId(new_store_id())))
            found = await self._cluster.ask(partition, b"GET", key)
        try:
            return msgspec.json.decode(found or b"", type=StoreId)
        except msgspec.DecodeError as fault:
            raise StoreUnavailable(f"the store's id is damaged: {fault}") from None

    async def count(self, partition: int) -> int:
        """Return how many entries were appended to the streams that a partition has, by their heads."""
        where, total = self._keys.all[partition], 0
        for kind in (b"head", b"end"):
            cursor, found = b"0", set[bytes]()
            while True:
                pattern = (b"MATCH", b"%b:%b:*" % (where.tag, kind), b"COUNT", SCAN_COUNT)
                cursor, page = await self._cluster.pipeline_to(where).send(b"SCAN", cursor, *pattern)
                found.update(page)
                if cursor == b"0":
                    break
            keys = list(found)
            for start in range(0, len(keys), PAGE):
                heads: Any = await self._cluster.ask(where, b"MGET", *keys[start : start + PAGE])
                total += sum(max(0, unpack_head(head or b"").version) for head in heads)
        return total

    async def correct(self, partition: int, count: int) -> None:
        """Replace the counter of a partition."""
        where = self._keys.all[partition]
        await self._cluster.ask(where, b"SET", where.appended, b"%d" % count)

    async def _counters(self) -> dict[int, bytes]:
        """Return the counters as they are stored."""
        keys = (partition.appended for partition in self._keys.all)
        found: Any = await self._cluster.ask(self._keys.all[0], b"MGET", *keys)
        return {partition.number: count or b"0" for partition, count in zip(self._keys.all, found, strict=True)}

    async def _counters_by_node(self) -> dict[int, bytes]:
        """Return the counters of those partitions whose node answers."""
        found = await asyncio.gather(*map(self._counter, self._keys.all))
        return {
            partition.number: count for partition, count in zip(self._keys.all, found, strict=True) if count is not None
        }

    async def _counter(self, partition: PartitionKeys) -> bytes | None:
        try:
            return await self._cluster.ask(partition, b"GET", partition.appended) or b"0"
        except StoreDamaged:
            return b""
        except StoreUnavailable:
            return None


def is_count(stored: bytes) -> bool:
    """Return whether the store can increase a counter: a number without zeros before it, within 64 bits."""
    return stored.isdigit() and len(stored) < LONGEST and stored == b"%d" % int(stored)
