"""The write path of streams other than rooms: decide, append, fold; again if another process was faster."""

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Generic

import msgspec
from msgspec import UNSET, UnsetType

from service.domain.game import Event, Rejected
from service.domain.room.model.ids import Millis, Version
from service.domain.streams import Change, Record, State, Summary
from service.rooms.errors import ServiceError
from service.store.contract import Batch, Conflict
from service.store.outbox import ENCODER, Delivery
from service.store.stream_codec import encode_records
from service.store.stream_keys import KindKey
from service.streams.background import BackgroundTasks
from service.streams.loaded import LoadedStream
from service.streams.repository import StreamRepository
from service.streams.retention import KEPT_FOR, expires_at, summary_of, trimmed_to, with_summary
from service.streams.snapshots import save, wants_snapshot
from service.telemetry import metrics

TRIES = 8
"""The number of attempts to write if other processes write to the same stream."""

AT_ONCE = Millis(0)

WAKES_LATER = Millis(2_000)
"""Webhooks that are due within this time are not made due earlier: they may be claimed, and claims are shorter."""

Decide = Callable[[State, Millis], Sequence[Change]]
"""Takes the state and the time, and returns the events to append. Raises `Rejected`."""

Decision = Callable[[State, Millis], Sequence[Event]]
"""The same for events that the stream's own command causes."""


def due_after(stream: LoadedStream[State], records: Sequence[Record], now: Millis) -> Millis | UnsetType:
    """Return when a stream is due after events that are about to be appended, `UNSET` if that does not change."""
    kind = stream.kind
    owed = kind.due(reduce(kind.evolve, records, stream.state))
    if owed is not None:
        return owed
    if kind.snapshots is not None:
        return UNSET  # nothing expires
    begins_span = stream.unsummarised_since is None or isinstance(records[0].event, Summary)
    return Millis(now + KEPT_FOR) if begins_span or kind.due(stream.state) is not None else UNSET


def next_due(stream: LoadedStream[State]) -> Millis | None:
    """Return when a stream is due, None if it is not."""
    times = [time for time in (stream.kind.due(stream.state), expires_at(stream)) if time is not None]
    return min(times, default=None)


class StreamProcessor(Generic[State]):
    """Executes commands; those of one stream are executed one after another."""

    def __init__(self, repository: StreamRepository[State], now: Callable[[], Millis]) -> None:
        """Write to the store of the repository; `now` returns the service's time."""
        self.repository = repository
        self._store = repository.store
        self._now = now
        self._background = BackgroundTasks("stream_upkeep_failed")

    async def execute(self, key: KindKey, decide: Decide[State], *, is_claimed: bool = False) -> list[Record]:
        """Append what `decide` returns for the current state, and return it. Raises what `decide` raises.

        With `is_claimed` the stream's due time stays that of the caller's claim. Also raises `ServiceError` (`busy`,
        `history_damaged`, `newer_events`), `StoreUnavailable` and `OutcomeUnknown`.
        """
        stream = await self.repository.get(key)
        async with stream.lock:
            await self.repository.sync_notified(stream)
            return await self._execute(stream, decide, is_claimed=is_claimed)

    async def decide(self, key: KindKey, decision: Decision[State], *, is_claimed: bool = False) -> list[Record]:
        """Append the events that `decision` returns, which have no source; otherwise like `execute`."""
        return await self.execute(
            key, lambda state, now: [Change(event) for event in decision(state, now)], is_claimed=is_claimed
        )

    async def _execute(self, stream: LoadedStream[State], decide: Decide[State], *, is_claimed: bool) -> list[Record]:
        for _ in range(TRIES):
            now = max(self._now(), stream.time)
            try:
                changes = decide(stream.state, now)
                if changes:
                    changes = with_summary(stream, changes, now)
                    return await self._append(stream, changes, now, is_claimed=is_claimed)
                if not await self.repository.sync(stream):
                    return []
            except Conflict as conflict:
                await self.repository.sync(stream, conflict.head)
            except Rejected:
                if not await self.repository.sync(stream):
                    raise
        raise ServiceError("busy")

    async def _append(
        self, stream: LoadedStream[State], changes: Sequence[Change], now: Millis, *, is_claimed: bool = False
    ) -> list[Record]:
        """Append changes and fold them. Raises `Conflict`."""
        first = stream.head.version + 1
        records = [
            Record(Version(version), now, change.event, change.source) for version, change in enumerate(changes, first)
        ]
        entries = encode_records(stream.head, records)
        deliveries = [
            Delivery(each.to, msgspec.Raw(ENCODER.encode(each.event)), each.kind)
            for each in stream.kind.deliveries(stream.state, records)
        ]
        outbox = ENCODER.encode(deliveries) if deliveries else b""
        due = UNSET if is_claimed else due_after(stream, records, now)
        wakes = Millis(now + WAKES_LATER if stream.kind.has_webhooks else 0)
        await self._store.append(stream.key, stream.head, Batch(entries, due=due, outbox=outbox, wakes=wakes))
        for record, entry in zip(records, entries, strict=True):
            stream.apply(record, entry.digest)
            metrics.STREAM_EVENTS.count(stream.key.kind, str(record.event.__struct_config__.tag))
        self.repository.on_change(stream, records)
        if (version := trimmed_to(stream, now)) is not None:
            self._background.start(self._trim(stream, version))
        if wants_snapshot(stream):
            self._background.start(save(self._store, stream))
        return records

    async def _trim(self, stream: LoadedStream[State], version: Version) -> None:
        """Delete everything before a summary except the entry right before it, whose digest proves the summary."""
        await self._store.trim_before(stream.key, Version(version - 1))
        stream.trim(version)

    async def discard(self, key: KindKey) -> None:
        """Delete all events of a stream; its state stays in a summary. Raises what `execute` raises."""
        stream = await self.repository.get(key)
        async with stream.lock:
            await self.repository.sync(stream)
            for _ in range(TRIES):
                try:
                    await self._discard(stream)
                except Conflict as conflict:
                    await self.repository.sync(stream, conflict.head)
                else:
                    return
        raise ServiceError("busy")

    async def _discard(self, stream: LoadedStream[State]) -> None:
        """Append two summaries, and keep only these: the first one proves the second one."""
        if stream.head.version:
            now = max(self._now(), stream.time)
            for _ in range(2):
                await self._append(stream, [summary_of(stream)], now)
            await self._trim(stream, stream.head.version)

    async def proceed(self, key: KindKey, not_before: Millis = AT_ONCE) -> None:
        """Delete events that are too old, and store when the stream is due again: `not_before` this time.

        Raises what `execute` raises.
        """
        await self._expire(key, not_before)

    async def expire(self, key: KindKey) -> Millis | None:
        """Delete events that are too old. Return when to do so again. Raises what `execute` raises.

        The stream's due time stays that of the caller's claim.
        """
        return expires_at(await self._expire(key, None))

    async def _expire(self, key: KindKey, not_before: Millis | None) -> LoadedStream[State]:
        """Delete events that are too old; with None the stream's due time stays that of the caller's claim."""
        stream = await self.repository.get(key)
        async with stream.lock:
            await self.repository.sync(stream)
            for _ in range(TRIES):
                try:
                    await self._delete_expired(stream, not_before)
                except Conflict as conflict:
                    await self.repository.sync(stream, conflict.head)
                else:
                    return stream
        raise ServiceError("busy")

    async def _delete_expired(self, stream: LoadedStream[State], not_before: Millis | None) -> None:
        now, expires = self._now(), expires_at(stream)
        if expires is not None and expires <= now and trimmed_to(stream, now) is None:
            await self._append(stream, [summary_of(stream)], now, is_claimed=not_before is None)
        if (version := trimmed_to(stream, now)) is not None:
            await self._trim(stream, version)
        if not_before is not None:
            owed = next_due(stream)
            due = None if owed is None else max(owed, not_before)
            await self._store.append(stream.key, stream.head, Batch((), due=due))

    async def close(self) -> None:
        """Finish the background work."""
        await self._background.close()
