"""Caches of values computed from immutable values: each value is computed as rarely as the size allows."""

from service.domain.caching import IdentityCache, LatestResult


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


def test_the_latest_result_is_returned_for_the_same_two_values_only() -> None:
    """Equal values are not the same."""
    made: list[tuple[object, object]] = []

    @LatestResult
    def pair(first: tuple[int, ...], second: tuple[int, ...]) -> tuple[object, object]:
        made.append((first, second))
        return made[-1]

    assert pair(ONE, TWO) is pair(ONE, TWO)
    assert pair(ONE, THREE) == (ONE, THREE)
    assert pair(ONE, TWO) == (ONE, TWO)
    assert pair((*ONE,), TWO) is not made[-2]
    assert len(made) == 4
