"""Lookup tables over sets: what belongs to all members of a set is found in two steps, not member by member.

A set is an int with a bit for each possible member, a point or a line. Each table has an entry for every subset of the
first half of the members, and one for every subset of the second half.
"""

from collections.abc import Sequence
from typing import Generic, TypeVar

T = TypeVar("T")


class SubsetItems(Generic[T]):
    """What belongs to each member of a set, one after the other."""

    def __init__(self, members: Sequence[T]) -> None:
        """Take what belongs to each possible member."""
        self._half = len(members) // 2
        self._first_bits = (1 << self._half) - 1
        self._first, self._second = choices(members[: self._half]), choices(members[self._half :])

    def of(self, some: int) -> tuple[T, ...]:
        """Return what belongs to the members of a set, in ascending order."""
        return self._first[some & self._first_bits] + self._second[some >> self._half]


class SubsetUnion:
    """What is in the set of any member of a set."""

    def __init__(self, members: Sequence[int]) -> None:
        """Take the set of each possible member."""
        self._half = len(members) // 2
        self._first_bits = (1 << self._half) - 1
        self._first, self._second = unions(members[: self._half]), unions(members[self._half :])

    def of(self, some: int) -> int:
        """Return the union of the sets of a set's members."""
        return self._first[some & self._first_bits] | self._second[some >> self._half]


def choices(members: Sequence[T]) -> list[tuple[T, ...]]:
    """Return every choice from these; bit n of its place in the list tells whether it has the nth."""
    found: list[tuple[T, ...]] = [()]
    for member in members:
        found += [(*chosen, member) for chosen in found]
    return found


def unions(members: Sequence[int]) -> list[int]:
    """Return the union of every choice from these sets, in the order of `choices`."""
    found = [0]
    for member in members:
        found += [chosen | member for chosen in found]
    return found


def subsets(some: int) -> list[int]:
    """Return every set of some of these members."""
    found, part = [0], some
    while part:
        found.append(part)
        part = part - 1 & some
    return found
