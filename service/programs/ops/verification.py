"""`turnstream verify` for a store, and `turnstream restore`, which ends with it."""

import argparse

from service.programs.ops.backups.archive import check_backup, require_empty
from service.programs.ops.data_loss import accept_restored
from service.programs.ops.exports.format import Damaged
from service.programs.ops.exports.verify import verify_names, verify_room, verify_streams
from service.programs.ops.notable import check_boards
from service.programs.ops.player_matches import check_players
from service.programs.ops.progress import Progress
from service.programs.ops.ratings import check_lists, every_list
from service.programs.ops.verbs import Site, chosen_rooms, import_file, say, warn
from service.store.contract import StoreDamaged


async def verify(site: Site, arguments: argparse.Namespace) -> int:
    """Check rooms, and with all rooms also everything else that is stored and protected; print what is damaged."""
    progress, damaged, events = Progress("rooms checked"), 0, 0
    for key in await chosen_rooms(site, arguments):
        try:
            events += (await verify_room(site.store, key)).events
        except (Damaged, StoreDamaged) as fault:
            damaged += 1
            say(f"DAMAGED {key.name}:{key.epoch}: {fault}")
        progress.add()
    progress.end()
    if not arguments.room:
        damaged += await verify_streams(site.store, say) + await verify_names(site.store, say)
        # No damage: a rated match that is no longer stored, and a leaderboard that was not built since a restore.
        problems = (await check_lists(site, await every_list(site.store), is_complete=False)).problems
        damaged += problems + (await check_players(site)).problems + await check_boards(site)
    say(f"{progress.done} rooms, {events} events, damaged: {damaged}")
    return 1 if damaged else 0


async def restore(site: Site, arguments: argparse.Namespace) -> int:
    """Check a backup, and read it into an empty store unless it should only be checked."""
    manifest = check_backup(arguments.file, None if arguments.other_key else site.sealing)
    say(f"{arguments.file}: unchanged since it was made at {manifest.made}")
    if manifest.damaged:
        warn(f"it lacks what was damaged when it was made: {', '.join(manifest.damaged)}")
    if arguments.check:
        return 0
    await require_empty(site.store)
    await import_file(site, arguments)
    await accept_restored(site.store, site.settings, f"restored from {arguments.file.name}", manifest.store)
    arguments.room = []
    return await verify(site, arguments)
