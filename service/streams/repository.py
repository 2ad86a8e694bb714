"""The streams of one kind in the memory of this process, which are loaded from the store and synced with it."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import groupby
from typing import Generic

import structlog

from service.domain.ids import Version
from service.domain.streams import State, Stored, StreamKind
from service.store.contract import Entry, Head, Snapshot, Store, StoreFailed, StoreUnavailable, Trimmed
from service.store.integrity import BrokenHistory, head_after, is_signed
from service.store.stream_keys import StreamKey
from service.streams.background import BackgroundTasks
from service.streams.errors import ServiceError, unless_damaged
from service.streams.heartbeat import Heartbeat
from service.streams.loaded import LoadedStream
from service.streams.reader import PAGE, SLICE, Names, StreamReader, chained_head, damaged, signed_up_to
from service.streams.snapshots import pack, save

log = structlog.get_logger()

BUSY_SKIPPED = 8
"""How many locked streams are skipped in search of one to evict; after that, memory holds one more for a while."""

Listener = Callable[[LoadedStream[State], Sequence[Stored]], None]
"""Takes a stream and the events of a command that were just folded; none if the stream was loaded again."""

FailureListener = Callable[[LoadedStream[State], Exception], None]
"""Takes a followed stream that cannot be kept up to date, and why: it is lost, damaged, or has newer events."""


class StreamRepository(Generic[State]):
    """Loads and caches streams of one kind. Followed streams are never evicted."""

    def __init__(
        self,
        store: Store,
        kind: StreamKind[State],
        size: int,
        heartbeat: Heartbeat | None = None,
        names: Names | None = None,
    ) -> None:
        """Cache up to `size` streams, and more only if they are followed; the `heartbeat` keeps those up to date."""
        self.store = store
        self.reader = StreamReader(store, kind, names)
        self._heartbeat = heartbeat or Heartbeat(store)
        self.is_current = self._heartbeat.is_current
        """Returns whether a followed stream has all that was appended until some seconds ago."""
        self.kind = kind
        self._size = size
        self._idle: OrderedDict[StreamKey, LoadedStream[State]] = OrderedDict()
        """Streams that are not followed, the least recently used first."""
        self._followed: dict[StreamKey, LoadedStream[State]] = {}
        self._wanted: set[StreamKey] = set()
        """The streams to be followed: from the call of `follow` to that of `unfollow`."""
        self._loading: dict[StreamKey, asyncio.Task[LoadedStream[State]]] = {}
        self._reading: set[StreamKey] = set()
        """The streams whose new events are being read in the background."""
        self._background = BackgroundTasks("news_not_read")
        self.on_change: Listener[State] = lambda stream, history: None  # noqa: ARG005 - nobody listens yet
        self.on_failure: FailureListener[State] = lambda stream, failure: None  # noqa: ARG005 - nobody listens yet
        self.close = self._background.close

    # In memory

    def cached(self, key: StreamKey) -> LoadedStream[State] | None:
        """Return a stream if it is in memory."""
        stream = self._followed.get(key)
        if stream is None and (stream := self._idle.get(key)) is not None:
            self._idle.move_to_end(key)
        return stream

    def all_cached(self) -> list[LoadedStream[State]]:
        """Return the streams in memory."""
        return [*self._followed.values(), *self._idle.values()]

    def count(self) -> int:
        """Return how many streams are in memory."""
        return len(self._followed) + len(self._idle)

    def new(self, key: StreamKey) -> LoadedStream[State]:
        """Return a stream before its first event, which is not cached yet."""
        return LoadedStream(self.kind, key)

    def add(self, stream: LoadedStream[State]) -> None:
        """Cache a stream, and evict those that were not used for the longest time."""
        self._idle[stream.key] = stream
        self._idle.move_to_end(stream.key)
        most = max(1, self._size - len(self._followed))
        for _ in range(max(0, len(self._idle) - most) + BUSY_SKIPPED):
            if len(self._idle) <= most:
                return
            oldest = next(iter(self._idle.values()))
            if oldest.lock.locked():
                self._idle.move_to_end(oldest.key)
            else:
                self.evict(oldest)

    def evict(self, stream: LoadedStream[State]) -> None:
        """Remove a stream that is not followed from memory."""
        self._idle.pop(stream.key, None)

    # Loading

    async def get(self, key: StreamKey) -> LoadedStream[State]:
        """Return a stream, which may be behind the store; one without events if it was never begun.

        Raises `ServiceError` (`history_damaged`, `newer_events`, `trimmed`, and the code for one that is absent).
        """
        if (stream := self.cached(key)) is not None:
            return stream
        loading = self._loading.get(key)
        if loading is None:
            loading = self._loading[key] = asyncio.create_task(self._load(key))
            loading.add_done_callback(lambda _: self._loading.pop(key, None))
        return await asyncio.shield(loading)

    async def all_current(self, keys: Sequence[StreamKey]) -> list[LoadedStream[State]]:
        """Return streams, up to date; those that are damaged are left out.

        Their heads are read at once. Raises `ServiceError` (`newer_events`).
        """
        loaded = await asyncio.gather(*(unless_damaged(self.get(key)) for key in keys))
        known = [stream for stream in loaded if stream is not None]
        heads = await self.store.heads([stream.key for stream in known]) if known else []
        found = list[LoadedStream[State]]()
        for stream, head in zip(known, heads, strict=True):
            current = stream if head == stream.head else await unless_damaged(self.current(stream.key))
            if current is not None:
                found.append(current)
        return found

    async def current(self, key: StreamKey) -> LoadedStream[State]:
        """Return a stream, up to date. Raises what `get` raises."""
        stream = await self.get(key)
        await self.refresh(stream)
        return stream

    async def refresh(self, stream: LoadedStream[State]) -> None:
        """Bring a stream up to date. Raises what `get` raises."""
        async with stream.lock:
            await self.sync(stream)
            await self.sync_notified(stream)

    async def _load(self, key: StreamKey) -> LoadedStream[State]:
        stream = self.new(key)
        await self._read_all(stream)
        self.add(stream)
        return stream

    async def _read_all(self, stream: LoadedStream[State]) -> None:
        """Read a whole stream. Of a trimmed one the oldest entry only has the digest before the oldest summary."""
        try:
            if self.kind.snapshots is not None:
                await self._read_since_snapshot(stream)
            else:
                await self._read_since_summary(stream)
        except Trimmed:
            raise ServiceError("trimmed") from None
        if self.kind.absent and not stream.head.version:
            raise ServiceError(self.kind.absent)

    async def _read_since_summary(self, stream: LoadedStream[State]) -> None:
        oldest = await self.store.first_version(stream.key)
        try:
            if oldest is not None and oldest > 1:
                [base] = await self.store.read(stream.key, Version(oldest - 1), 1)
                stream.head = Head(base.version, base.digest)
            await self._read_on(stream, is_known=False)
        except Trimmed:  # another process trimmed it in between
            stream.replace_with(self.new(stream.key))
            await self._read_since_summary(stream)
            return
        if oldest is not None and oldest > 1:
            if not stream.summaries or stream.summaries[0].version != oldest + 1:
                raise damaged(stream.key, f"version {oldest + 1}, the oldest that is stored, is not a summary")
            stream.first = stream.summaries[0].version

    async def _read_since_snapshot(self, stream: LoadedStream[State]) -> None:
        """Read a stream whose events are all kept, from its latest snapshot on."""
        start = await self.reader.snapshot(stream.key)
        is_known = start is not None and (start.idempotency is not None or not self.kind.has_idempotency)
        if start is not None and is_known:
            stream.replace_with(start)
        await self._read_on(stream, is_known=is_known)

    async def _read_on(self, stream: LoadedStream[State], *, is_known: bool) -> None:
        """Read and fold all entries after what a stream already has, and store snapshots on the way.

        The newest entry must have a MAC if an earlier one has one, or if a snapshot or every release before made them.
        """
        waiting: list[Snapshot] = []
        verified = stream.head.version
        while page := await self.store.read(stream.key, stream.head.version, PAGE):
            chained_head(stream.key, stream.head, page)
            if count := signed_up_to(self.store, stream.key, page):
                verified = page[count - 1].version
                if stream.signed is None:
                    signed = (entry.version for entry in page if is_signed(self.store.signer, stream.key, entry))
                    stream.signed = next(signed)
            for entry in page:
                stored = await self.reader.fold_next(stream, entry)
                if stream.wants_snapshot() and self.kind.form.ends_command(stored):
                    stream.snapshot = stream.head.version
                    waiting.append(pack(self.store.signer, stream))
            await self._save(stream, waiting, verified)
            if len(page) < PAGE:
                break
        is_expected = is_known or stream.signed is not None or not self.kind.was_unsigned
        if verified < stream.head.version and is_expected and must_be_signed(self.store):
            raise damaged(stream.key, f"the events after version {verified} have no MAC")
        await self._save(stream, waiting, stream.head.version)

    async def _save(self, stream: LoadedStream[State], waiting: list[Snapshot], verified: Version) -> None:
        """Store the snapshots up to a version; a MAC shows that this installation wrote the events before it."""
        while waiting and waiting[0].version <= verified:
            await self.save_snapshot(stream, waiting.pop(0))

    async def save_snapshot(self, stream: LoadedStream[State], snapshot: Snapshot) -> None:
        """Store a snapshot; without it, the stream is loaded from an earlier one."""
        try:
            await save(self.store, stream, snapshot)
        except StoreFailed as failure:
            log.warning("snapshot_not_stored", stream=stream.key.label, error=str(failure))

    # Following

    async def follow(self, key: StreamKey) -> LoadedStream[State]:
        """Return a stream, up to date, and keep it up to date until `unfollow`, which also follows a failure.

        Raises what `get` raises.
        """
        self._wanted.add(key)
        try:
            stream = await self.get(key)
            self._idle.pop(key, None)
            self._followed[key] = stream
            self._heartbeat.add(stream, self._read_soon)
            await self.store.subscribe(key, partial(stream.announce, self._read_soon))
            await self.refresh(stream)
        finally:
            await self._drop_unwanted(key)
        return stream

    def unfollow(self, key: StreamKey) -> None:
        """Stop keeping a stream up to date, unless it is followed again before that is done."""
        self._wanted.discard(key)
        self._background.start(self._drop_unwanted(key))

    async def _drop_unwanted(self, key: StreamKey) -> None:
        stream = None if key in self._wanted else self._followed.pop(key, None)
        if stream is not None:
            self._heartbeat.remove(stream)
            self.add(stream)
            await self.store.unsubscribe(key)

    def unlocked(self, stream: LoadedStream[State]) -> None:
        """Read what notifications announced while the stream was locked."""
        if stream.has_news and stream.key in self._followed:
            self._read_soon(stream)

    def _read_soon(self, stream: LoadedStream[State]) -> None:
        if stream.key not in self._reading:
            self._reading.add(stream.key)
            self._background.start(self._read_news(stream))

    async def _read_news(self, stream: LoadedStream[State]) -> None:
        """Read what is new in a followed stream, unless the task that had the lock has read it."""
        try:
            async with stream.lock:
                self._reading.discard(stream.key)
                await self.sync_notified(stream)
        except StoreUnavailable:
            self._heartbeat.read_again(stream)
            raise
        except Exception as failure:
            self._heartbeat.doubt(stream)
            self.on_failure(stream, failure)
            raise

    async def sync_notified(self, stream: LoadedStream[State]) -> None:
        """Read the events named by notifications, in one round trip. The caller holds the stream's lock.

        If the store has fewer events than named, or other ones, the stream is synced with its head.
        """
        while stream.has_news:
            news = stream.news
            is_named = news.missed == stream.missed_and_read
            if not (is_named and await self._catch_up(stream, news.version)):
                await self.sync(stream)

    async def sync(self, stream: LoadedStream[State], head: Head | None = None) -> bool:
        """Bring a stream up to date with the store; return whether it was behind. The caller holds its lock.

        If the store's history does not continue that in memory, it was lost, trimmed or replaced, and the stream is
        loaded again.
        """
        if head is not None:
            return await self._read_to(stream, head)
        asked, news = asyncio.get_running_loop().time(), stream.news
        was_behind = await self._read_to(stream, (await self.store.heads([stream.key]))[0])
        stream.confirm(asked, news)
        return was_behind

    async def _read_to(self, stream: LoadedStream[State], head: Head | None) -> bool:
        """Bring a stream up to date with a head of the store; return whether it was behind."""
        if head == stream.head or (head is None and stream.head.version == 0):
            return False
        is_behind = head is not None and head.version > stream.head.version
        if head is None or not is_behind or not await self._catch_up(stream, head.version):
            await self._replace(stream)
        return True

    async def _catch_up(self, stream: LoadedStream[State], version: Version) -> bool:
        """Fold events of other processes, at least up to a version; return whether they continue the history."""
        try:
            entries = await self.store.read(stream.key, stream.head.version)
        except Trimmed:
            return False
        if stream.head.version + len(entries) < version or not self._continues(stream, entries):
            return False
        history = await self.reader.decoded(stream, entries)
        if stream.signed is None and is_signed(self.store.signer, stream.key, entries[-1]):
            stream.signed = entries[-1].version
        for _, events in groupby(history, key=self.kind.form.command):
            command = list(events)
            for stored in command:
                stream.apply(stored)
            self.on_change(stream, command)
            if len(history) > SLICE and stream.head.version // SLICE != (command[0].recorded.version - 1) // SLICE:
                await asyncio.sleep(0)
        return True

    def _continues(self, stream: LoadedStream[State], entries: Sequence[Entry]) -> bool:
        """Return whether entries follow what is in memory; otherwise the store's history was replaced."""
        try:
            head_after(stream.head, entries)
            signed = not entries or is_signed(self.store.signer, stream.key, entries[-1])
        except BrokenHistory:
            return False
        was_unsigned = self.kind.was_unsigned and stream.signed is None
        return signed or was_unsigned or not must_be_signed(self.store)

    async def _replace(self, stream: LoadedStream[State]) -> None:
        """Load a stream again, because the store has another history or trimmed what is missing here."""
        log.warning("history_replaced", stream=stream.key.label, version=stream.head.version)
        fresh = self.new(stream.key)
        try:
            await self._read_all(fresh)
            await self._refuse_other_head(fresh)
        except ServiceError as refused:
            self.evict(stream)
            self.on_failure(stream, refused)
            raise
        stream.replace_with(fresh)
        self.on_change(stream, ())

    async def reload(self, stream: LoadedStream[State]) -> None:
        """Load a stream again, because what its events refer to has changed. Raises what `get` raises."""
        async with stream.lock:
            await self._replace(stream)
            await self.sync_notified(stream)

    async def _refuse_other_head(self, fresh: LoadedStream[State]) -> None:
        """Raise `ServiceError` (`history_damaged`) if the head key does not match the events of a loaded stream."""
        head = (await self.store.heads([fresh.key]))[0]
        if head == fresh.head or (head is None and not fresh.head.version):
            return
        if (
            head is None
            or head.version <= fresh.head.version
            or not await self.store.read(fresh.key, fresh.head.version, 1)
        ):
            raise damaged(fresh.key, f"the head does not name the last event, version {fresh.head.version}")


def must_be_signed(store: Store) -> bool:
    """Return whether every command has to be proven by a MAC."""
    return store.signer.signs and not store.signer.accepts_unsigned
