"""One connection's way out: sent at once while the peer keeps up, queued and bounded when it doesn't."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any

import structlog

from service.rooms.frames import Told
from service.telemetry import metrics

log = structlog.get_logger()

QUEUE = 256
"""How many frames may wait for a slow peer before the ones that can be fetched again are dropped."""


def never(_frame: bytes) -> bool:
    """Take no frame: the way of a socket that has none for ready-made frames, or that is gone."""
    return False


class Begun:
    """A coroutine that has run up to its first wait, to be awaited for the rest."""

    def __init__(self, coroutine: Coroutine[Any, Any, None], waited_for: object) -> None:
        """Hold what the coroutine waits for: the future that it yielded."""
        self._coroutine = coroutine
        self._waited_for = waited_for

    def __await__(self) -> Generator[Any, Any, None]:
        """Wait as the coroutine would have, then run on."""
        yield self._waited_for
        yield from self._coroutine.__await__()


class Outbox:
    """Sends frames in order. `offer` never blocks: a frame goes straight to the socket unless an earlier one waits.

    When more than `QUEUE` frames wait, those offered with a room are dropped and `behind` is called with their rooms,
    so that each can be told afresh; when that happens again before the peer has caught up, `overrun` is called.
    """

    def __init__(
        self,
        send: Callable[[Told], Coroutine[Any, Any, None]],
        behind: Callable[[set[str]], None],
        overrun: Callable[[], Awaitable[None]],
        write: Callable[[bytes], bool] = never,
    ) -> None:
        """Write with `send`, which may raise for a peer that has gone, or at once with `write` if that returns True."""
        self._send = send
        self._behind = behind
        self._overrun = overrun
        self._write = write
        self._queue: deque[tuple[Told, str | None]] = deque()
        self._draining: asyncio.Task[None] | None = None
        self._warned = False
        self.gone = False
        metrics.READERS.add(self)

    def depth(self) -> int:
        """Return how many frames wait."""
        return len(self._queue)

    def offer(self, frame: Told, room: str | None = None) -> None:
        """Send a frame now or when its turn comes; a frame with a `room` may be dropped for a fresh snapshot of it."""
        if self._draining is not None or not self._write(frame.sealed):
            self._send_or_queue(frame, room)

    def _send_or_queue(self, frame: Told, room: str | None) -> None:
        if self.gone:
            return
        if self._draining is not None:
            self._queue.append((frame, room))
            if len(self._queue) > QUEUE:
                self._shed()
            return
        sending = self._send(frame)
        try:
            waited_for = sending.send(None)
        except StopIteration:
            return
        except Exception as failure:  # noqa: BLE001 - whatever a server raises for a peer that has gone
            self._lose(failure)
            return
        self._draining = asyncio.create_task(self._drain(Begun(sending, waited_for)))

    async def drained(self) -> None:
        """Wait until nothing is queued."""
        if self._draining is not None:
            await asyncio.shield(self._draining)

    def close(self) -> None:
        """Drop everything that still waits."""
        self._end()
        if self._draining is not None:
            self._draining.cancel()

    async def _drain(self, begun: Begun) -> None:
        try:
            await begun
            while self._queue:
                frame, _ = self._queue.popleft()
                await self._send(frame)
        except Exception as failure:  # noqa: BLE001 - as in offer
            self._lose(failure)
        finally:
            self._draining = None
            self._warned = False

    def _end(self) -> None:
        self.gone = True
        self._write = never
        self._queue.clear()

    def _lose(self, failure: Exception) -> None:
        self._end()
        log.debug("peer_gone", error=type(failure).__name__)

    def _shed(self) -> None:
        rooms = {room for _, room in self._queue if room is not None}
        self._queue = deque((frame, room) for frame, room in self._queue if room is None)
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
