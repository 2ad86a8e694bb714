"""The only write path: a command is prepared (idempotency, preconditions, decision) and its events are committed."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import msgspec
import structlog
from msgspec import UNSET

from service.domain.game import Rejected
from service.domain.room import process
from service.domain.room.due import due_at
from service.domain.room.model.command_context import CommandContext
from service.domain.room.model.commands import Invite, Join, Proceed
from service.domain.room.model.events import Recorded
from service.domain.room.model.ids import Millis, RoomKey, Version
from service.domain.room.model.state import Room
from service.domain.room.notices import notices, operator_notices
from service.rooms.access.policy import check_command
from service.rooms.commands.due_set import TRIES, DueSet
from service.rooms.commands.instrumentation import SYSTEM_COMMANDS, record_failure, record_lateness, record_success
from service.rooms.commands.invitations import remember_invitations
from service.rooms.commands.requests import (
    CommandRequest,
    CommandResult,
    Environment,
    check_preconditions,
    command_context,
    error_for,
)
from service.rooms.errors import ServiceError
from service.rooms.loading.idempotency import IdempotencyRecord
from service.rooms.loading.loader import wants_snapshot
from service.rooms.loading.past import RoomHistory
from service.rooms.loading.repository import RoomLock, RoomRepository
from service.rooms.loading.room import LoadedRoom
from service.rooms.loading.snapshots import pack
from service.rooms.projections import batch
from service.store.codec import IdempotencyKey, Stored, encode_command
from service.store.contract import Batch, Conflict
from service.telemetry import metrics

log = structlog.get_logger()


class PendingCommit(msgspec.Struct, frozen=True):
    """A prepared command: the room after it, when that is due, the events, and the batch for the store."""

    room: Room
    due: Millis | None
    recorded: list[Recorded]
    history: list[Stored]
    """The same events in their stored form."""
    batch: Batch


def context_of(environment: Environment, request: CommandRequest) -> CommandContext:
    """Return the context of a requested command."""
    return command_context(environment, request.by, request.password_hash, request.invitation, request.name_ref)


def prepare(live: LoadedRoom, request: CommandRequest, environment: Environment) -> PendingCommit:
    """Decide a command and return its events, ready to be appended. Raises `Rejected`, `Invalid` and `ServiceError`."""
    before, context = live.room, context_of(environment, request)
    check_command(before.table, context.by, request.command, request.password_hash)
    check_preconditions(before, request)
    work = process.run(before, request.command, context)
    room, recorded = work.room, work.recorded
    if not recorded:
        raise Rejected("nothing_due")
    history, entries = encode_command(live.head, recorded, request.idempotency_key)
    due = due_at(room)
    stays = due == live.due and type(request.command) not in SYSTEM_COMMANDS
    for_operator = [] if before.table is room.table else operator_notices(room, recorded)  # closing changes the table
    news = [*notices(before, room, recorded), *for_operator]
    sent = batch(before, room, recorded, entries, UNSET if stays else due, news)
    return PendingCommit(room, due, recorded, history, sent)


def dry_run(room: Room, request: CommandRequest, environment: Environment) -> CommandResult:
    """Return what a command would lead to, as far as its sender may know. Raises what `prepare` raises."""
    context = context_of(environment, request)
    check_command(room.table, context.by, request.command, request.password_hash)
    try:
        check_preconditions(room, request)
        recorded, open_end = process.dry_run(room, request.command, context)
    except Rejected as rejected:
        raise error_for(room, request, rejected) from None
    return CommandResult(room, recorded, open_end=open_end)


class CommandProcessor:
    """Executes commands; those of one room are executed one after another."""

    def __init__(self, repository: RoomRepository, environment: Environment, past: RoomHistory) -> None:
        """Write to the store of the repository."""
        self.repository = repository
        self.environment = environment
        self._store = repository.store
        self._past = past
        self.due_set = DueSet(repository)
        self._observers: list[Callable[[RoomKey, Batch], None]] = []
        self._background: set[asyncio.Task[None]] = set()

    def observe(self, observer: Callable[[RoomKey, Batch], None]) -> None:
        """Call `observer` with each commit of this process that changes the lobby, right after it was stored."""
        self._observers.append(observer)

    async def execute(self, live: LoadedRoom, request: CommandRequest) -> CommandResult:
        """Execute a command, once per key. Raises `ServiceError`, and `Invalid` for a malformed move."""
        began = time.perf_counter()
        if self.environment.is_stale():
            await self.environment.refreshed()
        try:
            async with RoomLock(self.repository, live):
                result = await self._execute(live, request)
            if isinstance(result, IdempotencyRecord):
                result = await self.replay(live, request.idempotency_key, result)
        except Exception as failure:
            record_failure(live, request, failure, began)
            raise
        record_success(live, request, result, began)
        return result

    async def _execute(self, live: LoadedRoom, request: CommandRequest) -> CommandResult | IdempotencyRecord:
        """Execute a command under the room's lock; return the record of a command that was executed before."""
        if live.has_news:
            await self.repository.sync_notified(live)
        by, key = request.by, request.idempotency_key
        for _ in range(TRIES):
            if key and by and (record := live.idempotency.get(by.id, key.value)):
                return record
            try:
                if live.room.is_outdated and type(request.command) is not Proceed:
                    await self._end_outdated(live)
                pending = prepare(live, request, self.environment)
                await self._remember(live, request, pending)
                await self._store.append(live.key, live.head, pending.batch)
            except Conflict as conflict:
                metrics.CONFLICTS.inc()
                await self.repository.sync(live, conflict.head)
            except Rejected as rejected:
                if not await self.repository.sync(live):
                    raise error_for(live.room, request, rejected) from None
            else:
                return self._commit(live, request, pending)
        raise ServiceError("busy")

    async def _remember(self, live: LoadedRoom, request: CommandRequest, pending: PendingCommit) -> None:
        """Record what leads to the room: its player, or the code of its invitation."""
        if request.by and type(request.command) is Join:
            await self._store.remember_room(request.by.id, live.key)
        elif type(request.command) is Invite:
            await remember_invitations(self._store.side_channels, live.key, pending.recorded)

    async def _end_outdated(self, live: LoadedRoom) -> None:
        """End a match that began under other rules, before the command is decided. Raises `Conflict`."""
        ending = CommandRequest(Proceed(), None)
        pending = prepare(live, ending, self.environment)
        await self._store.append(live.key, live.head, pending.batch)
        self._commit(live, ending, pending)

    def _commit(self, live: LoadedRoom, request: CommandRequest, pending: PendingCommit) -> CommandResult:
        """Apply the stored events, and send them to all subscribers of the room."""
        history = pending.history
        if type(request.command) in SYSTEM_COMMANDS:
            record_lateness(live.due, self.environment.now())
        live.advance(history, pending.room, pending.due)
        self.repository.listener.broadcast(live, history)
        self.stored(live, history, pending.batch)
        return CommandResult(pending.room, pending.recorded, presence=live.presence)

    async def replay(self, live: LoadedRoom, key: IdempotencyKey | None, record: IdempotencyRecord) -> CommandResult:
        """Return the first result of a repeated command. Raises `ServiceError` (`key_reused`)."""
        if key is None or record.fingerprint != key.fingerprint:
            raise ServiceError("key_reused")
        # The answer to the first attempt may have been `outcome_unknown`.
        await self._store.wait_until_durable(live.key)
        history = await self._past.history(live, Version(record.first - 1), record.last - record.first + 1)
        room = await self._past.at(live, record.last)
        return CommandResult(room, history, replayed=True)

    def stored(self, live: LoadedRoom, history: Sequence[Stored], batch: Batch) -> None:
        """Save a snapshot in the background if one is due, and pass a changed lobby entry on."""
        signer = self._store.signer
        if live.signed is None and signer.signs:
            live.signed = live.head.version
        if wants_snapshot(history):
            snapshot = pack(signer, live.room, live.head.digest, live.signed, live.idempotency)
            self._later(self._store.save_snapshot(live.key, snapshot))
        if batch.lobby is not UNSET:
            for observer in self._observers:
                observer(live.key, batch)

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._background.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._background.discard(task)
        if not task.cancelled() and (failure := task.exception()):
            log.warning("projection_not_kept", error=str(failure))

    async def close(self) -> None:
        """Finish the background work."""
        await asyncio.gather(*self._background, return_exceptions=True)
