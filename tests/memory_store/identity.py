"""The identity of a store in the memory of one process."""

from collections.abc import Sequence

from service.store.witness import Observation, StoreId, new_store_id, successor


class MemoryIdentity:
    """The contract `Identity`, for a store with one partition."""

    def __init__(self) -> None:
        """Begin with a new id and no entries."""
        self.appended = 0
        """The number of entries ever appended."""
        self._known = StoreId(new_store_id())

    def admit_writes(self) -> None:
        """Admit every write: this store cannot lose data without its process."""

    def admit_rooms(self) -> None:
        """Admit every new room: this store has no limit of its own."""

    async def observe(self) -> Observation:
        """Return the store's id and counters."""
        return Observation(self._known.id, self._known.predecessors, {0: self.appended})

    async def count(self, _partition: int) -> int:
        """Return how many entries were appended."""
        return self.appended

    async def correct(self, _partition: int, count: int) -> None:
        """Replace the counter."""
        self.appended = count

    async def replace(self, predecessors: Sequence[str]) -> Observation:
        """Give the store a new id, which replaces the current id and the given ones."""
        self._known = successor(await self.observe(), predecessors)
        return await self.observe()
