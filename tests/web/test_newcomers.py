"""What somebody does who has never been here: a first match of an unknown game, and one with a friend by link."""

import pytest

from service.domain.catalog import GAMES
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import TITLES
from tests.web.test_layout import PHONE
from tests.web.test_matches import play
from tests.web.variants import each_game

FIRST = "document.querySelector('.cell.open:not(.blank)')?.dataset.cell"
OWN_MOVES = "document.querySelectorAll('.ply, .pending, .selection').length"


def arrive(open_browser: OpenBrowser, name: str, path: str = "/") -> Person:
    """Open a page on a phone, without a name."""
    person = open_browser(name)
    person.resize(*PHONE)
    person.open(path)
    return person


@pytest.mark.parametrize("game", each_game(GAMES, "ternio", "turncoat"))
def test_two_taps_lead_to_a_move_in_an_unknown_game(open_browser: OpenBrowser, game: str) -> None:
    """The status says what to do, a lesson is offered, and where a move is possible is marked on the board."""
    ada = arrive(open_browser, "Ada")
    ada.click(".play-now", TITLES[game])
    ada.wait_for(".status.my-turn")
    assert len(ada.text(".status").split()) in range(5, 25)
    ada.wait_for(".lesson-offer", f"New to {TITLES[game]}?")
    if game == "rainbow":
        ada.click("button.rack-side")
    ada.page.wait_for(FIRST)
    ada.click(".cell.open:not(.blank)")
    ada.page.wait_for(f"{OWN_MOVES} > 0")


def test_a_friend_is_at_the_board_after_four_taps_and_one(open_browser: OpenBrowser) -> None:
    """Friends, open, invite, copy; the friend joins with one tap, and both begin with another."""
    ada = arrive(open_browser, "Ada")
    ada.keep_copies()
    ada.click(".game .link", f"Friends: play {TITLES['morris']}")
    ada.click("dialog button[type=submit]")
    ada.click(".invitation button", "Invite")
    ada.click("dialog button", "Copy")
    link = str(ada.page.wait_for("globalThis.copied"))
    bob = arrive(open_browser, "Bob", link.removeprefix(ada.url))
    bob.click(".invited .primary", "Join")
    ada.press("Escape")
    for person in (ada, bob):
        person.click(".status button", "Ready")
    play(ada, "a1")
    bob.wait_for(".status.my-turn")
    play(bob, "g7")
