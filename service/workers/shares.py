"""Limits how many rooms of one owner a worker has in progress, so that they do not delay those of others."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from service.bots.fair_queue import Requester
from service.domain.room.model.ids import Millis

MOST = 64
"""How many rooms of one owner wait for bots at a time: this many with a human, and as many with bots only."""

RETRY_AFTER = Millis(250)
"""The minimum number of milliseconds until a postponed room is claimed again.

In this time, as many of an owner's rooms return as may be in progress.
"""


class Shares:
    """The rooms in progress, by owner and by whether a human waits."""

    def __init__(self, most: int = MOST) -> None:
        """Each owner may have `most` rooms in progress."""
        self._most = most
        self._held: Counter[Requester] = Counter()
        self._next: dict[Requester, Millis] = {}

    def is_full(self, requester: Requester) -> bool:
        """Return whether another room of this owner must be postponed."""
        return self._held[requester] >= self._most

    @contextmanager
    def held(self, requester: Requester) -> Iterator[None]:
        """Count a room while it is in progress."""
        self._held[requester] += 1
        try:
            yield
        finally:
            self._held[requester] -= 1
            if not self._held[requester]:
                del self._held[requester]
                self._next.pop(requester, None)

    def later(self, requester: Requester, now: Millis) -> Millis:
        """Return when a postponed room is due again; an owner's rooms return one after another."""
        moment = max(Millis(now + RETRY_AFTER), self._next.get(requester, now))
        self._next[requester] = Millis(moment + max(1, RETRY_AFTER // self._most))
        return moment
