"""The send queue of one connection: empty while the peer keeps up, bounded when it does not."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from operator import attrgetter
from typing import Protocol

import structlog

from service.rooms.feeds.frames import OutgoingFrame
from service.runtime import metrics

log = structlog.get_logger()

QUEUE = 256
"""How many frames can wait for a slow peer before those that a snapshot can replace are dropped."""


class Transport(Protocol):
    """The writing side of a connection."""

    @property
    def is_clear(self) -> bool:
        """Whether written frames are sent immediately."""

    @property
    def write(self) -> Callable[[bytes], object]:
        """Takes one encoded frame."""

    async def cleared(self) -> None:
        """Wait until the peer keeps up. May raise any exception if the peer has disconnected."""


Encode = Callable[[OutgoingFrame], bytes]
"""Returns the bytes of a frame for a transport."""

FOR_SOCKETS: Encode = attrgetter("json")


class SendQueue:
    """Sends frames in order. `offer` does not block: a frame is written immediately unless an earlier one waits.

    When more than `QUEUE` frames wait, those of rooms' feeds are dropped and `on_lag` is called with the names of the
    rooms, so that a snapshot of each can be sent. If that happens again before the peer has caught up, `on_overflow` is
    called. This is the same for sockets and for server-sent events.
    """

    def __init__(
        self,
        transport: Transport,
        on_lag: Callable[[set[str]], None],
        on_overflow: Callable[[], Awaitable[None]],
        encode: Encode = FOR_SOCKETS,
    ) -> None:
        self._transport = transport
        self._direct: Transport | None = transport
        """The transport, None while frames wait for it, and after the peer has disconnected."""
        self._on_lag = on_lag
        self._on_overflow = on_overflow
        self._encode = encode
        self._queue: deque[OutgoingFrame] = deque()
        self._draining: asyncio.Task[None] | None = None
        self._warned = False
        self.gone = False
        metrics.SUBSCRIBER_QUEUES.add(self)

    def depth(self) -> int:
        """Return how many frames wait."""
        return len(self._queue)

    def offer(self, frame: OutgoingFrame) -> None:
        """Send a frame now, or when its turn comes."""
        transport = self._direct
        if transport is None or not transport.is_clear:
            self._enqueue(frame)
            return
        try:
            transport.write(self._encode(frame))
        except Exception as failure:  # noqa: BLE001 - servers raise various exceptions for a disconnected peer
            self._lose(failure)

    def _enqueue(self, frame: OutgoingFrame) -> None:
        if self.gone:
            return
        self._queue.append(frame)
        if len(self._queue) > QUEUE:
            self._shed()
        if self._draining is None and not self.gone:
            self._direct = None
            self._draining = asyncio.create_task(self._drain())

    async def drained(self) -> None:
        """Wait until nothing is queued."""
        if self._draining is not None:
            await asyncio.shield(self._draining)

    def close(self) -> None:
        """Drop all waiting frames."""
        self._end()
        if self._draining is not None:
            self._draining.cancel()

    async def _drain(self) -> None:
        try:
            while self._queue:
                await self._transport.cleared()
                while self._queue and self._transport.is_clear:
                    self._transport.write(self._encode(self._queue.popleft()))
        except Exception as failure:  # noqa: BLE001 - as in offer
            self._lose(failure)
        finally:
            self._draining = None
            self._warned = False
            self._direct = None if self.gone else self._transport

    def _end(self) -> None:
        self.gone = True
        self._direct = None
        self._queue.clear()

    def _lose(self, failure: Exception) -> None:
        self._end()
        log.debug("peer_gone", error=type(failure).__name__)

    def _shed(self) -> None:
        rooms = {frame.room for frame in self._queue if frame.room is not None}
        self._queue = deque(frame for frame in self._queue if frame.room is None)
        if self._warned or not rooms:
            self._end()
            metrics.SLOW_CLOSES.inc()
            self._closing = asyncio.create_task(self._overflow())
            return
        self._warned = True
        metrics.SLOW_READERS.inc()
        self._on_lag(rooms)

    async def _overflow(self) -> None:
        try:
            await self._on_overflow()
        except Exception as failure:  # noqa: BLE001 - as in offer
            self._lose(failure)
