"""Whose thought comes next: a fair share of the thinking processes for each owner, whatever the others ask for."""

from collections import OrderedDict
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

LONGEST_WAIT = 2.0
"""Seconds after which what an owner has waiting shall have begun; if need be each thought is shorter."""

WAITS = 10
"""How many times as long as it thinks a short thought may wait."""

SHORTEST = 0.01
"""Seconds that a bot has to think in any case."""


class Claimant(NamedTuple):
    """For whom a thought is."""

    owner: str
    """The player whose share it counts against: a room's creator, or who asked for a hint."""
    human: bool
    """Whether a human waits for it."""


class Wish(NamedTuple, Generic[T]):
    """A thought that waits for its turn."""

    request: T
    human: bool
    seconds: float
    number: int

    @property
    def rank(self) -> tuple[bool, float, int]:
        """Its place among those of its owner: a human's first, then the shortest, then the longest waiting."""
        return not self.human, self.seconds, self.number


class Turns(Generic[T]):
    """Thoughts that wait. Owners take turns, one thought each; an owner that is new comes last."""

    def __init__(self, processes: int) -> None:
        """Share so many processes."""
        self._processes = processes
        self._wishes: OrderedDict[str, list[Wish[T]]] = OrderedDict()
        """By owner, in the order of their turns."""
        self._number = 0

    def add(self, request: T, claimant: Claimant, seconds: float) -> None:
        """Let a thought wait that takes so many seconds at most."""
        self._number += 1
        wish = Wish(request, claimant.human, seconds, self._number)
        self._wishes.setdefault(claimant.owner, []).append(wish)

    def remove(self, request: T, claimant: Claimant) -> None:
        """Forget a thought for which nobody waits any more; its turn may have come already."""
        left = [wish for wish in self._wishes.get(claimant.owner, ()) if wish.request != request]
        if left:
            self._wishes[claimant.owner] = left
        else:
            self._wishes.pop(claimant.owner, None)

    def next(self) -> tuple[T, float] | None:
        """Return the thought whose turn it is and how many seconds it may take, None where none waits."""
        if not self._wishes:
            return None
        owner, wishes = next(iter(self._wishes.items()))
        first = min(wishes, key=lambda wish: wish.rank)
        seconds = self._allowed(first, wishes)
        wishes.remove(first)
        self._wishes.move_to_end(owner)
        if not wishes:
            del self._wishes[owner]
        return first.request, seconds

    def _allowed(self, wish: Wish[T], own: list[Wish[T]]) -> float:
        """Return how long a thought may take so that all that its owner has waiting begins soon enough.

        For a human's thoughts those of bots among themselves don't count: they wait.
        """
        waiting = sum(other.human >= wish.human for other in own)
        patience = min(LONGEST_WAIT, WAITS * wish.seconds)
        share = patience * self._processes / (len(self._wishes) * waiting)
        return max(SHORTEST, min(wish.seconds, share))
