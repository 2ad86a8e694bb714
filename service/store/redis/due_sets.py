"""The due sets in Redis: one per partition, from which workers claim."""

import asyncio
from collections.abc import Callable, Sequence
from operator import attrgetter

from service.domain.ids import Millis
from service.store.redis.client.cluster import Cluster
from service.store.redis.keys import Keys, PartitionKeys
from service.store.redis.scripts import CLAIM, DUE
from service.store.stream_keys import DueKey, due_key
from service.store.write_guard import WriteGuard


class DueSets:
    """The due sets of all partitions."""

    def __init__(self, cluster: Cluster, keys: Keys, guard: WriteGuard) -> None:
        """Use `cluster`; partitions that `guard` does not admit are left out."""
        self._cluster = cluster
        self._keys = keys
        self._guard = guard

    async def claim(self, now: Millis, lease: Millis, limit: int, *, webhooks: bool = False) -> list[DueKey]:
        """Return what is due at `now`, the longest due first, and hide it from others until `now + lease`.

        With `webhooks` only those, otherwise everything else. All partitions are read before anything is claimed, so
        that only what is returned is claimed.
        """
        set_of = attrgetter("sending" if webhooks else "due")
        partitions = [partition for partition in self._keys.all if self._guard.is_open(partition.number)]
        together = [[partition] for partition in partitions] if self._cluster.is_clustered else [partitions]
        due = await asyncio.gather(*(self._due(some, set_of, now, limit) for some in together))
        wanted = sorted(moment for moments in due for moment in moments)[:limit]
        by_partition: dict[int, list[bytes]] = {}
        for _, found, number in wanted:
            by_partition.setdefault(number, []).append(found)
        arguments = (b"%d" % now, b"%d" % (now + lease))
        claimed = await asyncio.gather(
            *(
                self._cluster.run(
                    partition := self._keys.all[number], CLAIM, [set_of(partition)], [*arguments, *members]
                )
                for number, members in by_partition.items()
            )
        )
        mine = {(found, number) for number, members in zip(by_partition, claimed, strict=True) for found in members}
        return [due_key(found, number) for _, found, number in wanted if (found, number) in mine]

    async def _due(
        self, partitions: Sequence[PartitionKeys], set_of: Callable[[PartitionKeys], bytes], now: Millis, limit: int
    ) -> list[tuple[int, bytes, int]]:
        """Return what is due in partitions that one script may read: due time, member and partition number."""
        if not partitions:
            return []
        keys, arguments = [set_of(partition) for partition in partitions], (b"%d" % now, b"%d" % limit)
        found = await self._cluster.run(partitions[0], DUE, keys, arguments)
        return [(int(moment), found_member, partitions[place].number) for place, moment, found_member in found]
