"""A store of event streams in the memory of one process, for tests and trials: the simplest implementation."""

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import TypeVar

from msgspec import UNSET
from msgspec.structs import replace

from service.domain.ids import DAY, Epoch, Millis, PlayerId, RoomKey, RoomName, Version
from service.store.contract import (
    NOT_BEGUN,
    Batch,
    Conflict,
    Entry,
    Head,
    LobbyPage,
    LobbyRow,
    NameTaken,
    Snapshot,
    Trimmed,
    cursor_after,
    place_before,
    place_in_lobby,
    room_at,
)
from service.store.integrity import sign_match, verify_match
from service.store.player_names import PlayerNames
from service.store.protection import Protection
from service.store.signing import COMMAND, Signer
from service.store.stream_keys import PLAYER, WEBHOOKS, DueKey, KindKey, StreamKey, due_member, is_webhooks, member
from tests.memory_store.admin_store import MemoryAdminStore
from tests.memory_store.identity import MemoryIdentity
from tests.memory_store.leaderboards import MemoryLeaderboards
from tests.memory_store.name_table import MemoryNameTable
from tests.memory_store.notable_matches import MemoryNotableMatches
from tests.memory_store.outbox import MemoryOutbox
from tests.memory_store.player_matches import MemoryPlayerMatches
from tests.memory_store.side_channels import MemorySideChannels
from tests.memory_store.worker_store import MemoryWorkerStore

Key = TypeVar("Key", bound=StreamKey)


def system_clock() -> Millis:
    """Return the time of this machine's clock."""
    return Millis(time.time_ns() // 1_000_000)


@dataclass(slots=True)
class Stream:
    """One stream's events, and a room's match index and snapshots."""

    head: Head = NOT_BEGUN
    entries: list[Entry] = field(default_factory=list)
    matches: dict[int, bytes] = field(default_factory=dict)
    snapshots: dict[Version, Snapshot] = field(default_factory=dict)


class MemoryStore:
    """A store that exists as long as its process. No method awaits anything between its check and its write."""

    def __init__(self, clock: Callable[[], Millis] = system_clock, signer: Signer | None = None) -> None:
        """Start without rooms. `clock` is the store's clock. The `signer` makes the MACs of commands."""
        self.signer = signer or Signer()
        self._clock = clock
        self._streams: dict[StreamKey, Stream] = {}
        self._names: dict[RoomName, Epoch] = {}
        self._due: dict[DueKey, Millis] = {}
        self._read: dict[StreamKey, Millis] = {}
        self._lobby: dict[RoomKey, LobbyRow] = {}
        self._rooms_of: dict[PlayerId, dict[RoomKey, None]] = {}
        self._subscriptions: dict[StreamKey, Callable[[Version], None]] = {}
        self.side_channels = MemorySideChannels(clock)
        self.outbox = MemoryOutbox(self._due)
        self.leaderboards = MemoryLeaderboards(clock)
        self.player_matches = MemoryPlayerMatches()
        self.notable_matches = MemoryNotableMatches()
        self.worker_store = MemoryWorkerStore(clock, lambda: self._due, self._trim)
        self.name_table = MemoryNameTable(Protection(self.signer, self._sign_off))
        lines = self.side_channels.shared.lines
        self.admin_store = MemoryAdminStore(
            clock, self._streams, self._names, lines, self.name_table, self.player_matches
        )
        self.player_names = PlayerNames(self.name_table)
        self.identity = MemoryIdentity()

    async def _sign_off(self) -> bytes:
        return self.admin_store.sign_off

    async def append(self, key: StreamKey, after: Head, batch: Batch) -> None:
        """Append a command's events if the stream ends at `after`. Raises `Conflict`, and `NameTaken` for a claim."""
        if batch.name == "claim" and key.name in self._names:
            raise NameTaken(key.name)
        for version, entry in enumerate(batch.entries, after.version + 1):
            if entry.version != version:
                raise ValueError(f"version {entry.version} does not follow {version - 1}")
        self._write(key, after, batch)
        if isinstance(key, RoomKey) and batch.name == "claim":
            self._names[key.name] = key.epoch
        if isinstance(key, RoomKey) and batch.name == "free" and self._names.get(key.name) == key.epoch:
            del self._names[key.name]
            self.worker_store.noted.closed[key] = self._clock()

    def _write(self, key: StreamKey, after: Head, batch: Batch) -> None:
        stream = self._streams.get(key, Stream())
        if stream.head != after:
            raise Conflict(stream.head)
        if batch.entries:
            *others, last = batch.entries
            mac = self.signer.sign(COMMAND, key, last.version, last.digest)
            stream.entries += [*others, replace(last, mac=mac)]
            stream.head = Head(last.version, last.digest)
        self.identity.appended += len(batch.entries)
        self._streams[key] = stream
        if isinstance(key, RoomKey):
            self._project(key, stream, batch)
        if batch.outbox and self._read.get(key, 0) >= batch.read_at:
            self.outbox.add(member(key).decode(), stream.head.version, batch.outbox)
        if batch.read_until:
            self._read[key] = max(batch.read_until, self._read.get(key, Millis(0)))
        self._set_due(key, batch)
        if isinstance(key, KindKey) and batch.wakes:
            webhooks = KindKey(WEBHOOKS, key.id)
            if self._due.get(webhooks, 0) > batch.wakes:
                self._due[webhooks] = Millis(0)
        if batch.entries and key in self._subscriptions:
            asyncio.get_running_loop().call_soon(self._notify, key, stream.head.version, self._subscriptions[key])

    def _project(self, key: RoomKey, stream: Stream, batch: Batch) -> None:
        stream.matches.update({number: sign_match(self.signer, key, number, data) for number, data in batch.matches})
        if batch.lobby is not UNSET and batch.lobby != self._lobby.get(key):
            self._show(key, batch.lobby)

    def _set_due(self, key: StreamKey, batch: Batch) -> None:
        if batch.due is None:
            self._due.pop(key, None)
        elif batch.due is not UNSET:
            self._due[key] = batch.due

    def _show(self, key: RoomKey, card: LobbyRow | None) -> None:
        """Put a room into the lobby, or remove it."""
        self._lobby.pop(key, None)
        if card is not None:
            self._lobby[key] = card
        self.side_channels.lobby_changed(key, card.data if card else None)

    def _trim(self, key: RoomKey) -> None:
        stream = self._streams[key]
        stream.entries.clear()
        stream.snapshots.clear()

    def _notify(self, key: StreamKey, version: Version, on_append: Callable[[Version], None]) -> None:
        if self._subscriptions.get(key) is on_append:
            on_append(version)

    async def wait_until_durable(self, key: StreamKey) -> None:
        """Return immediately: nothing in memory is durable."""

    async def open_epoch(self, name: RoomName) -> Epoch | None:
        """Return the epoch of the open room of this name, None if there is none."""
        return self._names.get(name)

    async def heads(self, keys: Sequence[StreamKey]) -> list[Head | None]:
        """Return the head of each stream, None for one that never began."""
        heads = (self._streams.get(key, Stream()).head for key in keys)
        return [None if head == NOT_BEGUN else head for head in heads]

    async def read(self, key: StreamKey, after: Version, limit: int | None = None) -> list[Entry]:
        """Return the entries with versions from `after + 1` on, at most `limit`. Raises `Trimmed`."""
        stream = self._streams.get(key, Stream())
        entries = [entry for entry in stream.entries if entry.version > after]
        if stream.head.version > after and (not stream.entries or stream.entries[0].version > after + 1):
            raise Trimmed(after)
        return entries[:limit]

    async def trim_before(self, key: StreamKey, version: Version) -> None:
        """Delete a stream's entries before a version. Its head does not change."""
        stream = self._streams.get(key, Stream())
        stream.entries[:] = [entry for entry in stream.entries if entry.version >= version]

    async def first_version(self, key: StreamKey) -> Version | None:
        """Return the version of a stream's oldest entry, None for one without entries."""
        entries = self._streams.get(key, Stream()).entries
        return entries[0].version if entries else None

    async def save_snapshot(self, key: StreamKey, snapshot: Snapshot) -> None:
        """Store a snapshot; only the latest one keeps its idempotency records."""
        kept = self._streams.setdefault(key, Stream()).snapshots
        kept[snapshot.version] = snapshot
        latest = max(kept)
        kept.update({version: replace(old, idempotency=b"") for version, old in kept.items() if version != latest})
        versions = sorted(kept)
        for earlier, later in pairwise(versions[:-4]):
            if earlier // 1000 == later // 1000:
                del kept[later]

    async def snapshot(self, key: StreamKey, at: Version | None = None) -> Snapshot | None:
        """Return the newest snapshot, or the newest one with a version of at most `at`."""
        kept = self._streams.get(key, Stream()).snapshots
        versions = [version for version in kept if at is None or version <= at]
        return kept[max(versions)] if versions else None

    async def drop_snapshot(self, key: StreamKey, version: Version) -> None:
        """Delete the snapshot of a version."""
        self._streams.get(key, Stream()).snapshots.pop(version, None)

    async def matches(self, key: RoomKey, numbers: Sequence[int]) -> list[bytes | None]:
        """Return match index entries by number. Raises `BrokenHistory` for an invalid MAC."""
        index = self._streams.get(key, Stream()).matches
        pairs = [(number, index.get(number)) for number in numbers]
        return [kept and verify_match(self.signer, key, number, kept) for number, kept in pairs]

    async def lobby(self, cursor: str | None, limit: int) -> LobbyPage:
        """Return a page of the lobby, newest room first. Raises `ValueError` for an invalid cursor."""
        before = None if cursor is None else place_before(cursor)
        places = sorted((place_in_lobby(card.opened, key) for key, card in self._lobby.items()), reverse=True)
        ahead = [place for place in places if before is None or place < before]
        page = ahead[:limit]
        rows = tuple((room_at(place), self._lobby[room_at(place)].data) for place in page)
        return LobbyPage(rows, cursor_after(page[-1]) if page and len(ahead) > limit else None)

    async def claim_due(self, now: Millis, lease: Millis, limit: int, *, webhooks: bool = False) -> list[DueKey]:
        """Return what is due at `now`, the longest due first, and hide it from others until `now + lease`."""
        known = [each for each in self._due.items() if is_webhooks(each[0]) == webhooks]
        due = sorted((moment, due_member(key), key) for key, moment in known if moment <= now)
        claimed = [key for _, _, key in due[:limit]]
        self._due.update(dict.fromkeys(claimed, Millis(now + lease)))
        return claimed

    async def settle_webhooks(self, key: KindKey, seen: Version, seen_of_owner: Version, due: Millis | None) -> None:
        """Set when webhooks are due again, None for never; at once if one of the two streams has newer events."""
        heads = [self._streams.get(each, Stream()).head.version for each in (key, KindKey(PLAYER, key.id))]
        self._set_due(key, Batch((), due=due if heads == [seen, seen_of_owner] else Millis(0)))

    async def remember_room(self, player: PlayerId, key: RoomKey) -> None:
        """Record that a player may be in a room. A room that is already recorded keeps its place."""
        self._rooms_of.setdefault(player, {})[key] = None

    async def forget_room(self, player: PlayerId, key: RoomKey) -> None:
        """Delete that record."""
        self._rooms_of.get(player, {}).pop(key, None)

    async def rooms_of(self, player: PlayerId) -> list[RoomKey]:
        """Return the recorded rooms of a player, oldest first."""
        return list(self._rooms_of.get(player, {}))

    async def turns_read_until(self, key: StreamKey) -> Millis:
        """Return until when the turns of a player, or those that begin in a room, are read; 0 if they were not."""
        return self._read.get(key, Millis(0))

    async def read_turns(self, key: StreamKey, until: Millis) -> None:
        """Record that turns are read until this time at least, and delete the times that are three days earlier."""
        for ended in [each for each, end in self._read.items() if end < until - 3 * DAY]:
            del self._read[ended]
        self._read[key] = max(until, await self.turns_read_until(key))

    async def subscribe(self, key: Key, on_append: Callable[[Key, Version], None]) -> None:
        """Call `on_append` after every append to this stream from now on. A second `subscribe` replaces the first."""
        self._subscriptions[key] = partial(on_append, key)

    async def unsubscribe(self, key: StreamKey) -> None:
        """End the subscription to a stream."""
        self._subscriptions.pop(key, None)

    async def time(self) -> Millis:
        """Return the time of the store's clock."""
        return self._clock()

    async def check(self) -> list[str]:
        """Return the warning that nothing is durable."""
        return ["the store is the memory of this process: all rooms are lost when the process ends"]

    async def close(self) -> None:
        """End all subscriptions."""
        self._subscriptions.clear()
