"""Which store this is, in one process's memory."""

from collections.abc import Sequence

from service.store.redis.identity import StoreId, new_store_id, successor
from service.store.witness import Observation


class MemoryIdentity:
    """The contract `Identity`, for a store with one partition."""

    def __init__(self) -> None:
        """Begin with a new id and no entries."""
        self.appended = 0
        """Entries ever appended."""
        self._known = StoreId(new_store_id())

    def admit_writes(self) -> None:
        """Let every write pass: a process whose memory is gone is gone, too."""

    async def observe(self) -> Observation:
        """Return what the store says of itself."""
        return Observation(self._known.id, self._known.predecessors, {0: self.appended})

    async def replace(self, predecessors: Sequence[str]) -> Observation:
        """Give the store a new id, which replaces the present one and the given ones."""
        self._known = successor(await self.observe(), predecessors)
        return await self.observe()
