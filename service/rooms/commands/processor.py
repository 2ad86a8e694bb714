"""The only write path of rooms: a command is checked and decided here; the engine of streams writes and keeps it.

Each command has metrics, a log line at debug level, and a trace.
"""

import asyncio
import time
from functools import cache, partial
from typing import Any

import structlog
from msgspec import UNSET

from service.domain.game import Rejected
from service.domain.ids import Millis, PlayerId, Version
from service.domain.room import process
from service.domain.room.due import due, needs_human
from service.domain.room.model.commands import AnswerFor, CommandContext, Invite, Join, OfferFor, Play, PlayFor, Proceed
from service.domain.room.model.state import Room, audience
from service.domain.streams import IdempotencyKey
from service.rooms.access.policy import check_command
from service.rooms.commands.invitations import remember_invitations
from service.rooms.commands.requests import CommandRequest, CommandResult, Environment
from service.rooms.projections import room_batch, waiting_turns
from service.rooms.repository import LoadedRoom, RoomRepository
from service.rooms.views.match_view import legal_moves
from service.runtime.current_operation import COMMAND_LOGGING, caller_trace
from service.runtime.metrics import COMMAND_SECONDS, COMMANDS, DUE_LATENESS
from service.runtime.tracing import TRACING, Span, SpanIds, command_span_ids, new_span_ids
from service.store.stream_keys import PLAYER, KindKey
from service.streams.codes import CODES
from service.streams.errors import ServiceError, problem_of
from service.streams.history import StreamHistory
from service.streams.loaded import IdempotencyRecord, LoadedStream
from service.streams.processor import Decision, Sender, StreamProcessor

log = structlog.get_logger()

SYSTEM_COMMANDS = frozenset({Proceed, PlayFor, AnswerFor, OfferFor})
"""The commands of workers; the claim before such a command has changed the room's due time in the store."""


def record_success(live: LoadedRoom, request: CommandRequest, result: CommandResult, began: float) -> None:
    """Record a command that was executed, now or at its first attempt."""
    seconds = record_command(live, request, "repeated" if result.replayed else "accepted", began)
    if TRACING.on and not result.replayed:
        by_service = request.by is None or isinstance(
            request.command, PlayFor | AnswerFor | OfferFor
        )  # a bot has a player id, and is part of the service
        trace(result, kind_of(type(request.command)), seconds, by_service=by_service)


def record_command(live: LoadedRoom, request: CommandRequest, result: str, began: float) -> float:
    """Count a command, log it at debug level, and return how many seconds it took."""
    seconds, kind = time.perf_counter() - began, kind_of(type(request.command))
    COMMANDS.count(kind, result)
    COMMAND_SECONDS.observe(seconds)
    if COMMAND_LOGGING.on:
        seat = audience(live.state.table, request.by.id, getattr(request.command, "seat", None)) if request.by else None
        where = {"room": live.key.name, "epoch": live.key.epoch, "seat": seat, "version": live.head.version}
        log.debug("command_done", command=kind, result=result, ms=round(seconds * 1000, 2), **where)
    return seconds


def record_failure(live: LoadedRoom, request: CommandRequest, failure: Exception, began: float) -> None:
    """Record a command that was refused or failed; nothing follows from it, so its span has random ids."""
    seconds = record_command(live, request, result_of(failure), began)
    if TRACING.on:
        code = "internal" if (found := problem_of(failure)) is None else found.code
        record_span(kind_of(type(request.command)), live.state, new_span_ids(), (), seconds, **{"error.type": code})


def trace(result: CommandResult, kind: str, seconds: float, *, by_service: bool) -> None:
    """Trace a stored command; a system command is linked to the command that caused it."""
    key, version = result.room.table.key, result.recorded[0].version
    cause = (command_span_ids(key.name, key.epoch, version - 1),) if by_service else ()
    record_span(kind, result.room, command_span_ids(key.name, key.epoch, result.room.version), cause, seconds)


def record_span(
    kind: str, room: Room, ids: SpanIds, cause: tuple[SpanIds, ...], seconds: float, **more: str | int
) -> None:
    """Record the span of a command that ends now, linked to its caller's trace and to its cause."""
    ended, game = time.time_ns(), room.table.game
    attributes = {"room": room.table.key.name, "game": game, "version": room.version, **more}
    links = (*caller_trace(), *cause)
    TRACING.record(Span(f"{kind} {game}", ids, links, ended - int(seconds * 1e9), ended, attributes))


@cache
def kind_of(command: type) -> str:
    """Return the `type` of a command."""
    return str(command.__struct_config__.tag)  # type: ignore[attr-defined]  # every command is a tagged struct


def result_of(failure: Exception) -> str:
    """Return the result of a failed command as one word."""
    problem = problem_of(failure)
    if problem is None:
        return "fault"
    return "refused" if problem.status < 500 else "unavailable"


READ_MARGIN = Millis(60_000)
"""How long turns have to be read on, at least, for a reader to take them as read without a gap."""

LEADING = frozenset({Join, Invite})
"""The commands before which it is recorded that they lead to the room."""

END_OUTDATED = CommandRequest(Proceed(all_present=False), None)
"""Ends a match that began under other rules, before another command is decided."""


def command_context(environment: Environment, request: CommandRequest) -> CommandContext:
    """Return the context of a command: sender, time and random bytes."""
    now, by = environment.now(), request.by
    outages, seed = environment.outages(now), environment.seed()
    if by is None:
        return CommandContext(None, "", now, seed, outages=outages)
    return CommandContext(
        by.id,
        by.nickname,
        now,
        seed,
        request.password_hash,
        by.bot,
        outages,
        request.invitation,
        request.name_ref,
        request.all_present,
    )


def check_preconditions(room: Room, request: CommandRequest) -> None:
    """Raise `Rejected` for a command that requires another version or epoch than the room's."""
    if request.if_version is not None and request.if_version != room.version:
        raise Rejected("version_mismatch")
    if request.if_epoch is not None and request.if_epoch != room.table.key.epoch:
        raise Rejected("version_mismatch")


def decide(environment: Environment, request: CommandRequest, stream: LoadedStream[Room]) -> Decision:
    """Return what a command does. Raises `Rejected`, `Invalid` and `ServiceError`."""
    before = stream.state
    is_preparation = before.is_outdated and type(request.command) is not Proceed
    if is_preparation:
        request = END_OUTDATED
    context = command_context(environment, request)
    check_command(before.table, context.by, request.command, request.password_hash)
    check_preconditions(before, request)
    work = process.run(before, request.command, context)
    if not work.recorded:
        raise Rejected("nothing_due")
    owed = stream.due_in(before)
    changed = stream.due_in(work.room)
    stays = changed == owed and type(request.command) not in SYSTEM_COMMANDS
    return Decision(work.recorded, work.room, UNSET if stays else changed, request.idempotency_key, is_preparation)


def dry_run(room: Room, request: CommandRequest, environment: Environment) -> CommandResult:
    """Return what a command would lead to, as far as its sender may know. Raises what `decide` raises."""
    context = command_context(environment, request)
    check_command(room.table, context.by, request.command, request.password_hash)
    try:
        check_preconditions(room, request)
        recorded, open_end = process.dry_run(room, request.command, context)
    except Rejected as rejected:
        raise error_for(room, request, rejected) from None
    return CommandResult(room, recorded, open_end=open_end)


def error_for(room: Room, request: CommandRequest, rejected: Rejected) -> ServiceError:
    """Return the error for a rejected command: the reason, the room's version, and the legal moves of the sender."""
    status = CODES[rejected.code].status
    more: dict[str, Any] = {"params": dict(rejected.params) or None}
    if status in {409, 412}:
        more["version"] = room.version
        if isinstance(request.command, Play) and request.by is not None:
            more["legal_moves"] = playable_moves(room, request.by.id, request.command.seat)
    return ServiceError(rejected.code, **more)


def playable_moves(room: Room, player: PlayerId, wanted: int | None) -> list[Any] | None:
    """Return the legal moves of a player's seats, or of the wanted one; None for a player without a seat."""
    own = room.table.seats_of[player]
    seats = [seat for seat in own if wanted is None or seat == wanted]
    return [move for seat in seats for move in legal_moves(room, seat)] if own else None


class CommandProcessor:
    """Executes commands; those of one room are executed one after another."""

    def __init__(self, repository: RoomRepository, environment: Environment, past: StreamHistory[Room]) -> None:
        """Write to the store of the repository."""
        self.repository = repository
        self.environment = environment
        self.engine: StreamProcessor[Room] = StreamProcessor(repository, environment.now, room_batch)
        self._store = repository.store
        self._past = past
        self.close = self.engine.close

    async def execute(self, live: LoadedRoom, request: CommandRequest) -> CommandResult:
        """Execute a command, once per key. Raises `ServiceError`, and `Invalid` for a malformed move."""
        began, by, key = time.perf_counter(), request.by, request.idempotency_key
        owed = live.due if type(request.command) in SYSTEM_COMMANDS else None
        if self.environment.is_stale():
            await self.environment.refreshed()
        try:
            done = await self.engine.run(
                live,
                partial(decide, self.environment, request),
                Sender(by.id, key) if by and key else None,
                partial(self._prepare, live, request) if type(request.command) in LEADING else None,
            )
            if isinstance(done, IdempotencyRecord):
                result = await self.replay(live, key, done)
            else:
                result = CommandResult(done.state, done.records, presence=live.presence)
        except Rejected as rejected:
            refused = error_for(live.state, request, rejected)
            record_failure(live, request, refused, began)
            raise refused from None
        except Exception as failure:
            record_failure(live, request, failure, began)
            raise
        if owed is not None:
            DUE_LATENESS.observe(max(0, self.environment.now() - owed) / 1000)
        record_success(live, request, result, began)
        return result

    async def _prepare(self, live: LoadedRoom, request: CommandRequest, decision: Decision) -> None:
        """Record what leads to the room: its player, or the code of its invitation."""
        if request.by and type(request.command) is Join:
            await self._store.remember_room(request.by.id, live.key)
            until = await self._store.turns_read_until(KindKey(PLAYER, request.by.id))
            if until > self.environment.now():
                await self.engine.append(live, read_from_here(until, live))
        await remember_invitations(self._store.side_channels, live.key, decision.records)

    async def replay(self, live: LoadedRoom, key: IdempotencyKey | None, record: IdempotencyRecord) -> CommandResult:
        """Return the first result of a repeated command. Raises `ServiceError` (`key_reused`)."""
        if key is None or record.fingerprint != key.fingerprint:
            raise ServiceError("key_reused")
        # The answer to the first attempt may have been `outcome_unknown`.
        await self._store.wait_until_durable(live.key)
        history = await self._past.history(live, Version(record.first - 1), record.last - record.first + 1)
        return CommandResult(await self._past.at(live, record.last), history, replayed=True)

    async def read_turns(self, player: PlayerId, until: Millis) -> None:
        """Have the turns in a player's rooms delivered until a time, also in rooms that the player enters.

        In rooms in which nobody has read them, the turns that have begun are delivered now.
        """
        await self._store.read_turns(KindKey(PLAYER, player), until)
        found = await self._store.rooms_of(player)
        times = await asyncio.gather(*map(self._store.turns_read_until, found))
        is_read = {key: time > self.environment.now() + READ_MARGIN for key, time in zip(found, times, strict=True)}
        await asyncio.gather(*(self._store.read_turns(key, until) for key in found if is_read[key]))
        for live in await self.repository.open_rooms((key for key in found if not is_read[key]), player):
            await self.engine.run(live, partial(read_from_here, until))

    async def repair_due(self, live: LoadedRoom) -> None:
        """Write when a room is due. Raises `ServiceError` (`busy`)."""
        await self.engine.run(live, unchanged)

    async def wake(self, live: LoadedRoom) -> None:
        """Make a room due again in which a worker may have found nobody; the visit has been recorded."""
        await self.repository.refresh(live)
        if waiting(live) is not None:
            await self.engine.run(live, waiting)


def read_from_here(until: Millis, stream: LoadedStream[Room]) -> Decision:
    """Return the decision that turns are read until a time, and to deliver those that have begun."""
    return Decision((), stream.state, UNSET, outbox=waiting_turns(stream.state), read_until=until)


def unchanged(stream: LoadedStream[Room]) -> Decision:
    """Return the decision to write only when a room is due."""
    return Decision((), stream.state, stream.due)


def waiting(stream: LoadedStream[Room]) -> Decision | None:
    """Return the decision to write when a room is due that waits for a human; None for any other room."""
    owed = due(stream.state)
    return unchanged(stream) if owed is not None and needs_human(stream.state, owed.why) else None
