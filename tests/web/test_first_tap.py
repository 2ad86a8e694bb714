"""The first tap on Play is answered at once, however slow the network is."""

from base64 import b64encode

import pytest

from tests.web.conftest import OpenBrowser
from tests.web.person import IS_PREPARED, Person
from tests.web.test_accessibility import TITLES
from tests.web.test_layout import PHONE, box
from tests.web.variants import each_game

REQUESTS = 8
"""From the tap to the board, at most: three for the room, and what the lobby still loads."""

WATCH = """window.tapped = performance.now();
new MutationObserver(() => {
  window.shown ??= document.querySelector('.boards .cell') && performance.now();
}).observe(document, {childList: true, subtree: true})"""

REQUESTED = """performance.getEntriesByType('resource')
  .filter(({startTime}) => startTime > window.tapped && startTime < window.shown).map(({name}) => name)"""

REFUSAL = b64encode(b'{"status": 409, "code": "full", "detail": "No room is left."}').decode()


def tap(person: Person, game: str) -> None:
    """Tap the card of a game."""
    person.click(".game .play-now", f"Play {TITLES[game]}")


@pytest.mark.parametrize("game", each_game(TITLES, "ternio"))
def test_the_empty_board_is_shown_before_the_service_has_answered(open_browser: OpenBrowser, game: str) -> None:
    """In the place of the board that follows, after a few requests; `bench.first_view` measures how soon."""
    ada = open_browser("Ada")
    ada.resize(*PHONE)
    ada.open()
    ada.page.wait_for(IS_PREPARED)
    ada.page.call("Fetch.enable", patterns=[{"urlPattern": "*/v1/*"}])
    ada.page.value(WATCH)
    tap(ada, game)
    ada.wait_for(".opening .board")
    empty = box(ada, ".opening .board")
    assert not ada.has(".boards")
    while not ada.has(".boards .cell"):
        ada.page.call("Fetch.continueRequest", requestId=ada.wait_for_paused())
    ada.page.call("Fetch.disable")
    requested = ada.page.value(REQUESTED)
    assert 0 < len(requested) <= REQUESTS, requested
    assert box(ada, ".boards .board") == pytest.approx(empty, abs=2)


def test_a_card_is_pressed_while_nothing_has_been_loaded(open_browser: OpenBrowser) -> None:
    """As by a tap that comes at once on a slow network."""
    ada = open_browser("Ada")
    ada.open()
    ada.page.call("Fetch.enable", patterns=[{"urlPattern": "*/static/*"}])
    tap(ada, "morris")
    ada.wait_for(".game.pressed", "Morris")
    ada.page.call("Fetch.disable")


def test_a_room_that_cannot_be_opened_leads_back_to_the_lobby(open_browser: OpenBrowser) -> None:
    """With the reason; then Enter opens one."""
    ada = open_browser("Ada")
    ada.open()
    ada.page.wait_for(IS_PREPARED)
    ada.page.call("Fetch.enable", patterns=[{"urlPattern": "*/v1/rooms"}])
    tap(ada, "ternio")
    ada.wait_for(".opening .board")
    ada.page.call("Fetch.fulfillRequest", requestId=ada.wait_for_paused(), responseCode=409, body=REFUSAL)
    ada.page.call("Fetch.disable")
    ada.wait_for(".notice.error", "No room is left.")
    again = "[...document.querySelectorAll('.game .play-now')].find(({ariaLabel}) => ariaLabel.includes('Ternio'))"
    ada.page.value(f"{again}.focus()")
    ada.press("Enter")
    ada.wait_for(".boards .board")
    ada.wait_for_error(409)
    ada.ignore_errors(409)
