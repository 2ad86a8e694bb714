"""Timers of what is done regularly: those of a process end at the same moments.

So a process at rest wakes once for all of them. What they ask the store is then sent together, and the store also wakes
once, even for several processes of one machine, because they share its monotonic clock.
"""

import asyncio


def until_next(seconds: float) -> float:
    """Return the time until the next moment of what is done every so many seconds: a multiple of them.

    A timer that ends a little too early leads to the following moment.
    """
    early = seconds / 100
    return seconds - (asyncio.get_running_loop().time() + early) % seconds + early
