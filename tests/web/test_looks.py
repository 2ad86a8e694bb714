"""The looks of boards: chosen in a menu, remembered for each game, and as easy to read as the classic one."""

import pytest

from tests.web.conftest import OpenBrowser
from tests.web.test_accessibility import TITLES, faults

BACKDROP = "getComputedStyle(document.querySelector('.boards .backdrop')).fill"


def test_a_look_is_remembered_for_its_game(open_browser: OpenBrowser) -> None:
    """It is chosen with the mouse or with arrow keys, and outlives the page; other games keep theirs."""
    ada = open_browser("Ada")
    room = ada.open_room(TITLES["morris"], "device")
    ada.wait_for(".room[data-board=classic] .boards .board")
    classic = ada.page.value(BACKDROP)
    ada.click(".bar button", "Look of the board")
    ada.click(".look[data-board=wood]")
    ada.wait_for(".room[data-board=wood]")
    assert ada.page.value(BACKDROP) != classic
    ada.press("ArrowDown")
    ada.wait_for(".room[data-board=paper]")
    ada.press("Escape")
    ada.page.wait_for("document.querySelector('.menu:popover-open') === null")
    ada.open(f"/r/{room}")
    ada.wait_for(".room[data-board=paper] .boards .board")
    ada.open()
    ada.open_room(TITLES["ternio"], "device")
    ada.wait_for(".room[data-board=classic] .boards .board")


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("look", ["wood", "paper"])
def test_every_look_is_accessible(open_browser: OpenBrowser, look: str, theme: str) -> None:
    """In both themes, with the menu open and closed; a piece differs from the others by its shape in every look."""
    ada = open_browser("Ada")
    ada.emulate_media(prefers_color_scheme=theme)
    ada.open_room(TITLES["ternio"], "device")
    ada.wait_for(".boards .board")
    ada.click(".bar button", "Look of the board")
    ada.click(f".look[data-board={look}]")
    assert faults(ada) == []
    ada.press("Escape")
    assert faults(ada) == []
    shapes = ada.page.value("[...document.querySelectorAll('.boards .emblem')].map(one => one.getAttribute('d'))")
    assert len(set(shapes)) == 3
