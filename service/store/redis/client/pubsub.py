"""Subscriptions to channels: one connection per node, which reconnects and resubscribes automatically.

SUBSCRIBE is sent over a `Pipeline` and answered in order like any command; messages arrive between the answers.
"""

import asyncio
from collections import Counter
from collections.abc import Callable
from functools import partial
from itertools import groupby
from typing import Any

import msgspec

from service.runtime.timers import until_next
from service.store.contract import StoreUnavailable
from service.store.redis.client.cluster import Cluster
from service.store.redis.client.pipeline import Pipeline
from service.store.redis.client.resp import Moved
from service.store.redis.keys import PartitionKeys

MESSAGES = (b"message", b"smessage")

OnMessage = Callable[[bytes | None], None]
"""Takes each message of a channel. None means that messages may have been missed."""

HEARTBEAT = 5.0
"""Seconds between checks of the connections."""

PAUSE = 0.2
"""Seconds between attempts to resubscribe."""


class Subscription(msgspec.Struct, frozen=True):
    """A channel that this process is subscribed to: its partition, and the function to call."""

    partition: PartitionKeys
    on_message: OnMessage


class PubSub:
    """All subscriptions of this process."""

    def __init__(self, cluster: Cluster, *, sharded: bool) -> None:
        """Begin without subscriptions. In a cluster channels are `sharded`: published on one node only."""
        self._cluster = cluster
        self._subscribe, self._unsubscribe = (
            (b"SSUBSCRIBE", b"SUNSUBSCRIBE") if sharded else (b"SUBSCRIBE", b"UNSUBSCRIBE")
        )
        self._pipelines: dict[str, Pipeline] = {}
        self._subscriptions: dict[bytes, Subscription] = {}
        self._node_of: dict[bytes, str] = {}
        self._leaving: Counter[bytes] = Counter()
        self._missed: set[bytes] = set()
        self._lost = asyncio.Event()
        self._keeper: asyncio.Task[None] | None = None

    async def subscribe(self, partition: PartitionKeys, channel: bytes, on_message: OnMessage) -> None:
        """Call `on_message` with each message from now on. Raises `StoreUnavailable`; then nothing is subscribed."""
        self._subscriptions[channel] = Subscription(partition, on_message)
        if self._keeper is None:
            self._keeper = asyncio.get_running_loop().create_task(self._keep_subscribed())
        try:
            await self._join(channel)
        except BaseException:
            self.unsubscribe(channel)
            raise

    async def close(self) -> None:
        """End all subscriptions."""
        self._subscriptions.clear()
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        for pipeline in self._pipelines.values():
            await pipeline.close()

    async def _join(self, channel: bytes) -> None:
        try:
            await self._send_subscribe(channel)
        except Moved:
            await self._cluster.discover()
            await self._send_subscribe(channel)

    async def _send_subscribe(self, channel: bytes) -> None:
        url = self._url(channel)
        self._node_of[channel] = url
        await self._pipeline(url).send(self._subscribe, channel)

    def _url(self, channel: bytes) -> str:
        return self._cluster.url(self._subscriptions[channel].partition.number)

    def unsubscribe(self, channel: bytes) -> None:
        """End a subscription. The server's answer is not awaited: a broken connection ends the subscription as well."""
        url = self._node_of.pop(channel, None)
        if self._subscriptions.pop(channel, None) is None or url is None:
            return
        try:
            left = self._pipeline(url).send(self._unsubscribe, channel)
        except StoreUnavailable:
            return
        self._leaving[channel] += 1
        left.add_done_callback(partial(self._left, channel))

    def _left(self, channel: bytes, answer: asyncio.Future[Any]) -> None:
        if not answer.cancelled():
            answer.exception()  # retrieved, so that a failure is not logged: the subscription has ended in any case
        self._leaving[channel] -= 1
        self._leaving += Counter()

    def _pipeline(self, url: str) -> Pipeline:
        if url not in self._pipelines:
            on_break = partial(self._on_break, url)
            self._pipelines[url] = self._cluster.new_pipeline(url, reply_filter=self._take_messages, on_break=on_break)
        return self._pipelines[url]

    def _take_messages(self, replies: list[Any]) -> list[Any]:
        """Return the replies without messages, which the event loop delivers, so that no error there breaks reading."""
        answers = []
        for reply in replies:
            if type(reply) is list and reply[0] in MESSAGES:
                asyncio.get_running_loop().call_soon(self._deliver, reply[1], reply[2])
            elif not (type(reply) is list and self._is_ended(reply)):
                answers.append(reply)
        return answers

    def _is_ended(self, reply: list[Any]) -> bool:
        """Return whether the server has ended a subscription without being asked, and if so have it renewed."""
        kind, channel = reply[0], reply[1]
        is_ended = kind == b"sunsubscribe" and not self._leaving[channel]
        if is_ended:
            self._miss([channel])
        return is_ended

    def _deliver(self, channel: bytes, message: bytes | None) -> None:
        if (subscription := self._subscriptions.get(channel)) is not None:
            subscription.on_message(message)

    def _on_break(self, url: str) -> None:
        self._miss([channel for channel, node in self._node_of.items() if node == url])

    def _miss(self, channels: list[bytes]) -> None:
        self._missed.update(channels)
        self._lost.set()

    async def _keep_subscribed(self) -> None:
        """Renew lost subscriptions, and check the connections from time to time."""
        while True:
            try:
                async with asyncio.timeout(until_next(HEARTBEAT)):
                    await self._lost.wait()
            except TimeoutError:
                await asyncio.gather(*(pipeline.ping() for pipeline in self._pipelines.values()))
            self._lost.clear()
            while missed := self._missed & self._subscriptions.keys():
                await self._renew(missed)
            self._missed.clear()

    async def _renew(self, missed: set[bytes]) -> None:
        await self._cluster.rediscover()
        by_node = groupby(sorted(missed, key=self._url), self._url)
        renewed = await asyncio.gather(*(self._renew_at_node(list(channels)) for _, channels in by_node))
        if not all(renewed):
            await asyncio.sleep(PAUSE)

    async def _renew_at_node(self, channels: list[bytes]) -> bool:
        """Resubscribe at one node, to one channel first, to see whether the node is there."""
        try:
            await self._rejoin(channels[0])
            await asyncio.gather(*map(self._rejoin, channels[1:]))
        except StoreUnavailable:
            return False
        return True

    async def _rejoin(self, channel: bytes) -> None:
        if channel in self._subscriptions:
            await self._join(channel)
            self._missed.discard(channel)
            self._deliver(channel, None)
