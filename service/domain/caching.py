"""What was made of values that never change, kept for as long as they are likely to be asked for again."""

from collections.abc import Callable
from typing import Generic, TypeVar

S = TypeVar("S")
V = TypeVar("V")
T = TypeVar("T")


class IdentityCache(Generic[V, T]):
    """Keeps what `make` made of up to `size` values, found by identity: two equal values are two.

    One more, and it begins anew: that costs less than to note which of them was asked for when.
    """

    def __init__(self, make: Callable[[V], T], size: int) -> None:
        """Keep up to `size` results."""
        self._make = make
        self._size = size
        self._kept: dict[int, tuple[V, T]] = {}

    def __call__(self, value: V) -> T:
        """Return what `make` makes of the value."""
        found = self._kept.get(id(value))  # nothing else can have it: the value is kept, too
        if found is None:
            found = value, self._make(value)
            if len(self._kept) >= self._size:
                self._kept.clear()
            self._kept[id(value)] = found
        return found[1]
