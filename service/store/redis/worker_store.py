"""What workers do for the house, in Redis: their pulse, their claims, and closed rooms that are thrown away."""

import asyncio
from typing import Any

from service.domain.room.model.clock import Outage, Pulse
from service.domain.room.model.ids import Millis, RoomKey
from service.store.redis.client.cluster import Cluster
from service.store.redis.keys import Keys, PartitionKeys, member, room_of
from service.store.redis.scripts import CORRECT_CLOCK, KEEP, PULSE, READ_CLOCK, SCRUB, TRIM
from service.store.worker_contract import ClockReading, Report

OUTAGES_KEPT = 32


class RedisWorkerStore:
    """The contract `WorkerStore`, over the store's own connections."""

    def __init__(self, cluster: Cluster, keys: Keys) -> None:
        """Speak over `cluster`."""
        self._cluster = cluster
        self._keys = keys

    async def read_clock(self) -> ClockReading:
        """Return the store's clock and its correction."""
        time, *kept = await self._cluster.run(self._keys.all[0], READ_CLOCK, (self._keys.clock,), ())
        correction, latest, wall = (None if value is None else Millis(int(value)) for value in kept)
        return ClockReading(Millis(time), correction or Millis(0), latest, wall)

    async def correct_clock(self, before: Millis, after: Millis) -> bool:
        """Change the correction of the store's clock if it is `before`, and return whether it was."""
        arguments = (b"%d" % before, b"%d" % after)
        return bool(await self._cluster.run(self._keys.all[0], CORRECT_CLOCK, (self._keys.clock,), arguments))

    async def beat(self, report: Report, silence: Millis) -> Pulse:
        """Note that a worker runs, and that none did if the latest beat is longer ago than `silence`."""
        return await self._reported(report, b"%d" % silence, b"%d" % OUTAGES_KEPT)

    async def pulse(self, report: Report) -> Pulse:
        """Note the time of a process that is no worker; return the latest beat and the latest outages."""
        return await self._reported(report)

    async def _reported(self, report: Report, *more: bytes) -> Pulse:
        keys = (self._keys.pulse, self._keys.outages, self._keys.clock)
        arguments = (b"%d" % report.time, b"%d" % report.wall, *more)
        return pulse_of(*await self._cluster.run(self._keys.all[0], PULSE, keys, arguments))

    async def keep(self, key: RoomKey, held: Millis, until: Millis) -> bool:
        """Let a claim that ends at `held` end at `until`, and tell whether it was still this one."""
        home = self._keys.home(key.name)
        arguments = (member(key), b"%d" % held, b"%d" % until)
        return bool(await self._cluster.run(home, KEEP, [home.due], arguments))

    async def closed(self, before: Millis, limit: int) -> list[RoomKey]:
        """Return rooms that closed before a moment and were not trimmed yet, those of each partition in their order."""
        found = await asyncio.gather(*(self._closed(home, before, limit) for home in self._keys.all))
        return [key for keys in found for key in keys][:limit]

    async def _closed(self, home: PartitionKeys, before: Millis, limit: int) -> list[RoomKey]:
        bounds = (b"-inf", b"(%d" % before, b"LIMIT", b"0", b"%d" % limit)
        found: Any = await self._cluster.ask(home, b"ZRANGEBYSCORE", home.closed, *bounds)
        return [room_of(room) for room in found]

    async def trim(self, key: RoomKey) -> None:
        """Throw the events and snapshots of a closed room away; its head and its match index stay."""
        home = self._keys.home(key.name)
        snapshots = (self._keys.snapshots(key), self._keys.old_snapshots(key))
        keys = (self._keys.stream(key), snapshots[0], home.closed, home.due, snapshots[1])
        await self._cluster.run(home, TRIM, keys, [member(key)])

    async def claim_scrub(self, now: Millis, lease: Millis) -> str | None:
        """Claim the check of all rooms and return where it goes on, None where there is nothing to claim."""
        arguments = (b"%d" % now, b"%d" % (now + lease))
        cursor = await self._cluster.run(self._keys.all[0], SCRUB, [self._keys.scrub], arguments)
        return None if cursor is None else str(cursor.decode())

    async def note_scrub(self, cursor: str, until: Millis) -> None:
        """Note where the check goes on, and until when nobody else claims it."""
        fields = (b"cursor", cursor.encode(), b"until", b"%d" % until)
        await self._cluster.ask(self._keys.all[0], b"HSET", self._keys.scrub, *fields)

    async def note_damaged(self, key: RoomKey, *, damaged: bool) -> None:
        """Note that a room was found damaged, or that it is not."""
        change = b"SADD" if damaged else b"SREM"
        await self._cluster.ask(self._keys.all[0], change, self._keys.damaged, member(key))

    async def damaged(self) -> list[RoomKey]:
        """Return the rooms that were found damaged when they were last checked."""
        found: Any = await self._cluster.ask(self._keys.all[0], b"SMEMBERS", self._keys.damaged)
        return sorted(map(room_of, found), key=lambda key: (key.name, key.epoch))


def pulse_of(beat: bytes | None, outages: list[bytes]) -> Pulse:
    """Return what the store keeps of the workers' beats."""
    spans = (outage.split() for outage in outages)
    known = tuple(Outage(Millis(int(since)), Millis(int(until))) for since, until in spans)
    return Pulse(None if beat is None else Millis(int(beat)), known)
