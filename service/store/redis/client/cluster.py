"""Sends commands to the node that serves a partition: one pipeline per node. A single server is the only node.

WAIT counts the replicas that have what its own connection wrote. On a connection that wrote nothing it may count all
replicas immediately, no matter what they have. So it has to follow a write on the same connection.
"""

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import msgspec

from service.store.contract import OutcomeUnknown, StoreFailed, StoreUnavailable
from service.store.redis.client.address import address_of
from service.store.redis.client.pipeline import REPLY_PATIENCE, Pipeline, ReplyFilter
from service.store.redis.client.resp import LENGTHS, Moved, ScriptMissing, pack_command
from service.store.redis.keys import Keys, Partition, PartitionKeys
from service.store.redis.scripts import Script
from service.store.write_guard import Requires, WriteGuard

WRITES = frozenset(
    {
        b"DEL",
        b"GETDEL",
        b"HDEL",
        b"HSET",
        b"HSETNX",
        b"SADD",
        b"SET",
        b"SREM",
        b"XADD",
        b"XDEL",
        b"ZADD",
        b"ZREM",
        b"ZREMRANGEBYSCORE",
    }
)
"""The commands outside of scripts that write."""

UNKNOWN_NAME = b"?"
"""What a node of a cluster with host names sends for a node with an unknown name, as after a restart."""


class ScriptCall:
    """A script with its keys and its first arguments, which are packed once for all calls."""

    __slots__ = ("_count", "_packed", "_parts", "partition", "script")

    def __init__(
        self, partition: PartitionKeys, script: Script, keys: Sequence[bytes], arguments: Sequence[bytes] = ()
    ) -> None:
        self.partition, self.script = partition, script
        self._parts = (b"%d" % len(keys), *keys, *arguments)
        packed = pack_command((b"EVALSHA", script.sha, *self._parts))
        self._packed, self._count = packed[packed.index(b"\n") + 1 :], len(self._parts) + 2

    def pack(self, more: Sequence[bytes]) -> bytes:
        """Return the command with the other arguments, for a server that has cached the script."""
        pieces = [b"\r\n"] * (3 * len(more))
        pieces[::3] = map(LENGTHS.__getitem__, map(len, more))
        pieces[1::3] = more
        return b"*%d\r\n%b%b" % (self._count + len(more), self._packed, b"".join(pieces))

    def pack_source(self, more: Sequence[bytes]) -> bytes:
        """Return the same for a server that does not know the script."""
        return pack_command((b"EVAL", self.script.source, *self._parts, *more))


class Pipelines(dict[str, Pipeline]):
    """The pipeline to each node by its URL, made at the first use."""

    def __init__(self, make: Callable[[str], Pipeline]) -> None:
        """Start without any; `make` makes one."""
        super().__init__()
        self._make = make

    def __missing__(self, url: str) -> Pipeline:
        """Make a pipeline to this node."""
        pipeline = self[url] = self._make(url)
        return pipeline


class Cluster:
    """The pipelines to all nodes. At first it knows one node, and asks it for the others when it is redirected."""

    def __init__(
        self,
        url: str,
        keys: Keys,
        *,
        clustered: bool,
        reply_patience: float = REPLY_PATIENCE,
        guard: WriteGuard | None = None,
    ) -> None:
        """Connect with the first command to the URL, in a cluster to any node. Raises `ValueError` for an invalid URL.

        `guard` checks every command. It is notified when a connection has ended, before a new one is opened.
        """
        address_of(url)
        self._url = url
        self._keys = keys
        self.is_clustered = clustered
        """Whether the store is a Redis Cluster, not a single server."""
        self._reply_patience = reply_patience
        self._guard = guard or WriteGuard()
        self._pipelines = Pipelines(lambda url: self.new_pipeline(url, on_break=partial(self._suspect, url)))
        self._served_by: dict[Partition, str] = {}

    @property
    def urls(self) -> tuple[str, ...]:
        """The URLs of all nodes that serve a partition, as far as known."""
        return tuple(dict.fromkeys(self._served_by.get(partition.number, self._url) for partition in self._keys.all))

    def url(self, number: Partition) -> str:
        """Return the URL of the node that serves a partition, as far as known."""
        return self._served_by.get(number, self._url)

    def _suspect(self, url: str) -> None:
        """Require that the partitions of a node are compared again, because its connection has ended."""
        self._guard.suspect([partition.number for partition in self._keys.all if self.url(partition.number) == url])

    def pipeline(self, url: str) -> Pipeline:
        """Return the pipeline to a node."""
        return self._pipelines[url]

    def new_pipeline(
        self, url: str, reply_filter: ReplyFilter | None = None, on_break: Callable[[], None] = lambda: None
    ) -> Pipeline:
        """Return another pipeline to a node, which the caller has to close."""
        address = address_of(url)
        return Pipeline(address, reply_patience=self._reply_patience, reply_filter=reply_filter, on_break=on_break)

    async def ask(self, partition: PartitionKeys, *parts: bytes, in_doubt: type[StoreFailed] = StoreUnavailable) -> Any:
        """Send a command to the node that serves a partition and return its reply."""
        self._guard.admit(Requires.SPACE if parts[0] in WRITES else Requires.NOTHING, partition.number)
        return await self._send(partition, pack_command(parts), in_doubt)

    async def run(
        self,
        partition: PartitionKeys,
        script: Script,
        keys: Sequence[bytes],
        arguments: Sequence[bytes],
        in_doubt: type[StoreFailed] = StoreUnavailable,
    ) -> Any:
        """Run a script and return its result."""
        return await self.call(ScriptCall(partition, script, keys), arguments, in_doubt)

    async def call(self, call: ScriptCall, arguments: Sequence[bytes], in_doubt: type[StoreFailed]) -> Any:
        """Run a script with these arguments after those of the call, and return its result.

        A server that does not know the script gets its source and caches it.
        """
        self._guard.admit(call.script.requires, call.partition.number)
        try:
            return await self._send(call.partition, call.pack(arguments), in_doubt)
        except ScriptMissing:
            return await self._send(call.partition, call.pack_source(arguments), in_doubt)

    async def _send(self, partition: PartitionKeys, command: bytes, in_doubt: type[StoreFailed]) -> Any:
        """Send a command. If a node redirects it, which did not execute it, send it again to the right node."""
        try:
            return await self.pipeline_to(partition).send_packed(command, in_doubt)
        except Moved:
            await self.discover()
            return await self._send_again(partition, command, in_doubt)
        except StoreUnavailable:
            await self.rediscover()
            self._guard.space.require_space()
            raise

    async def _send_again(self, partition: PartitionKeys, command: bytes, in_doubt: type[StoreFailed]) -> Any:
        try:
            return await self.pipeline_to(partition).send_packed(command, in_doubt)
        except Moved as moved:
            raise StoreUnavailable(str(moved)) from moved

    def pipeline_to(self, partition: PartitionKeys) -> Pipeline:
        """Return the pipeline to the node that serves a partition, as far as known."""
        return self._pipelines[self._served_by.get(partition.number, self._url)]

    async def rediscover(self) -> None:
        """In a cluster, ask again which node serves what: another node may serve it now."""
        if self.is_clustered:
            await self.discover()

    async def discover(self) -> None:
        """Ask one node after the other which node serves what, until one answers. If none does, nothing changes."""
        from redis.crc import key_slot  # noqa: PLC0415 - redis-py takes 20 MB, and only a cluster needs its slots

        for url in dict.fromkeys((*self.urls, self._url)):
            try:
                ranges = await self.pipeline(url).send(b"CLUSTER", b"SLOTS")
            except StoreUnavailable:
                continue
            for partition in self._keys.all:
                slot = key_slot(partition.tag)
                for first, last, (host, port, *_), *_ in ranges:
                    if first <= slot <= last and host != UNKNOWN_NAME:
                        self._set_node(partition.number, with_address(url, (host or b"").decode(), port))
            return

    def _set_node(self, number: Partition, url: str) -> None:
        """Record which node serves a partition. A partition that changed its node has to be compared again."""
        if self._served_by.get(number, url) != url:
            self._guard.suspect([number])
        self._served_by[number] = url

    async def close(self) -> None:
        """Close all pipelines."""
        for pipeline in self._pipelines.values():
            await pipeline.close()


def with_address(url: str, host: str, port: int) -> str:
    """Return the URL with another host and port. An empty host means that the node does not know it: the host stays."""
    parts = urlsplit(url)
    credentials, at, _ = parts.netloc.rpartition("@")
    known = f"[{host}]" if ":" in host else host or parts.hostname or "localhost"
    return urlunsplit(parts._replace(netloc=f"{credentials}{at}{known}:{port}"))


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
