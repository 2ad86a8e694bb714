"""Presence: who is connected to which room, told to every process and kept no longer than the process that saw it.

A process notes its own share of each room beside the room's stream and renews one lease for itself. When its lease ends
it has died, and the others take its shares out. One that leaves in order sends everyone elsewhere, and so that nobody
seems gone on the way its lease, too, lasts for a while.
"""

import asyncio
from collections.abc import Callable

import msgspec
import structlog

from service.domain.room.privacy import OPERATOR, barred
from service.domain.room.state import Table
from service.domain.room.values import Millis, PlayerId, RoomKey
from service.rooms import frames
from service.rooms.absent import Absent, plays
from service.rooms.attendance import Attendance, Share
from service.rooms.live import LiveRoom, Watcher
from service.rooms.problems import Refused
from service.rooms.rooms import Rooms
from service.streams.contract import Beat, ProcessId, StoreUnavailable

log = structlog.get_logger()

SHARE = msgspec.json.Decoder(Share)


class Timing(msgspec.Struct, frozen=True):
    """How long things take, in seconds."""

    grace: float = 5.0
    """For how long a player who lost their last connection still counts as online."""
    moving: float = 15.0
    """The same for one whom this process sent elsewhere because it leaves."""
    pause: float = 0.1
    """For how long changes are gathered before they are told."""
    beat: float = 2.0
    """How often a process renews its lease, and looks for others that didn't."""
    lease: float = 6.0


SLOWER = 1 / 500
LONGEST_PAUSE = 2.0
"""By how many seconds a watcher makes the pause longer, for each is told of each; and up to how many."""


class Here:
    """One room as this process sees it."""

    def __init__(self, live: LiveRoom) -> None:
        """See nobody yet."""
        self.live = live
        self.watchers: dict[Watcher, PlayerId | None] = {}
        self.lingering: dict[PlayerId, asyncio.TimerHandle] = {}
        self.others: dict[ProcessId, Share] = {}
        """The other processes' shares, as they were read last."""
        self.mine_changed = False
        self.others_changed = False
        self.table: Table | None = None
        """The table of what was told last."""
        self.new: set[Watcher] = set()
        """Watchers who have not been told anything yet."""
        self.attendance = Attendance(())
        self.noted = Share()
        """The own share as it was written last."""
        self.gone: set[PlayerId] = set()
        """Members who were seen to go and have not come back."""
        self.followed = False
        """Whether the others' shares are heard of as they change."""
        self.told = b""
        """The frame that was told last."""
        self.settling: asyncio.Task[None] | None = None

    @property
    def share(self) -> Share:
        """Who is connected through this process, those left out who may not read the room any more, and operators."""
        table = self.live.room.table
        devices = dict.fromkeys(self.lingering, 0)
        for player in self.watchers.values():
            if player is not None:
                devices[player] = devices.get(player, 0) + 1
        devices.pop(OPERATOR, None)
        allowed = {player: count for player, count in devices.items() if barred(table, player) is None}
        strangers = 0 if barred(table, None) else sum(player is None for player in self.watchers.values())
        return Share(allowed, strangers)

    @property
    def is_stale(self) -> bool:
        """Tell whether there is something to write, to read, to tell or to do."""
        owed = self.mine_changed or self.others_changed or bool(self.new) or bool(self.gone)
        return owed or self.table is not self.live.room.table

    def add_up(self) -> None:
        """Add up all shares, for whoever looks at the room."""
        before = self.attendance.devices.keys()
        self.attendance = Attendance([self.share, *self.others.values()])
        self.gone = ((self.gone | before) - self.attendance.devices.keys()) & self.live.room.table.members.keys()
        if self.followed:
            self.live.attendance = self.attendance

    @property
    def is_empty(self) -> bool:
        """Tell whether nobody is or was here a moment ago."""
        return not self.watchers and not self.lingering

    @property
    def pause(self) -> float:
        """By how much the pause before telling is longer than usual."""
        return min(LONGEST_PAUSE, len(self.watchers) * SLOWER)


class Presences:
    """Who is connected to the rooms that this process serves."""

    def __init__(self, rooms: Rooms, process: ProcessId, timing: Timing, leaving: Callable[[], bool]) -> None:
        """Be one process, under an id that no other run of any program has, and ask `leaving` whether it ends."""
        self._rooms = rooms
        self._beside = rooms.store.beside
        self._process = process
        self._timing = timing
        self._leaving = leaving
        self._absent = Absent(rooms)
        self._here: dict[RoomKey, Here] = {}

    async def of(self, live: LiveRoom) -> Attendance:
        """Return who is connected to a room now."""
        if live.attendance is not None:
            return live.attendance
        return Attendance(decoded(await self._beside.attendance(live.key)).values())

    async def begin(self, live: LiveRoom) -> None:
        """Learn who is connected to a room that somebody here begins to follow."""
        here = self._at(live)
        here.followed = True
        self._read(here, await self._beside.attendance(live.key))

    def end(self, live: LiveRoom) -> None:
        """Know no more of a room that nobody here follows any more."""
        live.attendance = None
        if live.key in self._here:
            self._here[live.key].followed = False

    def arrived(self, live: LiveRoom, watcher: Watcher) -> None:
        """Note a new watcher, who is told soon, as everyone is."""
        here = self._at(live)
        here.watchers[watcher] = watcher.player
        here.new.add(watcher)
        if watcher.player is not None and watcher.player in here.lingering:
            here.lingering.pop(watcher.player).cancel()
        self._mine_changed(here)

    def departed(self, live: LiveRoom, watcher: Watcher) -> None:
        """Note that a watcher went; a player's last one is remembered for a moment."""
        here = self._here.get(live.key)
        if here is None or watcher not in here.watchers:
            return
        player = here.watchers.pop(watcher)
        here.new.discard(watcher)
        if player is not None and player not in here.watchers.values():
            loop, grace = asyncio.get_running_loop(), self._timing.moving if self._leaving() else self._timing.grace
            here.lingering[player] = loop.call_later(grace, self._lapsed, here, player)
        self._mine_changed(here)

    def attended(self, key: RoomKey, process: ProcessId | None) -> None:
        """Take note that another process told of a room, or may have done so."""
        here = self._here.get(key)
        if here is not None and process != self._process:
            here.others_changed = True
            self._settle_soon(here)

    async def run(self) -> None:
        """Renew the lease for ever, and tidy up behind processes that died."""
        while True:
            try:
                await self._beat()
            except (Refused, StoreUnavailable) as failure:
                log.warning("presence_beat_missed", error=str(failure))
            await asyncio.sleep(self._timing.beat)

    async def leave(self) -> None:
        """Note for the last time who was here: those who were sent elsewhere count as online until they are there."""
        for here in self._here.values():
            if here.settling is not None:
                here.settling.cancel()
            here.mine_changed = here.share != here.noted
        try:
            await asyncio.gather(*(self._exchange(here) for here in self._here.values() if here.mine_changed))
            await self._renew()
        except StoreUnavailable as failure:
            log.warning("presence_not_left", error=str(failure))

    async def _renew(self) -> Beat:
        lease = self._timing.moving if self._leaving() else self._timing.lease
        return await self._beside.beat(self._process, Millis(int(lease * 1000)))

    async def _beat(self) -> None:
        beat = await self._renew()
        for here in list(self._here.values()):
            here.mine_changed |= not beat.alive or here.share != here.noted
            if here.is_stale:
                self._settle_soon(here)
        for process in beat.dead:
            for key in await self._beside.attended_by(process):
                await self._take_out(key, process)
            await self._beside.retire(process)

    async def _take_out(self, key: RoomKey, process: ProcessId) -> None:
        """Take a dead process's share out of a room, and say who is gone with it."""
        dead = decoded(await self._beside.attendance(key)).get(process, Share())
        left = Attendance(decoded(await self._beside.attend(key, process, None)).values())
        live = await self._rooms.present(key)
        if live is not None:
            await self._absent.gone(live, dead.devices.keys() - left.devices.keys())

    def _at(self, live: LiveRoom) -> Here:
        here = self._here.setdefault(live.key, Here(live))
        here.live = live
        return here

    def _lapsed(self, here: Here, player: PlayerId) -> None:
        del here.lingering[player]
        self._mine_changed(here)

    def _mine_changed(self, here: Here) -> None:
        here.mine_changed = True
        here.add_up()
        self._settle_soon(here)

    def _read(self, here: Here, shares: dict[ProcessId, bytes]) -> None:
        here.others = {process: share for process, share in decoded(shares).items() if process != self._process}
        here.add_up()

    def _settle_soon(self, here: Here) -> None:
        if here.settling is None:
            here.settling = asyncio.create_task(self._settle(here))

    async def _settle(self, here: Here) -> None:
        """Write what changed here, read what changed elsewhere, and tell both; what fails is done at a later beat."""
        try:
            await self._note_absent(here)
            while here.mine_changed or here.others_changed:
                await asyncio.sleep(self._timing.pause + here.pause)
                await self._exchange(here)
                self._tell(here)
                await self._note_absent(here)
        except (Refused, StoreUnavailable) as failure:
            log.warning("presence_not_kept", room=here.live.key.name, error=str(failure))
        finally:
            here.settling = None
        self._tell(here)
        if here.is_empty and not here.followed:
            self._here.pop(here.live.key, None)

    async def _note_absent(self, here: Here) -> None:
        """Say to the room who is back here, and who is away from everywhere."""
        if here.followed:
            await self._absent.back(here.live, [player for player in here.watchers.values() if player is not None])
        live = here.live if here.followed or not here.gone else await self._rooms.present(here.live.key)
        if live is not None and any(plays(live.room.table, player) for player in here.gone):
            self._read(here, await self._beside.attendance(live.key))  # they may have come back elsewhere
            leavers = {player for player in here.gone if plays(live.room.table, player)}
            await self._absent.gone(live, leavers)
            here.gone -= leavers

    async def _exchange(self, here: Here) -> None:
        mine, here.mine_changed, here.others_changed = here.mine_changed, False, False
        key, share = here.live.key, here.share
        try:
            if mine:
                data = None if share == Share() else msgspec.json.encode(share)
                shares = await self._beside.attend(key, self._process, data)
                here.noted = share
            else:
                shares = await self._beside.attendance(key)
        except BaseException:
            here.mine_changed |= mine
            here.others_changed = True
            raise
        self._read(here, shares)

    def _tell(self, here: Here) -> None:
        """Tell everyone what changed, and new watchers how it is."""
        if not here.followed:
            return
        live, table = here.live, here.live.room.table
        players = {player: here.attendance.of(table, player) for player in table.members}
        frame = frames.told(frames.Presence(live.key.name, players, here.attendance.watchers(table)), live.key.name)
        new, here.new = here.new & live.watchers, here.new - live.watchers
        changed, here.told, here.table = frame.json != here.told, frame.json, table
        if changed or new:
            self._rooms.feeds.tell(live, frame, lambda watcher: changed or watcher in new)


def decoded(shares: dict[ProcessId, bytes]) -> dict[ProcessId, Share]:
    """Return shares as they were noted."""
    return {process: SHARE.decode(data) for process, data in shares.items()}
