"""What grows by one with almost every event, so that a new version of it must not be a copy."""

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class Trail(Sequence[T], Generic[T]):
    """Items in the order in which they came. It never changes: a longer one shares its items.

    All that grew from each other stand in one list, of which each knows how much is its own. Where another future has
    been told from the same point before, as by a dry run, the items up to there are copied.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: list[T] | None = None, length: int = 0) -> None:
        """Take the first `length` of these items; nobody else may change them."""
        self._items: list[T] = [] if items is None else items
        self._length = length

    def grown(self, item: T) -> "Trail[T]":
        """Return the trail with one more item."""
        items, length = self._items, self._length
        if len(items) != length:
            items = items[:length]
        items.append(item)
        return Trail(items, length + 1)

    def back(self, length: int) -> "Trail[T]":
        """Return its first `length` items."""
        return Trail(self._items, min(length, self._length))

    def __len__(self) -> int:
        """Return how many items it has."""
        return self._length

    def __iter__(self) -> Iterator[T]:
        """Go from the first item to the last."""
        return iter(self._own())

    def __reversed__(self) -> Iterator[T]:
        """Go from the last item to the first."""
        return reversed(self._own())

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> list[T]: ...

    def __getitem__(self, index: int | slice) -> T | list[T]:
        """Return an item, or some."""
        return self._own()[index]

    def __eq__(self, other: object) -> bool:
        """Tell whether both have equal items."""
        return self._own() == other._own() if isinstance(other, Trail) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as a list, which isn't hashable either

    def __repr__(self) -> str:
        """Show the items."""
        return f"Trail({self._own()!r})"

    def _own(self) -> list[T]:
        return self._items if len(self._items) == self._length else self._items[: self._length]
