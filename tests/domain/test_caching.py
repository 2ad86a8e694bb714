"""What is kept of values that never change: the same answer, worked out as seldom as there is room for."""

from service.domain.caching import IdentityCache


class Making:
    """Makes a list of a value anew each time, and counts."""

    def __init__(self) -> None:
        """Begin at nothing."""
        self.made: list[tuple[int, ...]] = []

    def __call__(self, value: tuple[int, ...]) -> list[int]:
        """Return the value as a list."""
        self.made.append(value)
        return list(value)


ONE, TWO, THREE = (1, 1), (2, 2), (3, 3)


def test_a_memo_makes_something_once() -> None:
    """And gives the same object ever after."""
    making = Making()
    memo = IdentityCache(making, size=2)
    first = memo(ONE)
    assert memo(TWO) == [2, 2]
    assert memo(ONE) is first
    assert making.made == [ONE, TWO]


def test_a_full_memo_begins_anew() -> None:
    """It never holds more than its size."""
    making = Making()
    memo = IdentityCache(making, size=2)
    for value in (ONE, TWO, THREE, THREE, ONE):
        memo(value)
    assert making.made == [ONE, TWO, THREE, ONE]
    assert len(memo._results) == 2


def test_equal_values_are_two() -> None:
    """They are told apart by identity, so a value need not be one that can be compared."""
    making = Making()
    memo = IdentityCache(making, size=2)
    twin = ONE[:1] * 2
    assert memo(ONE) is not memo(twin)
    assert len(making.made) == 2
