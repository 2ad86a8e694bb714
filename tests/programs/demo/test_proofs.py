"""What the demo checks of its sockets can fail; `verify` has tests of its own."""

import pytest

from service.programs.demo.match import version_errors


@pytest.mark.parametrize(
    ("versions", "fault"),
    [
        ([1, 2, 3], ""),
        ([1, 3], "missing: [2]"),
        ([1, 2], "missing: [3]"),
        ([2, 3], "missing: [1]"),
        ([1, 2, 2, 3], "double: [2]"),
        ([1, 3, 2], "out of order: [1, 3, 2]"),
    ],
)
def test_versions_are_sent_from_one_to_the_last_each_once_and_in_order(versions: list[int], fault: str) -> None:
    """The versions that a socket sends for a room at version 3."""
    assert version_errors(versions, 3) == fault
