"""Caches for results that were computed from immutable values."""

from collections.abc import Callable
from typing import Generic, TypeVar

S = TypeVar("S")
V = TypeVar("V")
T = TypeVar("T")


class IdentityCache(Generic[V, T]):
    """Caches the results of `make` for up to `size` values, which are looked up by identity, not by equality.

    A full cache is emptied: that costs less than to record which value was used last.
    """

    def __init__(self, make: Callable[[V], T], size: int) -> None:
        """Take the function and the number of results to cache."""
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
