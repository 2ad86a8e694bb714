"""Reading of histories from the store; each entry is checked before it is decoded.

The chain of digests shows that entries follow each other as they were written. A MAC on the last entry of a command
shows that this installation wrote it and, as it covers the digest, everything before it. So a page is verified by any
MAC at its end or after it, or by the head that a process has in memory. Entries of releases without MACs are verified
by the chain alone.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence

import msgspec
import structlog

from service.domain.room.model.ids import RoomKey, Version
from service.rooms.errors import ServiceError
from service.rooms.loading import snapshots
from service.rooms.loading.nicknames import name_events
from service.rooms.loading.room import LoadedRoom
from service.store.codec import Stored, UnknownEvent, decode, game_of
from service.store.contract import NOT_BEGUN, Entry, Head, Store, Trimmed
from service.store.integrity import BrokenHistory, HistoryCheck, head_after, is_signed

log = structlog.get_logger()

PAGE = 512
"""How many entries are read at a time."""

SLICE = 128
"""How many events are decoded and folded before the event loop gets a turn."""

AHEAD = 16
"""How many entries are read after a page: nearly always enough for the MAC at the end of its last command."""


UNREADABLE = (msgspec.DecodeError, UnicodeDecodeError)
"""The exceptions raised by reading an entry that is not valid JSON."""


def damaged(key: RoomKey, why: object) -> ServiceError:
    """Log that a room's history is damaged, and return the refusal."""
    log.error("history_damaged", room=key.name, epoch=key.epoch, why=str(why))
    return ServiceError("history_damaged")


def chained_head(key: RoomKey, head: Head, entries: Sequence[Entry]) -> Head:
    """Return the head after these entries. Raises `ServiceError` (`history_damaged`) if they do not follow."""
    try:
        return head_after(head, entries)
    except BrokenHistory as broken:
        raise damaged(key, broken) from None


def signed_up_to(store: Store, key: RoomKey, entries: Sequence[Entry]) -> int:
    """Return how many of these entries the newest MAC among them covers. Raises `ServiceError` (`history_damaged`)."""
    try:
        for count in range(len(entries), 0, -1):
            if is_signed(store.signer, key, entries[count - 1]):
                return count
    except BrokenHistory as broken:
        raise damaged(key, broken) from None
    return 0


def decode_entries(key: RoomKey, game: str, entries: Sequence[Entry]) -> list[Stored]:
    """Decode checked entries. Raises `ServiceError` (`newer_events`) for entries of a newer release."""
    try:
        return [decode(game, entry) for entry in entries]
    except UnknownEvent as unknown:
        raise ServiceError("newer_events", params={"event": str(unknown)}) from unknown
    except UNREADABLE as broken:
        raise damaged(key, broken) from None


async def decode_in_slices(key: RoomKey, game: str, entries: Sequence[Entry]) -> list[Stored]:
    """Decode checked entries in slices, between which other tasks can run. Raises what `decode_entries` raises.

    They refer to nicknames, see `read_entries`.
    """
    history: list[Stored] = []
    for at in range(0, len(entries), SLICE):
        if at:
            await asyncio.sleep(0)
        history += decode_entries(key, game, entries[at : at + SLICE])
    return history


async def read_entries(store: Store, key: RoomKey, game: str, entries: Sequence[Entry]) -> list[Stored]:
    """Decode checked entries, and look up the nicknames in them. Raises what `decode_entries` raises."""
    return await name_events(store.player_names, await decode_in_slices(key, game, entries))


def first_game(key: RoomKey, entries: Sequence[Entry]) -> str:
    """Return the game of a stream from its checked first entries. Raises `ServiceError` (`newer_events`)."""
    try:
        return game_of(entries[0])
    except UnknownEvent as unknown:
        raise ServiceError("newer_events", params={"event": str(unknown)}) from unknown
    except UNREADABLE as broken:
        raise damaged(key, broken) from None


async def whole_stream(store: Store, key: RoomKey) -> AsyncIterator[list[Entry]]:
    """Yield all entries of a room, page by page, checked. Raises `BrokenHistory` and `Trimmed`.

    Errors in the last entries may be found after they were yielded.
    """
    check = HistoryCheck(store.signer, key)
    while page := await store.read(key, check.head.version, PAGE):
        check.add(page)
        yield page
        if len(page) < PAGE:
            break
    check.end()


def continues(store: Store, live: LoadedRoom, entries: Sequence[Entry]) -> bool:
    """Return whether these entries follow the state of a room in memory."""
    try:
        head_after(live.head, entries)
        signed = not entries or is_signed(store.signer, live.key, entries[-1])
    except BrokenHistory:
        return False
    return signed or live.signed is None or store.signer.accepts_unsigned


class HistoryReader:
    """Reads pages of rooms that this process has loaded."""

    def __init__(self, store: Store) -> None:
        """Take the store."""
        self.store = store

    async def page(self, live: LoadedRoom, after: Head, count: int) -> list[Entry]:
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

    async def _read(self, live: LoadedRoom, after: Head, count: int) -> list[Entry]:
        entries = await self.store.read(live.key, after.version, count) if count > 0 else []
        if len(entries) < count:
            raise damaged(live.key, f"events after version {after.version + len(entries)} are missing")
        return entries

    def _proves(self, live: LoadedRoom, entries: Sequence[Entry], head: Head) -> bool:
        """Return whether these entries, which end at `head`, verify all entries before them."""
        if head.version == live.head.version:
            if head != live.head:
                raise damaged(live.key, f"version {head.version} differs from the one in this process")
            return True
        if not entries or live.signed is None or head.version < live.signed:
            return True
        return signed_up_to(self.store, live.key, entries) > 0

    async def head_at(self, live: LoadedRoom, version: Version) -> Head:
        """Return the head at a version as stored, which `page` verifies. Raises `Trimmed`."""
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
        """Return verified entries after a version, up to another one: at least one, at most a page.

        Raises `ServiceError` (`history_damaged`) and `Trimmed`.
        """
        return await self.page(live, await self.head_at(live, after), min(PAGE, last - after))

    async def pages(self, live: LoadedRoom, after: Head, last: Version) -> AsyncIterator[list[Entry]]:
        """Yield verified pages of entries after a head, up to a version. Raises what `page` raises."""
        while after.version < last:
            page = await self.page(live, after, min(PAGE, last - after.version))
            yield page
            after = Head(page[-1].version, page[-1].digest)
