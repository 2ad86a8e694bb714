"""`turnstream verify` for a store: each history is what was written, and matches all data derived from it.

The matches of all rooms are read from the indexes of the rooms.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import suppress

import msgspec
from msgspec.structs import replace

from service.domain.ids import RoomKey, Version
from service.domain.room.evolve import evolve
from service.domain.room.model.state import Room
from service.domain.room.seed_commitments import Commitments
from service.domain.streams import Stored, UnknownEvent
from service.people.player_matches.rows import entries_of
from service.programs.ops.exports.format import Damaged, named_players
from service.programs.ops.exports.room_iteration import every_room, history
from service.programs.ops.exports.streams import KINDS, check_stream, every_stream, stream_name
from service.rooms.access.audit_log import know_erased
from service.rooms.kind import ROOMS, game_of
from service.rooms.match_index import BOUNDS, ENTRY, MatchEntry, match_entry
from service.store.codec import decode
from service.store.contract import Entry, Snapshot, Store, StoreDamaged
from service.store.integrity import BrokenHistory
from service.store.player_names import ref_of
from service.store.signing import Signer
from service.streams.snapshots import BadSnapshot, unpack


class Verified(msgspec.Struct, frozen=True):
    """The counts of a room without errors."""

    events: int
    snapshots: int
    matches: int


async def verify_room(store: Store, key: RoomKey) -> Verified:
    """Check a room: versions, the chain of digests, commitments to seeds, the fold of snapshots, the index of matches.

    For a trimmed room nothing is checked. Raises `Damaged` for the first error.
    """
    entries = [entry async for page in history(store, key) for entry in page]
    if not entries:
        return Verified(0, 0, 0)
    snapshots = await snapshots_of(store, key)
    index, fold = fold_history(store.signer, entries, snapshots)
    if fold.table.key != key:
        raise Damaged(f"its first event opens another room, {fold.table.key.name}:{fold.table.key.epoch}")
    kept = await stored_matches(store, key, sorted(index))
    for number, entry in zip(sorted(index), kept, strict=True):
        if not is_entry(entry, index[number]):
            raise Damaged(f"the index entry of match {number} differs from its events")
    live = await store.open_epoch(key.name) == key.epoch
    if live == (fold.table.status == "closed"):
        raise Damaged(
            "its name is free although it is open" if not live else "its name is in use although it is closed"
        )
    return Verified(len(entries), len(snapshots), len(index))


def is_entry(stored: bytes | None, expected: bytes) -> bool:
    """Return whether a stored index entry follows from the events.

    Entries of earlier releases have no kind, or not whether the match was aborted, do not say who is a bot, and lack
    the nicknames of players who had left before it ended.
    """
    if stored is None or stored == expected:
        return stored is not None
    try:
        entry, older = ENTRY.decode(expected), ENTRY.decode(stored)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    if len(older.nicknames) != len(entry.nicknames):
        return False
    is_known = [name is not None for name in older.nicknames]
    refs = tuple([ref if known else None for ref, known in zip(entry.name_refs or is_known, is_known, strict=True)])
    entry = replace(
        entry,
        nicknames=tuple([name if known else None for name, known in zip(entry.nicknames, is_known, strict=True)]),
        name_refs=refs if entry.name_refs and any(refs) else msgspec.UNSET,
        programs=msgspec.UNSET if older.programs is msgspec.UNSET else entry.programs,
    )
    if not older.kind:
        entry = replace(entry, kind=msgspec.UNSET)
    elif entry.kind and older.kind.aborted is None:
        entry = replace(entry, kind=entry.kind.with_ending(older.kind))
    return older == entry


async def verify_streams(store: Store, say: Callable[[str], None]) -> int:
    """Check all streams other than rooms; report each damaged one, and the counts of each kind that has any.

    Return how many are damaged.
    """
    all_damaged = 0
    for kind in KINDS:
        keys, events, damaged = await every_stream(store, kind), 0, 0
        for key in keys:
            try:
                events += len((await check_stream(store, key)).records)
            except Damaged as fault:
                damaged += 1
                say(f"DAMAGED {stream_name(key)}: {fault}")
        if keys:
            say(f"{kind}: {len(keys)} streams, {events} events, damaged: {damaged}")
        all_damaged += damaged
    return all_damaged


async def verify_names(store: Store, say: Callable[[str], None]) -> int:
    """Check all nicknames, report each damaged one, and return how many are damaged."""
    await know_erased(store)
    count = 0
    for player in sorted(await named_players(store)):
        for number in (await store.player_names.stored(player)).damaged:
            count += 1
            say(f"DAMAGED nickname {ref_of(player, number)}: it is not what was stored")
    return count


async def stored_matches(store: Store, key: RoomKey, numbers: list[int]) -> list[bytes | None]:
    """Return the stored index of matches. Raises `Damaged`."""
    try:
        return await store.matches(key, numbers)
    except BrokenHistory as broken:
        raise Damaged(str(broken)) from None


async def snapshots_of(store: Store, key: RoomKey) -> dict[Version, Snapshot]:
    """Return all snapshots of a room by version."""
    found = {}
    snapshot = await store.snapshot(key)
    while snapshot is not None:
        found[snapshot.version] = snapshot
        snapshot = await store.snapshot(key, Version(snapshot.version - 1)) if snapshot.version > 1 else None
    return found


def fold_history(
    signer: Signer, entries: list[Entry], snapshots: dict[Version, Snapshot]
) -> tuple[dict[int, bytes], Room]:
    """Fold a history, compare it with the snapshots, and return the index of matches and the room. Raises `Damaged`."""
    room: Room | None = None
    index: dict[int, bytes] = {}
    commitments = Commitments()
    missing = set(snapshots)
    for entry in entries:
        stored = decode_entry(room, entry)
        room = evolve(room, stored.recorded)
        if (broken := commitments.check(stored.recorded)) is not None:
            raise Damaged(f"version {entry.version}: {broken}")
        if entry.version in snapshots:
            missing.discard(entry.version)
            compare(signer, snapshots[entry.version], room, entry)
        if type(stored.recorded.event) in BOUNDS and room.match is not None:
            index[room.match.number] = msgspec.json.encode(match_entry(room, room.match, stored.recorded))
    if missing or room is None:
        raise Damaged(f"a snapshot has version {max(missing, default=0)}, after the end of the history")
    return index, room


def decode_entry(room: Room | None, entry: Entry) -> Stored:
    """Decode an entry. Raises `Damaged` for one that this release cannot read."""
    try:
        return decode(ROOMS, game_of(room), entry)
    except UnknownEvent as unknown:
        raise Damaged(f"version {entry.version} cannot be read by this release: {unknown}") from None


def compare(signer: Signer, snapshot: Snapshot, room: Room, entry: Entry) -> None:
    """Raise `Damaged` if a snapshot that this release can read is not the fold of the events up to it."""
    try:
        kept = unpack(signer, ROOMS, room.table.key, snapshot)
    except BadSnapshot as bad:
        raise Damaged(f"the snapshot at version {entry.version} is not what was written: {bad}") from None
    if kept is not None and (kept.state, kept.head.digest) != (room, entry.digest):
        raise Damaged(f"the snapshot at version {entry.version} is not the fold of the events")


async def every_match(store: Store) -> AsyncIterator[tuple[RoomKey, list[MatchEntry]]]:
    """Yield each room with its matches; of one whose index is damaged, those that follow from its events.

    A room whose events are damaged, too, is left out; `turnstream verify` names it.
    """
    for key in await every_room(store):
        with suppress(Damaged, StoreDamaged):
            yield key, await matches_of(store, key)


async def matches_of(store: Store, key: RoomKey) -> list[MatchEntry]:
    """Return the matches of a room. Raises `Damaged`, and `StoreDamaged`."""
    try:
        entries = await entries_of(store, key)
    except (BrokenHistory, StoreDamaged):
        return [ENTRY.decode(data) for _, data in sorted((await index_of(store, key)).items())]
    return await completed(store, key, entries)


async def index_of(store: Store, key: RoomKey) -> dict[int, bytes]:
    """Return the index of a room's matches that follows from its events. Raises `Damaged`."""
    events = [entry async for page in history(store, key) for entry in page]
    return fold_history(store.signer, events, {})[0] if events else {}


async def completed(store: Store, key: RoomKey, entries: list[MatchEntry]) -> list[MatchEntry]:
    """Return entries; those of earlier releases are rebuilt from the room's events, if they are stored."""
    if not any(entry.lacks_ending for entry in entries):
        return entries
    try:
        index = await index_of(store, key)
    except Damaged:
        return entries
    return [ENTRY.decode(index[entry.number]) if entry.number in index else entry for entry in entries]
