"""Iteration over the rooms of a store and over their histories, which are checked as they are read."""

from collections.abc import AsyncIterator, Sequence
from functools import partial

from service.domain.ids import Epoch, RoomKey, RoomName
from service.programs.ops.exports.format import Damaged
from service.store.contract import NOT_BEGUN, Entry, Head, Store, StoreDamaged, Trimmed, every
from service.store.integrity import BrokenHistory, HistoryCheck, next_head
from service.store.stream_keys import StreamKey

PAGE = 512


async def every_room(store: Store, *, live: bool = False) -> list[RoomKey]:
    """Return each room once, with `live` only open ones. Raises `StoreUnavailable`."""
    found = await every(partial(store.admin_store.rooms, live=live))
    return sorted(found, key=lambda key: (key.name, key.epoch))


async def rooms_named(store: Store, names: Sequence[str]) -> list[RoomKey]:
    """Return the open rooms of these names; `name:epoch` names any room. Raises `LookupError` for an unknown room."""
    rooms = []
    for name in names:
        room, _, epoch = name.partition(":")
        found = Epoch(epoch) if epoch else await store.open_epoch(RoomName(room))
        key = None if found is None else RoomKey(RoomName(room), found)
        if key is None or (await store.heads([key]))[0] is None:
            raise LookupError(f"there is no room {name}; name a closed one with its epoch, as in friday-night:cvj2dvyw")
        rooms.append(key)
    return rooms


async def head_of(store: Store, key: StreamKey) -> Head:
    """Return the head of a stream. Raises `Damaged` if it is missing or unreadable."""
    try:
        head = (await store.heads([key]))[0]
    except (ValueError, StoreDamaged) as fault:
        raise Damaged(f"its head cannot be read: {fault}") from None
    if head is None:
        raise Damaged("its head is missing")
    return head


async def history(store: Store, key: RoomKey) -> AsyncIterator[Sequence[Entry]]:
    """Yield all events of a room in pages. Raises `Damaged` if the chain of digests is broken."""
    async for page in history_up_to(store, key, await head_of(store, key)):
        yield page


async def history_up_to(store: Store, key: RoomKey, end: Head) -> AsyncIterator[Sequence[Entry]]:
    """Yield a room's events up to a head in pages. Raises `Damaged` if the chain of digests does not lead to that head.

    A trimmed room has no events: only its head and its results are kept.
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
        if head != end or await has_more_after(store, key, end):
            raise Damaged(f"the head does not match the last event, version {head.version}")
        check.end()
    except Trimmed:
        if head.version == 0 and await store.open_epoch(key.name) != key.epoch:
            return
        raise Damaged(f"events after version {head.version} are missing") from None
    except BrokenHistory as broken:
        raise Damaged(str(broken)) from None
    except (ValueError, IndexError, StoreDamaged) as fault:
        raise Damaged(f"the events after version {head.version} cannot be read: {fault}") from None


async def has_more_after(store: Store, key: StreamKey, end: Head) -> bool:
    """Return whether a stream has events after its head, which no append can have written."""
    return bool(await store.read(key, end.version, 1)) and await head_of(store, key) == end


def advance_head(head: Head, entry: Entry) -> Head:
    """Return the head after an entry. Raises `Damaged` for a gap or a wrong digest."""
    try:
        return next_head(head, entry)
    except BrokenHistory as broken:
        raise Damaged(str(broken)) from None
