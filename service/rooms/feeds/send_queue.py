"""One connection's way out: sent at once while the peer keeps up, queued and bounded when it doesn't."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Protocol

import structlog

from service.rooms.feeds.frames import OutgoingFrame
from service.telemetry import metrics

log = structlog.get_logger()

QUEUE = 256
"""How many frames may wait for a slow peer before the ones that can be fetched again are dropped."""


class Transport(Protocol):
    """A socket's way out."""

    @property
    def is_clear(self) -> bool:
        """Whether what is written goes out at once."""

    @property
    def write(self) -> Callable[[bytes], object]:
        """Takes a whole WebSocket frame."""

    async def cleared(self) -> None:
        """Wait until the peer keeps up. May raise anything for one that is gone."""


class SendQueue:
    """Sends frames in order. `offer` never blocks: a frame goes straight to the socket unless an earlier one waits.

    When more than `QUEUE` frames wait, those that tell of a room are dropped and `behind` is called with their rooms,
    so that each can be told afresh; when that happens again before the peer has caught up, `overrun` is called.
    """

    def __init__(
        self, line: Transport, behind: Callable[[set[str]], None], overrun: Callable[[], Awaitable[None]]
    ) -> None:
        """Write to the line."""
        self._line = line
        self._direct: Transport | None = line
        """The line, unless frames wait for it or the peer is gone."""
        self._behind = behind
        self._overrun = overrun
        self._queue: deque[OutgoingFrame] = deque()
        self._draining: asyncio.Task[None] | None = None
        self._warned = False
        self.gone = False
        metrics.READERS.add(self)

    def depth(self) -> int:
        """Return how many frames wait."""
        return len(self._queue)

    def offer(self, frame: OutgoingFrame) -> None:
        """Send a frame now, or when its turn comes."""
        line = self._direct
        if line is None or not line.is_clear:
            self._wait_with(frame)
            return
        try:
            line.write(frame.sealed)
        except Exception as failure:  # noqa: BLE001 - whatever a server raises for a peer that has gone
            self._lose(failure)

    def _wait_with(self, frame: OutgoingFrame) -> None:
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
        """Drop everything that still waits."""
        self._end()
        if self._draining is not None:
            self._draining.cancel()

    async def _drain(self) -> None:
        try:
            while self._queue:
                await self._line.cleared()
                while self._queue and self._line.is_clear:
                    self._line.write(self._queue.popleft().sealed)
        except Exception as failure:  # noqa: BLE001 - as in offer
            self._lose(failure)
        finally:
            self._draining = None
            self._warned = False
            self._direct = None if self.gone else self._line

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
            self._closing = asyncio.create_task(self._let_go())
            return
        self._warned = True
        metrics.SLOW_READERS.inc()
        self._behind(rooms)

    async def _let_go(self) -> None:
        try:
            await self._overrun()
        except Exception as failure:  # noqa: BLE001 - as in offer
            self._lose(failure)
