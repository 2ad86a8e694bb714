"""The nicknames of players in Redis: per player a hash of names and one of MACs, in the player's partition."""

import asyncio
from collections.abc import Collection
from typing import Any

from service.domain.ids import PlayerId
from service.store.contract import StoreDamaged
from service.store.player_names import CheckedNames, Signed, checked_names
from service.store.protection import Protection
from service.store.redis.client.cluster import Cluster, Replicas
from service.store.redis.keys import Keys, PartitionKeys
from service.store.redis.parts import ProtectedPart
from service.store.redis.scripts import ADD_NAME, SIGN_VALUE
from service.store.stream_keys import names_key


class RedisNameTable(ProtectedPart):
    """The contract `NameTable` in Redis."""

    def __init__(self, cluster: Cluster, keys: Keys, replicas: Replicas, protection: Protection) -> None:
        """Use `cluster`; a new nickname is as durable as an event."""
        super().__init__(cluster, keys, protection)
        self._replicas = replicas

    async def read(self, players: Collection[PlayerId]) -> list[CheckedNames]:
        """Return the nicknames of each of some players."""
        return await asyncio.gather(*map(self._read, players))

    async def _read(self, player: PlayerId) -> CheckedNames:
        return checked_names(*await self._protection.check(names_key(player), *await self._stored(player)))

    async def _stored(self, player: PlayerId) -> list[dict[bytes, bytes]]:
        """Return the stored nicknames of a player and their MACs, each by number."""
        where, keys = self._of(player)
        return await asyncio.gather(*(self._hash(where, key) for key in keys))

    async def _hash(self, where: PartitionKeys, key: bytes) -> dict[bytes, bytes]:
        """Return a hash; an empty one for a key of another type, whose MACs show that it is not."""
        try:
            found: Any = await self._cluster.ask(where, b"HGETALL", key)
        except StoreDamaged:
            return {}
        return dict(zip(found[::2], found[1::2], strict=True))

    async def add(self, player: PlayerId, number: str, nickname: str) -> bool:
        """Add a nickname under a number; return whether that was free."""
        (where, keys), field, value = self._of(player), number.encode(), nickname.encode()
        mac = self._protection.sign(names_key(player), field, value)
        added: Any = await self._cluster.run(where, ADD_NAME, keys, (field, value, mac))
        await self._replicas.wait_until_durable(where)
        return bool(added)

    async def sign(self, player: PlayerId) -> Signed:
        """Sign the nicknames of a player that have no MAC of the current key."""
        (where, keys), (names, macs) = self._of(player), await self._stored(player)
        found, damaged = await self._protection.check(names_key(player), names, macs)
        signed = self._protection.missing(names_key(player), found, macs)
        for field, mac in signed.items():
            await self._cluster.run(where, SIGN_VALUE, keys, (field, names[field], field, mac))
        return Signed(len(signed), len(damaged))

    async def delete(self, player: PlayerId) -> None:
        """Delete all nicknames of a player."""
        where, keys = self._of(player)
        await self._cluster.ask(where, b"DEL", *keys)
        await self._replicas.wait_until_durable(where)

    def _of(self, player: PlayerId) -> tuple[PartitionKeys, tuple[bytes, bytes]]:
        """Return the partition of a player, and the keys of the two hashes there."""
        return self._keys.partition_of(player), (self._keys.of("names", player), self._keys.of("name_macs", player))
