"""The loop of a worker: claims what is due, has it served, and hands back at shutdown what is unfinished."""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable

import structlog

from service.domain.ids import RoomKey
from service.runtime.timers import until_next
from service.store.contract import StoreFailed
from service.store.stream_keys import DueKey, KindKey, OutboxKey
from service.streams.errors import problem_of
from service.workers.claims import Claims

log = structlog.get_logger()

CLAIM_LIMIT = 64
"""How much is claimed per query."""

PAUSE = 0.1
"""Seconds between reads of the due set when nothing is due."""

IDLE_PAUSE = 0.5
"""The same after an idle time; the first action that is due then may be delayed by this much more."""

IDLE_AFTER = 60.0
"""Seconds without anything due after which a worker is idle."""

PAUSE_AFTER_FAILURE = 1.0

FINISH_WITHIN = 0.25
"""Seconds that a worker has to finish its work when it shuts down; it hands back the rest."""


class WorkLoop:
    """Serves what is due, each in its own task."""

    def __init__(
        self,
        claims: Claims,
        serve: Callable[[DueKey], Awaitable[None]],
        most: int,
        idle_after: float = IDLE_AFTER,
        idle_pause: float = IDLE_PAUSE,
    ) -> None:
        """Call `serve` for everything that is claimed, for at most `most` at a time.

        It is idle after `idle_after` seconds without anything due, and then pauses for `idle_pause` seconds.
        """
        self._idle_after = idle_after
        self._idle_pause = idle_pause
        self._claims = claims
        self._serve_key = serve
        self._most = most
        self._tasks: set[asyncio.Task[None]] = set()
        self._claimed_at = -math.inf
        """When something was last due."""
        self._failure = ""
        """The latest error of a claim; repeated errors of one type are logged once."""

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set, then hand back unfinished rooms."""
        renewing = asyncio.create_task(self._claims.renew())
        try:
            while not stop.is_set():
                pause = await self._round()
                if pause:
                    await waited(stop, pause)
            await self._leave()
        finally:
            renewing.cancel()

    async def _leave(self) -> None:
        """Finish rooms that are nearly done, and hand back the others immediately."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=FINISH_WITHIN)
        unfinished = list(self._tasks)
        for task in unfinished:
            task.cancel()
        await asyncio.gather(*unfinished, return_exceptions=True)
        await self._claims.hand_back()

    async def _round(self) -> float:
        """Start work on due rooms, and return the seconds to wait before the next round."""
        limit = min(CLAIM_LIMIT, self._most - len(self._claims))
        try:
            claimed = await self._claims.take(limit) if limit > 0 else []
        except Exception as failure:  # noqa: BLE001 - the outermost edge
            if self._failure != type(failure).__name__:
                log_failure("claim_failed", failure)
            self._failure = type(failure).__name__
            return PAUSE_AFTER_FAILURE
        self._failure = ""
        for key in claimed:
            task = asyncio.create_task(self._serve(key))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        await asyncio.sleep(0)
        return 0.0 if len(claimed) == CLAIM_LIMIT else self._pause(claimed=bool(claimed))

    def _pause(self, *, claimed: bool) -> float:
        """Return the seconds to wait before the next round."""
        now = time.monotonic()
        if claimed:
            self._claimed_at = now
        return PAUSE if now - self._claimed_at < self._idle_after else until_next(self._idle_pause)

    async def _serve(self, key: DueKey) -> None:
        """Do what is due in a room, for a player or in an outbox, and repeat it if it becomes due again meanwhile.

        The claim on one that was given up stays until it is handed back.
        """
        await self._try(key)
        while not self._claims.done(key):
            await self._try(key)

    async def _try(self, key: DueKey) -> None:
        try:
            await self._serve_key(key)
        except Exception as failure:  # noqa: BLE001 - the outermost edge: an error must not stop the rest
            log_failure("due_work_failed", failure, **names_of(key))
            if not isinstance(failure, StoreFailed):
                await self._claims.put_off(key)
        else:
            self._claims.served(key)


def names_of(key: DueKey) -> dict[str, str]:
    """Return what a worker claimed, for the log."""
    match key:
        case OutboxKey(partition):
            return {"outbox": str(partition)}
        case KindKey(kind, identity):
            return {kind: identity}
        case RoomKey(name, epoch):
            return {"room": name, "epoch": epoch}


def log_failure(event: str, failure: Exception, **more: str) -> None:
    """Log a failure: a rejection or an unavailable store in one line, a bug with its traceback."""
    refusal = problem_of(failure)
    if refusal is None:
        log.error(event, exc_info=failure, **more)
    else:
        log.warning(event, code=refusal.code, error=str(failure), **more)


async def waited(stop: asyncio.Event, seconds: float) -> None:
    """Wait until `stop` is set or the time is over."""
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        return
