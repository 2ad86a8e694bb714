"""All rooms of a store, and each one's history, checked as it is read."""

from collections.abc import AsyncIterator, Sequence

from service.domain.room.values import Epoch, RoomKey, RoomName
from service.operating.records import Damaged
from service.streams.codec import chained
from service.streams.contract import NOT_BEGUN, Entry, Head, Store, Trimmed

PAGE = 512


async def every_room(store: Store, *, live: bool = False) -> list[RoomKey]:
    """Return each room once; with `live` those that are closed are left out. Raises `StoreUnavailable`."""
    found: dict[RoomKey, None] = {}
    page = await store.overall.rooms(live=live)
    found.update(dict.fromkeys(page.rooms))
    while page.next is not None:
        page = await store.overall.rooms(page.next, live=live)
        found.update(dict.fromkeys(page.rooms))
    return sorted(found, key=lambda key: (key.name, key.epoch))


async def rooms_named(store: Store, names: Sequence[str]) -> list[RoomKey]:
    """Return the live rooms of these names, or `name:epoch` for any. Raises `LookupError` for one that isn't there."""
    rooms = []
    for name in names:
        room, _, epoch = name.partition(":")
        found = Epoch(epoch) if epoch else await store.live(RoomName(room))
        key = None if found is None else RoomKey(RoomName(room), found)
        if key is None or (await store.heads([key]))[0] is None:
            raise LookupError(f"no room {name}; a closed one is named with its epoch, as in friday-night:cvj2dvyw")
        rooms.append(key)
    return rooms


async def history(store: Store, key: RoomKey) -> AsyncIterator[Sequence[Entry]]:
    """Yield a room's events from its first one on, in pages. Raises `Damaged` where the chain of digests breaks."""
    head = NOT_BEGUN
    try:
        while page := await store.read(key, head.version, PAGE):
            for entry in page:
                head = follows(head, entry)
            yield page
            if len(page) < PAGE:
                break
    except Trimmed:
        if head.version == 0 and await store.live(key.name) != key.epoch:
            return  # a closed room whose time is over: its head and its results are all that is kept of it
        raise Damaged(f"events after version {head.version} are missing") from None
    told = (await store.heads([key]))[0]
    if told is None or told.version < head.version or (told.version == head.version and told != head):
        raise Damaged(f"the head doesn't name the last event, version {head.version}")


def follows(head: Head, entry: Entry) -> Head:
    """Return where a stream ends after an entry. Raises `Damaged` unless it follows without a gap and unchanged."""
    if entry.version != head.version + 1:
        raise Damaged(f"version {entry.version} follows {head.version}")
    if entry.digest != chained(head.digest, entry.data):
        raise Damaged(f"version {entry.version} is not what was written: its digest doesn't fit")
    return Head(entry.version, entry.digest)
