"""Housekeeping: the events of rooms that closed long ago are written to files and then deleted from the store."""

import asyncio
import os
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import msgspec
import structlog

from service.domain.ids import Millis, RoomKey
from service.rooms.archive import RoomArchive
from service.store.contract import StoreUnavailable
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
            except (StoreUnavailable, OSError) as failure:
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
