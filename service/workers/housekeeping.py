"""Housekeeping: the events of rooms that closed long ago go into files, and only then out of the store."""

import asyncio
import os
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import msgspec
import structlog

from service.domain.room.model.ids import Millis, RoomKey
from service.rooms.archive import RoomArchive
from service.rooms.errors import ServiceError
from service.store.contract import StoreUnavailable

log = structlog.get_logger()

AT_ONCE = 64
"""How many rooms are looked for at once."""


class Retention(msgspec.Struct, frozen=True):
    """How long the events of closed rooms stay in the store, and where they go then."""

    kept: timedelta
    folder: Path
    every: timedelta = timedelta(minutes=1)
    """How often somebody looks."""


class Housekeeping:
    """Archives and trims closed rooms; any number of workers may do so at the same time."""

    def __init__(self, archive: RoomArchive, retention: Retention) -> None:
        """Keep what the retention says."""
        self._archive = archive
        self._retention = retention
        self._kept_back: set[RoomKey] = set()

    async def run(self) -> None:
        """Look again and again."""
        while True:
            try:
                await self.clean()
            except (StoreUnavailable, OSError) as failure:
                log.warning("housekeeping_waits", error=str(failure))
            await asyncio.sleep(self._retention.every.total_seconds())

    async def clean(self) -> int:
        """Archive and trim what closed long enough ago, and return how many rooms that were."""
        age = Millis(round(self._retention.kept.total_seconds() * 1000))
        count = 0
        while rooms := await self._due(age):
            for key in rooms:
                count += await self._put_away(key)
        return count

    async def _due(self, age: Millis) -> list[RoomKey]:
        found = await self._archive.closed_for(age, AT_ONCE + len(self._kept_back))
        return [key for key in found if key not in self._kept_back]

    async def _put_away(self, key: RoomKey) -> bool:
        """Write a room's archive and trim its stream; a room that can't be read stays as it is."""
        try:
            files = await self._archive.files(key)
        except ServiceError as refused:
            if refused.problem.code == "trimmed":  # somebody else was faster
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
    """Write files into a folder so that each is there whole or not at all, and on the disk when this returns."""
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
