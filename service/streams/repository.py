"""The streams of one kind in the memory of this process, which are loaded from the store and synced with it."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Generic

import structlog

from service.domain.room.model.ids import Version
from service.domain.streams import Record, State, StreamKind, Summary
from service.rooms.errors import ServiceError, unless_damaged
from service.store.codec import UnknownEvent
from service.store.contract import NOT_BEGUN, Entry, Head, Store, Trimmed
from service.store.integrity import BrokenHistory, head_after, is_signed
from service.store.stream_keys import KindKey
from service.streams.background import BackgroundTasks
from service.streams.loaded import LoadedStream
from service.streams.snapshots import restore

log = structlog.get_logger()

PAGE = 1000
"""How many entries of a stream that is never trimmed are read at a time."""

Listener = Callable[[LoadedStream[State], Sequence[Record]], None]
"""Takes a stream and the events that were just folded; none if the stream was loaded again."""


class StreamRepository(Generic[State]):
    """Loads and caches streams of one kind. Followed streams are never evicted."""

    def __init__(self, store: Store, kind: StreamKind[State], size: int) -> None:
        """Cache up to `size` streams that are not followed."""
        self.store = store
        self.kind = kind
        self._size = size
        self._streams: OrderedDict[KindKey, LoadedStream[State]] = OrderedDict()
        """Streams that are not followed, the least recently used first."""
        self._followed: dict[KindKey, LoadedStream[State]] = {}
        self._wanted: set[KindKey] = set()
        """The streams to be followed: from the call of `follow` to that of `unfollow`."""
        self._loading: dict[KindKey, asyncio.Task[LoadedStream[State]]] = {}
        self._background = BackgroundTasks("news_not_read")
        self.on_change: Listener[State] = lambda stream, records: None  # noqa: ARG005 - nobody listens yet

    async def get(self, key: KindKey) -> LoadedStream[State]:
        """Return a stream, which may be behind the store; one without events if it was never begun.

        Raises `ServiceError` (`history_damaged`, `newer_events`).
        """
        stream = self._followed.get(key) or self._streams.get(key)
        if stream is not None:
            if key in self._streams:
                self._streams.move_to_end(key)
            return stream
        loading = self._loading.get(key)
        if loading is None:
            loading = self._loading[key] = asyncio.create_task(self._load(key))
            loading.add_done_callback(lambda _: self._loading.pop(key, None))
        return await asyncio.shield(loading)

    async def all_current(self, keys: Sequence[KindKey]) -> list[LoadedStream[State]]:
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

    async def current(self, key: KindKey) -> LoadedStream[State]:
        """Return a stream, up to date. Raises what `get` raises."""
        stream = await self.get(key)
        async with stream.lock:
            await self.sync(stream)
        return stream

    async def follow(self, key: KindKey) -> LoadedStream[State]:
        """Return a stream, up to date, and keep it up to date until `unfollow`, which also follows a failure.

        Raises what `get` raises.
        """
        self._wanted.add(key)
        try:
            stream = await self.get(key)
            self._streams.pop(key, None)
            self._followed[key] = stream
            await self.store.subscribe(key, self._on_append)
            async with stream.lock:
                await self.sync(stream)
        finally:
            await self._drop_unwanted(key)
        return stream

    def unfollow(self, key: KindKey) -> None:
        """Stop keeping a stream up to date, unless it is followed again before that is done."""
        self._wanted.discard(key)
        self._background.start(self._drop_unwanted(key))

    async def _drop_unwanted(self, key: KindKey) -> None:
        stream = None if key in self._wanted else self._followed.pop(key, None)
        if stream is not None:
            self._keep(stream)
            await self.store.unsubscribe(key)

    def _keep(self, stream: LoadedStream[State]) -> None:
        self._streams[stream.key] = stream
        while len(self._streams) > self._size:
            oldest = next(iter(self._streams.values()))
            if oldest.lock.locked():
                self._streams.move_to_end(oldest.key)
                return
            del self._streams[oldest.key]

    async def _load(self, key: KindKey) -> LoadedStream[State]:
        stream = LoadedStream(self.kind, key)
        await self._read_all(stream)
        self._keep(stream)
        return stream

    async def _read_all(self, stream: LoadedStream[State]) -> None:
        """Read a whole stream. Of a trimmed one the oldest entry only has the digest before the oldest summary."""
        if stream.kind.snapshots is not None:
            await self._read_since_snapshot(stream)
            return
        oldest = await self.store.first_version(stream.key)
        if oldest is None:
            return
        try:
            entries = await self.store.read(stream.key, Version(oldest - 1))
        except Trimmed:  # another process trimmed it in between
            await self._read_all(stream)
            return
        if oldest == 1:
            self._fold(stream, NOT_BEGUN, entries)
            return
        base, *rest = entries
        if not rest or not isinstance(self.decoded(stream, rest[0]).event, Summary):
            raise damaged(stream.key, f"version {base.version + 1}, the oldest that is stored, is not a summary")
        stream.first = rest[0].version
        self._fold(stream, Head(base.version, base.digest), rest)

    async def _read_since_snapshot(self, stream: LoadedStream[State]) -> None:
        """Read a stream whose events are all kept, from its latest snapshot on."""
        await restore(self.store, stream)
        entries = await self.store.read(stream.key, stream.head.version, PAGE)
        while entries:
            following = await self.store.read(stream.key, entries[-1].version, PAGE) if len(entries) == PAGE else []
            self._fold(stream, stream.head, entries, is_end=not following)
            entries = following
            await asyncio.sleep(0)  # other tasks get a turn while a long stream is folded

    def _fold(
        self, stream: LoadedStream[State], head: Head, entries: Sequence[Entry], *, is_end: bool = True
    ) -> list[Record]:
        """Check entries that follow `head`, and fold them; return them decoded.

        At the end of a stream, the last entry has to be proven by a MAC, as the last one of each command is.
        """
        signer = self.store.signer
        try:
            head = head_after(head, entries)
            is_proven = not is_end or not signer.signs or signer.accepts_unsigned
            is_proven = is_signed(signer, stream.key, entries[-1]) or is_proven
        except BrokenHistory as broken:
            raise damaged(stream.key, broken) from None
        if not is_proven:
            raise damaged(stream.key, f"version {head.version} has no MAC")
        records = [self.decoded(stream, entry) for entry in entries]
        for record, entry in zip(records, entries, strict=True):
            stream.apply(record, entry.digest)
        return records

    def decoded(self, stream: LoadedStream[State], entry: Entry) -> Record:
        """Return the record of a checked entry. Raises `ServiceError` (`newer_events`, `history_damaged`)."""
        try:
            return stream.decode(entry)
        except UnknownEvent as unknown:
            raise ServiceError("newer_events", params={"event": str(unknown)}) from unknown
        except ValueError as broken:
            raise damaged(stream.key, broken) from None

    async def sync(self, stream: LoadedStream[State], head: Head | None = None) -> bool:
        """Bring a stream up to date with the store; return whether it was behind. The caller holds its lock."""
        head = head or (await self.store.heads([stream.key]))[0]
        if head == stream.head or (head is None and stream.head.version == 0):
            return False
        if head is None or head.version <= stream.head.version:
            await self._replace(stream)
            return True
        try:
            entries = await self.store.read(stream.key, stream.head.version)
        except Trimmed:
            await self._replace(stream)
            return True
        if not self._continues(stream, entries):
            await self._replace(stream)
            return True
        self.on_change(stream, self._fold(stream, stream.head, entries))
        return True

    def _continues(self, stream: LoadedStream[State], entries: Sequence[Entry]) -> bool:
        """Return whether entries follow what is in memory; otherwise the store's history was replaced."""
        try:
            head_after(stream.head, entries[:1])
        except BrokenHistory:
            return False
        return bool(entries)

    async def _replace(self, stream: LoadedStream[State]) -> None:
        """Load a stream again, because the store has another history or trimmed what is missing here."""
        fresh = LoadedStream(self.kind, stream.key)
        await self._read_all(fresh)
        stream.replace_with(fresh)
        self.on_change(stream, ())

    def _on_append(self, key: KindKey, version: Version) -> None:
        stream = self._followed.get(key)
        if stream is None or 0 < version <= stream.head.version:
            return
        if version:
            stream.notified_version = max(stream.notified_version, version)
        else:
            stream.missed_notifications += 1
        self._background.start(self._sync_in_background(stream))

    async def _sync_in_background(self, stream: LoadedStream[State]) -> None:
        """Read what a notification announced, unless the task that had the lock has read it."""
        async with stream.lock:
            await self.sync_notified(stream)

    async def sync_notified(self, stream: LoadedStream[State]) -> None:
        """Read what notifications announced. The caller holds the stream's lock."""
        missed, notified = stream.missed_notifications, stream.notified_version
        if missed or notified > stream.head.version:
            await self.sync(stream)
            stream.missed_notifications -= missed


def damaged(key: KindKey, why: object) -> ServiceError:
    """Log that a stream is damaged, and return the refusal."""
    log.error("history_damaged", stream=key.name, why=str(why))
    return ServiceError("history_damaged")
