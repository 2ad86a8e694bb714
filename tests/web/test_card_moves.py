"""The cards of the lobby play three moves of their game while they are pointed at, touched or focused."""

import pytest

from tests.api.tab import Step
from tests.web.conftest import OpenBrowser
from tests.web.person import IS_PREPARED, Person
from tests.web.test_accessibility import TITLES, faults
from tests.web.test_layout import PHONE, box
from tests.web.variants import each_game

MOVES = 3
RECORD = """(() => {
  window.positions = [];
  new MutationObserver(() => {
    const cells = [...document.querySelectorAll('.card-moves [data-cell]')].map(cell => cell.ariaLabel);
    const shown = cells.length ? cells.join() : '';
    if (positions.at(-1) !== shown) positions.push(shown);
  }).observe(document.getElementById('app'), {subtree: true, childList: true, attributes: true});
})()"""
"""Keeps what the board on a card shows, each position once; an empty text for none."""
ARE_SHOWN = "positions.length > 1 && positions.at(-1) === ''"
CARD = "[data-game={}] .play-now"


def hover(person: Person, game: str) -> None:
    """Point at the card of a game."""
    person.page.use_mouse(Step("move", **person.point(CARD.format(game))))


def open_lobby(person: Person) -> None:
    """Open the lobby, wait until it has loaded what rooms need, and record what cards show."""
    person.open()
    person.page.wait_for(IS_PREPARED)
    person.page.value(RECORD)


@pytest.mark.parametrize("game", each_game(TITLES, "morris", "turncoat"))
def test_a_card_plays_three_moves_while_it_is_pointed_at(open_browser: OpenBrowser, game: str) -> None:
    """Within the place of its picture, which is back afterwards; what that needs is requested at the first time."""
    ada = open_browser("Ada", records=True)
    open_lobby(ada)
    assert not any("card_moves" in url for url in ada.requests)
    ada.requests.clear()
    hover(ada, game)
    ada.wait_for(".card-moves .board")
    board, picture = (box(ada, f"[data-game={game}] {part}") for part in (".card-moves .board", ".game-picture"))
    assert board["width"] <= picture["width"]
    assert board["height"] <= picture["height"]
    assert faults(ada) == []
    ada.page.wait_for(ARE_SHOWN)
    shown = ada.page.value("positions.filter(Boolean)")
    assert len(shown) == len(set(shown)) == MOVES + 1
    assert [url for url in ada.requests if "/v1/games" in url] == []
    ada.page.use_mouse(Step("move", 5, 5))
    hover(ada, game)
    ada.wait_for(".card-moves .board")


def test_a_card_plays_by_touch_and_by_keyboard(open_browser: OpenBrowser) -> None:
    """After a touch to the end, and for the focus only as long as a card has it."""
    ada = open_browser("Ada")
    ada.resize(*PHONE)
    open_lobby(ada)
    point = ada.point(CARD.format("ternio"))
    ada.page.use_finger(Step("press", **point), Step("move", point["x"], point["y"] + 60), Step("release", **point))
    ada.page.wait_for(ARE_SHOWN)
    assert len(ada.page.value("positions.filter(Boolean)")) == MOVES + 1
    ada.page.value(f"document.querySelector('{CARD.format('morris')}').focus()")
    ada.wait_for("[data-game=morris] .card-moves")
    ada.page.value("document.activeElement.blur()")
    ada.wait_until_gone(".card-moves")


def test_nothing_plays_for_people_who_prefer_that(open_browser: OpenBrowser) -> None:
    """With reduced motion the picture stays, also when that is chosen in the middle of a move."""
    ada = open_browser("Ada")
    ada.emulate_media(prefers_reduced_motion="reduce")
    open_lobby(ada)
    hover(ada, "ternio")
    ada.page.wait_for("new Promise(resolve => setTimeout(() => resolve(true), 900))")
    assert ada.page.value("positions.filter(Boolean)") == []
    ada.emulate_media(prefers_reduced_motion="no-preference")
    hover(ada, "morris")
    ada.wait_for(".card-moves .board")
    ada.emulate_media(prefers_reduced_motion="reduce")
    ada.wait_until_gone(".card-moves")
    assert len(ada.page.value("positions.filter(Boolean)")) <= MOVES
