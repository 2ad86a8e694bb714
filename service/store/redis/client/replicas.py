"""Whether enough replicas have a write.

WAIT counts the replicas that have what its own connection wrote. On a connection that wrote nothing it may count all
replicas immediately, no matter what they have. So it has to follow a write on the same connection.
"""

import asyncio
from typing import Any

import msgspec

from service.store.contract import OutcomeUnknown, StoreUnavailable
from service.store.redis.client.cluster import Cluster
from service.store.redis.client.pipeline import Pipeline
from service.store.redis.keys import PartitionKeys

REPLICA_PATIENCE = 1000
"""Milliseconds until replicas must have a write."""


class UsedConnection(msgspec.Struct, frozen=True):
    """One connection of a pipeline; `number` is how many ended before it."""

    pipeline: Pipeline
    number: int


class Replicas:
    """The number of replicas that must have each write. With 0 nothing is awaited."""

    def __init__(self, cluster: Cluster, count: int) -> None:
        """Wait until `count` replicas have each write."""
        self._cluster = cluster
        self._count = count
        self.are_awaited = count > 0
        """Whether a write has to reach any replica."""
        self._wait = (b"WAIT", b"%d" % count, b"%d" % REPLICA_PATIENCE)

    def connection(self, partition: PartitionKeys) -> UsedConnection:
        """Return the connection that the next command to a partition will use."""
        pipeline = self._cluster.pipeline_to(partition)
        return UsedConnection(pipeline, pipeline.ended)

    async def confirm(self, partition: PartitionKeys, used: UsedConnection) -> None:
        """Wait until enough replicas have what was written over a connection. Raises `OutcomeUnknown`."""
        if self.connection(partition) != used:
            raise OutcomeUnknown("the connection ended before replicas confirmed what was written")
        try:
            reached: Any = await used.pipeline.send(*self._wait, in_doubt=OutcomeUnknown)
        except StoreUnavailable as away:
            raise OutcomeUnknown(str(away)) from away
        self._check(reached)

    async def wait_until_durable(self, partition: PartitionKeys) -> None:
        """Wait until enough replicas have everything that the server has, from any writer. Raises `OutcomeUnknown`."""
        if not self._count:
            return
        pipeline = self._cluster.pipeline_to(partition)
        try:
            # Both use the same connection, because they are sent at once. Adding 0 is a write that changes nothing.
            written = pipeline.send(b"INCRBY", partition.appended, b"0", in_doubt=OutcomeUnknown)
            reached = pipeline.send(*self._wait, in_doubt=OutcomeUnknown)
            results = await asyncio.gather(written, reached, return_exceptions=True)
        except StoreUnavailable as away:
            raise OutcomeUnknown(str(away)) from away
        for result in results:
            if isinstance(result, BaseException):
                raise OutcomeUnknown(str(result)) from result
        self._check(results[1])

    def _check(self, reached: Any) -> None:
        if reached < self._count:
            raise OutcomeUnknown(f"{reached} of {self._count} replicas have the write")
