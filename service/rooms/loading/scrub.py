"""The check of a stored room: every digest, every MAC, the head and the snapshots."""

from collections.abc import Awaitable, Callable

from service.domain.room.model.ids import RoomKey, Version
from service.rooms.loading import snapshots
from service.rooms.loading.reader import whole_stream
from service.store.contract import Head, Store, Trimmed
from service.store.integrity import BrokenHistory

Pace = Callable[[int], Awaitable[None]]
"""Takes the number of events read, and waits so that other work is not delayed."""


async def scrub(store: Store, key: RoomKey, pace: Pace) -> int:
    """Check a room from its first event on, and return how many events it has. Raises `BrokenHistory`.

    Bad snapshots are deleted. In a closed room that was trimmed there is nothing to check.
    """
    head = (await store.heads([key]))[0]
    if head is None:
        raise BrokenHistory("its head is missing")
    count = await scrubbed(store, key, head, pace)
    await snapshots.drop_bad(store, key)
    return count


async def scrubbed(store: Store, key: RoomKey, head: Head, pace: Pace) -> int:
    """Check a room's events, one of which is at `head`, and return their number. Raises `BrokenHistory`."""
    count, found = 0, False
    try:
        async for page in whole_stream(store, key):
            count += len(page)
            found = found or any(Head(entry.version, entry.digest) == head for entry in page)
            await pace(len(page))
    except Trimmed:
        if count == 0 and await store.open_epoch(key.name) != key.epoch:
            return 0
        raise BrokenHistory(f"events after version {count} are missing") from None
    if not found:
        raise BrokenHistory(f"its head names version {head.version}, its events end at version {Version(count)}")
    return count
