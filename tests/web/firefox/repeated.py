"""The tests of the pages that are repeated in Firefox."""

from collections.abc import Callable
from types import ModuleType

from tests.web.firefox import test_pages

NOT_HERE = {
    # These answer requests in the place of the server, limit the storage, or read frames, which Chromium lets them do.
    "test_a_full_storage_keeps_no_page_from_loading",
    "test_a_move_whose_response_is_lost_is_made_once",
    "test_a_preview_shows_what_is_captured",
    "test_a_refused_move_is_undone_with_its_reason",
    "test_a_search_is_cancelled_while_it_begins",
    "test_a_search_that_was_cancelled_ends_after_a_reload",
    "test_an_own_move_is_shown_before_its_response",
    "test_the_feed_may_be_faster_than_the_response",
    "test_what_does_not_arrive_is_requested_again",
    # These choose the browser's language.
    "test_a_bot_that_others_run_is_challenged",
    "test_a_challenge_is_declined_with_a_reason",
    "test_an_invitation_can_be_declined",
    "test_every_text_of_a_challenge_is_in_the_catalogue",
    "test_nobody_is_ready_in_a_hidden_tab",
    "test_a_profile_has_what_is_between_the_two",
    "test_a_rating_without_a_place_says_what_it_needs",
    "test_a_tournament_in_german_on_a_phone",
    "test_the_page_of_devices_fits_on_a_phone",
    # This one reads characters that Firefox leaves out of `innerText`.
    "test_a_right_to_left_name_does_not_reorder_its_sentence",
    *test_pages.__all__,
}


def repeated_from(*modules: ModuleType) -> dict[str, Callable[..., None]]:
    """Return the tests of some modules by name, without those that need Chromium or that every run repeats."""
    return {
        name: test
        for module in modules
        for name, test in vars(module).items()
        if name.startswith("test_") and callable(test) and name not in NOT_HERE
    }
