"""Earlier matches: their list in the room, and looking at one while the current match continues."""

from tests.web.conftest import OpenBrowser
from tests.web.test_accessibility import TITLES, faults
from tests.web.test_matches import play, seat_people


def test_an_earlier_match_can_be_shown_again(open_browser: OpenBrowser) -> None:
    """A new match does not interrupt a player who looks back; the list shows the match, the series counts it."""
    ada, bob = seat_people(open_browser, TITLES["morris"], ("Ada", "Bob"), {"setting-best_of": "Best of 3"})
    play(ada, "a1")
    play(bob, "g7")
    bob.wait_for(".ply", "g7")
    bob.press(",")
    bob.wait_for_text("Looking back: after move 1 of 2")
    ada.click_button("Resign")
    ada.click_button("Yes, resign")
    for person in (ada, bob):
        person.wait_for(".ply", "out")
    ada.wait_for(".result", "Bob won")
    ada.wait_for_text("By resignation.")
    ada.wait_for_text("Best of 3: Bob 1.")
    ada.wait_for_text("The next match begins in")
    ada.click_button("Not yet")
    ada.page.wait_for("!document.querySelector('.status').innerText.includes('Not yet')")
    ada.click_button("Rematch")
    bob.wait_for_text("A new match has begun.")
    bob.wait_for_text("Looking back at match 1: after move 1 of 3")
    bob.click_cell("d7")
    bob.wait_for_text("This is an earlier position")
    ada.wait_for(".previous", "Match 1: Bob won")
    play(ada, "d2")
    bob.wait_for_text("It is your turn now.")
    assert not bob.has('[data-cell="d2"] .piece')
    bob.press(".", 2)
    bob.wait_for_text("Looking back at match 1: the end")
    bob.wait_for('[data-cell="g7"] .piece.black')
    bob.press("Escape")
    bob.wait_for('[data-cell="d2"] .piece.white')
    play(bob, "g1")
    bob.click_button("Earlier matches (1)")
    bob.wait_for(".match", "Match 1")
    assert "Black (Bob) wins: by resignation" in bob.text(".match")
    bob.click(".match")
    bob.wait_for_text("Looking back at match 1: the end")
    assert faults(bob) == []
    bob.click(".stepper button", "To the start")
    bob.wait_for_text("Looking back at match 1: the start")
    bob.page.wait_for("document.querySelectorAll('.boards .cell .piece').length === 0")
    bob.click_button("Back to now")
    bob.wait_for('[data-cell="g1"] .piece.black')
    play(ada, "d3")
    bob.wait_for('[data-cell="d3"] .piece.white')
