"""Histories as the store has them, each entry checked before it is decoded.

The chain of digests shows that entries follow each other as they were written. A MAC on the last entry of a command
shows that this installation wrote it and, as it covers the digest, everything before it. So a page is proven by any MAC
at its end or behind it, or by the head that a process holds in memory. Entries of releases that made no MACs are held
to the chain alone.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence

import msgspec
import structlog

from service.domain.room.model.ids import RoomKey, Version
from service.rooms.errors import ServiceError
from service.rooms.loading import snapshots
from service.rooms.loading.room import LoadedRoom
from service.store.codec import Stored, UnknownEvent, decode, game_of
from service.store.contract import NOT_BEGUN, Entry, Head, Store, Trimmed
from service.store.integrity import BrokenHistory, HistoryCheck, is_signed, next_head

log = structlog.get_logger()

PAGE = 512
"""How many entries are read at a time."""

SLICE = 128
"""How many events are decoded and folded before the event loop gets a turn."""

AHEAD = 16
"""How many entries are read behind a page, so that the end of its last command with its MAC is nearly always there."""


UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError)
"""What reading an entry raises that is no JSON at all."""


def damaged(key: RoomKey, why: object) -> ServiceError:
    """Log that a room's history is damaged, and return the refusal."""
    log.error("history_damaged", room=key.name, epoch=key.epoch, why=str(why))
    return ServiceError("history_damaged")


def chained_head(key: RoomKey, head: Head, entries: Sequence[Entry]) -> Head:
    """Return where a stream ends after these entries. Refuses `history_damaged` where they don't follow."""
    try:
        for entry in entries:
            head = next_head(head, entry)
    except BrokenHistory as broken:
        raise damaged(key, broken) from None
    return head


def signed_up_to(store: Store, key: RoomKey, entries: Sequence[Entry]) -> int:
    """Return how many of these entries the newest MAC among them covers. Refuses `history_damaged` for a wrong one."""
    try:
        for count in range(len(entries), 0, -1):
            if is_signed(store.signer, key, entries[count - 1]):
                return count
    except BrokenHistory as broken:
        raise damaged(key, broken) from None
    return 0


def decode_entries(key: RoomKey, game: str, entries: Sequence[Entry]) -> list[Stored]:
    """Read checked entries back. Refuses `newer_events` for what a newer release wrote."""
    try:
        return [decode(game, entry) for entry in entries]
    except UnknownEvent as unknown:
        raise ServiceError("newer_events", params={"event": str(unknown)}) from unknown
    except UNREADABLE as broken:
        raise damaged(key, broken) from None


async def decode_in_slices(key: RoomKey, game: str, entries: Sequence[Entry]) -> list[Stored]:
    """Read checked entries back, with a turn for the event loop now and then. Refuses as `decode_entries`."""
    history: list[Stored] = []
    for at in range(0, len(entries), SLICE):
        if at:
            await asyncio.sleep(0)
        history += decode_entries(key, game, entries[at : at + SLICE])
    return history


def first_game(key: RoomKey, entries: Sequence[Entry]) -> str:
    """Return which game a stream is of, from its checked beginning. Refuses `newer_events`."""
    try:
        return game_of(entries[0])
    except UnknownEvent as unknown:
        raise ServiceError("newer_events", params={"event": str(unknown)}) from unknown
    except UNREADABLE as broken:
        raise damaged(key, broken) from None


async def whole_stream(store: Store, key: RoomKey) -> AsyncIterator[list[Entry]]:
    """Yield all entries of a room, page by page, all of them checked. Raises `BrokenHistory`, `Trimmed`.

    What is wrong with the last ones may be found after they were yielded.
    """
    check = HistoryCheck(store.signer, key)
    while page := await store.read(key, check.head.version, PAGE):
        check.add(page)
        yield page
        if len(page) < PAGE:
            break
    check.end()


def continues(store: Store, live: LoadedRoom, entries: Sequence[Entry]) -> bool:
    """Return whether these entries follow what a process holds of a room."""
    head = live.head
    try:
        for entry in entries:
            head = next_head(head, entry)
        signed = not entries or is_signed(store.signer, live.key, entries[-1])
    except BrokenHistory:
        return False
    return signed or live.signed is None or store.signer.accepts_unsigned


class HistoryReader:
    """Reads pages of rooms that this process has loaded."""

    def __init__(self, store: Store) -> None:
        """Read from this store."""
        self.store = store

    async def page(self, live: LoadedRoom, after: Head, count: int) -> list[Entry]:
        """Return at most `count` proven entries behind a head, up to the version that this process holds.

        The digest of `after` may be as the store has it: it is proven with the page. Refuses `history_damaged`; raises
        `Trimmed`.
        """
        entries = await self._read(live, after, min(count + AHEAD, live.head.version - after.version))
        head = chained_head(live.key, after, entries)
        page, proof = entries[:count], entries[max(0, count - 1) :]
        while not self._proves(live, proof, head):
            proof = await self._read(live, head, min(PAGE, live.head.version - head.version))
            head = chained_head(live.key, head, proof)
        return page

    async def _read(self, live: LoadedRoom, after: Head, count: int) -> list[Entry]:
        entries = await self.store.read(live.key, after.version, count) if count > 0 else []
        if len(entries) < count:
            raise damaged(live.key, f"events after version {after.version + len(entries)} are missing")
        return entries

    def _proves(self, live: LoadedRoom, entries: Sequence[Entry], head: Head) -> bool:
        """Return whether these entries, of which the last is at `head`, prove all entries up to the first of them."""
        if head.version == live.head.version:
            if head != live.head:
                raise damaged(live.key, f"version {head.version} is another one than this process holds")
            return True
        if not entries or live.signed is None or head.version < live.signed:
            return True
        return signed_up_to(self.store, live.key, entries) > 0

    async def head_at(self, live: LoadedRoom, version: Version) -> Head:
        """Return the head at a version as the store has it, for `page` to prove. Raises `Trimmed`."""
        if version == 0:
            return NOT_BEGUN
        if (at_hand := live.since(Version(version - 1))) and at_hand[0].recorded.version == version:
            return Head(version, at_hand[0].digest)
        try:
            entries = await self.store.read(live.key, Version(version - 1), 1)
        except Trimmed:
            kept = await snapshots.newest(self.store, live.key, version)
            if kept is None or kept.head.version != version:
                raise
            return kept.head
        if not entries or entries[0].version != version:
            raise damaged(live.key, f"version {version} is missing")
        return Head(version, entries[0].digest)

    async def next_page(self, live: LoadedRoom, after: Version, last: Version) -> list[Entry]:
        """Return proven entries behind a version up to another one, a page at most, one entry at least.

        Refuses `history_damaged`; raises `Trimmed`.
        """
        return await self.page(live, await self.head_at(live, after), min(PAGE, last - after))

    async def pages(self, live: LoadedRoom, after: Head, last: Version) -> AsyncIterator[list[Entry]]:
        """Yield proven pages of entries behind a head up to a version. Refuses `history_damaged`; raises `Trimmed`."""
        while after.version < last:
            page = await self.page(live, after, min(PAGE, last - after.version))
            yield page
            after = Head(page[-1].version, page[-1].digest)
