"""`turnstream player-matches`: operators compare the index of players' matches with the rooms, or rebuild it."""

import argparse
from collections.abc import Collection
from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace

from service.domain.ids import Millis, PlayerId
from service.people.player_matches.rows import (
    MATCH,
    UNREADABLE,
    add_matches,
    every_player,
    result_problems,
    row_of,
    rows_of,
)
from service.programs.ops.data_loss import require_no_loss
from service.programs.ops.exports.verify import every_match
from service.programs.ops.progress import Progress
from service.programs.ops.verbs import Site, say
from service.rooms.access.audit_log import erased_players
from service.rooms.match_index import PlayedMatch, played_matches
from service.store.contract import CountedByOthers, StoreDamaged
from service.store.stream_keys import PLAYED
from service.streams.outboxes import arrivals_by_kind

SETTLED = Millis(60_000)
"""How long before the check a match must have ended if it has to be in a room that was read before the index."""

MOST_PENDING = 1_000_000
"""How many entries of an outbox are read."""

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


class Checked(NamedTuple):
    """How many matches the index of players' matches has, and how many problems were found."""

    matches: int
    problems: int


async def verify_player_matches(site: Site, _: argparse.Namespace) -> int:
    """Compare the index with the rooms, and its results with its matches; print what differs."""
    checked = await check_players(site)
    say(f"{checked.matches} matches of players, problems: {checked.problems}")
    return 1 if checked.problems else 0


async def check_players(site: Site) -> Checked:
    """Compare the index with the rooms, print what differs, and return how much was checked."""
    store, started = site.store, await site.store.time()
    progress, erased = Progress("rooms read"), await erased_players(store)
    expected: dict[PlayerId, Matches] = {}
    async for _key, entries in every_match(store):
        for player, played in (each for entry in entries for each in played_matches(entry)):
            if player not in erased:
                expected.setdefault(player, {})[played.id] = row_of(played).data
        progress.add()
    progress.end()
    pending, problems = await pending_matches(site)
    rows = 0
    for player in sorted({*expected, *await every_player(store)}):
        found: list[PlayedMatch] = []
        try:
            found = [played async for played in rows_of(store, player)]
            wrong = [*row_problems(found, expected.get(player, {}), pending, Millis(started - SETTLED))]
            with suppress(CountedByOthers):  # they are counted again when they are read
                wrong += await result_problems(store, player, found)
        except (StoreDamaged, *UNREADABLE) as fault:
            wrong = [f"{fault}; it is rebuilt when it is read"]
        for problem in wrong:
            say(f"DAMAGED {player}: {problem}")
        rows, problems = rows + len(found), problems + len(wrong)
    return Checked(rows, problems)


async def pending_matches(site: Site) -> tuple[set[str], int]:
    """Return the ids of the matches that outboxes still have to deliver to the index, which may therefore lack them.

    Print which outboxes are damaged, and also return how many.
    """
    found, damaged = set[str](), 0
    for partition in range(site.settings.partitions):
        try:
            arrivals = arrivals_by_kind(await site.store.outbox.pending(partition, MOST_PENDING)).get(PLAYED, {})
            found |= {MATCH.decode(arrival.event).id for ended in arrivals.values() for arrival in ended}
        except (StoreDamaged, *UNREADABLE) as fault:
            damaged += 1
            say(f"DAMAGED outbox {partition}: {fault}")
    return found, damaged


def row_problems(found: list[PlayedMatch], expected: Matches, pending: Collection[str], until: Millis) -> list[str]:
    """Return how the rows of a player differ from those that follow from the rooms.

    It may lack pending matches, and have some that ended after `until`.
    """
    rows = {played.id: played for played in found}
    late = {played.id for played in found if played.ended > until}
    surplus = [f"{match} is in no room" for match in rows.keys() - expected.keys() - late]
    missing = [f"{match} is missing" for match in expected.keys() - rows.keys() - set(pending)]
    differing = [
        f"{match} differs from its room"
        for match in rows.keys() & expected.keys()
        if not is_row(rows[match], expected[match])
    ]
    return sorted([*surplus, *missing, *differing])


def is_row(played: PlayedMatch, expected: bytes) -> bool:
    """Return whether a row is the one that follows from the room; one of an earlier release has not how it ended."""
    wanted = MATCH.decode(expected)
    if played.kind.aborted is None:
        wanted = replace(wanted, kind=wanted.kind.with_ending(played.kind))
    return played == wanted
