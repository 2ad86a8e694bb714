"""The verb `erasures`: the players who were erased, for stores that are restored from earlier backups."""

import argparse
from pathlib import Path

from service.domain.ids import PlayerId
from service.programs.ops.verbs import Site, say
from service.rooms.access.audit_log import erased_players


async def erasures(site: Site, _: argparse.Namespace) -> int:
    """Print the id of each erased player, one per line."""
    for player in sorted(await erased_players(site.store)):
        say(player)
    return 0


def players_in(file: str) -> tuple[PlayerId, ...]:
    """Return the players whose ids a file has, one per line. Raises `OSError`."""
    return tuple(PlayerId(line.strip()) for line in Path(file).read_text().splitlines() if line.strip())
