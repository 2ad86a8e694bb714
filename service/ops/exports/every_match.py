"""Iteration over the matches of all rooms, from the indexes of the rooms."""

from collections.abc import AsyncIterator

import msgspec

from service.domain.room.model.ids import RoomKey
from service.ops.exports.format import Damaged
from service.ops.exports.room_iteration import every_room, history
from service.ops.exports.verify import fold_history
from service.player_matches.recount import ENTRY, entries_of
from service.rooms.match_index import MatchEntry
from service.store.contract import Store
from service.store.integrity import BrokenHistory


async def every_match(store: Store) -> AsyncIterator[tuple[RoomKey, list[MatchEntry]]]:
    """Yield each room with its matches. A room whose index is damaged is left out; `turnstream verify` names it."""
    for key in await every_room(store):
        try:
            entries = await entries_of(store, key)
        except BrokenHistory:
            continue
        yield key, await with_kinds(store, key, entries)


async def with_kinds(store: Store, key: RoomKey, entries: list[MatchEntry]) -> list[MatchEntry]:
    """Return entries; those of earlier releases are rebuilt from the room's events, if they are stored."""
    if all(entry.kind is not msgspec.UNSET for entry in entries):
        return entries
    try:
        events = [entry async for page in history(store, key) for entry in page]
        index = fold_history(store.signer, events, {})[0] if events else {}
    except Damaged:
        return entries
    return [ENTRY.decode(index[entry.number]) if entry.number in index else entry for entry in entries]
