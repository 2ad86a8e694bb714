"""Who is told of what others did: one subscription connection a node, which comes back by itself.

Subscribing is asked like anything else over a `Link`, so it is answered in order; messages come in between as pushes.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import groupby
from typing import Any

import msgspec

from service.store.contract import StoreUnavailable
from service.store.redis.client.cluster import Nodes
from service.store.redis.client.errors import Moved
from service.store.redis.client.pipeline import Link
from service.store.redis.keys import PartitionKeys

MESSAGES = (b"message", b"smessage")

Heard = Callable[[bytes | None], None]
"""Takes each message of a channel; None says that some may have been missed."""

HEARTBEAT = 5.0
"""After so many silent seconds the connection is asked whether it still stands."""

PAUSE = 0.2
"""Seconds between attempts to subscribe again."""


class Listener(msgspec.Struct, frozen=True):
    """A channel that somebody here listens to: its partition, and whom to call."""

    home: PartitionKeys
    heard: Heard


class Listening:
    """All channels listened to by this process."""

    def __init__(self, nodes: Nodes, *, sharded: bool) -> None:
        """Listen to nothing yet. A cluster's notifications are `sharded`: each stays on the node of its partition."""
        self._nodes = nodes
        self._subscribe, self._unsubscribe = (
            (b"SSUBSCRIBE", b"SUNSUBSCRIBE") if sharded else (b"SUBSCRIBE", b"UNSUBSCRIBE")
        )
        self._ears: dict[str, Link] = {}
        self._listeners: dict[bytes, Listener] = {}
        self._heard_at: dict[bytes, str] = {}
        self._leaving: Counter[bytes] = Counter()
        self._missed: set[bytes] = set()
        self._lost = asyncio.Event()
        self._tending: asyncio.Task[None] | None = None

    async def listen(self, home: PartitionKeys, channel: bytes, heard: Heard) -> None:
        """Call `heard` with each message from now on. Raises `StoreUnavailable`, and then doesn't listen."""
        self._listeners[channel] = Listener(home, heard)
        if self._tending is None:
            self._tending = asyncio.get_running_loop().create_task(self._tend())
        try:
            await self._join(channel)
        except BaseException:
            self.unlisten(channel)
            raise

    async def close(self) -> None:
        """Stop listening to anything."""
        self._listeners.clear()
        if self._tending is not None:
            self._tending.cancel()
            await asyncio.gather(self._tending, return_exceptions=True)
        for ear in self._ears.values():
            await ear.close()

    async def _join(self, channel: bytes) -> None:
        try:
            await self._ask_to_join(channel)
        except Moved:
            await self._nodes.learn()
            await self._ask_to_join(channel)

    async def _ask_to_join(self, channel: bytes) -> None:
        url = self._url(channel)
        self._heard_at[channel] = url
        await self._ear(url).send(self._subscribe, channel)

    def _url(self, channel: bytes) -> str:
        return self._nodes.url(self._listeners[channel].home.number)

    def unlisten(self, channel: bytes) -> None:
        """Forget a channel; the server's answer is awaited by nobody, for a broken connection forgets it as well."""
        url = self._heard_at.pop(channel, None)
        if self._listeners.pop(channel, None) is None or url is None:
            return
        try:
            left = self._ear(url).send(self._unsubscribe, channel)
        except StoreUnavailable:
            return
        self._leaving[channel] += 1
        left.add_done_callback(partial(self._left, channel))

    def _left(self, channel: bytes, answer: asyncio.Future[Any]) -> None:
        if not answer.cancelled():
            answer.exception()  # looked at, for a failure to leave is nobody's concern
        self._leaving[channel] -= 1
        self._leaving += Counter()

    def _ear(self, url: str) -> Link:
        if url not in self._ears:
            self._ears[url] = self._nodes.new_link(url, sift=self._sift, broke=partial(self._broke, url))
        return self._ears[url]

    def _sift(self, replies: list[Any]) -> list[Any]:
        """Take the messages out of the replies; the loop hands them on, and so who hears can't break the reading."""
        told = [reply for reply in replies if type(reply) is list and reply[0] in MESSAGES]
        if told:
            asyncio.get_running_loop().call_soon(self._tell_all, told)
        if len(told) == len(replies):
            return []
        return [reply for reply in replies if not (type(reply) is list and self._is_pushed(reply))]

    def _is_pushed(self, reply: list[Any]) -> bool:
        """Tell whether a reply answers nobody, and notice that a channel has been taken from us."""
        kind, channel = reply[0], reply[1]
        if kind == b"sunsubscribe" and not self._leaving[channel]:
            self._miss([channel])
            return True
        return kind in MESSAGES

    def _tell_all(self, messages: list[list[bytes]]) -> None:
        """Hand on messages; who fails over one is the loop's to report, and the others hear theirs all the same."""
        told = iter(messages)
        try:
            for _, channel, message in told:
                self._tell(channel, message)
        finally:
            if rest := list(told):
                asyncio.get_running_loop().call_soon(self._tell_all, rest)

    def _tell(self, channel: bytes, message: bytes | None) -> None:
        if (listener := self._listeners.get(channel)) is not None:
            listener.heard(message)

    def _broke(self, url: str) -> None:
        self._miss([channel for channel, heard_at in self._heard_at.items() if heard_at == url])

    def _miss(self, channels: list[bytes]) -> None:
        self._missed.update(channels)
        self._lost.set()

    async def _tend(self) -> None:
        """Bring back what was lost, and now and then ask the connections whether they stand."""
        while True:
            try:
                async with asyncio.timeout(HEARTBEAT):
                    await self._lost.wait()
            except TimeoutError:
                await asyncio.gather(*(ear.ping() for ear in self._ears.values()))
            self._lost.clear()
            while missed := self._missed & self._listeners.keys():
                await self._mend(missed)
            self._missed.clear()

    async def _mend(self, missed: set[bytes]) -> None:
        await self._nodes.relearn()
        by_node = groupby(sorted(missed, key=self._url), self._url)
        mended = await asyncio.gather(*(self._mend_node(list(channels)) for _, channels in by_node))
        if not all(mended):
            await asyncio.sleep(PAUSE)

    async def _mend_node(self, channels: list[bytes]) -> bool:
        """Subscribe again at one node, with one channel first to see whether it is there."""
        try:
            await self._rejoin(channels[0])
            await asyncio.gather(*map(self._rejoin, channels[1:]))
        except StoreUnavailable:
            return False
        return True

    async def _rejoin(self, channel: bytes) -> None:
        if channel in self._listeners:
            await self._join(channel)
            self._missed.discard(channel)
            self._tell(channel, None)
