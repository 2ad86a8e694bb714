"""Presence: who is connected to which room, shared among all processes.

Each process stores its own share of every room's presence, and renews one lease. When its lease ends, the process
counts as dead, and the others remove its shares. A process that shuts down asks everyone to reconnect elsewhere; its
lease lasts a while longer, so that no one seems to have left in the meantime.
"""

import asyncio
import time
from collections.abc import Callable

import msgspec
import structlog

from service.domain.ids import Millis, PlayerId, RoomKey
from service.rooms.commands.absence import AbsenceReporter, is_awaited
from service.rooms.commands.processor import CommandProcessor
from service.rooms.feeds import frames
from service.rooms.feeds.hub import FeedHub
from service.rooms.feeds.room_frames import Subscriber
from service.rooms.presence_counts import NOBODY, PresenceCounts, decode_shares
from service.rooms.repository import LoadedRoom
from service.rooms.social.lease import Lease, StallMeter, Timing
from service.rooms.social.room_presence import RoomPresence
from service.runtime.timers import until_next
from service.store.contract import StoreFailed
from service.store.side_channels import ProcessId
from service.streams.errors import ServiceError

log = structlog.get_logger()

BATCH = 500
"""How many rooms are processed before other tasks get a turn."""


class PresenceTracker:
    """Tracks who is connected to the rooms that this process serves."""

    def __init__(
        self,
        processor: CommandProcessor,
        hub: FeedHub,
        process: ProcessId,
        timing: Timing,
        leaving: Callable[[], bool],
    ) -> None:
        """`process` is a unique id; `leaving` returns whether the process is shutting down."""
        self._processor = processor
        self._repository = processor.repository
        self._hub = hub
        self._side_channels = processor.repository.store.side_channels
        self._timing = timing
        self._leaving = leaving
        self._lease = Lease(self._side_channels, process, timing)
        self._stalls = StallMeter()
        self._removing_dead: asyncio.Task[None] | None = None
        self._absent = AbsenceReporter(processor)
        self._here: dict[RoomKey, RoomPresence] = {}

    async def of(self, live: LoadedRoom) -> PresenceCounts:
        """Return who is connected to a room now."""
        if live.presence is not None:
            return live.presence
        return PresenceCounts(decode_shares(await self._side_channels.read_presence(live.key)).values())

    async def begin(self, live: LoadedRoom) -> None:
        """Read who is connected to a room that got its first subscriber in this process."""
        here = self._at(live)
        here.followed = True
        self._read(here, await self._side_channels.read_presence(live.key))

    def end(self, live: LoadedRoom) -> None:
        """Drop the presence of a room that no longer has subscribers in this process."""
        live.presence = None
        if live.key in self._here:
            self._here[live.key].followed = False

    def arrived(self, live: LoadedRoom, subscriber: Subscriber) -> None:
        """Add a new subscriber; a presence frame is sent soon."""
        here = self._at(live)
        here.arrive(subscriber)
        if subscriber.player in live.state.table.absent:
            here.hurries.set()
        self._show(here)
        self._update_soon(here)

    def departed(self, live: LoadedRoom, subscriber: Subscriber) -> None:
        """Remove a subscriber; after the last one a player counts as online for a short time."""
        here = self._here.get(live.key)
        if here is None or subscriber not in here.subscribers:
            return
        if (player := here.depart(subscriber)) is not None:
            if is_awaited(live.state.table, player):
                live.noted.pop(player, None)
                here.left.add(player)
                here.hurries.set()
            self._linger(here, player, self._timing.moving if self._leaving() else self._timing.grace)
        self._update_soon(here)

    def presence_changed(self, key: RoomKey, process: ProcessId | None) -> None:
        """Handle that another process changed its share of a room, or may have changed it."""
        here = self._here.get(key)
        if here is not None and not self._lease.is_own(process):
            here.others_changed = True
            self._update_soon(here)

    async def run(self) -> None:
        """Renew the lease, and remove the shares of dead processes, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self._stalls.watch())
            group.create_task(self._keep_beating())

    async def _keep_beating(self) -> None:
        missed = False
        try:
            while True:
                try:
                    await self._beat()
                    missed = False
                except (ServiceError, StoreFailed) as failure:
                    if not missed:  # only the first one in a row is logged
                        log.warning("presence_beat_missed", error=str(failure))
                    missed = True
                await asyncio.sleep(until_next(self._timing.beat))
        finally:
            if self._removing_dead is not None:
                self._removing_dead.cancel()

    async def leave(self) -> None:
        """Store this process's shares for the last time: players count as online until they reconnect elsewhere."""
        for here in self._here.values():
            if here.updating is not None:
                here.updating.cancel()
            here.recount()
        try:
            await asyncio.gather(*(self._exchange(here) for here in self._here.values() if here.mine_changed))
            await self._lease.renew(leaving=True)
        except (ServiceError, StoreFailed) as failure:
            log.warning("presence_not_left", error=str(failure))

    async def _beat(self) -> None:
        dead = await self._lease.renew(leaving=self._leaving())
        for count, here in enumerate(list(self._here.values())):
            here.mine_changed |= here.stored_as not in {None, self._lease.process}
            if here.is_stale:
                self._update_soon(here)
            if count % BATCH == BATCH - 1:
                await asyncio.sleep(0)
        if dead and self._removing_dead is None and self._lease.can_declare_dead:
            self._removing_dead = asyncio.create_task(self._remove_dead(dead))

    async def _remove_dead(self, dead: tuple[ProcessId, ...]) -> None:
        """Remove the shares of processes whose leases have finally ended; stop if this process itself was delayed."""
        doubt = Millis(int(self._timing.doubt * 1000))
        try:
            for process in dead:
                if self._lease.can_declare_dead and await self._side_channels.declare_dead(process, doubt):
                    for key in await self._side_channels.rooms_of_process(process):
                        await self._remove_share(key, process)
                    await self._side_channels.retire(process)
        except (ServiceError, StoreFailed) as failure:
            log.warning("presence_not_tidied", error=str(failure))
        finally:
            self._removing_dead = None

    async def _remove_share(self, key: RoomKey, process: ProcessId) -> None:
        """Remove a dead process's share from a room, and report the players who are gone with it."""
        dead = decode_shares(await self._side_channels.read_presence(key)).get(process, NOBODY)
        left = PresenceCounts(decode_shares(await self._side_channels.store_presence(key, process, None)).values())
        live = await self._repository.find(key)
        if live is not None:
            await self._absent.gone(live, dead.devices.keys() - left.devices.keys())

    def _at(self, live: LoadedRoom) -> RoomPresence:
        here = self._here.get(live.key)
        if here is None:
            here = self._here[live.key] = RoomPresence(live)
        here.live = live
        return here

    def _linger(self, here: RoomPresence, player: PlayerId, grace: float) -> None:
        """Start or continue a player's grace period."""
        ends, lost = time.monotonic() + grace, self._stalls.lost
        loop = asyncio.get_running_loop()
        here.lingering[player] = loop.call_later(grace, self._lapse, here, player, grace, ends, lost)

    def _lapse(self, here: RoomPresence, player: PlayerId, grace: float, ends: float, lost: float) -> None:
        """End a player's grace period, which is extended by the time in which this process was delayed."""
        stalled = max(time.monotonic() - ends, self._stalls.lost - lost)
        if stalled > self._timing.late:
            self._linger(here, player, min(grace, stalled))
            return
        here.lapse(player)
        self._update_soon(here)

    def _read(self, here: RoomPresence, shares: dict[ProcessId, bytes]) -> None:
        here.read({process: data for process, data in shares.items() if not self._lease.is_own(process)})
        self._show(here)

    def _show(self, here: RoomPresence) -> None:
        """Update the presence in the loaded room."""
        if here.followed:
            here.live.presence = here.counts

    def _update_soon(self, here: RoomPresence) -> None:
        if here.updating is None:
            here.updating = asyncio.create_task(self._update(here))

    async def _update(self, here: RoomPresence) -> None:
        """Write this process's changes, read others, and send both; failed steps are repeated at a later heartbeat."""
        try:
            here.recount()
            while True:
                if here.has_changed:
                    await here.wait(self._timing.pause + here.pause)
                    await self._exchange(here)
                    self._send(here)
                await self._report_absence(here)
                if not here.has_changed:
                    break
        except (ServiceError, StoreFailed) as failure:
            log.warning("presence_not_kept", room=here.live.key.name, error=str(failure))
        finally:
            here.updating = None
        self._send(here)
        if here.is_empty and not here.followed:
            self._here.pop(here.live.key, None)

    async def _report_absence(self, here: RoomPresence) -> None:
        """Report to the room who has returned, and who is connected to no process.

        This process's share is written before, so that a worker that reads of a return also finds the connection.
        """
        if here.followed:
            absent = here.live.state.table.absent
            await self._absent.back(here.live, [player for player in absent if here.devices.get(player)])
        live = here.live if here.followed or not here.gone else await self._repository.find(here.live.key)
        if live is not None and any(is_awaited(live.state.table, player) for player in here.gone):
            self._read(here, await self._side_channels.read_presence(live.key))  # they may have reconnected elsewhere
            leavers = {player for player in here.gone if is_awaited(live.state.table, player)}
            await self._absent.gone(live, leavers)
            here.gone -= leavers

    async def _exchange(self, here: RoomPresence) -> None:
        """Write this process's share if it has changed, and read the others."""
        mine, here.mine_changed, here.others_changed = here.mine_changed, False, False
        try:
            await self._lease.renew_if_late()
            if mine:
                shares = await self._write(here)
            else:
                shares = await self._side_channels.read_presence(here.live.key)
        except BaseException:
            here.mine_changed |= mine
            here.others_changed = True
            raise
        self._read(here, shares)

    async def _write(self, here: RoomPresence) -> dict[ProcessId, bytes]:
        """Replace this process's earlier share, and return all shares."""
        process, share = self._lease.process, here.share
        data = None if share == NOBODY else msgspec.json.encode(share)
        left = frozenset(here.left)
        await self._side_channels.forget_visits(here.live.key, left - here.live.noted.keys())  # no request since then
        here.left -= left
        before = here.stored_as if here.stored_as != process else None
        shares = await self._side_channels.store_presence(here.live.key, process, data, before)
        if share.watched and here.watched_as != process:
            # After the write: a worker that saw no one here may have abandoned the room in between.
            await self._processor.wake(here.live)
        here.watched_as = process if share.watched else None
        here.stored_as = None if data is None else process
        return shares

    def _send(self, here: RoomPresence) -> None:
        """Send a presence frame to all subscribers if it changed, and to new ones in any case."""
        if not here.followed:
            return
        live, table = here.live, here.live.state.table
        subscribers = self._hub.subscribers(live.key)
        players = {player: here.counts.of(table, player) for player in table.members}
        frame = frames.encode_frame(frames.Presence(live.key.name, players, here.counts.watchers(table)), live.key.name)
        new, here.new = here.new & subscribers, here.new - subscribers
        changed, here.last_sent = frame.json != here.last_sent, frame.json
        if changed or new:
            self._hub.send(live, frame, lambda subscriber: changed or subscriber in new)
