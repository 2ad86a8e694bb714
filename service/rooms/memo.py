"""What was made of values that never change, kept for as long as they are likely to be asked for again."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

V = TypeVar("V")
T = TypeVar("T")


class Memo(Generic[V, T]):
    """Keeps what `make` made of the latest `size` values, found by identity: two equal values are two."""

    def __init__(self, make: Callable[[V], T], size: int) -> None:
        """Keep up to `size` results."""
        self._make = make
        self._size = size
        self._kept: OrderedDict[int, tuple[V, T]] = OrderedDict()  # a dict takes ever longer to find its first key

    def __call__(self, value: V) -> T:
        """Return what `make` makes of the value."""
        kept = self._kept.get(id(value))  # nothing else can have it: the value is kept, too
        if kept is not None:
            return kept[1]
        made = self._make(value)
        if len(self._kept) >= self._size:
            self._kept.popitem(last=False)
        self._kept[id(value)] = (value, made)
        return made
