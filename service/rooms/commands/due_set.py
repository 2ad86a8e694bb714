"""When rooms are due: corrected where the store may say something else."""

from service.domain.room.due import due, needs_human
from service.rooms.errors import ServiceError
from service.rooms.loading.repository import RoomLock, RoomRepository
from service.rooms.loading.room import LoadedRoom
from service.store.contract import Batch, Conflict

TRIES = 8
"""How often something is tried again when others write to the same room."""


class DueSet:
    """Sets when rooms are due, as the rooms themselves say. The store may raise as at any append."""

    def __init__(self, repository: RoomRepository) -> None:
        """Set it in the store of the repository's rooms."""
        self._store = repository.store
        self._repository = repository

    async def repair(self, live: LoadedRoom) -> None:
        """Set when a room is due. Refuses `busy`."""
        async with RoomLock(self._repository, live):
            await self._set(live)

    async def wake(self, live: LoadedRoom) -> None:
        """Make a room due again where a worker may have found nobody present; that somebody is was noted before."""
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
