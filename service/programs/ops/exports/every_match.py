"""Iteration over the matches of all rooms, from the indexes of the rooms."""

from collections.abc import AsyncIterator
from contextlib import suppress

from service.domain.ids import RoomKey
from service.people.player_matches.recount import entries_of
from service.programs.ops.exports.format import Damaged
from service.programs.ops.exports.room_iteration import every_room, history
from service.programs.ops.exports.verify import fold_history
from service.rooms.match_index import ENTRY, MatchEntry
from service.store.contract import Store, StoreDamaged
from service.store.integrity import BrokenHistory


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
