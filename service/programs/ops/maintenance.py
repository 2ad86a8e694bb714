"""The verbs `recount`, `sign` and `erasures`: they correct counters, sign old nicknames, and list erased players."""

import argparse
from pathlib import Path

from service.domain.ids import PlayerId
from service.programs.ops.data_loss import require_no_loss
from service.programs.ops.progress import Progress
from service.programs.ops.verbs import Site, say
from service.rooms.access.audit_log import erased_players, know_erased
from service.rooms.scrub import sign_page


async def recount(site: Site, _: argparse.Namespace) -> int:
    """Correct each counter that is not a number, or is lower than the number of entries that the streams have."""
    identity = site.store.identity
    partitions = sorted((before := await identity.observe()).appended.keys() | {*before.unreadable})
    counts = {number: await identity.count(number) for number in partitions}
    after = await identity.observe()  # a counter that is not damaged is at least what was counted before it was read
    for number, count in counts.items():
        stored = after.appended.get(number)
        if stored is None or stored < count:
            await identity.correct(number, count)
            say(f"partition {number}: the counter was {'unreadable' if stored is None else stored}, it is now {count}")
    say(f"{sum(counts.values())} events in {len(counts)} partitions were counted")
    return 0


async def sign(site: Site, _: argparse.Namespace) -> int:
    """Sign every protected value without a current MAC, and say whether the store is complete. Raises `StoreLost`."""
    await require_no_loss(site.store, site.settings)
    await know_erased(site.store)
    progress, cursor, damaged = Progress("values signed"), None, 0
    while True:
        page = await sign_page(site.store, cursor)
        progress.add(page.signed)
        damaged += page.damaged
        if (cursor := page.next) is None:
            break
    progress.end()
    say(f"{progress.done} values signed, damaged: {damaged}")
    if not progress.done and await site.store.admin_store.finish_signing():
        say("Everything has a MAC: from now on a value without one is damaged.")
    elif site.store.signer.accepts_unsigned:
        say("Values without a MAC are accepted, because TURNSTREAM_UNSIGNED=accept.")
    else:
        say("Values without a MAC are accepted until a run finds none: repeat it when no older release runs.")
    return 1 if damaged else 0


async def erasures(site: Site, _: argparse.Namespace) -> int:
    """Print the id of each erased player, one per line."""
    for player in sorted(await erased_players(site.store)):
        say(player)
    return 0


def players_in(file: str) -> tuple[PlayerId, ...]:
    """Return the players whose ids a file has, one per line. Raises `OSError`."""
    return tuple(PlayerId(line.strip()) for line in Path(file).read_text().splitlines() if line.strip())
