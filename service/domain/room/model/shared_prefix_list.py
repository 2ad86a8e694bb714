"""An immutable list to which an item can be added without copying the others."""

from collections.abc import Iterator, Sequence
from typing import Generic, TypeVar, overload

T = TypeVar("T")


class SharedPrefixList(Sequence[T], Generic[T]):
    """An immutable list: appending returns a longer one that shares its items with this one.

    Lists that grew from each other share one Python list; each knows how many of its items are its own. If another
    item has already been appended to the same list, as after a dry run, the items up to there are copied.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: list[T] | None = None, length: int = 0) -> None:
        """Hold the first `length` of these items; nobody else may change them."""
        self._items: list[T] = [] if items is None else items
        self._length = length

    def append(self, item: T) -> "SharedPrefixList[T]":
        """Return the list with one more item; this one does not change."""
        items, length = self._items, self._length
        if len(items) != length:
            items = items[:length]
        items.append(item)
        return SharedPrefixList(items, length + 1)

    def truncate(self, length: int) -> "SharedPrefixList[T]":
        """Return the first `length` items; this one does not change."""
        return SharedPrefixList(self._items, min(length, self._length))

    def __len__(self) -> int:
        """Return the number of items."""
        return self._length

    def __iter__(self) -> Iterator[T]:
        """Iterate from the first item to the last."""
        return iter(self._own())

    def __reversed__(self) -> Iterator[T]:
        """Iterate from the last item to the first."""
        return reversed(self._own())

    @overload
    def __getitem__(self, index: int) -> T: ...

    @overload
    def __getitem__(self, index: slice) -> list[T]: ...

    def __getitem__(self, index: int | slice) -> T | list[T]:
        """Return one item, or several as a Python list."""
        return self._own()[index]

    def __eq__(self, other: object) -> bool:
        """Return whether both lists have equal items."""
        return self._own() == other._own() if isinstance(other, SharedPrefixList) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # not hashable, like a Python list

    def _own(self) -> list[T]:
        return self._items if len(self._items) == self._length else self._items[: self._length]
