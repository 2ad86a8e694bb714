"""Graceful shutdown: subscribers are asked to reconnect elsewhere, a few at a time, and nobody new is accepted."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

LeaveCallback = Callable[[], None]
"""Asks one connection to close; it closes when its current work is done."""

STEP_SECONDS = 0.05
"""The interval between two groups of connections that are asked to close."""

LAST_SECONDS = 3.0
"""How long the last connections may take to close."""


class GracefulShutdown:
    """Whether a process still accepts connections, and the long-lived ones it has."""

    def __init__(self) -> None:
        """Accept connections."""
        self.is_closing = False
        self._is_hurried = False
        self._connections: dict[object, LeaveCallback] = {}

    def close(self) -> None:
        """Accept nobody new from now on; a second call closes everything at once. Safe in a signal handler."""
        self._is_hurried = self.is_closing
        self.is_closing = True

    @contextmanager
    def connected(self, leave: LeaveCallback) -> Iterator[None]:
        """Register a connection while the context lasts."""
        connection = object()
        self._connections[connection] = leave
        try:
            yield
        finally:
            del self._connections[connection]

    async def drain(self, seconds: float) -> None:
        """Ask every connection to close, spread evenly over `seconds` so that they do not all reconnect at once."""
        waiting = deque(self._connections.values())
        began, count = asyncio.get_running_loop().time(), len(waiting)
        while waiting:
            share = (asyncio.get_running_loop().time() - began) / seconds if seconds and not self._is_hurried else 1.0
            while waiting and count - len(waiting) <= share * count:
                waiting.popleft()()
            await asyncio.sleep(STEP_SECONDS if waiting else 0)
        await self._wait_until_empty()

    async def _wait_until_empty(self) -> None:
        deadline = asyncio.get_running_loop().time() + LAST_SECONDS
        while self._connections and not self._is_hurried and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110 - a moment at the end
            await asyncio.sleep(0.02)
