"""`turnstream player-matches`: operators compare the index of players' matches with the rooms, or rebuild it."""

import argparse

from service.domain.room.model.ids import Millis, PlayerId
from service.ops.data_loss import require_no_loss
from service.ops.exports.every_match import every_match
from service.ops.progress import Progress
from service.ops.verbs import Site, say
from service.player_matches.recount import add_matches, every_player, result_problems, rows_of
from service.player_matches.rows import MATCH, row_of
from service.rooms.access.audit_log import erased_players
from service.rooms.match_index import PlayedMatch, played_matches

SETTLED = Millis(60_000)
"""How long after its end a match may still be missing in the index."""

Matches = dict[str, bytes]
"""The rows of a player by the ids of the matches."""


async def rebuild_player_matches(site: Site, _: argparse.Namespace) -> int:
    """Delete the index of players' matches, and rebuild it from the rooms. Raises `StoreLost`."""
    await require_no_loss(site.store, site.settings)
    progress, erased = Progress("rooms read"), await erased_players(site.store)
    for player in await every_player(site.store):
        await site.store.player_matches.discard(player)
    rows = 0
    async for _key, entries in every_match(site.store):
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
    async for _key, entries in every_match(store):
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
