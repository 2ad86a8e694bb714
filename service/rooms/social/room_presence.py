"""The presence of one room in one process, updated in constant time with every change."""

import asyncio
from contextlib import suppress
from typing import NamedTuple

from service.domain.ids import PlayerId
from service.domain.room.model.state import Table
from service.domain.room.subjects.privacy import OPERATOR
from service.rooms.access.policy import counts_as_present
from service.rooms.commands.absence import is_awaited
from service.rooms.feeds.room_frames import Subscriber
from service.rooms.presence_counts import NOBODY, SHARE, PresenceCounts, ProcessShare
from service.rooms.repository import LoadedRoom
from service.store.side_channels import ProcessId

PAUSE_PER_SUBSCRIBER = 1 / 500
LONGEST_PAUSE = 2.0
"""Seconds that each subscriber adds to the pause before a presence frame, and the maximum."""

BYTES_PER_SECOND = 50_000_000
"""The maximum rate of the presence frames of one room, which are large in a room with many members."""


class StoredShare(NamedTuple):
    """Another process's share as it was last read, encoded and decoded."""

    data: bytes
    share: ProcessShare


class RoomPresence:
    """The presence of one room in this process. Every change costs the same, however many are connected."""

    def __init__(self, live: LoadedRoom) -> None:
        """Start with no one present."""
        self.live = live
        self.subscribers: dict[Subscriber, PlayerId | None] = {}
        self.devices: dict[PlayerId, int] = {}
        """Connections through this process by player, 0 for a player in the grace period."""
        self.strangers = 0
        self.lingering: dict[PlayerId, asyncio.TimerHandle] = {}
        """The ends of the grace periods of players who lost their last connection here."""
        self.counted: dict[PlayerId, int] = {}
        self.counted_strangers = 0
        """This process's share: those of `devices` and `strangers` who may read the room."""
        self.watching: set[Subscriber] = set()
        """The subscribers of the room's own feed, without operators."""
        self.others: dict[ProcessId, StoredShare] = {}
        self.counts = PresenceCounts()
        self.table: Table | None = None
        """The table for which it was last determined who may read the room."""
        self.mine_changed = False
        self.others_changed = False
        self.new: set[Subscriber] = set()
        """Subscribers to which no presence frame has been sent yet."""
        self.gone: set[PlayerId] = set()
        """Members who have left and have not returned."""
        self.followed = False
        """Whether this process is subscribed to changes of the other shares."""
        self.last_sent = b""
        """The JSON of the last frame sent."""
        self.stored_as: ProcessId | None = None
        """The process id under which this process's share is stored."""
        self.watched_as: ProcessId | None = None
        """The same if the stored share has somebody who follows the room's own feed."""
        self.updating: asyncio.Task[None] | None = None
        self.left: set[PlayerId] = set()
        """Awaited players who have closed their last connection here; earlier requests no longer count."""
        self.hurries = asyncio.Event()
        """Set when there is one, without whom no match must begin, and when somebody who was absent has returned."""

    @property
    def share(self) -> ProcessShare:
        """This process's share, without operators and without players who may no longer read the room."""
        return ProcessShare(self.counted, self.counted_strangers, bool(self.watching))

    @property
    def has_changed(self) -> bool:
        """Return whether this process's share has to be written, or the others have to be read."""
        return self.mine_changed or self.others_changed

    @property
    def is_stale(self) -> bool:
        """Return whether anything has to be written, read, sent or reported."""
        owed = self.has_changed or bool(self.new) or self.must_report_absence
        return owed or self.table is not self.live.state.table

    @property
    def must_report_absence(self) -> bool:
        """Return whether the absence of a player who has left has to be reported."""
        return any(is_awaited(self.live.state.table, player) for player in self.gone)

    @property
    def is_empty(self) -> bool:
        """Return whether no one is connected or in the grace period."""
        return not self.subscribers and not self.lingering

    @property
    def pause(self) -> float:
        """The seconds that are added to the pause before a presence frame."""
        subscribers = len(self.subscribers)
        return max(
            min(LONGEST_PAUSE, subscribers * PAUSE_PER_SUBSCRIBER), subscribers * len(self.last_sent) / BYTES_PER_SECOND
        )

    async def wait(self, pause: float) -> None:
        """Wait for further changes, unless this one has to be stored at once."""
        with suppress(TimeoutError):
            async with asyncio.timeout(pause):
                await self.hurries.wait()
        self.hurries.clear()

    def arrive(self, subscriber: Subscriber) -> None:
        """Add a subscriber."""
        if subscriber in self.subscribers:
            return
        player = self.subscribers[subscriber] = subscriber.player
        self.new.add(subscriber)
        if subscriber.on_own_feed and player != OPERATOR:
            self.watching.add(subscriber)
        if player is None:
            self.strangers += 1
            self._count_strangers()
            return
        if player in self.lingering:
            self.lingering.pop(player).cancel()
        self.devices[player] = self.devices.get(player, 0) + 1
        self._count(player)

    def depart(self, subscriber: Subscriber) -> PlayerId | None:
        """Remove a subscriber, and return the player if it was their last connection."""
        player = self.subscribers.pop(subscriber)
        self.new.discard(subscriber)
        self.watching.discard(subscriber)
        if player is None:
            self.strangers -= 1
            self._count_strangers()
            return None
        self.devices[player] -= 1
        self._count(player)
        return player if self.devices[player] == 0 else None

    def lapse(self, player: PlayerId) -> None:
        """Remove a player whose grace period is over."""
        del self.lingering[player], self.devices[player]
        self._count(player)

    def recount(self) -> None:
        """Determine again who may read the room, if its table has changed."""
        if self.table is self.live.state.table:
            return
        self.table = self.live.state.table
        self.gone &= self.table.members.keys()
        for player in self.devices:
            self._count(player)
        self._count_strangers()

    def read(self, shares: dict[ProcessId, bytes]) -> None:
        """Update the shares of the other processes; only shares that changed are decoded and counted."""
        changed: set[PlayerId] = set()
        for process in self.others.keys() - shares.keys():
            changed |= self.counts.replace(self.others.pop(process).share, NOBODY)
        for process, data in shares.items():
            before = self.others.get(process)
            if before is None or before.data != data:
                self.others[process] = StoredShare(data, SHARE.decode(data))
                changed |= self.counts.replace(before.share if before else NOBODY, self.others[process].share)
        for player in changed:
            self._update_gone(player)

    def _count(self, player: PlayerId) -> None:
        """Update the number of a player's connections through this process in the counts."""
        before, after = self.counted.get(player), self.devices.get(player)
        if not counts_as_present(self.live.state.table, player):
            after = None
        if before == after:
            return
        self.mine_changed = True
        self.counts.count(player, before, after)
        if after is None:
            del self.counted[player]
        else:
            self.counted[player] = after
        self._update_gone(player)

    def _count_strangers(self) -> None:
        allowed = self.strangers if counts_as_present(self.live.state.table, None) else 0
        if allowed != self.counted_strangers:
            self.mine_changed = True
            self.counts.count_strangers(allowed - self.counted_strangers)
            self.counted_strangers = allowed

    def _update_gone(self, player: PlayerId) -> None:
        """Record whether a player whose connections changed is now connected to no process."""
        if player in self.counts.devices:
            self.gone.discard(player)
        elif player in self.live.state.table.members:
            self.gone.add(player)
