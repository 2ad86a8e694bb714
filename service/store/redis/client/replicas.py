"""Whether enough replicas have what was written.

WAIT counts the replicas that have what its own connection wrote. On a connection that wrote nothing it may count all
of them at once, whatever they have; so it has to follow a write on the same connection.
"""

import asyncio
from typing import Any

import msgspec

from service.store.contract import OutcomeUnknown, StoreUnavailable
from service.store.redis.client.cluster import Nodes
from service.store.redis.client.pipeline import Link
from service.store.redis.keys import PartitionKeys

REPLICA_PATIENCE = 1000
"""Milliseconds for replicas to have what was written."""


class Connection(msgspec.Struct, frozen=True):
    """One connection of a link: `number` counts those that have ended."""

    link: Link
    number: int


class Replicas:
    """How many replicas must have what was written; with none nothing is waited for."""

    def __init__(self, nodes: Nodes, count: int) -> None:
        """Ask through the links of `nodes`."""
        self._nodes = nodes
        self._count = count
        self._wait = (b"WAIT", b"%d" % count, b"%d" % REPLICA_PATIENCE)

    def connection(self, home: PartitionKeys) -> Connection | None:
        """Return the connection that the next command to a partition takes, None where nothing is waited for."""
        if not self._count:
            return None
        link = self._nodes.link_to(home)
        return Connection(link, link.ended)

    async def confirm(self, home: PartitionKeys, used: Connection | None) -> None:
        """Wait until enough replicas have what was written over a connection. Raises `OutcomeUnknown`."""
        if used is None:
            return
        if self.connection(home) != used:
            raise OutcomeUnknown("the connection ended before replicas confirmed what was written")
        try:
            reached: Any = await used.link.send(*self._wait, in_doubt=OutcomeUnknown)
        except StoreUnavailable as away:
            raise OutcomeUnknown(str(away)) from away
        self._judge(reached)

    async def settle(self, home: PartitionKeys) -> None:
        """Wait until enough replicas have all that their server has, whoever wrote it. Raises `OutcomeUnknown`."""
        if not self._count:
            return
        link = self._nodes.link_to(home)
        try:
            # Sent at once, both take the same connection. Adding nothing is a write, and changes nothing.
            written = link.send(b"INCRBY", home.appended, b"0", in_doubt=OutcomeUnknown)
            reached = link.send(*self._wait, in_doubt=OutcomeUnknown)
            results = await asyncio.gather(written, reached, return_exceptions=True)
        except StoreUnavailable as away:
            raise OutcomeUnknown(str(away)) from away
        for result in results:
            if isinstance(result, BaseException):
                raise OutcomeUnknown(str(result)) from result
        self._judge(results[1])

    def _judge(self, reached: Any) -> None:
        if reached < self._count:
            raise OutcomeUnknown(f"{reached} of {self._count} replicas have it")
