"""How many rooms of one owner a worker has in hand, so that nobody's rooms keep it from those of others."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from service.bot_engine.fair_queue import Requester
from service.domain.room.model.ids import Millis

MOST = 64
"""How many rooms of one owner bots think about at a time, and as many again of those in which no human waits."""

AGAIN = Millis(250)
"""Milliseconds after which a room that found no place is claimed again at the earliest.

In this time as many of an owner's rooms come back as may be in hand.
"""


class Shares:
    """The rooms in hand, by whose they are and whether a human waits there."""

    def __init__(self, most: int = MOST) -> None:
        """Let each owner have so many."""
        self._most = most
        self._held: Counter[Requester] = Counter()
        self._next: dict[Requester, Millis] = {}

    def is_full(self, requester: Requester) -> bool:
        """Return whether a room more of this owner has to come back later."""
        return self._held[requester] >= self._most

    @contextmanager
    def held(self, requester: Requester) -> Iterator[None]:
        """Count a room while it is in hand."""
        self._held[requester] += 1
        try:
            yield
        finally:
            self._held[requester] -= 1
            if not self._held[requester]:
                del self._held[requester]
                self._next.pop(requester, None)

    def later(self, requester: Requester, now: Millis) -> Millis:
        """Return when a room that found no place comes back: one after another, as they can be served."""
        moment = max(Millis(now + AGAIN), self._next.get(requester, now))
        self._next[requester] = Millis(moment + max(1, AGAIN // self._most))
        return moment
