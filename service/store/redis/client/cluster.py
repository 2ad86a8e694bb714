"""Which node serves which partition: one link a node, one node unless the store is a cluster."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from redis.crc import key_slot

from service.store.contract import StoreUnavailable
from service.store.redis.client.address import address_of
from service.store.redis.client.errors import Moved, ScriptMissing
from service.store.redis.client.pipeline import REPLY_PATIENCE, Failure, Link, Sift, nobody_minds, nothing_is_pushed
from service.store.redis.client.resp import packed
from service.store.redis.keys import Keys, Partition, PartitionKeys
from service.store.redis.scripts import Script
from service.store.write_guard import Guard, Requires

WRITES = frozenset({b"HSET", b"SADD", b"SET", b"SREM", b"XADD", b"ZREM"})
"""The commands outside of scripts that write."""


class Links(dict[str, Link]):
    """The link to each node, made when it is first asked for."""

    def __init__(self, make: Callable[[str], Link]) -> None:
        """Begin without any."""
        super().__init__()
        self._make = make

    def __missing__(self, url: str) -> Link:
        """Make a link to this node."""
        link = self[url] = self._make(url)
        return link


class Nodes:
    """The links to all nodes. In a cluster it begins at the given node and learns who serves what when it is told."""

    def __init__(
        self,
        url: str,
        keys: Keys,
        *,
        cluster: bool,
        reply_patience: float = REPLY_PATIENCE,
        guard: Guard | None = None,
    ) -> None:
        """Prepare to dial this URL; in a cluster any node's will do. Raises `ValueError`.

        `guard` checks every command, and learns of connections that have ended before anyone dials again.
        """
        address_of(url)
        self._url = url
        self._keys = keys
        self._cluster = cluster
        self._reply_patience = reply_patience
        self._guard = guard or Guard()
        self._links = Links(lambda url: self.new_link(url, broke=partial(self._broke, url)))
        self._served_by: dict[Partition, str] = {}

    @property
    def urls(self) -> tuple[str, ...]:
        """Every node that serves a partition, as far as is known."""
        return tuple(dict.fromkeys(self._served_by.get(home.number, self._url) for home in self._keys.all))

    def url(self, partition: Partition) -> str:
        """Return the URL of the node that serves a partition, as far as is known."""
        return self._served_by.get(partition, self._url)

    def _broke(self, url: str) -> None:
        """Have the partitions compared that a node serves whose connection has ended."""
        self._guard.suspect([home.number for home in self._keys.all if self.url(home.number) == url])

    def link(self, url: str) -> Link:
        """Return the link to a node."""
        return self._links[url]

    def new_link(self, url: str, sift: Sift = nothing_is_pushed, broke: Callable[[], None] = nobody_minds) -> Link:
        """Return another link to a node, which is its owner's to close."""
        return Link(address_of(url), reply_patience=self._reply_patience, sift=sift, broke=broke)

    async def ask(self, home: PartitionKeys, *parts: bytes, in_doubt: Failure = StoreUnavailable) -> Any:
        """Send a command to the node that serves a partition and return its reply."""
        self._guard.admit(Requires.SPACE if parts[0] in WRITES else Requires.NOTHING, home.number)
        return await self._post(home, packed(parts), in_doubt)

    async def run(
        self,
        home: PartitionKeys,
        script: Script,
        keys: Sequence[bytes],
        arguments: Sequence[bytes],
        in_doubt: Failure = StoreUnavailable,
    ) -> Any:
        """Run a script and return what it returns.

        A server that does not know the script yet is sent its source, which it remembers.
        """
        self._guard.admit(script.requires, home.number)
        parts = (b"%d" % len(keys), *keys, *arguments)
        try:
            return await self._post(home, packed((b"EVALSHA", script.sha, *parts)), in_doubt)
        except ScriptMissing:
            return await self._post(home, packed((b"EVAL", script.source, *parts)), in_doubt)

    async def _post(self, home: PartitionKeys, command: bytes, in_doubt: Failure) -> Any:
        """Send a command; one that was sent to the wrong node was not run, so it is sent once more to the right one."""
        try:
            return await self.link_to(home).post(command, in_doubt)
        except Moved:
            await self.learn()
            return await self._post_again(home, command, in_doubt)
        except StoreUnavailable:
            await self.relearn()
            self._guard.space.refuse_if_full()
            raise

    async def _post_again(self, home: PartitionKeys, command: bytes, in_doubt: Failure) -> Any:
        try:
            return await self.link_to(home).post(command, in_doubt)
        except Moved as moved:
            raise StoreUnavailable(str(moved)) from moved

    def link_to(self, home: PartitionKeys) -> Link:
        """Return the link to the node that serves a partition, as far as is known."""
        return self._links[self._served_by.get(home.number, self._url)]

    async def relearn(self) -> None:
        """Learn anew in a cluster, where another node may have taken over; one server stays the only one."""
        if self._cluster:
            await self.learn()

    async def learn(self) -> None:
        """Ask the nodes, until one answers, which of them serves which partition; keep what is known if none does."""
        for url in dict.fromkeys((*self.urls, self._url)):
            try:
                ranges = await self.link(url).send(b"CLUSTER", b"SLOTS")
            except StoreUnavailable:
                continue
            for home in self._keys.all:
                slot = key_slot(home.tag)
                for first, last, primary, *_ in ranges:
                    if first <= slot <= last:
                        self._serve(home.number, with_address(url, primary[0].decode(), primary[1]))
            return

    def _serve(self, partition: Partition, url: str) -> None:
        """Note which node serves a partition, and have it compared where that is another one."""
        if self._served_by.get(partition, url) != url:
            self._guard.suspect([partition])
        self._served_by[partition] = url

    async def close(self) -> None:
        """Hang up everywhere."""
        for link in self._links.values():
            await link.close()


def with_address(url: str, host: str, port: int) -> str:
    """Return the URL with another host and port; a node that doesn't know its own host is where it was reached."""
    parts = urlsplit(url)
    credentials, at, _ = parts.netloc.rpartition("@")
    known = f"[{host}]" if ":" in host else host or parts.hostname or "localhost"
    return urlunsplit(parts._replace(netloc=f"{credentials}{at}{known}:{port}"))
