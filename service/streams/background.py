"""Work that continues after a request was answered."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import structlog

from service.store.contract import StoreFailed
from service.streams.errors import ServiceError

log = structlog.get_logger()


class BackgroundTasks:
    """Tasks that nobody awaits; their failures are logged."""

    def __init__(self, failure: str) -> None:
        """Log failures under this name."""
        self._failure = failure
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        """Run `work` in the background."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._end)

    def _end(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        failure = None if task.cancelled() else task.exception()
        if isinstance(failure, ServiceError | StoreFailed):
            log.warning(self._failure, error=str(failure))
        elif failure is not None:
            log.error(self._failure, exc_info=failure)

    async def close(self) -> None:
        """Wait until all of it has ended."""
        await asyncio.gather(*self._tasks, return_exceptions=True)
