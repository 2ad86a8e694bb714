"""One room as one process sees who is connected to it: counted as they come and go, never by looking at everyone."""

import asyncio
from typing import NamedTuple

import msgspec

from service.domain.room.model.ids import PlayerId
from service.domain.room.model.state import Table
from service.rooms.access.policy import counts_as_present
from service.rooms.feeds.audiences import Subscriber
from service.rooms.loading.room import LoadedRoom
from service.rooms.presence_counts import NOBODY, PresenceCounts, ProcessShare
from service.rooms.social.absence import is_playing
from service.store.side_channels import ProcessId

SHARE = msgspec.json.Decoder(ProcessShare)

SLOWER = 1 / 500
LONGEST_PAUSE = 2.0
"""By how many seconds a subscriber makes the pause before a presence frame longer, and up to how many."""

BYTES_A_SECOND = 50_000_000
"""How much the presence frames of one room may take, where so many members are allowed that the frame is large."""


class StoredShare(NamedTuple):
    """Another process's share as it was read last: encoded, and what it says."""

    data: bytes
    share: ProcessShare


class RoomPresence:
    """One room as this process sees it. Coming, going and lapsing cost the same however many are connected."""

    def __init__(self, live: LoadedRoom) -> None:
        """See nobody yet."""
        self.live = live
        self.subscribers: dict[Subscriber, PlayerId | None] = {}
        self.devices: dict[PlayerId, int] = {}
        """Connections through this process by player, 0 for a player whose grace runs."""
        self.strangers = 0
        self.lingering: dict[PlayerId, asyncio.TimerHandle] = {}
        """The end of the grace of those who lost their last connection here."""
        self.counted: dict[PlayerId, int] = {}
        self.counted_strangers = 0
        """This process's share of the attendance: those of `devices` and `strangers` who may read the room."""
        self.others: dict[ProcessId, StoredShare] = {}
        self.counts = PresenceCounts()
        self.table: Table | None = None
        """The table for which it was last decided who may read the room."""
        self.mine_changed = False
        self.others_changed = False
        self.new: set[Subscriber] = set()
        """Subscribers that no presence frame was sent to yet."""
        self.gone: set[PlayerId] = set()
        """Members who were seen to go and have not come back."""
        self.followed = False
        """Whether notifications come of the others' shares."""
        self.last_sent = b""
        """The JSON of the last frame that was sent."""
        self.noted_as: ProcessId | None = None
        """The process id under which the store has this process's share."""
        self.settling: asyncio.Task[None] | None = None

    @property
    def share(self) -> ProcessShare:
        """The players connected through this process, except operators and those who may no longer read the room."""
        return ProcessShare(self.counted, self.counted_strangers)

    @property
    def is_stale(self) -> bool:
        """Tell whether there is something to write, to read, to tell or to do."""
        owed = self.mine_changed or self.others_changed or bool(self.new) or self.owes_absence
        return owed or self.table is not self.live.room.table

    @property
    def owes_absence(self) -> bool:
        """Tell whether somebody has gone who now plays."""
        return any(is_playing(self.live.room.table, player) for player in self.gone)

    @property
    def is_empty(self) -> bool:
        """Tell whether nobody is or was here a moment ago."""
        return not self.subscribers and not self.lingering

    @property
    def pause(self) -> float:
        """By how much the pause before telling is longer than usual."""
        subscribers = len(self.subscribers)
        return max(min(LONGEST_PAUSE, subscribers * SLOWER), subscribers * len(self.last_sent) / BYTES_A_SECOND)

    def arrive(self, subscriber: Subscriber) -> None:
        """Count one more subscriber."""
        if subscriber in self.subscribers:
            return
        player = self.subscribers[subscriber] = subscriber.player
        self.new.add(subscriber)
        if player is None:
            self.strangers += 1
            self._count_strangers()
            return
        if player in self.lingering:
            self.lingering.pop(player).cancel()
        self.devices[player] = self.devices.get(player, 0) + 1
        self._count(player)

    def depart(self, subscriber: Subscriber) -> PlayerId | None:
        """Count one subscriber less, and return the player whose last connection that was."""
        player = self.subscribers.pop(subscriber)
        self.new.discard(subscriber)
        if player is None:
            self.strangers -= 1
            self._count_strangers()
            return None
        self.devices[player] -= 1
        self._count(player)
        return player if self.devices[player] == 0 else None

    def lapse(self, player: PlayerId) -> None:
        """Count a player no more whose grace is over."""
        del self.lingering[player], self.devices[player]
        self._count(player)

    def recount(self) -> None:
        """Decide anew who may read the room, where its table has changed."""
        if self.table is self.live.room.table:
            return
        self.table = self.live.room.table
        self.gone &= self.table.members.keys()
        for player in self.devices:
            self._count(player)
        self._count_strangers()

    def read(self, shares: dict[ProcessId, bytes]) -> None:
        """Take over what the other processes have noted; only shares that changed are decoded and counted."""
        changed: set[PlayerId] = set()
        for process in self.others.keys() - shares.keys():
            changed |= self.counts.replace(self.others.pop(process).share, NOBODY)
        for process, data in shares.items():
            before = self.others.get(process)
            if before is None or before.data != data:
                self.others[process] = StoredShare(data, SHARE.decode(data))
                changed |= self.counts.replace(before.share if before else NOBODY, self.others[process].share)
        for player in changed:
            self._note_gone(player)

    def _count(self, player: PlayerId) -> None:
        """Count in the attendance how often a player is connected through this process now."""
        before, after = self.counted.get(player), self.devices.get(player)
        if not counts_as_present(self.live.room.table, player):
            after = None
        if before == after:
            return
        self.mine_changed = True
        self.counts.count(player, before, after)
        if after is None:
            del self.counted[player]
        else:
            self.counted[player] = after
        self._note_gone(player)

    def _count_strangers(self) -> None:
        allowed = self.strangers if counts_as_present(self.live.room.table, None) else 0
        if allowed != self.counted_strangers:
            self.mine_changed = True
            self.counts.count_strangers(allowed - self.counted_strangers)
            self.counted_strangers = allowed

    def _note_gone(self, player: PlayerId) -> None:
        """Note whether a player whose connections changed has gone from everywhere."""
        if player in self.counts.devices:
            self.gone.discard(player)
        elif player in self.live.room.table.members:
            self.gone.add(player)
