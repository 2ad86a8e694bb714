"""Sets of points as bit masks agree with their members one by one."""

from hypothesis import given
from hypothesis import strategies as st

from service.domain.games.morris.board import ALL, BIT, MILLS, POINTS, in_mills, mills_closed, mills_of, names_of
from service.domain.games.morris.turns import subsets

SETS = st.integers(0, ALL)


@given(SETS)
def test_the_points_of_a_set_have_names_in_reading_order(some: int) -> None:
    """From the top left to the bottom right."""
    assert list(names_of(some)) == [name for name in POINTS if some & BIT[name]]


@given(SETS)
def test_a_mill_is_a_line_with_a_man_on_each_of_its_three_points(men: int) -> None:
    """It is closed by each of them, and only its men are in a mill."""
    whole = [mill for mill in MILLS if all(men & BIT[name] for name in mill)]
    assert list(mills_of(men)) == whole
    for name in POINTS:
        assert list(mills_closed(men, name)) == [mill for mill in whole if name in mill]
    assert set(names_of(in_mills(men))) == {name for mill in whole for name in mill}


def test_a_set_has_each_of_its_subsets_once() -> None:
    """Of five members, 32."""
    some = 0b1010_0111_0000
    assert len(subsets(some)) == len(set(subsets(some))) == 32
    assert all(part & some == part for part in subsets(some))
