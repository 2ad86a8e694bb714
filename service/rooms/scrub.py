"""The check of a stored room: every digest, every MAC, the head and the snapshots; and of the protected values.

Protected values without a MAC get one on the way. A pass over all of them that finds none without is the proof that no
older release writes any longer: then the store is signed off, and from then on a value without a MAC is damaged.
"""

from collections.abc import Awaitable, Callable
from typing import NamedTuple

from service.domain.ids import RoomKey, Version
from service.rooms.kind import ROOMS
from service.store.contract import Head, Store, Trimmed
from service.store.integrity import BrokenHistory
from service.streams.reader import whole_stream
from service.streams.snapshots import drop_bad

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
    await drop_bad(store, ROOMS, key)
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


class SignedPage(NamedTuple):
    """What was done to a page of the protected values, and the cursor of the next one (None at the end)."""

    signed: int
    damaged: int
    next: str | None


async def sign_page(store: Store, cursor: str | None) -> SignedPage:
    """Check a page of the protected values, and sign those without a current MAC. Raises `ValueError` for a bad cursor.

    An older release that still runs is known by what it writes without MACs until the pass after the one that it met.
    """
    page = await store.admin_store.named_players(cursor)
    found = [await store.player_names.sign(player) for player in set(page.items)]
    return SignedPage(sum(each.signed for each in found), sum(each.damaged for each in found), page.next)
