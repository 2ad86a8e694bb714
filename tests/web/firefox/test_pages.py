"""The browser client in Firefox: a few of its tests in every run."""

from tests.web.test_hands import test_a_man_is_dragged_from_the_hand
from tests.web.test_lobby import test_play_begins_at_once

__all__ = ["test_a_man_is_dragged_from_the_hand", "test_play_begins_at_once"]
