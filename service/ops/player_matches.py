"""`turnstream player-matches`: operators compare the index of players' matches with the rooms, or make it again."""

import argparse
from collections.abc import AsyncIterator

import msgspec

from service.domain.room.model.ids import Millis, PlayerId, RoomKey
from service.ops.data_loss import require_no_loss
from service.ops.exports.format import Damaged
from service.ops.exports.room_iteration import every_room, history
from service.ops.exports.verify import fold_history
from service.ops.progress import Progress
from service.ops.verbs import Site, say
from service.player_matches.recount import ENTRY, add_matches, entries_of, every_player, result_problems, rows_of
from service.player_matches.rows import MATCH, row_of
from service.rooms.access.audit_log import erased_players
from service.rooms.match_index import MatchEntry, PlayedMatch, played_matches
from service.store.contract import Store
from service.store.integrity import BrokenHistory

SETTLED = Millis(60_000)
"""How long after its end a match may be on its way to the index."""

Matches = dict[str, bytes]
"""The rows of a player by the ids of the matches."""


async def every_match(store: Store) -> AsyncIterator[list[MatchEntry]]:
    """Yield the matches of each room. A room whose index is damaged is left out; `turnstream verify` names it."""
    for key in await every_room(store):
        try:
            entries = await entries_of(store, key)
        except BrokenHistory:
            continue
        yield await with_kinds(store, key, entries)


async def with_kinds(store: Store, key: RoomKey, entries: list[MatchEntry]) -> list[MatchEntry]:
    """Return entries of which those of earlier releases are made again from the room's events, if it has them."""
    if all(entry.kind is not msgspec.UNSET for entry in entries):
        return entries
    try:
        events = [entry async for page in history(store, key) for entry in page]
        index = fold_history(store.signer, events, {})[0] if events else {}
    except Damaged:
        return entries
    return [ENTRY.decode(index[entry.number]) if entry.number in index else entry for entry in entries]


async def rebuild_player_matches(site: Site, _: argparse.Namespace) -> int:
    """Delete the index of players' matches, and make it again from the rooms. Raises `StoreLost`."""
    await require_no_loss(site.store, site.settings)
    progress, erased = Progress("rooms read"), await erased_players(site.store)
    for player in await every_player(site.store):
        await site.store.player_matches.discard(player)
    rows = 0
    async for entries in every_match(site.store):
        rows += await add_matches(site.store, entries, erased)
        progress.add()
    progress.end()
    say(f"{rows} matches of {len(await every_player(site.store))} players")
    return 0


async def verify_player_matches(site: Site, _: argparse.Namespace) -> int:
    """Compare the index with the rooms, and its results with its matches; print what differs."""
    store, started = site.store, await site.store.time()
    progress, erased = Progress("rooms read"), await erased_players(store)
    expected: dict[PlayerId, Matches] = {}
    async for entries in every_match(store):
        for player, played in (each for entry in entries for each in played_matches(entry)):
            if player not in erased:
                expected.setdefault(player, {})[played.id] = row_of(played).data
        progress.add()
    progress.end()
    rows = problems = 0
    for player in sorted({*expected, *await every_player(store)}):
        found = [played async for played in rows_of(store, player)]
        wrong = [*row_problems(found, expected.get(player, {}), Millis(started - SETTLED))]
        wrong += await result_problems(store, player, found)
        for problem in wrong:
            say(f"DAMAGED {player}: {problem}")
        rows, problems = rows + len(found), problems + len(wrong)
    say(f"{rows} matches of players, problems: {problems}")
    return 1 if problems else 0


def row_problems(found: list[PlayedMatch], expected: Matches, until: Millis) -> list[str]:
    """Return how the rows of a player differ from those that follow from the rooms; ends after `until` may do so."""
    rows = {played.id: row_of(played) for played in found}
    late = {played.id for played in found if played.ended > until}
    surplus = [f"{match} is in no room" for match in rows.keys() - expected.keys() - late]
    missing = [
        f"{match} is missing" for match in expected.keys() - rows.keys() if MATCH.decode(expected[match]).ended <= until
    ]
    differing = [
        f"{match} differs from its room"
        for match in rows.keys() & expected.keys()
        if rows[match].data != expected[match]
    ]
    return sorted([*surplus, *missing, *differing])
