"""What workers store in Redis: heartbeats, the clock, claims, and the trimming of closed rooms."""

import asyncio
from typing import Any

from service.domain.ids import Millis, RoomKey
from service.domain.timestamps import Outage, Pulse
from service.store.redis.client.cluster import Cluster
from service.store.redis.keys import Keys, PartitionKeys
from service.store.redis.scripts import CORRECT_CLOCK, KEEP, PULSE, READ_CLOCK, SCRUB, TRIM
from service.store.stream_keys import DueKey, due_member, member, room_of
from service.store.worker_contract import OUTAGES_KEPT, ClockReading, Report


class RedisWorkerStore:
    """The contract `WorkerStore` in Redis."""

    def __init__(self, cluster: Cluster, keys: Keys) -> None:
        """Use `cluster`."""
        self._cluster = cluster
        self._keys = keys

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
        snapshots = (self._keys.snapshots(key), self._keys.old_snapshots(key))
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
