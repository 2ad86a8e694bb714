"""Caches for results that were computed from immutable values."""

from collections.abc import Callable
from typing import Generic, TypeVar

S = TypeVar("S")
V = TypeVar("V")
T = TypeVar("T")


A = TypeVar("A")
B = TypeVar("B")


class LatestResult(Generic[A, B, T]):
    """A function of two immutable values that remembers its latest result, by the identity of the values.

    A decision folds its event to see what follows, and then the same event is folded into the same state.
    """

    def __init__(self, make: Callable[[A, B], T]) -> None:
        self._make = make
        self._latest: tuple[A, B, T] | None = None

    def __call__(self, first: A, second: B) -> T:
        """Return the result for these values, the latest one or a new one."""
        latest = self._latest
        if latest is None or latest[0] is not first or latest[1] is not second:
            latest = self._latest = first, second, self._make(first, second)
        return latest[2]


class IdentityCache(Generic[V, T]):
    """Caches the results of `make` for up to `size` values, which are looked up by identity, not by equality.

    A full cache is emptied: that costs less than to record which value was used last.
    """

    def __init__(self, make: Callable[[V], T], size: int) -> None:
        self._make = make
        self._size = size
        self._results: dict[int, tuple[V, T]] = {}

    def __call__(self, value: V) -> T:
        """Return the result of `make` for this value, cached or new."""
        found = self._results.get(id(value))  # unique, because the cache also holds the value
        if found is None:
            found = value, self._make(value)
            if len(self._results) >= self._size:
                self._results.clear()
            self._results[id(value)] = found
        return found[1]
