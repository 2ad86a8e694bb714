"""A trail grows without being copied, and never changes for whoever has an older one."""

import random

from service.domain.room.model.shared_prefix_list import SharedPrefixList


def trail(*items: int) -> SharedPrefixList[int]:
    """Return a trail that grew item by item."""
    grown: SharedPrefixList[int] = SharedPrefixList()
    for item in items:
        grown = grown.append(item)
    return grown


def test_reads_like_a_tuple() -> None:
    """Length, items, slices, both directions."""
    three = trail(5, 6, 7)
    assert (len(three), three[0], three[-1], three[1:], list(three), list(reversed(three))) == (
        3,
        5,
        7,
        [6, 7],
        [5, 6, 7],
        [7, 6, 5],
    )
    assert 6 in three
    assert 8 not in three


def test_an_older_one_stays_what_it_was() -> None:
    """What grows later shows in none that was there before."""
    older = trail(1, 2)
    newer = older.append(3)
    assert (list(older), len(older), older[-1], older[1:], list(reversed(older))) == ([1, 2], 2, 2, [2], [2, 1])
    assert list(newer) == [1, 2, 3]


def test_two_futures_of_one_past() -> None:
    """Each has its own items, and so has what grows from them."""
    past = trail(1)
    one, other = past.append(2), past.append(3)
    assert (list(one.append(4)), list(other.append(5)), list(past)) == ([1, 2, 4], [1, 3, 5], [1])


def test_goes_back() -> None:
    """To fewer items, to none, and on from there."""
    three = trail(1, 2, 3)
    assert list(three.truncate(1)) == [1]
    assert list(three.truncate(0)) == []
    assert list(three.truncate(9)) == [1, 2, 3]
    assert list(three.truncate(1).append(8)) == [1, 8]
    assert list(three) == [1, 2, 3]
    assert list(trail(1, 2).append(3).truncate(2).truncate(9)) == [1, 2]


def test_equal_items_make_equal_trails() -> None:
    """However they came about."""
    assert trail(1, 2) == trail(1, 2, 3).truncate(2)
    assert trail(1, 2) != trail(1, 3)
    assert trail(1) != [1]


def test_any_tree_of_futures_is_that_of_tuples() -> None:
    """Trails that grow and go back at random hold what tuples would."""
    dice = random.Random(4)  # noqa: S311 - which futures are told
    known: list[tuple[SharedPrefixList[int], tuple[int, ...]]] = [(SharedPrefixList(), ())]
    for item in range(2000):
        mine, theirs = dice.choice(known)
        length = dice.randint(0, len(theirs))
        known.append((mine.truncate(length).append(item), (*theirs[:length], item)))
    assert all(tuple(mine) == theirs for mine, theirs in known)
