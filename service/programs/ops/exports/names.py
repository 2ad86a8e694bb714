"""Nicknames in exports, which events refer to; those of erased players are not read into a store again."""

import re
from collections.abc import Collection
from typing import IO

from service.domain.ids import NameRef, PlayerId
from service.programs.ops.exports.format import NamesLine
from service.rooms.access.audit_log import AuditLog, PlayerErased, erased_players
from service.store.contract import Store
from service.store.player_names import player_of

NAME_REF = re.compile(rb'"name_ref":"([^"\\]+)"')
"""A reference to a nickname in a stored event."""

SINCE = "erased after the export was made"
"""The reason in the audit log."""


async def named_players(store: Store) -> set[PlayerId]:
    """Return all players with nicknames."""
    page = await store.admin_store.named_players()
    found = set(page.players)
    while page.next is not None:
        page = await store.admin_store.named_players(page.next)
        found |= set(page.players)
    return found


def named_in(file: IO[bytes]) -> set[PlayerId]:
    """Return the players to whose nicknames the events in a room's lines refer."""
    file.seek(0)
    return {player_of(NameRef(ref.decode())) for line in file for ref in NAME_REF.findall(line)}


async def names_line(store: Store, player: PlayerId) -> tuple[NamesLine | None, tuple[str, ...]]:
    """Return the line with the nicknames of a player, None if there are none, and the numbers of damaged ones."""
    names, damaged = await store.player_names.stored(player)
    return NamesLine(player, names) if names else None, damaged


async def import_names(store: Store, line: NamesLine, erased: Collection[PlayerId]) -> None:
    """Write the nicknames of a player, unless the player was erased after the export was made."""
    if line.names not in erased:
        for number, nickname in line.e.items():
            await store.player_names.table.add(line.names, number, nickname)


async def record_erasures(store: Store, players: Collection[PlayerId]) -> set[PlayerId]:
    """Record erasures in the audit log that it does not have, and return all erased players."""
    known = await erased_players(store)
    for player in sorted(set(players) - known):
        await AuditLog(store).record(PlayerErased(SINCE, player))
    return known | set(players)
