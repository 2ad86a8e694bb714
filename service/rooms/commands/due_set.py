"""Corrections of the due times of rooms in the store."""

from service.domain.room.due import due, needs_human
from service.rooms.errors import ServiceError
from service.rooms.loading.repository import RoomLock, RoomRepository
from service.rooms.loading.room import LoadedRoom
from service.store.contract import Batch, Conflict

TRIES = 8
"""The number of attempts to write if other processes write to the same room."""


class DueSet:
    """Writes the due times of rooms, which are computed from the rooms. Raises what `Store.append` raises."""

    def __init__(self, repository: RoomRepository) -> None:
        """Write to the store of the repository."""
        self._store = repository.store
        self._repository = repository

    async def repair(self, live: LoadedRoom) -> None:
        """Write when a room is due. Raises `ServiceError` (`busy`)."""
        async with RoomLock(self._repository, live):
            await self._set(live)

    async def wake(self, live: LoadedRoom) -> None:
        """Make a room due again in which a worker may have found nobody; the visit has been recorded."""
        async with RoomLock(self._repository, live):
            await self._repository.sync(live)
            owed = due(live.room)
            if owed is not None and needs_human(live.room, owed.why):
                await self._set(live)

    async def _set(self, live: LoadedRoom) -> None:
        for _ in range(TRIES):
            try:
                await self._store.append(live.key, live.head, Batch((), due=live.due))
            except Conflict as conflict:
                await self._repository.sync(live, conflict.head)
            else:
                return
        raise ServiceError("busy")
