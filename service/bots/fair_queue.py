"""A queue that gives each owner a fair share of the bot processes, no matter how much others request."""

from collections import OrderedDict
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

LONGEST_WAIT = 2.0
"""Seconds within which an owner's waiting requests should start; if necessary, each gets less time."""

WAIT_FACTOR = 10
"""How many times its own length a short request may wait."""

SHORTEST = 0.01
"""The least time in seconds that a bot gets."""

REMEMBERED = 10_000
"""The number of owners whose use is remembered before those who do not wait are forgotten."""


class Requester(NamedTuple):
    """The person or room that waits for a result."""

    owner: str
    """The player whose share is used: a room's creator, or the player who asked for a hint."""
    human: bool
    """Whether a human waits for it."""


class Waiting(NamedTuple, Generic[T]):
    """A request that waits for a process."""

    request: T
    human: bool
    seconds: float
    number: int

    @property
    def rank(self) -> tuple[bool, float, int]:
        """Its rank among its owner's requests: a human's first, then the shortest, then the oldest."""
        return not self.human, self.seconds, self.number


class FairQueue(Generic[T]):
    """Waiting requests. Next is the owner who has used least of the processes, by start-time fair queueing.

    Each owner has a mark: where its use ends if all who wait had been served evenly. Who has not waited for a while
    starts at the mark of the owner served last, and comes before those who have been served up to there. So an owner
    who asks seldom does not wait for a turn of all others, however many they are (Goyal, Vin and Cheng, 1996).
    """

    def __init__(self, processes: int) -> None:
        """Share this many processes."""
        self._processes = processes
        self._waiting: OrderedDict[str, list[Waiting[T]]] = OrderedDict()
        """By owner, in the order of their turns."""
        self._number = 0
        self._marks: dict[str, float] = {}
        self._now = 0.0
        """The mark at which the owner that was served last started."""

    def add(self, request: T, requester: Requester, seconds: float) -> None:
        """Add a request that takes at most this many seconds."""
        self._number += 1
        one = Waiting(request, requester.human, seconds, self._number)
        self._waiting.setdefault(requester.owner, []).append(one)

    def remove(self, request: T, requester: Requester) -> None:
        """Remove a request that was cancelled; it may have left the queue already."""
        left = [one for one in self._waiting.get(requester.owner, ()) if one.request != request]
        if left:
            self._waiting[requester.owner] = left
        else:
            self._waiting.pop(requester.owner, None)

    def next(self) -> tuple[T, float] | None:
        """Remove the next request and return it with the seconds it gets, or None if the queue is empty."""
        if not self._waiting:
            return None
        owner = min(self._waiting, key=self._start)
        waiting = self._waiting[owner]
        first = min(waiting, key=lambda one: one.rank)
        seconds = self._allowed(first, waiting)
        self._charge(owner, seconds)
        waiting.remove(first)
        self._waiting.move_to_end(owner)
        if not waiting:
            del self._waiting[owner]
        return first.request, seconds

    def _start(self, owner: str) -> tuple[float, float]:
        """Return where an owner's next use starts, and where its latest one ended."""
        mark = self._marks.get(owner, 0.0)
        return max(self._now, mark), mark

    def _charge(self, owner: str, seconds: float) -> None:
        """Move an owner's mark by the time that it gets."""
        self._now, _ = self._start(owner)
        self._marks[owner] = self._now + seconds
        if len(self._marks) > REMEMBERED:
            self._marks = {each: self._marks[each] for each in self._waiting if each in self._marks}

    def _allowed(self, one: Waiting[T], own: list[Waiting[T]]) -> float:
        """Return how many seconds a request may take so that all of its owner's requests start soon enough.

        Requests of bots that play among themselves do not count against a human's.
        """
        waiting = sum(other.human >= one.human for other in own)
        patience = min(LONGEST_WAIT, WAIT_FACTOR * one.seconds)
        share = patience * self._processes / (len(self._waiting) * waiting)
        return max(SHORTEST, min(one.seconds, share))
