"""The end of nicknames in the memory of a process, when players are erased."""

import asyncio
from collections.abc import Callable

import structlog

from service.domain.room.model.ids import PlayerId
from service.rooms.repository import RoomRepository
from service.store.contract import StoreUnavailable
from service.streams.errors import ServiceError

log = structlog.get_logger()

RETRY_SECONDS = 1.0
"""Seconds between attempts while the store is unavailable."""


class NicknameEraser:
    """Makes a process forget the nicknames of erased players."""

    def __init__(self, repository: RoomRepository, on_erasure: Callable[[PlayerId], None] = lambda _: None) -> None:
        """Look for nicknames in the rooms in memory; `on_erasure` is called with each erased player."""
        self._repository = repository
        self._on_erasure = on_erasure
        self._tasks: set[asyncio.Task[None]] = set()

    def erase(self, player: PlayerId) -> None:
        """Show nothing of a player's nicknames from now on; rooms that have them in memory are loaded again."""
        self._repository.store.player_names.hide(player)
        self._on_erasure(player)
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
