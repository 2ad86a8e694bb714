"""Reading of histories from the store; each entry is checked before it is decoded.

The chain of digests shows that entries follow each other as they were written. A MAC on the last entry of a command
shows that this installation wrote it and, as it covers the digest, everything before it. So a page is verified by any
MAC at its end or after it, or by the head that a process has in memory. Entries of releases without MACs are verified
by the chain alone.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, Protocol

import msgspec
import structlog

from service.domain.game import Event
from service.domain.ids import Version
from service.domain.streams import Stored, StreamKind, UnknownEvent
from service.store.codec import decode
from service.store.contract import NOT_BEGUN, Entry, Head, Store, Trimmed
from service.store.integrity import BrokenHistory, HistoryCheck, head_after, is_signed
from service.store.stream_keys import StreamKey
from service.streams.errors import ServiceError
from service.streams.loaded import LoadedStream
from service.streams.snapshots import newest

log = structlog.get_logger()

PAGE = 512
"""How many entries are read at a time."""

SLICE = 128
"""How many events are decoded and folded before the event loop gets a turn."""

AHEAD = 16
"""How many entries are read after a page: nearly always enough for the MAC at the end of its last command."""

UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError)
"""The exceptions raised by reading an entry that is not valid JSON."""


class Names(Protocol):
    """Looks up the nicknames to which stored data refers, for a kind with nicknames in its state."""

    events: tuple[type[Event], ...]
    """The types of the events with a nickname."""

    async def in_event(self, stored: Stored) -> Stored:
        """Return an event with the nickname to which it refers."""

    async def in_state(self, state: Any) -> Any:
        """Return a state with the nicknames to which it refers."""


def damaged(key: StreamKey, why: object) -> ServiceError:
    """Log that a stream is damaged, and return the refusal."""
    log.error("history_damaged", stream=key.label, why=str(why))
    return ServiceError("history_damaged")


def chained_head(key: StreamKey, head: Head, entries: Sequence[Entry]) -> Head:
    """Return the head after these entries. Raises `ServiceError` (`history_damaged`) if they do not follow."""
    try:
        return head_after(head, entries)
    except BrokenHistory as broken:
        raise damaged(key, broken) from None


def signed_up_to(store: Store, key: StreamKey, entries: Sequence[Entry]) -> int:
    """Return how many of these entries the newest MAC among them covers. Raises `ServiceError` (`history_damaged`)."""
    try:
        for count in range(len(entries), 0, -1):
            if is_signed(store.signer, key, entries[count - 1]):
                return count
    except BrokenHistory as broken:
        raise damaged(key, broken) from None
    return 0


def decode_entry(kind: StreamKind[Any], key: StreamKey, variant: str, entry: Entry) -> Stored:
    """Decode a checked entry. Raises `ServiceError` (`newer_events`) for one of a newer release."""
    try:
        return decode(kind, variant, entry)
    except UnknownEvent as unknown:
        raise ServiceError("newer_events", params={"event": str(unknown)}) from unknown
    except UNREADABLE as broken:
        raise damaged(key, broken) from None


async def whole_stream(store: Store, key: StreamKey) -> AsyncIterator[list[Entry]]:
    """Yield all entries of a stream, page by page, checked. Raises `BrokenHistory` and `Trimmed`.

    Errors in the last entries may be found after they were yielded.
    """
    check = HistoryCheck(store.signer, key)
    while page := await store.read(key, check.head.version, PAGE):
        check.add(page)
        yield page
        if len(page) < PAGE:
            break
    check.end()


class StreamReader:
    """Decodes, folds and checks the events of streams of one kind."""

    def __init__(self, store: Store, kind: StreamKind[Any], names: Names | None = None) -> None:
        """Read from a store; `names` for a kind with nicknames."""
        self.store = store
        self.kind = kind
        self.names = names

    async def decoded(self, live: LoadedStream[Any], entries: Sequence[Entry]) -> list[Stored]:
        """Return the events of checked entries of a stream, decoded in slices, with nicknames.

        Raises `ServiceError` (`newer_events`, `history_damaged`).
        """
        history, variant = [], self.kind.variant(live.state)
        for count, entry in enumerate(entries, 1):
            history.append(await self._named(decode_entry(self.kind, live.key, variant, entry)))
            if count % SLICE == 0:
                await asyncio.sleep(0)
        return history

    async def fold_next(self, stream: LoadedStream[Any], entry: Entry) -> Stored:
        """Fold a checked entry, and return its event; other tasks run now and then. Raises what `decoded` raises."""
        stored = await self._named(decode_entry(self.kind, stream.key, self.kind.variant(stream.state), entry))
        stream.apply(stored)
        if stream.head.version % SLICE == 0:
            await asyncio.sleep(0)
        return stored

    async def _named(self, stored: Stored) -> Stored:
        names = self.names
        if names is not None and isinstance(stored.recorded.event, names.events):
            return await names.in_event(stored)
        return stored

    async def snapshot(self, key: StreamKey, at: Version | None = None) -> LoadedStream[Any] | None:
        """Return a stream as its newest valid snapshot has it (up to a version), with nicknames."""
        stream = await newest(self.store, self.kind, key, at)
        if stream is not None and self.names is not None:
            stream.state = await self.names.in_state(stream.state)
        return stream

    # Parts of a stream that this process has loaded

    async def page(self, live: LoadedStream[Any], after: Head, count: int) -> list[Entry]:
        """Return up to `count` verified entries after a head, up to the version that this process has.

        The digest of `after` may come from the store: it is verified with the page. Raises
        `ServiceError` (`history_damaged`) and `Trimmed`.
        """
        entries = await self._read(live, after, min(count + AHEAD, live.head.version - after.version))
        head = chained_head(live.key, after, entries)
        page, proof = entries[:count], entries[max(0, count - 1) :]
        while not self._proves(live, proof, head):
            proof = await self._read(live, head, min(PAGE, live.head.version - head.version))
            head = chained_head(live.key, head, proof)
        return page

    async def _read(self, live: LoadedStream[Any], after: Head, count: int) -> list[Entry]:
        entries = await self.store.read(live.key, after.version, count) if count > 0 else []
        if len(entries) < count:
            raise damaged(live.key, f"events after version {after.version + len(entries)} are missing")
        return entries

    def _proves(self, live: LoadedStream[Any], entries: Sequence[Entry], head: Head) -> bool:
        """Return whether these entries, which end at `head`, verify all entries before them."""
        if head.version == live.head.version:
            if head != live.head:
                raise damaged(live.key, f"version {head.version} differs from the one in this process")
            return True
        if not entries or live.signed is None or head.version < live.signed:
            return True
        return signed_up_to(self.store, live.key, entries) > 0

    async def head_at(self, live: LoadedStream[Any], version: Version) -> Head:
        """Return the head at a version as stored, which `page` verifies. Raises `Trimmed`."""
        if version == 0 and live.first == 1:
            return NOT_BEGUN
        if version == 0:
            raise Trimmed(version)
        if version == live.head.version:
            return live.head
        if (at_hand := live.since(Version(version - 1))) and at_hand[0].recorded.version == version:
            return Head(version, at_hand[0].digest)
        try:
            entries = await self.store.read(live.key, Version(version - 1), 1)
        except Trimmed:
            kept = await newest(self.store, self.kind, live.key, version)
            if kept is None or kept.head.version != version:
                raise
            return kept.head
        if not entries or entries[0].version != version:
            raise damaged(live.key, f"version {version} is missing")
        return Head(version, entries[0].digest)

    async def next_page(self, live: LoadedStream[Any], after: Version, last: Version) -> list[Stored]:
        """Return the events after a version, up to another one: at least one, at most a page.

        Raises `ServiceError` (`history_damaged`, `newer_events`) and `Trimmed`.
        """
        page = await self.page(live, await self.head_at(live, after), min(PAGE, last - after))
        return await self.decoded(live, page)

    async def records(self, live: LoadedStream[Any], after: Version, limit: int | None = None) -> list[Any]:
        """Return up to `limit` records after a version, up to the one that this process has.

        Raises what `next_page` raises.
        """
        last = live.head.version if limit is None else Version(min(live.head.version, after + limit))
        found: list[Any] = []
        while after < last:
            page = await self.next_page(live, after, last)
            found += [stored.recorded for stored in page]
            after = page[-1].recorded.version
        return found
