"""`turnstream notable`: operators verify the boards of notable matches, or rebuild them."""

import argparse

from service.contests.notable import NotableService
from service.programs.ops.data_loss import require_no_loss
from service.programs.ops.exports.verify import every_match
from service.programs.ops.progress import Progress
from service.programs.ops.verbs import Site, say


async def verify_notable(site: Site, _: argparse.Namespace) -> int:
    """Check the boards that are shown, and print what is wrong."""
    problems = await check_boards(site)
    say(f"boards checked, problems: {problems}")
    return 1 if problems else 0


async def check_boards(site: Site) -> int:
    """Compare the matches on the boards with their events, print what is wrong, and return how many problems there are.

    A match that is missing with its MAC is not noticed.
    """
    count = 0
    async for problem in NotableService(site.store, site.rooms, site.rooms.now).problems():
        say(f"DAMAGED notable {problem}")
        count += 1
    return count


async def rebuild_notable(site: Site, _: argparse.Namespace) -> int:
    """Delete the boards, and rebuild them from the matches of all rooms. Raises `StoreLost`.

    Raises `ServiceError` (`newer_events`) for events that only a newer release can read.
    """
    await require_no_loss(site.store, site.settings)
    notable, progress, looked_at = NotableService(site.store, site.rooms, site.rooms.now), Progress("rooms read"), 0
    await notable.discard_all()
    async for _key, entries in every_match(site.store):
        for entry in entries:
            looked_at += await notable.look_at(entry)
        progress.add()
    progress.end()
    say(f"{looked_at} matches can be notable")
    return 0
