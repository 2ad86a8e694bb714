"""A room in the memory of a process: its state, its latest events, and the records of recent commands."""

import asyncio
from collections import deque
from collections.abc import Sequence

from service.domain.room.due import due_at
from service.domain.room.evolve import evolve
from service.domain.room.model.events import PlayerJoined
from service.domain.room.model.ids import Millis, PlayerId, RoomKey, Version
from service.domain.room.model.invitation import InvitationDeclined
from service.domain.room.model.state import Room
from service.rooms.loading.idempotency import IdempotencyRecords
from service.rooms.presence_counts import PresenceCounts
from service.store.codec import Stored
from service.store.contract import Head

RECENT = 64
"""How many events are kept in memory for clients that reconnect; older ones are read from the store.

With many more, every move takes longer, because the event that it evicts is no longer in the CPU's caches.
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
        """Take the room as folded up to `head`, with its latest events."""
        self.key = room.table.key
        self.signed = signed
        """The first version with a MAC, None if there is none."""
        self.room = room
        self.due = due_at(room)
        """When something is due in the room."""
        self.head = head
        self.idempotency = idempotency
        self.recent: deque[Stored] = deque(recent, maxlen=RECENT)
        self.lock = asyncio.Lock()
        self.presence: PresenceCounts | None = None
        """Who is connected; None if the room has no subscriber in this process."""
        self.notified_version = Version(0)
        """The latest version in a notification."""
        self.missed_notifications = 0
        """How often notifications may have been lost since the last sync."""
        self.generation = 0
        """How often the history was replaced."""
        self.visited = Millis(0)
        """When a visit was last recorded: a request of a player for this room."""
        self.predecessors: dict[PlayerId, list[RoomKey]] = {}
        """Rooms that had this name before, by their former members, as far as requested."""

    @property
    def has_news(self) -> bool:
        """Whether the store has, or may have, events that are not folded in this process."""
        return self.notified_version > self.head.version or self.missed_notifications > 0

    def apply(self, stored: Stored) -> None:
        """Fold one more event."""
        self.room = evolve(self.room, stored.recorded)
        self.due = due_at(self.room)
        self._append((stored,))

    def advance(self, history: Sequence[Stored], room: Room, due: Millis | None) -> None:
        """Append events whose fold is already known, and set when the room is due."""
        self.room, self.due = room, due
        self._append(history)

    def replace_with(self, fresh: "LoadedRoom") -> None:
        """Replace everything with a room that was loaded again."""
        self.room, self.due, self.head = fresh.room, fresh.due, fresh.head
        self.idempotency, self.recent, self.signed = fresh.idempotency, fresh.recent, fresh.signed
        self.generation += 1

    def _append(self, history: Sequence[Stored]) -> None:
        """Add one or more events: to the latest events, to the head, and to the idempotency records."""
        last = history[-1]
        self.head = Head(last.recorded.version, last.digest)
        self.recent.extend(history)
        for stored in history:
            if stored.idempotency_key is not None:
                self.idempotency.add(stored)

    def mentions(self, player: PlayerId) -> bool:
        """Return whether a player is a member, or has joined or declined an invitation in the latest events."""
        recent = (stored.recorded.event for stored in self.recent)
        return player in self.room.table.members or any(
            isinstance(event, PlayerJoined | InvitationDeclined) and event.player == player for event in recent
        )

    def since(self, version: Version) -> list[Stored] | None:
        """Return the events after a version if all of them are in memory, else None."""
        missed = self.head.version - version
        if missed < 0 or missed > len(self.recent):
            return None
        return list(self.recent)[len(self.recent) - missed :]
