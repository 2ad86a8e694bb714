"""Presence: who is connected to which room, known to every process and kept no longer than the process that counted it.

A process notes its own share of each room beside the room's stream and renews one lease for itself. When its lease ends
it has died, and the others take its shares out. One that leaves in order sends everyone elsewhere, and so that nobody
seems gone on the way its lease, too, lasts for a while.
"""

import asyncio
import time
from collections.abc import Callable

import msgspec
import structlog

from service.domain.room.model.ids import Millis, PlayerId, RoomKey
from service.rooms.commands.processor import CommandProcessor
from service.rooms.errors import ServiceError
from service.rooms.feeds import frames
from service.rooms.feeds.audiences import Subscriber
from service.rooms.feeds.hub import FeedHub
from service.rooms.loading.room import LoadedRoom
from service.rooms.presence_counts import NOBODY, PresenceCounts, ProcessShare
from service.rooms.social.absence import AbsenceReporter, is_playing
from service.rooms.social.lease import Lease, StallMeter, Timing
from service.rooms.social.room_presence import SHARE, RoomPresence
from service.store.contract import StoreUnavailable
from service.store.side_channels import ProcessId

log = structlog.get_logger()

AT_ONCE = 500
"""How many rooms are looked at before the loop gets a turn."""


class PresenceTracker:
    """Who is connected to the rooms that this process serves."""

    def __init__(
        self,
        processor: CommandProcessor,
        hub: FeedHub,
        process: ProcessId,
        timing: Timing,
        leaving: Callable[[], bool],
    ) -> None:
        """Track one process, under an id that no other run has; `leaving` returns whether it is shutting down."""
        self._processor = processor
        self._repository = processor.repository
        self._hub = hub
        self._side_channels = processor.repository.store.side_channels
        self._timing = timing
        self._leaving = leaving
        self._lease = Lease(self._side_channels, process, timing)
        self._stalls = StallMeter()
        self._judging: asyncio.Task[None] | None = None
        self._absent = AbsenceReporter(processor)
        self._here: dict[RoomKey, RoomPresence] = {}

    async def of(self, live: LoadedRoom) -> PresenceCounts:
        """Return who is connected to a room now."""
        if live.presence is not None:
            return live.presence
        return PresenceCounts(decoded_shares(await self._side_channels.read_presence(live.key)).values())

    async def begin(self, live: LoadedRoom) -> None:
        """Learn who is connected to a room that somebody here begins to follow."""
        here = self._at(live)
        here.followed = True
        self._read(here, await self._side_channels.read_presence(live.key))

    def end(self, live: LoadedRoom) -> None:
        """Forget who is connected to a room that nobody follows here any longer."""
        live.presence = None
        if live.key in self._here:
            self._here[live.key].followed = False

    def arrived(self, live: LoadedRoom, subscriber: Subscriber) -> None:
        """Count a new subscriber; everyone gets a presence frame soon."""
        here = self._at(live)
        here.arrive(subscriber)
        self._show(here)
        self._settle_soon(here)

    def departed(self, live: LoadedRoom, subscriber: Subscriber) -> None:
        """Count a subscriber no longer; after their last one a player counts as online for a short time."""
        here = self._here.get(live.key)
        if here is None or subscriber not in here.subscribers:
            return
        if (player := here.depart(subscriber)) is not None:
            self._linger(here, player, self._timing.moving if self._leaving() else self._timing.grace)
        self._settle_soon(here)

    def presence_changed(self, key: RoomKey, process: ProcessId | None) -> None:
        """Take note that another process changed its share of a room, or may have."""
        here = self._here.get(key)
        if here is not None and not self._lease.is_own(process):
            here.others_changed = True
            self._settle_soon(here)

    async def run(self) -> None:
        """Renew the lease for ever, and tidy up behind processes that died."""
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
                except (ServiceError, StoreUnavailable) as failure:
                    if not missed:  # the first in a row says it all
                        log.warning("presence_beat_missed", error=str(failure))
                    missed = True
                await asyncio.sleep(self._timing.beat)
        finally:
            if self._judging is not None:
                self._judging.cancel()

    async def leave(self) -> None:
        """Note for the last time who was here: those who were sent elsewhere count as online until they are there."""
        for here in self._here.values():
            if here.settling is not None:
                here.settling.cancel()
            here.recount()
        try:
            await asyncio.gather(*(self._exchange(here) for here in self._here.values() if here.mine_changed))
            await self._lease.renew(leaving=True)
        except StoreUnavailable as failure:
            log.warning("presence_not_left", error=str(failure))

    async def _beat(self) -> None:
        dead = await self._lease.renew(leaving=self._leaving())
        for count, here in enumerate(list(self._here.values())):
            here.mine_changed |= here.noted_as not in {None, self._lease.process}
            if here.is_stale:
                self._settle_soon(here)
            if count % AT_ONCE == AT_ONCE - 1:
                await asyncio.sleep(0)
        if dead and self._judging is None and self._lease.may_judge:
            self._judging = asyncio.create_task(self._judge(dead))

    async def _judge(self, dead: tuple[ProcessId, ...]) -> None:
        """Tidy up behind processes whose leases have ended and stay so; stop where this process is late itself."""
        doubt = Millis(int(self._timing.doubt * 1000))
        try:
            for process in dead:
                if self._lease.may_judge and await self._side_channels.declare_dead(process, doubt):
                    for key in await self._side_channels.rooms_of_process(process):
                        await self._take_out(key, process)
                    await self._side_channels.retire(process)
        except (ServiceError, StoreUnavailable) as failure:
            log.warning("presence_not_tidied", error=str(failure))
        finally:
            self._judging = None

    async def _take_out(self, key: RoomKey, process: ProcessId) -> None:
        """Take a dead process's share out of a room, and say who is gone with it."""
        dead = decoded_shares(await self._side_channels.read_presence(key)).get(process, NOBODY)
        left = PresenceCounts(decoded_shares(await self._side_channels.store_presence(key, process, None)).values())
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
        """Begin a player's grace, or go on with it."""
        ends, lost = time.monotonic() + grace, self._stalls.lost
        loop = asyncio.get_running_loop()
        here.lingering[player] = loop.call_later(grace, self._lapse, here, player, grace, ends, lost)

    def _lapse(self, here: RoomPresence, player: PlayerId, grace: float, ends: float, lost: float) -> None:
        """End a player's grace, in which only time counts when this process ran and they could have come back."""
        stalled = max(time.monotonic() - ends, self._stalls.lost - lost)
        if stalled > self._timing.late:
            self._linger(here, player, min(grace, stalled))
            return
        here.lapse(player)
        self._settle_soon(here)

    def _read(self, here: RoomPresence, shares: dict[ProcessId, bytes]) -> None:
        here.read({process: data for process, data in shares.items() if not self._lease.is_own(process)})
        self._show(here)

    def _show(self, here: RoomPresence) -> None:
        """Let whoever looks at the room see who is connected."""
        if here.followed:
            here.live.presence = here.counts

    def _settle_soon(self, here: RoomPresence) -> None:
        if here.settling is None:
            here.settling = asyncio.create_task(self._settle(here))

    async def _settle(self, here: RoomPresence) -> None:
        """Write what changed here, read what changed elsewhere, and tell both; what fails is done at a later beat."""
        try:
            here.recount()
            await self._note_absent(here)
            while here.mine_changed or here.others_changed:
                await asyncio.sleep(self._timing.pause + here.pause)
                await self._exchange(here)
                self._tell(here)
                await self._note_absent(here)
        except (ServiceError, StoreUnavailable) as failure:
            log.warning("presence_not_kept", room=here.live.key.name, error=str(failure))
        finally:
            here.settling = None
        self._tell(here)
        if here.is_empty and not here.followed:
            self._here.pop(here.live.key, None)

    async def _note_absent(self, here: RoomPresence) -> None:
        """Say to the room who is back here, and who is away from everywhere."""
        if here.followed:
            absent = here.live.room.table.absent
            await self._absent.back(here.live, [player for player in absent if here.devices.get(player)])
        live = here.live if here.followed or not here.gone else await self._repository.find(here.live.key)
        if live is not None and any(is_playing(live.room.table, player) for player in here.gone):
            self._read(here, await self._side_channels.read_presence(live.key))  # they may have come back elsewhere
            leavers = {player for player in here.gone if is_playing(live.room.table, player)}
            await self._absent.gone(live, leavers)
            here.gone -= leavers

    async def _exchange(self, here: RoomPresence) -> None:
        """Write this process's share where it has changed, and read the others'."""
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
        """Write this process's share in place of the one that it wrote before; return everyone's."""
        process, share = self._lease.process, here.share
        data = None if share == NOBODY else msgspec.json.encode(share)
        before = here.noted_as if here.noted_as != process else None
        shares = await self._side_channels.store_presence(here.live.key, process, data, before)
        if data is not None and here.noted_as != process:
            # After the write: a worker that saw nobody here may have given the room up in between.
            await self._processor.due_set.wake(here.live)
        here.noted_as = None if data is None else process
        return shares

    def _tell(self, here: RoomPresence) -> None:
        """Tell everyone what changed, and new watchers how it is."""
        if not here.followed:
            return
        live, table = here.live, here.live.room.table
        subscribers = self._hub.subscribers(live.key)
        players = {player: here.counts.of(table, player) for player in table.members}
        frame = frames.encode_frame(frames.Presence(live.key.name, players, here.counts.watchers(table)), live.key.name)
        new, here.new = here.new & subscribers, here.new - subscribers
        changed, here.last_sent = frame.json != here.last_sent, frame.json
        if changed or new:
            self._hub.send(live, frame, lambda subscriber: changed or subscriber in new)


def decoded_shares(shares: dict[ProcessId, bytes]) -> dict[ProcessId, ProcessShare]:
    """Return shares as they were noted."""
    return {process: SHARE.decode(data) for process, data in shares.items()}
