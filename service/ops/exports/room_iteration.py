"""All rooms of a store, and each one's history, checked as it is read."""

from collections.abc import AsyncIterator, Sequence

from service.domain.room.model.ids import Epoch, RoomKey, RoomName
from service.ops.exports.format import Damaged
from service.store.contract import NOT_BEGUN, Entry, Head, Store, Trimmed
from service.store.integrity import BrokenHistory, HistoryCheck, next_head

PAGE = 512


async def every_room(store: Store, *, live: bool = False) -> list[RoomKey]:
    """Return each room once; with `live` those that are closed are left out. Raises `StoreUnavailable`."""
    found: dict[RoomKey, None] = {}
    page = await store.admin_store.rooms(live=live)
    found.update(dict.fromkeys(page.rooms))
    while page.next is not None:
        page = await store.admin_store.rooms(page.next, live=live)
        found.update(dict.fromkeys(page.rooms))
    return sorted(found, key=lambda key: (key.name, key.epoch))


async def rooms_named(store: Store, names: Sequence[str]) -> list[RoomKey]:
    """Return the live rooms of these names, or `name:epoch` for any. Raises `LookupError` for one that isn't there."""
    rooms = []
    for name in names:
        room, _, epoch = name.partition(":")
        found = Epoch(epoch) if epoch else await store.open_epoch(RoomName(room))
        key = None if found is None else RoomKey(RoomName(room), found)
        if key is None or (await store.heads([key]))[0] is None:
            raise LookupError(f"no room {name}; a closed one is named with its epoch, as in friday-night:cvj2dvyw")
        rooms.append(key)
    return rooms


async def head_of(store: Store, key: RoomKey) -> Head:
    """Return where a room's stream ends. Raises `Damaged` where that is missing or can't be read."""
    try:
        head = (await store.heads([key]))[0]
    except ValueError as fault:
        raise Damaged(f"its head can't be read: {fault}") from None
    if head is None:
        raise Damaged("its head is missing")
    return head


async def history(store: Store, key: RoomKey) -> AsyncIterator[Sequence[Entry]]:
    """Yield a room's events from its first one on, in pages. Raises `Damaged` where the chain of digests breaks."""
    async for page in history_up_to(store, key, await head_of(store, key)):
        yield page


async def history_up_to(store: Store, key: RoomKey, end: Head) -> AsyncIterator[Sequence[Entry]]:
    """Yield a room's events up to a head of it, in pages. Raises `Damaged` where the chain does not lead to that head.

    A closed room that was trimmed has none: its head and its results are all that is kept of it.
    """
    check, head = HistoryCheck(store.signer, key), NOT_BEGUN
    try:
        while head.version < end.version:
            page = await store.read(key, head.version, min(PAGE, end.version - head.version))
            if not page:
                break
            check.add(page)
            head = check.head
            yield page
        if head != end or await goes_on_behind(store, key, end):
            raise Damaged(f"the head doesn't name the last event, version {head.version}")
        check.end()
    except Trimmed:
        if head.version == 0 and await store.open_epoch(key.name) != key.epoch:
            return
        raise Damaged(f"events after version {head.version} are missing") from None
    except BrokenHistory as broken:
        raise Damaged(str(broken)) from None
    except (ValueError, IndexError) as fault:
        raise Damaged(f"what follows version {head.version} can't be read: {fault}") from None


async def goes_on_behind(store: Store, key: RoomKey, end: Head) -> bool:
    """Return whether the stream has events after a head that is still the room's head: they were never appended."""
    return bool(await store.read(key, end.version, 1)) and await head_of(store, key) == end


def follows(head: Head, entry: Entry) -> Head:
    """Return where a stream ends after an entry. Raises `Damaged` unless it follows without a gap and unchanged."""
    try:
        return next_head(head, entry)
    except BrokenHistory as broken:
        raise Damaged(str(broken)) from None
