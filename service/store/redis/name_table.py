"""The nicknames of players in Redis: one hash per player, in the player's partition."""

import asyncio
from collections.abc import Collection
from typing import Any

from service.domain.room.model.ids import PlayerId
from service.store.player_names import Names
from service.store.redis.client.cluster import Cluster
from service.store.redis.client.replicas import Replicas
from service.store.redis.keys import Keys


class RedisNameTable:
    """The contract `NameTable` in Redis."""

    def __init__(self, cluster: Cluster, keys: Keys, replicas: Replicas) -> None:
        """Use `cluster`; a new nickname is as durable as an event."""
        self._cluster = cluster
        self._keys = keys
        self._replicas = replicas

    async def read(self, players: Collection[PlayerId]) -> list[Names]:
        """Return the nicknames of each of some players."""
        return await asyncio.gather(*map(self._read, players))

    async def _read(self, player: PlayerId) -> Names:
        partition = self._keys.partition_of(player)
        found: Any = await self._cluster.ask(partition, b"HGETALL", self._keys.names(player))
        texts = [each.decode() for each in found]
        return dict(zip(texts[::2], texts[1::2], strict=True))

    async def add(self, player: PlayerId, number: str, nickname: str) -> bool:
        """Add a nickname under a number; return whether that was free."""
        partition = self._keys.partition_of(player)
        added: Any = await self._cluster.ask(
            partition, b"HSETNX", self._keys.names(player), number.encode(), nickname.encode()
        )
        await self._replicas.wait_until_durable(partition)
        return bool(added)

    async def delete(self, player: PlayerId) -> None:
        """Delete all nicknames of a player."""
        partition = self._keys.partition_of(player)
        await self._cluster.ask(partition, b"DEL", self._keys.names(player))
        await self._replicas.wait_until_durable(partition)
