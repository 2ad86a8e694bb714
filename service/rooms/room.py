"""A room as one process holds it: its fold so far, its recent events, and who watches."""

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import NamedTuple, Protocol

from service.domain.game import Seat
from service.domain.room.evolve import evolve
from service.domain.room.model.ids import Millis, PlayerId, RoomKey, Version
from service.domain.room.model.state import Room, Table
from service.rooms.feeds.frames import OutgoingFrame
from service.rooms.idempotency import IdempotencyRecords
from service.rooms.presence.counts import PresenceCounts
from service.rooms.projections import next_due
from service.store.codec import Stored
from service.store.contract import Head

RECENT = 64
"""How many events are kept at hand for readers that come back; who was away for longer is told from the store.

With many more every move takes longer: the event that falls out then has left the processor's caches long before.
"""

AudienceKey = tuple[Seat | None, bool]
"""Which frames a watcher gets: whose knowledge, and whether with the view."""


class Subscriber(Protocol):
    """Somebody who follows a room: who they are, what they may see, and where frames for them go."""

    player: PlayerId | None
    wanted: Seat | None
    state: bool
    """Whether updates carry the view."""
    at: Version
    """Up to which version they have been told; nothing is told twice."""

    @property
    def offer(self) -> Callable[[OutgoingFrame], None]:
        """Hands a frame over; never blocks."""

    async def drained(self) -> None:
        """Wait until the frames offered so far are on their way."""


Audience = tuple[AudienceKey, list[Subscriber]]


class Audiences(NamedTuple):
    """The watchers by what they get."""

    table: Table
    """The table for which it was worked out."""
    apart: list[Audience]
    """Where seats may not know the same."""
    open: list[Audience]
    """Where everyone may know everything: who wants no view gets the same, whoever they are."""


class LoadedRoom:
    """One room in memory. Whoever writes holds `lock` from load to fold, so that no event is applied out of order."""

    def __init__(
        self,
        room: Room,
        head: Head,
        receipts: IdempotencyRecords,
        *,
        recent: Sequence[Stored] = (),
        signed: Version | None = None,
    ) -> None:
        """Hold the room as it was folded up to `head`, with its `recent` events up to there."""
        self.key = room.table.key
        self.signed = signed
        """The first version that carries a MAC, None while none does."""
        self.room = room
        self.due = next_due(room)
        """When the house owes the room something."""
        self.head = head
        self.receipts = receipts
        self.recent: deque[Stored] = deque(recent, maxlen=RECENT)
        self.lock = asyncio.Lock()
        self.watchers: set[Subscriber] = set()
        self.audiences: Audiences | None = None
        """None until it is worked out for those who watch now."""
        self.attendance: PresenceCounts | None = None
        """Who is connected, where somebody here follows the room."""
        self.followers = 0
        """The watchers, and those who are still catching up."""
        self.listening = False
        self.heard = Version(0)
        """The newest version that a notification spoke of."""
        self.lives = 0
        """How often the history was replaced by another one."""
        self.visited = Millis(0)
        """When it was last noted that somebody asked for something here with a token."""
        self.earlier: dict[PlayerId, list[RoomKey]] = {}
        """Rooms that had this name before, by player who was in them, as far as anyone asked."""

    def watch(self, watcher: Subscriber) -> None:
        """Count somebody among the watchers."""
        self.watchers.add(watcher)
        self.audiences = None

    def unwatch(self, watcher: Subscriber) -> None:
        """Count somebody among the watchers no more."""
        self.watchers.discard(watcher)
        self.audiences = None

    def apply(self, stored: Stored) -> None:
        """Fold one more event."""
        self.room = evolve(self.room, stored.recorded)
        self.due = next_due(self.room)
        self.note((stored,))

    def advance(self, history: Sequence[Stored], room: Room, due: Millis | None) -> None:
        """Take over events whose fold is known already, and what is due after them."""
        self.room, self.due = room, due
        self.note(history)

    def take_over(self, fresh: "LoadedRoom") -> None:
        """Become what the store now says this room is."""
        self.room, self.due, self.head = fresh.room, fresh.due, fresh.head
        self.receipts, self.recent, self.signed = fresh.receipts, fresh.recent, fresh.signed
        self.lives += 1

    def note(self, history: Sequence[Stored]) -> None:
        """Remember events, of which there is one at least: themselves, where the stream ends, and the receipts."""
        last = history[-1]
        self.head = Head(last.recorded.version, last.digest)
        self.recent.extend(history)
        for stored in history:
            if stored.stamp is not None:
                self.receipts.note(stored)

    def since(self, version: Version) -> list[Stored] | None:
        """Return the events after a version where all of them are at hand, else None."""
        missed = self.head.version - version
        if missed < 0 or missed > len(self.recent):
            return None
        return list(self.recent)[len(self.recent) - missed :]
