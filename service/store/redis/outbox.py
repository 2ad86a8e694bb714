"""The outboxes in Redis: one stream per partition."""

from collections.abc import Sequence
from typing import Any

from service.domain.ids import Version
from service.store.outbox import DELIVERIES, OutboxEntry
from service.store.redis.client.cluster import Cluster
from service.store.redis.keys import Keys
from service.store.redis.scripts import SETTLE_OUTBOX
from service.store.stream_keys import OUTBOX


class RedisOutbox:
    """The contract `Outbox` in Redis."""

    def __init__(self, cluster: Cluster, keys: Keys) -> None:
        """Use `cluster`."""
        self._cluster = cluster
        self._keys = keys

    async def pending(self, partition: int, limit: int) -> list[OutboxEntry]:
        """Return the oldest entries of a partition's outbox."""
        where = self._keys.all[partition]
        found: Any = await self._cluster.ask(where, b"XRANGE", where.outbox, b"-", b"+", b"COUNT", b"%d" % limit)
        return [entry_of(entry_id, fields) for entry_id, fields in found]

    async def delete(self, partition: int, entries: Sequence[OutboxEntry]) -> None:
        """Delete entries that were delivered."""
        where = self._keys.all[partition]
        await self._cluster.ask(where, b"XDEL", where.outbox, *(entry.id.encode() for entry in entries))

    async def settle(self, partition: int) -> bool:
        """Remove a partition's outbox from the due set if it is empty. Return whether it was empty."""
        where = self._keys.all[partition]
        return bool(await self._cluster.run(where, SETTLE_OUTBOX, (where.outbox, where.due), (OUTBOX,)))


def entry_of(entry_id: bytes, fields: Sequence[bytes]) -> OutboxEntry:
    """Return an entry of the stream; its fields are `s` source, `v` version and `d` deliveries."""
    source, version, deliveries = fields[1::2]
    return OutboxEntry(entry_id.decode(), source.decode(), Version(int(version)), DELIVERIES.decode(deliveries))
