"""The worker loop: claims due rooms, and issues commands for what is due in them."""

import asyncio
import time

import structlog

from service.domain.room.due import due, needs_human
from service.domain.room.model.ids import RoomKey
from service.rooms.errors import problem_of
from service.rooms.loading.room import LoadedRoom
from service.rooms.service import RoomService
from service.store.contract import OutcomeUnknown, StoreUnavailable
from service.workers.bots import Bots, requester_of
from service.workers.claims import Claims
from service.workers.shares import Shares

log = structlog.get_logger()

CLAIM_LIMIT = 64
"""How many rooms are claimed per query."""

MAX_IN_PROGRESS = 1024
"""How many rooms may be in progress, most of them waiting for bots; `Shares` limits those of one owner."""

PAUSE = 0.1
"""Seconds between reads of the due set when nothing is due."""

IDLE_PAUSE = 0.5
"""The same after an idle time; the first action that is due then may be delayed by so much more."""

IDLE_AFTER = 60.0
"""Seconds without due rooms after which a worker is idle."""

PAUSE_AFTER_FAILURE = 1.0

FINISH_WITHIN = 0.25
"""Seconds that a worker has to finish rooms when it shuts down; it hands back the others."""


class Worker:
    """One of any number of workers; if one is killed, another claims its rooms."""

    def __init__(self, rooms: RoomService, bots: Bots) -> None:
        """Take the rooms and their bots."""
        self._rooms = rooms
        self._bots = bots
        self._claims = Claims(rooms)
        self._shares = Shares()
        self._tasks: set[asyncio.Task[None]] = set()
        self._claimed_at = time.monotonic()
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
        limit = min(CLAIM_LIMIT, MAX_IN_PROGRESS - len(self._claims))
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
        return PAUSE if now - self._claimed_at < IDLE_AFTER else IDLE_PAUSE

    async def _serve(self, key: RoomKey) -> None:
        """Do what is due in a room, and repeat it if the room becomes due again in the meantime.

        The claim on a room that was given up stays until it is handed back.
        """
        await self._try(key)
        while not self._claims.done(key):
            await self._try(key)

    async def _try(self, key: RoomKey) -> None:
        try:
            await self._do_what_is_due(key)
        except Exception as failure:  # noqa: BLE001 - the outermost edge: an error in one room must not stop the others
            log_failure("due_work_failed", failure, room=key.name, epoch=key.epoch)
            if not isinstance(failure, StoreUnavailable | OutcomeUnknown):
                await self._claims.put_off(key)
        else:
            self._claims.served(key)

    async def _do_what_is_due(self, key: RoomKey) -> None:
        live = await self._rooms.by_key(key)
        owed, now, human_present = due(live.room), self._rooms.now(), False
        if owed is not None and owed.at <= now and needs_human(live.room, owed.why):
            human_present = await self._rooms.is_someone_present(key)
            owed = due(live.room, human_present=human_present)
            if not human_present and owed is not None and owed.at > now:
                await self._claims.postpone(key, owed.at)
                return
        if owed is None or owed.why != "bot" or owed.at > now:
            await self._rooms.proceed(key, human_present=human_present)
            return
        await self._think(key, live)

    async def _think(self, key: RoomKey, live: LoadedRoom) -> None:
        """Issue the bots' moves that are due, or postpone the room if its owner has too many in progress."""
        requester = requester_of(live.room)
        if self._shares.is_full(requester):
            await self._claims.postpone(key, self._shares.later(requester, self._rooms.now()))
            return
        with self._shares.held(requester):
            await self._bots.play(live)
        owed = due(live.room)
        if owed is not None and owed.at <= self._rooms.now():
            await self._rooms.repair_due(live)


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
