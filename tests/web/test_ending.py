"""The end of a match and what comes after it: its result, a rematch, a review; and what would end a match too early."""

from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import TITLES, faults
from tests.web.test_matches import play, seat_people

FIRST = {"option-first": "White"}


def resign(person: Person) -> None:
    """Resign, with the confirmation."""
    person.click_button("Resign")
    person.click_button("Yes, resign")


def test_against_a_bot_the_result_stays_until_the_player_goes_on(open_browser: OpenBrowser) -> None:
    """No countdown; Review shows the match, Rematch begins another one, and the result can still be read then."""
    ada = open_browser("Ada")
    ada.open_room(TITLES["morris"], "bots", options=FIRST)
    play(ada, "a1")
    ada.wait_for(".ply", "2")
    resign(ada)
    ada.wait_for(".result", "Otto won")
    ada.wait_for_text("By resignation.")
    assert "next match begins" not in ada.text(".status")
    ada.wait_for(".boards.over.won-black")
    assert faults(ada) == []
    ada.click_button("Review")
    ada.wait_for_text("Looking back at match 1: the end")
    ada.press(",", 2)
    ada.wait_for_text("Looking back at match 1: after move 1")
    ada.press("Escape")
    ada.click_button("Rematch")
    ada.wait_for(".status.my-turn")
    ada.wait_for(".previous", "Match 1: Otto won")
    ada.page.wait_for("!location.pathname.includes('/match/')")  # the address follows a moment later
    ada.page.navigate(ada.page.value("location.href"))
    ada.wait_for(".previous", "Match 1: Otto won")
    ada.click(".previous button", "Review")
    ada.wait_for_text("Looking back at match 1: the end")


def test_after_a_match_everybody_can_go_to_the_lobby(open_browser: OpenBrowser) -> None:
    """A spectator too, who cannot ask for a rematch."""
    ada, eve = open_browser("Ada"), open_browser("Eve")
    room = ada.open_room(TITLES["morris"], "device")
    eve.open(f"/r/{room}")
    play(ada, "a1")
    ada.wait_for(".ply", "a1")
    resign(ada)
    eve.wait_for(".result", "White (Ada) won")
    assert not eve.has(".status button", "Rematch")
    for person in (eve, ada):
        person.click(".status button, .status a", "Lobby")
        person.wait_for(".games")


def test_a_match_of_several_moves_is_not_lost_by_one_click(open_browser: OpenBrowser) -> None:
    """Restart and New match are in a menu apart from Undo and ask for confirmation; Escape closes the menu."""
    ada = open_browser("Ada")
    ada.open_room(TITLES["morris"], "bots", options=FIRST)
    play(ada, "a1")
    ada.wait_for(".ply", "2")
    ada.wait_for(".status.my-turn")
    assert not ada.has("button", "Restart")
    ada.click_button("Match \u2026")
    assert faults(ada) == []
    ada.click_button("New match")
    ada.wait_for_text("This match ends without a result.")
    assert ada.focused_label() == "No, play on"
    ada.press("Escape")
    ada.wait_until_gone(".match-menu-items")
    assert ada.focused_label() == "Match \u2026"
    assert ada.has(".ply", "2")
    ada.press("Enter")
    ada.click_button("Restart")
    ada.click_button("Yes, restart")
    ada.page.wait_for("document.querySelectorAll('.ply').length === 0")


def test_looking_back_leaves_the_clocks_on_the_screen(open_browser: OpenBrowser) -> None:
    """At the seats of the same match; above the board while an earlier match is shown."""
    clock = {"setting-clock": "3 minutes + 2 seconds per move"}
    white, black = seat_people(open_browser, TITLES["morris"], ("Ada", "Bob"), clock)
    play(white, "a1")
    play(black, "g7")
    white.wait_for(".status.my-turn")
    white.press(",")
    white.wait_for_text("Looking back: after move 1 of 2")
    white.wait_for(".seat .clock.running")
    white.press("Escape")
    resign(white)
    white.click_button("Rematch")
    black.click_button("Accept")
    white.wait_for(".previous", "Match 1: Bob won")
    white.click(".previous button", "Review")
    white.wait_for_text("Looking back at match 1")
    white.wait_for(".clocks", "Now: White 2:")


def test_a_touch_of_the_final_board_keeps_the_next_match_away(open_browser: OpenBrowser) -> None:
    """Between people, by the first touch; the page then says for whom the next match waits."""
    white, black = seat_people(open_browser, TITLES["morris"], ("Ada", "Bob"), {"setting-restart": "after 15 seconds"})
    play(white, "a1")
    play(black, "g7")
    resign(white)
    black.wait_for_text("The next match begins in")
    black.click_cell("g7")
    for person, awaited in ((white, "Bob"), (black, "you")):
        person.wait_for(".status", f"The next match waits for {awaited}.")
        assert person.has('[data-cell="g7"] .piece.black')
    assert not black.has(".answer")
    black.click_cell("a1")
    black.wait_for(".answer", "No match is running.")


def test_the_boards_of_turncoat_show_whose_they_are_and_are_never_dimmed(open_browser: OpenBrowser) -> None:
    """Each has the colour and the name of its player; the headline counts rounds; both can be seen when red has won."""
    red, yellow = seat_people(open_browser, TITLES["turncoat"], ("Ada", "Bob"))
    for person in (red, yellow):
        person.wait_for(".headline", "Your turn Round 1 of 60")
        person.wait_for(".board-title", "Your board")
    resign(yellow)
    red.wait_for(".boards.won-red")
    frames = []
    for colour, title in (("red", "Board of Red (Ada)"), ("yellow", "Board of Yellow (Bob)")):
        red.click(f"#tab-{colour}")
        red.wait_for(".board-title", title)
        frames.append(red.page.value("getComputedStyle(document.querySelector('.boards .backdrop')).fill"))
        assert red.page.value(DIMMED) == 0
    assert frames[0] != frames[1]


def test_the_focus_stays_in_the_page_after_a_rematch(open_browser: OpenBrowser) -> None:
    """The button is gone then; the next Tab goes on in the content, not at the top of the page."""
    ada = open_browser("Ada")
    ada.open_room(TITLES["morris"], "bots", options=FIRST)
    play(ada, "a1")
    resign(ada)
    ada.tab_to("Rematch")
    ada.press("Enter")
    ada.wait_for(".status.my-turn")
    ada.page.wait_for("document.activeElement.id === 'main'")


DIMMED = "[...document.querySelectorAll('.boards .cell')].filter(e => getComputedStyle(e).opacity !== '1').length"
