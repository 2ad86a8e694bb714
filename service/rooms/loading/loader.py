"""Loading of a room: from its newest snapshot and the events after it, all of them checked, in short slices."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import structlog

from service.domain.room.evolve import evolve
from service.domain.room.model.events import MatchStarted
from service.domain.room.model.ids import RoomKey, Version
from service.rooms.errors import ServiceError
from service.rooms.loading import snapshots
from service.rooms.loading.idempotency import IdempotencyRecords
from service.rooms.loading.reader import (
    PAGE,
    SLICE,
    HistoryReader,
    chained_head,
    damaged,
    first_game,
    read_entries,
    signed_up_to,
)
from service.rooms.loading.room import LoadedRoom
from service.store.codec import Stored
from service.store.contract import NOT_BEGUN, Entry, Head, Snapshot, Store, StoreUnavailable, Trimmed

log = structlog.get_logger()

SNAPSHOT_EVERY = 500
"""A snapshot is made after the command that reaches or passes a multiple of this number of events."""


def crosses(before: Version, after: Version) -> bool:
    """Return whether a command that changes a room from one version to another reaches or passes such a multiple."""
    return before // SNAPSHOT_EVERY != after // SNAPSHOT_EVERY


def wants_snapshot(history: Sequence[Stored]) -> bool:
    """Return whether a snapshot is made after a command: at each multiple, and when a match has started."""
    first, last = history[0].recorded, history[-1].recorded
    for stored in history:
        if type(stored.recorded.event) is MatchStarted:
            return True
    return crosses(Version(first.version - 1), last.version)


def ends_command(stored: Stored) -> bool:
    """Return whether an event is the last of its command."""
    return stored.recorded.version - stored.recorded.command + 1 == stored.size


async def save_snapshot(store: Store, snapshot: Snapshot, key: RoomKey) -> None:
    """Save a snapshot; if the store is unavailable, the room is served without it."""
    try:
        await store.save_snapshot(key, snapshot)
    except StoreUnavailable as failure:
        log.warning("projection_not_kept", room=key.name, error=str(failure))


class Fold:
    """The fold of a room from a snapshot, or from its first event, to a later version."""

    def __init__(self, store: Store, key: RoomKey, start: snapshots.Restored | None) -> None:
        """Start with the content of a snapshot, None without one."""
        self._store = store
        self._key = key
        self.room = start.room if start else None
        self.head = start.head if start else NOT_BEGUN
        self.signed = start.signed if start else None
        self.idempotency = start.idempotency if start else IdempotencyRecords()
        """None if they are not known; then they are not saved either."""
        self._game = start.room.table.game if start else ""
        self._waiting: list[Snapshot] = []
        """Snapshots that are saved once the events before them are verified."""

    async def add(self, entries: Sequence[Entry]) -> list[Stored]:
        """Fold checked entries. Raises `ServiceError` (`newer_events`)."""
        self._game = self._game or first_game(self._key, entries)
        history: list[Stored] = []
        for at in range(0, len(entries), SLICE):
            part = await read_entries(self._store, self._key, self._game, entries[at : at + SLICE])
            for stored in part:
                self._take(stored)
            history += part
            await asyncio.sleep(0)
        return history

    def _take(self, stored: Stored) -> None:
        recorded = stored.recorded
        self.room = room = evolve(self.room, recorded)
        self.head = Head(recorded.version, stored.digest)
        if self.idempotency is not None:
            self.idempotency.add(stored)
        if ends_command(stored) and crosses(Version(recorded.command - 1), recorded.version):
            since = self.signed if self.signed is not None and self.signed <= recorded.version else None
            self._waiting.append(snapshots.pack(self._store.signer, room, stored.digest, since, self.idempotency))

    async def save(self, verified: Version) -> None:
        """Save the snapshots up to a version; the MAC shows that this installation wrote the events before it."""
        while self._waiting and self._waiting[0].version <= verified:
            await save_snapshot(self._store, self._waiting.pop(0), self._key)


async def load_room(store: Store, key: RoomKey) -> LoadedRoom:
    """Load a room from its newest snapshot and the events after it.

    Raises `ServiceError` (`no_such_room`, `history_damaged`, `newer_events`, `trimmed`).
    """
    snapshot = await snapshots.newest(store, key)
    start = snapshot if snapshot and snapshot.idempotency is not None else None
    fold, recent = Fold(store, key, start), list[Stored]()
    try:
        async for page in checked_to_the_end(store, key, fold, known=start is not None):
            recent = [*recent, *await fold.add(page)][-PAGE:]
    except Trimmed:
        raise ServiceError("trimmed") from None
    if fold.room is None:
        raise ServiceError("no_such_room")
    return LoadedRoom(fold.room, fold.head, fold.idempotency or IdempotencyRecords(), recent=recent, signed=fold.signed)


async def checked_to_the_end(store: Store, key: RoomKey, fold: Fold, *, known: bool) -> AsyncIterator[Sequence[Entry]]:
    """Yield all entries after a fold, page by page, which the caller adds to it.

    The newest entry must have a MAC if an earlier one has one, or if a snapshot is `known`. Raises `ServiceError`
    (`history_damaged`).
    """
    verified = fold.head.version
    while page := await store.read(key, fold.head.version, PAGE):
        chained_head(key, fold.head, page)
        if count := signed_up_to(store, key, page):
            verified = page[count - 1].version
            fold.signed = fold.signed or first_signed(store, key, page)
        yield page
        await fold.save(verified)
        if len(page) < PAGE:
            break
    unverified = verified < fold.head.version and (known or fold.signed is not None)
    if unverified and not store.signer.accepts_unsigned:
        raise damaged(key, f"the events after version {verified} have no MAC")
    await fold.save(fold.head.version)


def first_signed(store: Store, key: RoomKey, entries: Sequence[Entry]) -> Version:
    """Return the version of the first of these entries with a MAC; there is at least one."""
    return next(entry.version for entry in entries if signed_up_to(store, key, [entry]))


async def restore_at(
    histories: HistoryReader, live: LoadedRoom, version: Version, near: snapshots.Restored | None
) -> snapshots.Restored:
    """Return a room at an earlier version; `near` is a position shortly before it, if known.

    Raises `ServiceError` (`history_damaged`) and `Trimmed`.
    """
    start = near or await snapshots.newest(histories.store, live.key, version)
    fold = Fold(histories.store, live.key, start)
    fold.signed = live.signed
    fold.idempotency = None
    async for page in histories.pages(live, fold.head, version):
        await fold.add(page)
        await fold.save(fold.head.version)
    if fold.room is None:
        raise damaged(live.key, "there is no first event")
    return snapshots.Restored(fold.room, fold.head, live.signed, None)
