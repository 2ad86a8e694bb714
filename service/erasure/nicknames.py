"""The end of nicknames in the memory of a process, when players are erased."""

import asyncio
from collections.abc import Callable

import structlog

from service.domain.room.model.ids import PlayerId
from service.rooms.errors import ServiceError
from service.rooms.loading.repository import RoomRepository
from service.store.contract import StoreUnavailable

log = structlog.get_logger()

RETRY_SECONDS = 1.0
"""Seconds between attempts while the store is unavailable."""


class NicknameEraser:
    """Makes a process forget the nicknames of erased players."""

    def __init__(self, repository: RoomRepository) -> None:
        """Take the rooms in memory."""
        self._repository = repository
        self.on_erasure: Callable[[PlayerId], None] = lambda _: None
        """Called with each erased player."""
        self._tasks: set[asyncio.Task[None]] = set()

    def erase(self, player: PlayerId) -> None:
        """Show nothing of a player's nicknames from now on; rooms that have them in memory are loaded again."""
        self._repository.store.player_names.hide(player)
        self.on_erasure(player)
        task = asyncio.create_task(self._reload(player))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reload(self, player: PlayerId) -> None:
        while True:
            try:
                await self._repository.reload_rooms_of(player)
            except StoreUnavailable:
                await asyncio.sleep(RETRY_SECONDS)
            except ServiceError as refused:
                log.warning("room_not_reloaded", player=player, code=refused.problem.code)
                return
            else:
                return

    async def close(self) -> None:
        """Stop."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
