"""`turnstream recount`: counters of appended entries that are damaged are corrected from the heads of all streams."""

import argparse

from service.programs.ops.verbs import Site, say


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
