"""Caches of values computed from immutable values: each value is computed as rarely as the size allows."""

from service.domain.caching import IdentityCache


class CountingFunction:
    """Makes a new list of a value each time, and counts."""

    def __init__(self) -> None:
        """Start with a count of 0."""
        self.made: list[tuple[int, ...]] = []

    def __call__(self, value: tuple[int, ...]) -> list[int]:
        """Return the value as a list."""
        self.made.append(value)
        return list(value)


ONE, TWO, THREE = (1, 1), (2, 2), (3, 3)


def test_a_memo_computes_a_value_once() -> None:
    """Later calls return the same object."""
    function = CountingFunction()
    memo = IdentityCache(function, size=2)
    first = memo(ONE)
    assert memo(TWO) == [2, 2]
    assert memo(ONE) is first
    assert function.made == [ONE, TWO]


def test_a_full_memo_is_emptied() -> None:
    """It never holds more than its size."""
    function = CountingFunction()
    memo = IdentityCache(function, size=2)
    for value in (ONE, TWO, THREE, THREE, ONE):
        memo(value)
    assert function.made == [ONE, TWO, THREE, ONE]
    assert len(memo._results) == 2


def test_equal_values_are_distinct() -> None:
    """Values are compared by identity, so they need not be comparable."""
    function = CountingFunction()
    memo = IdentityCache(function, size=2)
    twin = ONE[:1] * 2
    assert memo(ONE) is not memo(twin)
    assert len(function.made) == 2
