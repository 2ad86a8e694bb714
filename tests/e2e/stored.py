"""What the store contains: each room's commands, and whether its stream is consistent."""

from collections.abc import Iterable, Sequence

import msgspec

from service.domain.ids import RoomKey, Version
from service.rooms.kind import ROOM_EVENTS, ROOMS
from service.store.codec import chain_digest, decode
from service.store.contract import Entry, Head, Store


class StoredCommand(msgspec.Struct, frozen=True):
    """A command as the store has it: the versions of its first and last event."""

    player: str
    key: str
    first: int
    last: int


class StoredRoom(msgspec.Struct, frozen=True):
    """A room as the store has it; `faults` lists inconsistencies of its stream."""

    key: RoomKey
    version: int
    commands: tuple[StoredCommand, ...]
    faults: tuple[str, ...]


async def stored_rooms(store: Store) -> list[StoredRoom]:
    """Read every room of a store."""
    keys: list[RoomKey] = []
    cursor = None
    while True:
        page = await store.admin_store.rooms(cursor)
        keys += page.items
        cursor = page.next
        if cursor is None:
            break
    rooms = []
    for key in dict.fromkeys(keys):
        [head] = await store.heads([key])
        entries = await store.read(key, Version(0))
        rooms.append(stored_room(key, entries, head))
    return rooms


def stored_room(key: RoomKey, entries: Sequence[Entry], head: Head | None) -> StoredRoom:
    """Return the commands and faults in a room's entries."""
    faults = list(chain_faults(entries))
    if entries and head != Head(entries[-1].version, entries[-1].digest):
        faults.append(f"the head {head} is not that of version {entries[-1].version}")
    game = ""
    commands = []
    for entry in entries:
        stored = decode(ROOMS, game, entry)
        recorded = stored.recorded
        game = game or recorded.event.game
        if stored.idempotency_key is not None:
            last = int(recorded.command) + stored.size - 1
            commands.append(StoredCommand(str(recorded.by), stored.idempotency_key.value, int(recorded.version), last))
    return StoredRoom(key, entries[-1].version if entries else 0, tuple(commands), tuple(faults))


def chain_faults(entries: Sequence[Entry]) -> Iterable[str]:
    """Yield what is wrong with the order, the digests and the commands of a stream."""
    digest, expected = b"", 1
    for entry in entries:
        if entry.version != expected:
            yield f"version {entry.version} where {expected} was expected"
        digest = chain_digest(digest, entry.data)
        if entry.digest != digest:
            yield f"version {entry.version} does not continue the chain"
        envelope = ROOM_EVENTS.decoder.decode(entry.data)
        if envelope.index >= envelope.size:
            yield f"version {entry.version} is event {envelope.index} of {envelope.size}"
        expected = entry.version + 1
    if entries:
        envelope = ROOM_EVENTS.decoder.decode(entries[-1].data)
        if envelope.index + 1 != envelope.size:
            yield f"the command of version {entries[-1].version} is incomplete"
