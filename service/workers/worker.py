"""The worker loop: claim due rooms, and let each do what is due through the one write path."""

import asyncio

import structlog

from service.domain.room.values import Millis, RoomKey
from service.rooms.problems import problem_of
from service.rooms.rooms import Rooms

log = structlog.get_logger()

LEASE = Millis(10_000)
"""For how long a claimed room is hidden from other workers; what isn't done by then is claimed again."""

AT_ONCE = 64
PAUSE = 0.1
"""Seconds between looks at the due set when nothing is due."""

PAUSE_AFTER_FAILURE = 1.0


class Worker:
    """One of any number of workers; whichever is killed, another claims what it left."""

    def __init__(self, rooms: Rooms) -> None:
        """Serve these rooms."""
        self._rooms = rooms

    async def run(self, stop: asyncio.Event) -> None:
        """Work until `stop` is set."""
        while not stop.is_set():
            pause = await self._round()
            if pause:
                await waited(stop, pause)

    async def _round(self) -> float:
        """Serve what is due and return how long to rest."""
        try:
            claimed = await self._rooms.claim_due(LEASE, AT_ONCE)
        except Exception as failure:  # noqa: BLE001 - the outermost edge
            told("claim_failed", failure)
            return PAUSE_AFTER_FAILURE
        await asyncio.gather(*map(self._serve, claimed))
        return 0.0 if len(claimed) == AT_ONCE else PAUSE

    async def _serve(self, key: RoomKey) -> None:
        try:
            await self._rooms.proceed(key)
        except Exception as failure:  # noqa: BLE001 - the outermost edge: one room's fault must not stop the others
            told("due_work_failed", failure, room=key.name, epoch=key.epoch)


def told(event: str, failure: Exception, **more: str) -> None:
    """Log a failure: a refusal or an absent store in one line, a fault with its traceback."""
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
