"""The identity of a store in Redis: its id, the ids that it replaces, and its counters of appended entries."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec

from service.store.contract import StoreUnavailable
from service.store.redis.client.cluster import Cluster
from service.store.redis.keys import Keys, PartitionKeys
from service.store.witness.witness import Observation, StoreId, new_store_id, successor
from service.store.write_guard import Requires, WriteGuard


class RedisIdentity:
    """The contract `Identity` in Redis."""

    def __init__(self, cluster: Cluster, keys: Keys, guard: WriteGuard) -> None:
        """Use `cluster`. `guard` knows whether the store has lost data."""
        self._cluster = cluster
        self._keys = keys
        self.admit_writes = partial(guard.admit, Requires.NO_LOSS, keys.all[0].number)
        """Raises `StoreLost` if the store is known to have lost data, `StoreFull` if it is full."""

    async def observe(self) -> Observation:
        """Return the store's id and counters. A store without an id gets one."""
        counting = self._counters_by_node() if self._cluster.is_clustered else self._counters()
        known, counters = await asyncio.gather(self._known(), counting)
        return Observation(known.id, known.predecessors, counters)

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

    async def _counters(self) -> dict[int, int]:
        keys = (partition.appended for partition in self._keys.all)
        found: Any = await self._cluster.ask(self._keys.all[0], b"MGET", *keys)
        return {partition.number: int(count or 0) for partition, count in zip(self._keys.all, found, strict=True)}

    async def _counters_by_node(self) -> dict[int, int]:
        """Return the counters of those partitions whose node answers."""
        found = await asyncio.gather(*map(self._counter, self._keys.all))
        return {
            partition.number: count for partition, count in zip(self._keys.all, found, strict=True) if count is not None
        }

    async def _counter(self, partition: PartitionKeys) -> int | None:
        try:
            return int(await self._cluster.ask(partition, b"GET", partition.appended) or 0)
        except StoreUnavailable:
            return None
