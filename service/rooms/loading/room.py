"""A room as one process holds it: its state, its latest events, and what is known of its commands."""

import asyncio
from collections import deque
from collections.abc import Sequence

from service.domain.room.due import due_at
from service.domain.room.evolve import evolve
from service.domain.room.model.ids import Millis, PlayerId, RoomKey, Version
from service.domain.room.model.state import Room
from service.rooms.loading.idempotency import IdempotencyRecords
from service.rooms.presence_counts import PresenceCounts
from service.store.codec import Stored
from service.store.contract import Head

RECENT = 64
"""How many events are kept at hand for subscribers that come back; older ones are read from the store.

With many more every move takes longer: the event that falls out then has left the processor's caches long before.
"""


class LoadedRoom:
    """One room in memory. A writer holds `lock` from load to fold, so that events are applied in order."""

    def __init__(
        self,
        room: Room,
        head: Head,
        idempotency: IdempotencyRecords,
        *,
        recent: Sequence[Stored] = (),
        signed: Version | None = None,
    ) -> None:
        """Hold the room as it was folded up to `head`, with its `recent` events up to there."""
        self.key = room.table.key
        self.signed = signed
        """The first version that carries a MAC, None while none does."""
        self.room = room
        self.due = due_at(room)
        """When something is due in the room."""
        self.head = head
        self.idempotency = idempotency
        self.recent: deque[Stored] = deque(recent, maxlen=RECENT)
        self.lock = asyncio.Lock()
        self.presence: PresenceCounts | None = None
        """Who is connected, where somebody here follows the room."""
        self.notified_version = Version(0)
        """The latest version that a notification named."""
        self.missed_notifications = 0
        """How often notifications may have been lost since the room was last brought up to date."""
        self.generation = 0
        """How often the history was replaced by another one."""
        self.visited = Millis(0)
        """When it was last recorded that somebody asked for something here with a token."""
        self.predecessors: dict[PlayerId, list[RoomKey]] = {}
        """Rooms that had this name before, by player who was in them, as far as that was asked for."""

    @property
    def has_news(self) -> bool:
        """Whether the store is known to have, or may have, events that are not folded here."""
        return self.notified_version > self.head.version or self.missed_notifications > 0

    def apply(self, stored: Stored) -> None:
        """Fold one more event."""
        self.room = evolve(self.room, stored.recorded)
        self.due = due_at(self.room)
        self._append((stored,))

    def advance(self, history: Sequence[Stored], room: Room, due: Millis | None) -> None:
        """Append events whose fold is known already, and set what is due after them."""
        self.room, self.due = room, due
        self._append(history)

    def replace_with(self, fresh: "LoadedRoom") -> None:
        """Become the room that was loaded again from the store."""
        self.room, self.due, self.head = fresh.room, fresh.due, fresh.head
        self.idempotency, self.recent, self.signed = fresh.idempotency, fresh.recent, fresh.signed
        self.generation += 1

    def _append(self, history: Sequence[Stored]) -> None:
        """Keep events, of which there is one at least: themselves, the head, and their idempotency records."""
        last = history[-1]
        self.head = Head(last.recorded.version, last.digest)
        self.recent.extend(history)
        for stored in history:
            if stored.stamp is not None:
                self.idempotency.add(stored)

    def since(self, version: Version) -> list[Stored] | None:
        """Return the events after a version where all of them are in memory, else None."""
        missed = self.head.version - version
        if missed < 0 or missed > len(self.recent):
            return None
        return list(self.recent)[len(self.recent) - missed :]
