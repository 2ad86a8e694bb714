"""A process's client of a store in memory of which every call can fail in every way, and every notification be lost."""

import asyncio
import random
from collections.abc import Callable, Collection, Sequence
from typing import Any

from service.domain.ids import PlayerId, Version
from service.store.contract import Batch, Entry, Head, OutcomeUnknown, Snapshot, StoreUnavailable
from service.store.player_names import CheckedNames, PlayerNames
from service.store.stream_keys import StreamKey
from tests.memory_store.name_table import MemoryNameTable
from tests.rooms.processes import Clock, SharedStore

LONGEST_DELAY = 0.4
"""Seconds by which a call or an answer is delayed."""

REPLY_PATIENCE = 5.0
"""Seconds after which a call without an answer fails."""

LATEST = 5.0
"""Seconds by which a notification is delayed."""


class FaultyStore(SharedStore):
    """A client that fails as its dice fall while it is `faulty`."""

    def __init__(self, clock: Clock, dice: random.Random, first: "FaultyStore | None" = None) -> None:
        """Share the data of the first client."""
        super().__init__(clock, first)
        self.faulty = False
        self._faults = dice
        self.player_names = PlayerNames(FaultyNames(self))

    async def ask(self, call: str) -> None:
        """Delay a call, or let it fail before it has an effect."""
        if not self.faulty:
            return
        await asyncio.sleep(self._faults.uniform(0, LONGEST_DELAY))
        if self._faults.random() < 0.2:
            in_doubt = call in {"append", "open"} and self._faults.random() < 0.5
            raise OutcomeUnknown("lost") if in_doubt else StoreUnavailable("away")

    async def reply(self, request: str) -> None:
        """Delay the answer to a call that had an effect, or lose it."""
        await super().reply(request)
        if not self.faulty:
            return
        await asyncio.sleep(self._faults.uniform(0, LONGEST_DELAY))
        if (fallen := self._faults.random()) < 0.2:
            await asyncio.sleep(REPLY_PATIENCE if fallen < 0.05 else 0)
            raise OutcomeUnknown("lost") if request in {"append", "open"} else StoreUnavailable("lost")

    def _notify(self, key: StreamKey, version: Version, on_append: Callable[[Version], None]) -> None:
        fallen, loop = self._faults.random() if self.faulty else 1.0, asyncio.get_running_loop()
        if fallen < 0.3:
            return
        if fallen < 0.6:
            announced = Version(0) if fallen < 0.4 else version
            loop.call_later(self._faults.uniform(0, LATEST), super()._notify, key, announced, on_append)
        else:
            super()._notify(key, version, on_append)

    async def append(self, key: StreamKey, after: Head, batch: Batch) -> None:
        """Append to a stream."""
        await self.ask("append")
        await super().append(key, after, batch)

    async def heads(self, keys: Sequence[StreamKey]) -> list[Head | None]:
        """Return where streams end."""
        await self.ask("heads")
        return await super().heads(keys)

    async def read(self, key: StreamKey, after: Version, limit: int | None = None) -> list[Entry]:
        """Return entries."""
        await self.ask("read")
        return await super().read(key, after, limit)

    async def first_version(self, key: StreamKey) -> Version | None:
        """Return the version of the oldest entry."""
        await self.ask("first_version")
        return await super().first_version(key)

    async def trim_before(self, key: StreamKey, version: Version) -> None:
        """Delete entries."""
        await self.ask("trim_before")
        await super().trim_before(key, version)

    async def snapshot(self, key: StreamKey, at: Version | None = None) -> Snapshot | None:
        """Return a snapshot."""
        await self.ask("snapshot")
        return await super().snapshot(key, at)

    async def save_snapshot(self, key: StreamKey, snapshot: Snapshot) -> None:
        """Store a snapshot."""
        await self.ask("save_snapshot")
        await super().save_snapshot(key, snapshot)

    async def subscribe(self, key: Any, on_append: Callable[[Any, Version], None]) -> None:
        """Subscribe to notifications."""
        await self.ask("subscribe")
        await super().subscribe(key, on_append)


class FaultyNames(MemoryNameTable):
    """The nicknames of a store, of which there are none, and which cannot always be read."""

    def __init__(self, store: FaultyStore) -> None:
        """Fail as the store does."""
        super().__init__(store.name_table.protection)
        self._store = store

    async def read(self, players: Collection[PlayerId]) -> list[CheckedNames]:
        """Return the nicknames of players."""
        await self._store.ask("names")
        return await super().read(players)
