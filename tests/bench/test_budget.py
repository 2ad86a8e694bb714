"""The budget of a play: what is over it fails, what is under it asks for a lower one, another build is not compared."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from bench.budget import Entry, check, entry_of, ratios, this_build, toml_of
from bench.instructions import BASELINE, ROWS, Counted

COUNTED = {row: Counted((100_000, 100_500, 101_000)) for row in (BASELINE, *ROWS)}
BUILD = this_build(COUNTED)


def budget_of(post: int) -> Entry:
    """Return the budget of this build with this one for a play by POST."""
    return replace(BUILD, instructions={**BUILD.instructions, "post": post})


@pytest.mark.parametrize(
    ("post", "is_within", "said"),
    [
        (100_500, True, ""),
        (98_000, True, ""),  # within three times the 1 % by which the windows differ
        (97_000, False, "post: 100,500 instructions, 3.6% over the budget of 97,000"),
        (104_000, True, "post: 100,500 instructions; lower the budget of 104,000 in budget.toml"),
    ],
)
def test_a_count_is_compared_by_how_far_its_windows_are_apart(post: int, is_within: bool, said: str) -> None:  # noqa: FBT001 - a case
    """The median counts."""
    verdict = check(budget_of(post), BUILD, COUNTED, must_exist=True)
    assert (verdict.is_within, "\n".join(verdict.lines)) == (is_within, said)


def test_windows_that_are_far_apart_do_not_hide_a_growth_of_more_than_four_percent() -> None:
    """However noisy the machine is."""
    noisy = {**COUNTED, "post": Counted((90_000, 100_500, 120_000))}
    assert not check(budget_of(96_000), BUILD, noisy, must_exist=True).is_within


def test_a_build_without_a_budget_shows_the_entry_that_it_would_have(tmp_path: Path) -> None:
    """It fails only where a build must have one; the entry can be added to the file as it is printed."""
    other = replace(BUILD, python="3.99")
    found = check(entry_of(other), other, COUNTED, must_exist=False)
    assert found.is_within
    assert not check(None, other, COUNTED, must_exist=True).is_within
    file = tmp_path / "budget.toml"
    file.write_text("\n".join(toml_of(other)))
    assert entry_of(other, file) == other
    assert found.lines[2:] == toml_of(other)


def test_counts_are_shown_as_parts_of_the_baseline() -> None:
    """So that they can be compared across builds."""
    [post, *_] = ratios({**COUNTED, "post": Counted((201_000,))})
    assert post == "post: 201,000 instructions per play, 2.00 of xadd (100,500)"
