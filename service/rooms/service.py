"""The rooms: opened, commanded (the only write path) and read."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from contextlib import suppress
from typing import Any

import structlog

from service.domain.game import Rejected
from service.domain.room.model.commands import Join, OpenRoom, Proceed
from service.domain.room.model.ids import PlayerId, RoomKey, RoomName, Version
from service.domain.room.process import open_room
from service.domain.room.subjects.outcomes import is_outdated
from service.rooms.access.passwords import LOCKING, hash_new_password, readable, with_password_hash
from service.rooms.due_set import TRIES, DueSet
from service.rooms.errors import ServiceError
from service.rooms.feeds.hub import FeedHub
from service.rooms.feeds.subscriptions import Subscriptions
from service.rooms.history.loader import wants_snapshot
from service.rooms.history.past import RoomHistory
from service.rooms.history.reader import HistoryReader
from service.rooms.history.snapshots import pack
from service.rooms.idempotency import IdempotencyRecord, IdempotencyRecords
from service.rooms.instrumentation import record_failure, record_lateness, record_opening, record_success
from service.rooms.presence.activity import ActivityTracker
from service.rooms.processor import SYSTEM_COMMANDS, PendingCommit, dry_run, prepare
from service.rooms.projections import batch, next_due
from service.rooms.repository import RoomRepository
from service.rooms.requests import (
    CommandRequest,
    CommandResult,
    Environment,
    NameGenerator,
    Player,
    candidate_names,
    command_context,
    error_for,
)
from service.rooms.room import LoadedRoom
from service.store.codec import Stamp, Stored, encoded
from service.store.contract import NOT_BEGUN, Batch, Conflict, NameTaken, Store, StoreFull
from service.telemetry import metrics

log = structlog.get_logger()


class RoomService:
    """All rooms of a store, as one process serves them."""

    def __init__(
        self, store: Store, fresh: Environment, naming: NameGenerator, mark_key: bytes, size: int = 10_000
    ) -> None:
        """Serve the rooms of this store; `mark_key` is shared by all processes that serve it."""
        self.store = store
        self.fresh = fresh
        self.naming = naming
        self.hub = FeedHub(mark_key, fresh.now)
        self.repository = RoomRepository(store, self.hub, size)
        self.histories = HistoryReader(store)
        self.past = RoomHistory(self.repository, self.histories)
        self.at, self.history = self.past.at, self.past.history
        self.subscriptions = Subscriptions(self.repository, self.hub, self.histories)
        self.lobby_changed: Callable[[RoomKey, Batch], None] = lambda _key, _batch: None
        self.due_set = DueSet(store, self.repository)
        self.visits = ActivityTracker(store.side_channels, fresh, self.due_set.wake)
        self._background: set[asyncio.Task[None]] = set()

    async def open(self, asked: OpenRoom, by: Player, stamp: Stamp | None = None) -> CommandResult:
        """Open a room. Refuses `name_taken`, `key_reused`; raises `Rejected` or `Unfit` for what a room can't be."""
        self.store.identity.admit_writes()
        epoch = self.naming.epoch(by.id, stamp.key if stamp else None)
        names = candidate_names(self.naming, asked, epoch)
        candidates = [RoomKey(name, epoch) for name in names]
        lock = await hash_new_password(asked.settings.password, self.fresh.seed())
        for key in candidates:
            if earlier := await self._opened_before(by, stamp, candidates):
                return earlier
            try:
                return await self._open(asked, key, by, stamp, lock)
            except NameTaken:
                continue
        if earlier := await self._opened_before(by, stamp, candidates):
            return earlier
        raise ServiceError("name_taken", params={"name": names[0]})

    async def _opened_before(self, by: Player, stamp: Stamp | None, candidates: list[RoomKey]) -> CommandResult | None:
        """Return the first answer if this key has opened a room; the epoch made from the key gives it away."""
        if stamp is None:
            return None
        noted = [key for key in await self.store.rooms_of(by.id) if key.epoch == candidates[0].epoch]
        keys = list(dict.fromkeys([*noted, *candidates]))
        heads = await self.store.heads(keys)
        for key, head in zip(keys, heads, strict=True):
            if head is not None:
                live = await self.repository.by_key(key)
                receipt = live.receipts.get(by.id, stamp.key)
                return None if receipt is None else await self._replay(live, stamp, receipt)
        return None

    @record_opening
    async def _open(
        self, asked: OpenRoom, key: RoomKey, by: Player, stamp: Stamp | None, lock: str | None
    ) -> CommandResult:
        work = open_room(asked, key.name, key.epoch, command_context(self.fresh, by, lock))
        room = work.room
        history, entries = encoded(NOT_BEGUN, work.recorded, stamp)
        moment = next_due(room)
        await asyncio.gather(self.store.remember_room(by.id, key), self.visits.begin(key))
        projected = batch(None, room, work.recorded, entries, moment)
        try:
            await self.store.open(key, projected)
        except NameTaken:
            if await self.store.live(key.name) != key.epoch:  # else a repetition of this very command was faster
                await self.store.forget_room(by.id, key)
            raise
        live = LoadedRoom(room, NOT_BEGUN, IdempotencyRecords())
        live.advance(history, room, moment)
        self._keep_beside(live, history)
        self.repository.add(live)
        self.lobby_changed(key, projected)
        return CommandResult(room, work.recorded)

    async def command(self, name: RoomName, request: CommandRequest) -> CommandResult:
        """Do what is asked of the live room of a name; a repetition finds its answer in a room closed since, too."""
        self.store.identity.admit_writes()
        if request.stamp is not None and (earlier := await self._answered_before(name, request)):
            return await self.execute(earlier, request)
        if type(request.command) in LOCKING:
            request = await with_password_hash(request, self.fresh.seed(), lambda: self._named(name))
        live = self.repository.cached_by_name(name) or await self.repository.by_name(name)
        self.visits.note(live, request.by.id if request.by else None)
        try:
            return await self.execute(live, request)
        except ServiceError as refused:
            if refused.problem.code != "room_closed":
                raise
            return await self.execute(await self.repository.by_name(name), request)

    async def _answered_before(self, name: RoomName, request: CommandRequest) -> LoadedRoom | None:
        """Return the earlier room of this name that knows the key of a command already, if there is one."""
        if request.by is None or request.stamp is None:
            return None
        for key in await self._earlier(name, request.by.id):
            try:
                live = await self.repository.by_key(key)
            except ServiceError:  # a note of a room that was never opened, or whose history is lost: it knows no key
                continue
            if live.receipts.get(request.by.id, request.stamp.key):
                return live
        return None

    async def _earlier(self, name: RoomName, player: PlayerId) -> list[RoomKey]:
        """Return the rooms that had this name before the live one and that the player was in, as far as noted."""
        try:
            live = await self.repository.by_name(name)
        except ServiceError:
            return [key for key in await self.store.rooms_of(player) if key.name == name]
        if player not in live.earlier:
            noted = await self.store.rooms_of(player)
            live.earlier[player] = [key for key in noted if key.name == name and key != live.key]
        return live.earlier[player]

    async def execute(self, live: LoadedRoom, request: CommandRequest) -> CommandResult:
        """Execute a command, once per key, in the room's order. Raises `ServiceError`; `Unfit` for a malformed move."""
        began = time.perf_counter()
        if self.fresh.is_stale():
            await self.fresh.refreshed()
        await live.lock.acquire()
        try:
            answer = await self._insist(live, request)
        except Exception as failure:
            record_failure(live, request, failure, began)
            raise
        finally:
            if live.heard > live.head.version:
                await self.repository.release(live)
            else:
                live.lock.release()
        record_success(live, request, answer, began)
        return answer

    async def _insist(self, live: LoadedRoom, request: CommandRequest) -> CommandResult:
        by, stamp = request.by, request.stamp
        for _ in range(TRIES):
            if stamp and by and (receipt := live.receipts.get(by.id, stamp.key)):
                return await self._replay(live, stamp, receipt)
            try:
                await self._end_outdated(live, request)
                change = prepare(live, request, self.fresh)
                if by and type(request.command) is Join:
                    await self.store.remember_room(by.id, live.key)
                await self.store.append(live.key, live.head, change.batch)
            except Conflict as conflict:
                metrics.CONFLICTS.inc()
                await self.repository.sync(live, conflict.head)
            except Rejected as rejected:
                if not await self.repository.sync(live):
                    raise error_for(live.room, request, rejected) from None
            else:
                return self._take_over(live, request, change)
        raise ServiceError("busy")

    async def _end_outdated(self, live: LoadedRoom, request: CommandRequest) -> None:
        """End a match that began under other rules before anything else is judged. Raises `Conflict`."""
        if is_outdated(live.room.playing) and type(request.command) is not Proceed:
            ending = CommandRequest(Proceed(), None)
            change = prepare(live, ending, self.fresh)
            await self.store.append(live.key, live.head, change.batch)
            self._take_over(live, ending, change)

    def _take_over(self, live: LoadedRoom, request: CommandRequest, change: PendingCommit) -> CommandResult:
        """Hold what was stored, and tell it to everyone who watches."""
        history = change.history
        if type(request.command) in SYSTEM_COMMANDS:
            record_lateness(live.due, self.fresh.now())
        live.advance(history, change.room, change.due)
        self.hub.broadcast(live, history)
        self._keep_beside(live, history)
        self.lobby_changed(live.key, change.batch)
        return CommandResult(change.room, change.recorded, attendance=live.attendance)

    async def _replay(self, live: LoadedRoom, stamp: Stamp, receipt: IdempotencyRecord) -> CommandResult:
        if receipt.fingerprint != stamp.fingerprint:
            raise ServiceError("key_reused")
        await self.store.settle(live.key)  # the first attempt may have been told that its outcome is unknown
        history = await self.history(live, Version(receipt.first - 1), receipt.last - receipt.first + 1)
        room = await self.at(live, receipt.last)
        return CommandResult(room, history, replayed=True)

    async def foretell(self, name: RoomName, request: CommandRequest) -> CommandResult:
        """Tell what a command would lead to, as far as its sender may know; changes nothing. Raises like `command`."""
        request = await with_password_hash(request, self.fresh.seed(), lambda: self._named(name))
        live = await self._named(name)
        self.visits.note(live, request.by.id if request.by else None)
        return dry_run(live.room, request, self.fresh)

    async def proceed(self, key: RoomKey, *, human_present: bool = True) -> bool:
        """Do what is due in a room, with a human present or not, and return whether anything was; mends the due set."""
        live = await self.repository.by_key(key)
        try:
            await self.execute(live, CommandRequest(Proceed(human_present), None))
        except ServiceError as refused:
            if refused.problem.code not in {"nothing_due", "room_closed"}:
                raise
            await self.due_set.mend(live)
            return False
        return True

    def _keep_beside(self, live: LoadedRoom, history: Sequence[Stored]) -> None:
        """Snapshot a room after a command where a match has just started, or often enough; nobody waits for it."""
        if live.signed is None and self.store.signer.signs:
            live.signed = live.head.version
        if wants_snapshot(history):
            kept = pack(self.store.signer, live.room, live.head.digest, live.signed, live.receipts)
            self._later(self.store.save_snapshot(live.key, kept))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._background.discard(task)
        if not task.cancelled() and (failure := task.exception()):
            log.warning("projection_not_kept", error=str(failure))

    async def fresh_room(self, name: RoomName, by: PlayerId | None) -> LoadedRoom:
        """Return the live room of a name to who may read it, level. Refuses `no_such_room`, `members_only`."""
        live = readable(await self._named(name), by)
        self.visits.note(live, by)
        return live

    async def _named(self, name: RoomName) -> LoadedRoom:
        """Return the live room of a name, level with the store, whoever asks. Refuses `no_such_room`."""
        live = await self.level(await self.repository.by_name(name))
        return live if live.room.table.status != "closed" else await self.repository.by_name(name)

    async def present(self, key: RoomKey) -> LoadedRoom | None:
        """Return a room by its key, level with the store, None for one that never was or was lost."""
        try:
            return await self.level(await self.repository.by_key(key))
        except ServiceError as refused:
            if refused.problem.code != "no_such_room":
                raise
            return None

    async def level(self, live: LoadedRoom) -> LoadedRoom:
        """Return the same room, level with the store; as it is in memory while that is full and away."""
        async with self.repository.locked(live):
            with suppress(StoreFull):
                await self.repository.sync(live)
        return live

    async def close(self) -> None:
        """Finish what runs in the background."""
        await self.visits.close()
        await asyncio.gather(*self._background, return_exceptions=True)
