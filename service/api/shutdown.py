"""Leaving in order: who follows a room here is asked to go on elsewhere, a few at a time, and nobody new is let in."""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

Leave = Callable[[], None]
"""Asks one who follows a room to go; they go when what they have begun is done."""

STEP = 0.05
"""Seconds between two portions of those who are asked to go."""

LAST_CALL = 3.0
"""Seconds that the last ones may take to go."""


class Doors:
    """Whether a process still lets anybody in, and whom it has inside."""

    def __init__(self) -> None:
        """Stand open."""
        self.closing = False
        self.hurried = False
        self._inside: dict[object, Leave] = {}

    def close(self) -> None:
        """Let nobody new in from now on, and hurry when asked again; usable from a signal handler."""
        self.hurried = self.closing
        self.closing = True

    @contextmanager
    def visit(self, leave: Leave) -> Iterator[None]:
        """Have somebody inside for as long as this lasts."""
        visitor = object()
        self._inside[visitor] = leave
        try:
            yield
        finally:
            del self._inside[visitor]

    async def send_away(self, seconds: float) -> None:
        """Ask everyone to leave, spread evenly over these seconds so that they don't all arrive elsewhere at once."""
        waiting = deque(self._inside.values())
        began, count = asyncio.get_running_loop().time(), len(waiting)
        while waiting:
            share = (asyncio.get_running_loop().time() - began) / seconds if seconds and not self.hurried else 1.0
            while waiting and count - len(waiting) <= share * count:
                waiting.popleft()()
            await asyncio.sleep(STEP if waiting else 0)
        await self._emptied()

    async def _emptied(self) -> None:
        deadline = asyncio.get_running_loop().time() + LAST_CALL
        while self._inside and not self.hurried and asyncio.get_running_loop().time() < deadline:  # noqa: ASYNC110 - a moment at the end
            await asyncio.sleep(0.02)
