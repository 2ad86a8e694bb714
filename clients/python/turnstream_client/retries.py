"""How long the client waits before it tries again."""

import random
from collections.abc import Iterator

import msgspec


class Retries(msgspec.Struct, frozen=True):
    """Growing pauses with jitter."""

    first: float = 0.25
    """Seconds before the second attempt, at most; each further pause is twice as long."""
    longest: float = 10.0
    """The longest pause, in seconds."""
    patience: float = 30.0
    """How many seconds a request, and the first connection to a room, are retried before `UnreachableError`."""

    def pauses(self) -> Iterator[float]:
        """Yield pauses in seconds, without end. Each is chosen at random, so that clients do not return all at once."""
        limit = self.first
        while True:
            yield random.uniform(limit / 2, limit)  # noqa: S311 - nobody gains anything from guessing it
            limit = min(2 * limit, self.longest)
