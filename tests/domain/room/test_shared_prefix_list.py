"""A shared prefix list grows without being copied, and lists that it grew from do not change."""

import random

from service.domain.room.model.state import SharedPrefixList


def list_of(*items: int) -> SharedPrefixList[int]:
    """Return a list to which these items were appended one by one."""
    grown: SharedPrefixList[int] = SharedPrefixList()
    for item in items:
        grown = grown.append(item)
    return grown


def test_reads_like_a_tuple() -> None:
    """Length, items, slices and both directions are those of a tuple."""
    three = list_of(5, 6, 7)
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


def test_appending_does_not_change_the_list() -> None:
    """A later item shows in no earlier list."""
    older = list_of(1, 2)
    newer = older.append(3)
    assert (list(older), len(older), older[-1], older[1:], list(reversed(older))) == ([1, 2], 2, 2, [2], [2, 1])
    assert list(newer) == [1, 2, 3]


def test_two_lists_can_grow_from_one() -> None:
    """Each has its own items, and so have lists that grow from them."""
    past = list_of(1)
    one, other = past.append(2), past.append(3)
    assert (list(one.append(4)), list(other.append(5)), list(past)) == ([1, 2, 4], [1, 3, 5], [1])


def test_truncates() -> None:
    """To fewer items and to none; the result can grow again."""
    three = list_of(1, 2, 3)
    assert list(three.truncate(1)) == [1]
    assert list(three.truncate(0)) == []
    assert list(three.truncate(9)) == [1, 2, 3]
    assert list(three.truncate(1).append(8)) == [1, 8]
    assert list(three) == [1, 2, 3]
    assert list(list_of(1, 2).append(3).truncate(2).truncate(9)) == [1, 2]


def test_lists_with_equal_items_are_equal() -> None:
    """It does not matter how they were made."""
    assert list_of(1, 2) == list_of(1, 2, 3).truncate(2)
    assert list_of(1, 2) != list_of(1, 3)
    assert list_of(1) != [1]


def test_random_lists_are_like_tuples() -> None:
    """Lists that grow and are truncated at random have the items of tuples treated alike."""
    dice = random.Random(4)  # noqa: S311 - which lists grow
    known: list[tuple[SharedPrefixList[int], tuple[int, ...]]] = [(SharedPrefixList(), ())]
    for item in range(2000):
        mine, theirs = dice.choice(known)
        length = dice.randint(0, len(theirs))
        known.append((mine.truncate(length).append(item), (*theirs[:length], item)))
    assert all(tuple(mine) == theirs for mine, theirs in known)
