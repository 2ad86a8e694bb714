"""Regular work of one worker: events of long closed rooms are written to files and deleted, and all rooms are checked.

The check, called scrub, runs slowly once a day, and reports damaged rooms.
"""

import asyncio
import os
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path

import msgspec
import structlog

from service.domain.ids import Millis, RoomKey
from service.rooms.access.audit_log import know_erased
from service.rooms.archive import RoomArchive
from service.rooms.scrub import scrub, sign_page
from service.runtime import metrics
from service.store.contract import Store, StoreDamaged, StoreFailed, StoreUnavailable
from service.store.integrity import BrokenHistory
from service.streams.errors import ServiceError

log = structlog.get_logger()

PAGE = 64
"""How many rooms are read per query."""


class Retention(msgspec.Struct, frozen=True):
    """How long the events of closed rooms stay in the store, and the folder that they are moved to."""

    kept: timedelta
    folder: Path
    every: timedelta = timedelta(minutes=1)
    """The time between two searches for such rooms."""


class Housekeeping:
    """Archives and trims closed rooms; several workers can do so at the same time."""

    def __init__(self, archive: RoomArchive, retention: Retention) -> None:
        self._archive = archive
        self._retention = retention
        self._kept_back: set[RoomKey] = set()

    async def run(self) -> None:
        """Archive rooms regularly until cancelled."""
        while True:
            try:
                await self.clean()
            except (StoreFailed, OSError) as failure:
                log.warning("housekeeping_waits", error=str(failure))
            await asyncio.sleep(self._retention.every.total_seconds())

    async def clean(self) -> int:
        """Archive and trim the rooms that closed long enough ago, and return their number."""
        age = Millis(round(self._retention.kept.total_seconds() * 1000))
        count = 0
        while rooms := await self._due(age):
            for key in rooms:
                count += await self._archive_room(key)
        return count

    async def _due(self, age: Millis) -> list[RoomKey]:
        found = await self._archive.closed_for(age, PAGE + len(self._kept_back))
        return [key for key in found if key not in self._kept_back]

    async def _archive_room(self, key: RoomKey) -> bool:
        """Write a room's archive, trim its stream, and return whether it was done; a damaged room is left unchanged."""
        try:
            files = await self._archive.files(key)
        except ServiceError as refused:
            if refused.problem.code == "trimmed":  # another worker was faster
                await self._archive.trim(key)
            else:
                self._kept_back.add(key)
                log.exception("room_not_archived", room=key.name, epoch=key.epoch, code=refused.problem.code)
            return False
        await asyncio.to_thread(write, self._retention.folder / f"{key.name}.{key.epoch}", files)
        await self._archive.trim(key)
        log.info("room_archived", room=key.name, epoch=key.epoch, files=len(files))
        return True


def write(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files to a folder, each atomically, and wait until they are on the disk."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        part = folder / f".{name}.{os.getpid()}"
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        part.replace(folder / name)
    descriptor = os.open(folder, os.O_RDONLY)
    os.fsync(descriptor)
    os.close(descriptor)


LEASE = Millis(60_000)
"""Milliseconds after which another worker continues the check of a killed one."""


VALUES = "values"
"""The beginning of the cursor when all rooms were checked: then follow how many values were signed, and their cursor.

A release that does not know it begins again with the rooms.
"""


class Rate(msgspec.Struct, frozen=True):
    """The interval and the speed of the scrub."""

    every: timedelta = timedelta(days=1)
    """The time from the end of one check to the beginning of the next."""
    look: timedelta = timedelta(minutes=1)
    """The time between two checks of a worker whether a scrub is due."""
    events: int = 5000
    """The maximum number of events per second."""


class Scrub:
    """Checks all rooms; only one worker does so at a time."""

    def __init__(self, store: Store, now: Callable[[], Millis], rate: Rate) -> None:
        self._store = store
        self._now = now
        self._rate = rate
        self._renew = Millis(0)

    async def run(self) -> None:
        """Check the rooms regularly until cancelled."""
        while True:
            try:
                await self.look()
            except StoreUnavailable as failure:
                log.warning("scrub_waits", error=str(failure))
            await asyncio.sleep(self._rate.look.total_seconds())

    async def look(self) -> None:
        """Check all rooms, if that is due and no other worker does so; continues a check that was interrupted."""
        cursor = await self._store.worker_store.claim_scrub(self._now(), LEASE)
        while cursor is not None:
            cursor = await self._check_page(cursor)
        metrics.DAMAGED_ROOMS.set(len(await self._store.worker_store.damaged()))

    async def _check_page(self, cursor: str) -> str | None:
        """Check some rooms, and store and return the cursor where the check continues, None at the end."""
        if cursor.startswith(VALUES):
            return await self._sign_page(cursor)
        try:
            page = await self._store.admin_store.rooms(cursor or None)
        except ValueError:  # the store's nodes have changed in the meantime
            page = await self._store.admin_store.rooms()
        for key in page.items:
            await self._hold(cursor)
            await self._check(key, cursor)
        following = page.next or f"{VALUES} 0 "
        await self._note(following, LEASE)
        return following

    async def _sign_page(self, cursor: str) -> str | None:
        """Check and sign some protected values, and store and return where the check continues, None at the end."""
        _, before, at = cursor.split(" ")
        if not at:
            await know_erased(self._store)
        try:
            page = await sign_page(self._store, at or None)
        except ValueError:
            page = await sign_page(self._store, None)
        signed = int(before) + page.signed
        if page.next is not None:
            following = f"{VALUES} {signed} {page.next}"
            await self._note(following, LEASE)
            return following
        finished = not signed and await self._store.admin_store.finish_signing()
        await self._note("", Millis(round(self._rate.every.total_seconds() * 1000)))
        damaged = len(await self._store.worker_store.damaged())
        log.info("scrub_done", damaged=damaged, signed=signed, all_signed=finished)
        return None

    async def _check(self, key: RoomKey, cursor: str) -> None:
        async def pace(events: int) -> None:
            await asyncio.sleep(events / self._rate.events)
            await self._hold(cursor)

        broken: Exception | None = None
        try:
            await scrub(self._store, key, pace)
        except (BrokenHistory, StoreDamaged) as found:
            broken = found
            log.error("room_damaged", room=key.name, epoch=key.epoch, why=str(found))  # noqa: TRY400 - one line is enough
        await self._store.worker_store.set_damaged(key, damaged=broken is not None)
        metrics.SCRUBBED_ROOMS.inc()

    async def _hold(self, cursor: str) -> None:
        """Renew the claim during the check."""
        if self._now() >= self._renew:
            await self._note(cursor, LEASE)

    async def _note(self, cursor: str, lease: Millis) -> None:
        now = self._now()
        self._renew = Millis(now + LEASE // 3)
        await self._store.worker_store.save_scrub_cursor(cursor, Millis(now + lease))
