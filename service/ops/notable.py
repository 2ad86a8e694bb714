"""`turnstream notable`: operators rebuild the boards of notable matches."""

import argparse

from service.notable.service import NotableService
from service.ops.data_loss import require_no_loss
from service.ops.exports.every_match import every_match
from service.ops.progress import Progress
from service.ops.verbs import Site, say


async def rebuild_notable(site: Site, _: argparse.Namespace) -> int:
    """Delete the boards, and rebuild them from the matches of all rooms. Raises `StoreLost`.

    Raises `ServiceError` (`newer_events`) for events that only a newer release can read.
    """
    await require_no_loss(site.store, site.settings)
    notable, progress, looked_at = NotableService(site.store, site.rooms, site.rooms.now), Progress("rooms read"), 0
    await notable.discard_all()
    async for key, entries in every_match(site.store):
        for entry in entries:
            looked_at += await notable.look_at(key, entry)
        progress.add()
    progress.end()
    say(f"{looked_at} matches can be notable")
    return 0
