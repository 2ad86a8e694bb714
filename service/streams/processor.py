"""The write path of all streams: decide, append, and keep the result; again if another process was faster."""

from collections.abc import Awaitable, Callable, Sequence
from functools import reduce
from typing import Any, Generic, NamedTuple

import msgspec
from msgspec import UNSET, UnsetType

from service.domain.game import Event, Rejected
from service.domain.ids import Millis, PlayerId, Version
from service.domain.streams import Change, IdempotencyKey, Record, State, Stored, StreamKind, Summary
from service.runtime import metrics
from service.store.codec import encode_command
from service.store.contract import Batch, Conflict, Entry
from service.store.outbox import ENCODER
from service.store.stream_keys import StreamKey
from service.streams.background import BackgroundTasks
from service.streams.errors import ServiceError
from service.streams.loaded import IdempotencyRecord, LoadedStream
from service.streams.repository import StreamRepository
from service.streams.retention import KEPT_FOR, expires_at, summary_of, trimmed_to, with_summary
from service.streams.snapshots import pack

TRIES = 8
"""The number of attempts to write if other processes write to the same stream."""

AT_ONCE = Millis(0)

WAKES_LATER = Millis(2_000)
"""Webhooks that are due within this time are not made due earlier: they may be claimed, and claims are shorter."""

Decide = Callable[[State, Millis], Sequence[Change]]
"""Takes the state and the time, and returns the events to append. Raises `Rejected`."""

EventDecision = Callable[[State, Millis], Sequence[Event]]
"""The same for events that the stream's own command causes."""


class Decision(msgspec.Struct, frozen=True):
    """What a command does: the records to append, and the state after them."""

    records: Sequence[Any]
    state: Any
    due: Millis | UnsetType | None
    """When the stream is due afterwards; `UNSET` if that does not change."""
    key: IdempotencyKey | None = None
    is_preparation: bool = False
    """Whether the command is decided again afterwards."""
    outbox: bytes = b""
    """What is delivered if there are no records."""
    read_until: Millis = Millis(0)
    """As in `Batch`, if there are no records."""


NOTHING = Decision((), None, UNSET)
"""What was done by a command that changes nothing."""


class Sender(NamedTuple):
    """Whose command it is, and its idempotency key."""

    player: PlayerId
    key: IdempotencyKey


def due_after(
    stream: LoadedStream[State], records: Sequence[Record], state: State, now: Millis
) -> Millis | UnsetType | None:
    """Return when a stream is due after events that lead to a state, `UNSET` if that does not change."""
    kind = stream.kind
    owed = kind.due(state)
    if owed is not None:
        return owed
    if kind.snapshots is not None:
        return UNSET  # nothing expires
    begins_span = stream.unsummarised_since is None or isinstance(records[0].event, Summary)
    return Millis(now + KEPT_FOR) if begins_span or stream.due is not None else UNSET


def next_due(stream: LoadedStream[State]) -> Millis | None:
    """Return when a stream is due, None if it is not."""
    times = [time for time in (stream.due, expires_at(stream)) if time is not None]
    return min(times, default=None)


def decision_on(
    stream: LoadedStream[State],
    changes: Sequence[Change],
    now: Millis,
    is_claimed: bool,  # noqa: FBT001 - passed on
) -> Decision:
    """Return the decision to append changes."""
    records = [
        Record(Version(version), now, change.event, change.source)
        for version, change in enumerate(changes, stream.head.version + 1)
    ]
    state = reduce(stream.kind.evolve, records, stream.state)
    return Decision(records, state, UNSET if is_claimed else due_after(stream, records, state, now))


def plain_batch(kind: StreamKind[Any], before: Any, decision: Decision, entries: tuple[Entry, ...]) -> Batch:
    """Return the batch of a command: its events, when the stream is due, and what they deliver."""
    deliveries = [*kind.deliveries(before, decision.records)]
    outbox = ENCODER.encode(deliveries) if deliveries else b""
    wakes = Millis(decision.records[-1].time + WAKES_LATER if kind.has_webhooks else 0)
    return Batch(entries, due=decision.due, outbox=outbox, wakes=wakes)


class StreamProcessor(Generic[State]):
    """Executes commands; those of one stream are executed one after another."""

    def __init__(
        self,
        repository: StreamRepository[State],
        now: Callable[[], Millis],
        batch: Callable[[StreamKind[State], State, Decision, tuple[Entry, ...]], Batch] = plain_batch,
    ) -> None:
        """Write to the store of the repository; `now` returns the service's time, and `batch` what is written."""
        self.repository = repository
        self._store = repository.store
        self._now = now
        self._batch = batch
        self.observers: list[Callable[[Any, Batch], None]] = []
        """Called with the key and the batch of each append that changes the lobby, right after it was stored."""
        self._background = BackgroundTasks("stream_upkeep_failed")
        self.close = self._background.close

    async def run(
        self,
        stream: LoadedStream[State],
        decide: Callable[[LoadedStream[State]], Decision | None],
        sender: Sender | None = None,
        prepare: Callable[[Decision], Awaitable[None]] | None = None,
    ) -> Decision | IdempotencyRecord:
        """Append what `decide` returns for the current state, and return it; `NOTHING` if it returns None.

        The record of a command is returned instead if its sender's key is known. `prepare` is awaited before each
        append. Raises what they raise, `ServiceError` (`busy`, `history_damaged`, `newer_events`) and `StoreFailed`.
        """
        await stream.lock.acquire()  # without a context, which costs as much as several functions
        try:
            if stream.has_news:
                await self.repository.sync_notified(stream)
            for _ in range(TRIES):
                if sender is not None and stream.idempotency is not None:
                    record = stream.idempotency.get(sender.player, sender.key.value)
                    if record is not None:
                        return record
                if (done := await self._attempt(stream, decide, prepare)) is not None:
                    return done
        finally:
            stream.lock.release()
            if stream.has_news:
                self.repository.unlocked(stream)
        raise ServiceError("busy")

    async def _attempt(
        self,
        stream: LoadedStream[State],
        decide: Callable[[LoadedStream[State]], Decision | None],
        prepare: Callable[[Decision], Awaitable[None]] | None,
    ) -> Decision | None:
        """Decide and append once; return None if it has to be decided again."""
        try:
            decision = decide(stream)
            if decision is None:
                return None if await self.repository.sync(stream) else NOTHING
            if prepare is not None:
                await prepare(decision)
            await self.append(stream, decision)
        except Conflict as conflict:
            metrics.CONFLICTS.inc()
            await self.repository.sync(stream, conflict.head)
            return None
        except Rejected:
            if not await self.repository.sync(stream):
                raise
            return None
        return None if decision.is_preparation else decision

    async def append(self, stream: LoadedStream[State], decision: Decision) -> None:
        """Append what was decided, and keep the state after it. The caller holds the lock. Raises `Conflict`."""
        if not decision.records:
            only = Batch((), due=decision.due, outbox=decision.outbox, read_until=decision.read_until)
            await self._store.append(stream.key, stream.head, only)
            return
        history, entries = encode_command(stream.kind, stream.head, decision.records, decision.key)
        batch = self._batch(stream.kind, stream.state, decision, entries)
        await self._store.append(stream.key, stream.head, batch)
        stream.advance(history, decision.state)
        self.repository.on_change(stream, history)
        self._keep_up(stream, history)
        if batch.lobby is not UNSET:
            for observer in self.observers:
                observer(stream.key, batch)

    def _keep_up(self, stream: LoadedStream[State], history: Sequence[Stored]) -> None:
        """Save a snapshot or trim the stream in the background if that is due."""
        signer = self._store.signer
        if stream.signed is None and signer.signs:
            stream.signed = stream.head.version
        if stream.kind.snapshots is None:
            if (version := trimmed_to(stream, self._now())) is not None:
                self._background.start(self._trim(stream, version))
        elif stream.wants_snapshot(history):
            stream.snapshot = stream.head.version
            self._background.start(self.repository.save_snapshot(stream, pack(signer, stream)))

    # Commands whose decision is a list of events

    async def execute(self, key: StreamKey, decide: Decide[State], *, is_claimed: bool = False) -> list[Record]:
        """Append what `decide` returns for the current state, and return it. Raises what `decide` raises.

        With `is_claimed` the stream's due time stays that of the caller's claim. Also raises `ServiceError` (`busy`,
        `history_damaged`, `newer_events`) and `StoreFailed`.
        """

        def decided(stream: LoadedStream[State]) -> Decision | None:
            now = max(self._now(), stream.time)
            changes = decide(stream.state, now)
            return decision_on(stream, with_summary(stream, changes, now), now, is_claimed) if changes else None

        done = await self.run(await self.repository.get(key), decided)
        records = [] if isinstance(done, IdempotencyRecord) else list(done.records)
        for record in records:
            metrics.STREAM_EVENTS.count(key.kind, str(record.event.__struct_config__.tag))
        return records

    async def decide(self, key: StreamKey, decision: EventDecision[State], *, is_claimed: bool = False) -> list[Record]:
        """Append the events that `decision` returns, which have no source; otherwise like `execute`."""
        return await self.execute(
            key, lambda state, now: [Change(event) for event in decision(state, now)], is_claimed=is_claimed
        )

    # Upkeep

    async def _trim(self, stream: LoadedStream[State], version: Version) -> None:
        """Delete everything before a summary except the entry right before it, whose digest proves the summary."""
        await self._store.trim_before(stream.key, Version(version - 1))
        stream.trim(version)

    def _summarised(self, stream: LoadedStream[State], *, is_claimed: bool = False) -> Decision | None:
        now = max(self._now(), stream.time)
        return decision_on(stream, [summary_of(stream)], now, is_claimed) if stream.head.version else None

    async def discard(self, key: StreamKey) -> None:
        """Delete all events of a stream; its state stays in a summary. Raises what `execute` raises.

        Of two summaries the first one proves the second one.
        """
        stream = await self.repository.get(key)
        for _ in range(2):
            await self.run(stream, self._summarised)
        if stream.summaries:
            await self._trim(stream, stream.summaries[-1].version)

    async def proceed(self, key: StreamKey, not_before: Millis = AT_ONCE) -> None:
        """Delete events that are too old, and store when the stream is due again: `not_before` this time.

        Raises what `execute` raises.
        """

        def settled(stream: LoadedStream[State]) -> Decision:
            owed = next_due(stream)
            return Decision((), stream.state, None if owed is None else max(owed, not_before))

        await self.run(await self._expired(key, is_claimed=False), settled)

    async def expire(self, key: StreamKey) -> Millis | None:
        """Delete events that are too old. Return when to do so again. Raises what `execute` raises.

        The stream's due time stays that of the caller's claim.
        """
        return expires_at(await self._expired(key, is_claimed=True))

    async def _expired(self, key: StreamKey, *, is_claimed: bool) -> LoadedStream[State]:
        """Return a stream without the events that are too old."""

        def decided(stream: LoadedStream[State]) -> Decision | None:
            now, expires = self._now(), expires_at(stream)
            is_due = expires is not None and expires <= now and trimmed_to(stream, now) is None
            return self._summarised(stream, is_claimed=is_claimed) if is_due else None

        stream = await self.repository.current(key)
        if stream.kind.snapshots is None:
            await self.run(stream, decided)
            if (version := trimmed_to(stream, self._now())) is not None:
                await self._trim(stream, version)
        return stream
