"""What is looked up of a set at once is what its members would have told one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.domain.boards.subset_tables import SubsetItems, SubsetUnion, subsets
from service.domain.games.morris.board import ALL, BIT, MILLS, NAMES, POINTS, mills_closed, standing

SETS = st.integers(0, ALL)


@given(SETS)
def test_each_member_is_told_in_its_order(some: int) -> None:
    """The names of a set's points come in the reading order of the board."""
    assert NAMES.of(some) == tuple(name for name in POINTS if some & BIT[name])


@pytest.mark.parametrize("count", [2, 7, 16])
def test_any_number_of_members_can_be_told(count: int) -> None:
    """An odd number has halves too."""
    every, numbers = (1 << count) - 1, range(count)
    assert SubsetItems(numbers).of(every) == tuple(numbers)
    assert SubsetUnion([1 << number for number in numbers]).of(every) == every


@given(st.lists(SETS, min_size=24, max_size=24), SETS)
def test_a_union_has_what_any_member_has(sets: list[int], some: int) -> None:
    """And nothing else."""
    together = 0
    for number, one in enumerate(sets):
        together |= one if some >> number & 1 else 0
    assert SubsetUnion(sets).of(some) == together


@given(SETS)
def test_a_line_stands_where_all_of_its_points_are_taken(men: int) -> None:
    """Bit by bit, and closed by each of its three points."""
    whole = {mill for mill in MILLS if all(men & BIT[name] for name in mill)}
    assert {mill for line, mill in enumerate(MILLS) if standing(men) >> line & 1} == whole
    for name in POINTS:
        assert set(mills_closed(men, name)) == {mill for mill in whole if name in mill}


def test_a_set_has_each_of_its_subsets_once() -> None:
    """Of five members, 32."""
    some = 0b1010_0111_0000
    assert len(subsets(some)) == len(set(subsets(some))) == 32
    assert all(part & some == part for part in subsets(some))
