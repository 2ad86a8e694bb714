"""The board first: how large it is in each game and window, and where its controls end."""

from typing import Any

import pytest

from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import TITLES
from tests.web.variants import each_game

DESKTOP = (1280, 800)
PHONE = (390, 844)
SMALL_PHONE = (390, 664)
SIDEWAYS = (844, 390)
TABLET = (820, 1180)
SCROLL_BAR = 15
CLOCK, CLOCK_ON_PHONE = 44, 30
"""How large the digits of a clock are, at least."""
DIGITS = "parseFloat(getComputedStyle(document.querySelector('.clock')).fontSize)"
BOXES = """(async selectors => {
  scrollTo(0, 0);
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  return Object.fromEntries(selectors.map(selector => {
    const {left, top, width, height, right, bottom} = document.querySelector(selector).getBoundingClientRect();
    return [selector, {left, top, width, height, right, bottom}];
  }));
})"""
"""Returns where elements are in the window, once it has been drawn at its size."""


def boxes_of(person: Person, *selectors: str) -> Any:
    """Return where elements are in the window, which is scrolled to its top."""
    return person.page.value(f"{BOXES}({[*selectors]})")


def box(person: Person, selector: str) -> Any:
    """Return where an element is in the window, which is scrolled to its top."""
    return boxes_of(person, selector)[selector]


CROWDED = """(() => {
  const boxes = [...document.querySelectorAll('.bar :is(a, button, .room-name)')]
    .map(one => one.getBoundingClientRect()).filter(({width}) => width).sort((one, other) => one.left - other.left);
  return boxes.some(({right}, index) => right > (boxes[index + 1]?.left ?? innerWidth) + 1);
})()"""
"""Whether anything in the bar covers its neighbour or ends outside the window."""


NARROWEST = """Math.min(...[...document.querySelectorAll('.bar :is(a.button, button)')]
  .map(one => one.getBoundingClientRect().width).filter(width => width))"""
"""The width of the narrowest control in the bar, in pixels."""

LINE = 24
"""The height of a name, with the mark of who is here before it."""

TOUCHABLE = 32
"""What a finger hits, at least."""


def overlaps(one: Any, other: Any) -> bool:
    """Return whether two boxes have a pixel in common."""
    beside = one["right"] <= other["left"] or other["right"] <= one["left"]
    return not (beside or one["bottom"] <= other["top"] or other["bottom"] <= one["top"])


def open_match(open_browser: OpenBrowser, game: str) -> Person:
    """Return a person who is to move in a match with clocks against bots, where there are most controls."""
    ada = open_browser("Ada")
    ada.open_room(TITLES[game], "bots", options={"setting-clock": "3 minutes + 2 seconds per move"})
    ada.wait_for(".status.my-turn")
    return ada


@pytest.mark.parametrize("game", each_game(TITLES, "ternio", "rainbow"))
def test_the_board_comes_first(open_browser: OpenBrowser, game: str) -> None:
    """It has three quarters of a desktop's height and nearly all of a phone's; its controls end on the first screen."""
    ada = open_match(open_browser, game)
    ada.resize(*DESKTOP)
    assert ada.page.value(DIGITS) >= CLOCK
    assert box(ada, ".boards .board")["height"] >= 0.75 * DESKTOP[1]
    assert box(ada, ".below")["bottom"] <= DESKTOP[1]
    ada.resize(*SIDEWAYS)
    board = box(ada, ".boards .board")
    assert board["top"] <= 16
    assert board["height"] >= 0.9 * SIDEWAYS[1]
    assert box(ada, ".below")["bottom"] <= SIDEWAYS[1]
    for size in (SMALL_PHONE, PHONE):
        ada.resize(*size)
        assert ada.page.value(DIGITS) >= CLOCK_ON_PHONE
        board = box(ada, ".boards .board")
        assert max(board["width"] / size[0], board["height"] / size[1]) >= 0.45
        assert box(ada, ".below")["bottom"] <= size[1]
    assert box(ada, ".boards .board")["width"] >= 0.9 * PHONE[0]
    ada.resize(*TABLET)
    assert box(ada, ".boards .board")["width"] >= 0.85 * (TABLET[0] - SCROLL_BAR)
    assert box(ada, ".below")["bottom"] <= TABLET[1]


@pytest.mark.parametrize("game", each_game(TITLES, "ternio", "rainbow"))
def test_nothing_overlaps_and_the_own_seat_is_near(open_browser: OpenBrowser, game: str) -> None:
    """On a phone the others are above the board and the player's own seat is below it; beside it otherwise."""
    ada = open_match(open_browser, game)
    parts = (".stack", ".seat.near", ".seat:not(.near)", ".boards .board", ".tray", ".below", ".bar")
    for size in (DESKTOP, SIDEWAYS, SMALL_PHONE, TABLET):
        ada.resize(*size)
        boxes = boxes_of(ada, *parts)
        found = [(one, other) for one in parts for other in parts if one < other and overlaps(boxes[one], boxes[other])]
        assert found == [], size
        is_upright = size[0] < size[1]
        assert (boxes[".seat.near"]["top"] >= boxes[".boards .board"]["bottom"]) == is_upright
        assert (boxes[".seat:not(.near)"]["bottom"] <= boxes[".boards .board"]["top"]) == is_upright
        assert ada.page.value("document.documentElement.scrollWidth <= innerWidth")
        assert not ada.page.value(CROWDED)
        assert ada.has(".seat.near .seat-name .presence")
        assert box(ada, ".seat.near .seat-name")["height"] <= LINE
        assert ada.page.value(NARROWEST) >= TOUCHABLE


def test_a_picture_is_at_the_sign_of_its_seat(open_browser: OpenBrowser) -> None:
    """On a phone, also where the seat is as high as the result beside it."""
    ada = open_browser("Ada")
    ada.open_room(TITLES["ternio"], "bots")
    ada.wait_for(".status.my-turn")
    ada.click_button("Resign")
    ada.click_button("Yes, resign")
    ada.wait_for(".result")
    ada.click_button("Review")
    ada.wait_for(".status", "Back to now")
    ada.resize(*PHONE)
    assert overlaps(box(ada, ".seat.near > .avatar"), box(ada, ".seat.near > .badge"))


def test_what_is_picked_can_be_put_back_beside_the_board(open_browser: OpenBrowser) -> None:
    """The button is between the board and the rack, in every window, and covers neither."""
    ada = open_match(open_browser, "rainbow")
    ada.click("button.rack-side")
    for size in (DESKTOP, SIDEWAYS, SMALL_PHONE, TABLET):
        ada.resize(*size)
        boxes = boxes_of(ada, ".choices button", ".boards .board", ".rack", ".die, .rainbow-top button", ".status")
        button = boxes.pop(".choices button")
        assert [part for part in boxes if overlaps(button, boxes[part])] == [], size
