"""The players whose guest token is no longer accepted, as this process knows them.

A guest token is only signed, and nothing about it is stored. So those that were replaced are recorded in a list of the
store with each player at most once, of which every process regularly reads what is new.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from service.domain.ids import PlayerId
from service.runtime.timers import until_next
from service.store.contract import AdminStore, StoreUnavailable

READ_INTERVAL = 1.0
"""Seconds between two reads, so that every process applies a replacement within two seconds."""

PAGE = 1000


class ReplacedGuestTokens:
    """Reads and extends the list."""

    def __init__(self, admin_store: AdminStore, on_change: Callable[[PlayerId], None]) -> None:
        """Start before the first entry; `on_change` is called with each player whose guest token was replaced."""
        self._admin_store = admin_store
        self._players: set[PlayerId] = set()
        self._read = 0
        """How many entries of the list were read."""
        self._last: PlayerId | None = None
        """The last one of them."""
        self._on_change = on_change

    def __contains__(self, player: PlayerId) -> bool:
        """Return whether the guest token of a player was replaced."""
        return player in self._players

    async def record(self, player: PlayerId) -> None:
        """Record that a player's guest token is replaced."""
        await self._admin_store.record_replaced(player)
        self._add(player)

    async def catch_up(self) -> None:
        """Read what is new."""
        while players := await self._next_page():
            self._read += len(players)
            self._last = players[-1]
            for player in players:
                self._add(player)

    async def _next_page(self) -> list[PlayerId]:
        """Return the players after those that were read; from the beginning if the store was replaced."""
        if self._last is not None:
            page = await self._admin_store.replaced(self._read - 1, PAGE)
            if page[:1] == [self._last]:
                return page[1:]
            self._read, self._last = 0, None
        return await self._admin_store.replaced(0, PAGE)

    async def keep_up(self) -> None:
        """Read what is new regularly until cancelled."""
        while True:
            with suppress(StoreUnavailable):
                await self.catch_up()
            await asyncio.sleep(until_next(READ_INTERVAL))

    def _add(self, player: PlayerId) -> None:
        if player not in self._players:
            self._players.add(player)
            self._on_change(player)
