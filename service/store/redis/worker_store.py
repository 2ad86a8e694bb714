"""What workers use in Redis: heartbeats, the clock, claims, and the trimming of closed rooms.

Each partition has a due set, from which workers claim, and a stream for its outbox.
"""

import asyncio
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from service.domain.ids import Millis, Outage, Pulse, RoomKey, Version
from service.store.contract import OUTAGES_KEPT, ClockReading, Report
from service.store.outbox import DELIVERIES, OutboxEntry
from service.store.redis.client.cluster import Cluster
from service.store.redis.keys import Keys, PartitionKeys
from service.store.redis.parts import StorePart
from service.store.redis.scripts import CLAIM, CORRECT_CLOCK, DUE, KEEP, PULSE, READ_CLOCK, SCRUB, SETTLE_OUTBOX, TRIM
from service.store.stream_keys import OUTBOX, DueKey, due_key, due_member, member, room_of
from service.store.write_guard import WriteGuard


class DueSets(StorePart):
    """The due sets of all partitions."""

    def __init__(self, cluster: Cluster, keys: Keys, guard: WriteGuard) -> None:
        """Use `cluster`; partitions that `guard` does not admit are left out."""
        super().__init__(cluster, keys)
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


class RedisOutbox(StorePart):
    """The contract `Outbox` in Redis."""

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


class RedisWorkerStore(StorePart):
    """The contract `WorkerStore` in Redis."""

    async def read_clock(self) -> ClockReading:
        """Return the store's clock and its correction."""
        time, *kept = await self._cluster.run(self._keys.all[0], READ_CLOCK, (self._keys.clock,), ())
        correction, latest, wall = (None if value is None else Millis(int(value)) for value in kept)
        return ClockReading(Millis(time), correction or Millis(0), latest, wall)

    async def correct_clock(self, before: Millis, after: Millis) -> bool:
        """Change the correction of the store's clock from `before` to `after`. Return whether it was `before`."""
        arguments = (b"%d" % before, b"%d" % after)
        return bool(await self._cluster.run(self._keys.all[0], CORRECT_CLOCK, (self._keys.clock,), arguments))

    async def beat(self, report: Report, silence: Millis) -> Pulse:
        """Record a worker's heartbeat, and an outage if the latest heartbeat is older than `silence`."""
        return await self._reported(report, b"%d" % silence, b"%d" % OUTAGES_KEPT)

    async def pulse(self, report: Report) -> Pulse:
        """Record the time of a process that is not a worker. Return the latest heartbeat and the latest outages."""
        return await self._reported(report)

    async def _reported(self, report: Report, *more: bytes) -> Pulse:
        keys = (self._keys.pulse, self._keys.outages, self._keys.clock)
        arguments = (b"%d" % report.time, b"%d" % report.wall, *more)
        return pulse_of(*await self._cluster.run(self._keys.all[0], PULSE, keys, arguments))

    async def extend_claim(self, key: DueKey, held: Millis, until: Millis) -> bool:
        """Extend a claim that ends at `held` to `until`. Return whether it was still held."""
        partition = self._keys.partition_due(key)
        arguments = (due_member(key), b"%d" % held, b"%d" % until)
        return bool(await self._cluster.run(partition, KEEP, [self._keys.due_set(key)], arguments))

    async def closed(self, before: Millis, limit: int) -> list[RoomKey]:
        """Return rooms that closed before a time and are not trimmed yet, in this order within each partition."""
        found = await asyncio.gather(*(self._closed(partition, before, limit) for partition in self._keys.all))
        return [key for keys in found for key in keys][:limit]

    async def _closed(self, partition: PartitionKeys, before: Millis, limit: int) -> list[RoomKey]:
        bounds = (b"-inf", b"(%d" % before, b"LIMIT", b"0", b"%d" % limit)
        found: Any = await self._cluster.ask(partition, b"ZRANGEBYSCORE", partition.closed, *bounds)
        return [room_of(room) for room in found]

    async def trim(self, key: RoomKey) -> None:
        """Delete the events and snapshots of a closed room. Its head and its match index are kept."""
        partition = self._keys.partition_of(key.name)
        snapshots = (self._keys.at("states", key), self._keys.at("snapshots", key))
        keys = (self._keys.stream(key), snapshots[0], partition.closed, partition.due, snapshots[1])
        await self._cluster.run(partition, TRIM, keys, [member(key)])

    async def claim_scrub(self, now: Millis, lease: Millis) -> str | None:
        """Claim the check of all rooms. Return the cursor where it continues, None if there is nothing to claim."""
        arguments = (b"%d" % now, b"%d" % (now + lease))
        cursor = await self._cluster.run(self._keys.all[0], SCRUB, [self._keys.scrub], arguments)
        return None if cursor is None else str(cursor.decode())

    async def save_scrub_cursor(self, cursor: str, until: Millis) -> None:
        """Store where the check continues, and until when it is claimed."""
        fields = (b"cursor", cursor.encode(), b"until", b"%d" % until)
        await self._cluster.ask(self._keys.all[0], b"HSET", self._keys.scrub, *fields)

    async def set_damaged(self, key: RoomKey, *, damaged: bool) -> None:
        """Record that a room is damaged, or that it is not."""
        change = b"SADD" if damaged else b"SREM"
        await self._cluster.ask(self._keys.all[0], change, self._keys.damaged, member(key))

    async def damaged(self) -> list[RoomKey]:
        """Return the rooms that were damaged at their last check."""
        found: Any = await self._cluster.ask(self._keys.all[0], b"SMEMBERS", self._keys.damaged)
        return sorted(map(room_of, found), key=lambda key: (key.name, key.epoch))


def pulse_of(beat: bytes | None, outages: list[bytes]) -> Pulse:
    """Return the stored heartbeat and outages."""
    spans = (outage.split() for outage in outages)
    known = tuple(Outage(Millis(int(since)), Millis(int(until))) for since, until in spans)
    return Pulse(None if beat is None else Millis(int(beat)), known)
