"""How tests wait for what happens by itself: for the event, up to one limit, and not for a fixed time."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

PATIENCE = 180.0
"""Seconds within which anything has happened, also on a machine that is many times slower than usual."""

PAUSE = 0.05
"""Seconds between two looks at a condition."""

T = TypeVar("T")


def wait_for(condition: Callable[[], T], state: Callable[[], object] = str) -> T:
    """Return the condition's first true value. Raises `AssertionError` with the state if it stays false."""
    deadline = time.monotonic() + PATIENCE
    while not (value := condition()):
        assert time.monotonic() < deadline, state()
        time.sleep(PAUSE)
    return value


async def wait_until(condition: Callable[[], object]) -> None:
    """Let other tasks run until a condition is true, and look again after each round of the event loop."""
    async with asyncio.timeout(PATIENCE):
        while not (await result if isinstance(result := condition(), Awaitable) else result):  # noqa: ASYNC110 - no event is set for it
            await asyncio.sleep(0)
