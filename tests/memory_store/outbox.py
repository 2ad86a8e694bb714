"""The outbox of a store in the memory of one process, which has one partition."""

from collections.abc import Sequence

from service.domain.ids import Millis, Version
from service.store.outbox import DELIVERIES, OutboxEntry
from service.store.stream_keys import DueKey, OutboxKey

ONLY = OutboxKey(0)


class MemoryOutbox:
    """The contract `Outbox`."""

    def __init__(self, due: dict[DueKey, Millis]) -> None:
        """Take the due set of the store."""
        self._due = due
        self._entries: dict[str, OutboxEntry] = {}
        self._added = 0

    def add(self, source: str, version: Version, deliveries: bytes) -> None:
        """Add the deliveries of an append, and make the outbox due."""
        self._added += 1
        entry = OutboxEntry(f"{self._added}-0", source, version, DELIVERIES.decode(deliveries))
        self._entries[entry.id] = entry
        self._due.setdefault(ONLY, Millis(0))

    async def pending(self, partition: int, limit: int) -> list[OutboxEntry]:  # noqa: ARG002 - there is only one
        """Return the oldest entries."""
        return list(self._entries.values())[:limit]

    async def delete(self, partition: int, entries: Sequence[OutboxEntry]) -> None:  # noqa: ARG002 - there is only one
        """Delete entries that were delivered."""
        for entry in entries:
            self._entries.pop(entry.id, None)

    async def settle(self, partition: int) -> bool:  # noqa: ARG002 - there is only one
        """Remove the outbox from the due set if it is empty. Return whether it was empty."""
        if self._entries:
            return False
        self._due.pop(ONLY, None)
        return True
