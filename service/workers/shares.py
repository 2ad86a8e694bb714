"""Limits how many rooms of one owner a worker has in progress, so that nobody's rooms delay those of others."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from service.bot_engine.fair_queue import Requester
from service.domain.room.model.ids import Millis

MOST = 64
"""How many rooms of one owner wait for bots at a time, and as many again of those in which no human waits."""

AGAIN = Millis(250)
"""Milliseconds after which a postponed room is claimed again at the earliest.

In this time as many of an owner's rooms return as may be in progress.
"""


class Shares:
    """The rooms in progress, by owner and by whether a human waits."""

    def __init__(self, most: int = MOST) -> None:
        """Allow each owner this many."""
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
        moment = max(Millis(now + AGAIN), self._next.get(requester, now))
        self._next[requester] = Millis(moment + max(1, AGAIN // self._most))
        return moment
