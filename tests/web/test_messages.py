"""Messages: answers to what the player does are in the status; what others do is at the top, until the next tap."""

import pytest

from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import TITLES, faults
from tests.web.test_layout import PHONE, box, overlaps
from tests.web.test_matches import play, seat_people
from tests.web.test_typeface import wait_for_typeface

UNCOVERED = """[...document.querySelectorAll('.boards .cell')].every(cell => {
  const {left, top, width, height} = cell.querySelector('.hit').getBoundingClientRect();
  return cell.contains(document.elementFromPoint(left + width / 2, top + height / 2));
})"""
"""Whether every cell of the board can be seen and tapped."""

BLOCKED = """[...document.querySelectorAll('.notice')].filter(notice => {
  const {left, top, width, height} = notice.getBoundingClientRect();
  return notice.contains(document.elementFromPoint(left + width / 2, top + height / 2));
}).length"""
"""How many messages catch a tap."""


def refuse(person: Person, cell: str, text: str) -> str:
    """Tap a cell where nothing can be played, wait for the answer, and return the classes of the cell."""
    person.click_cell(cell)
    person.wait_for(".status .answer.error", text)
    return str(person.page.value(f"document.querySelector('[data-cell=\"{cell}\"]').getAttribute('class')"))


@pytest.mark.parametrize("size", [PHONE, (1366, 768)])
def test_a_refusal_shakes_the_cell_and_is_said_in_the_status(open_browser: OpenBrowser, size: tuple[int, int]) -> None:
    """Each time; nothing covers the board, which stays where it is, and the next tap takes the sentence away."""
    ada = open_browser("Ada")
    ada.resize(*size)
    ada.open_room(TITLES["ternio"], "device")
    wait_for_typeface(ada, ".status.my-turn")
    before = box(ada, ".boards .board")
    shaken = [refuse(ada, cell, "captures nothing") for cell in ("a1", "a1", "a2")]
    assert all("refused-" in classes for classes in shaken)
    assert shaken[0] != shaken[1]
    assert not ada.has(".notice")
    assert box(ada, ".boards .board") == before
    assert ada.page.value(UNCOVERED)
    assert faults(ada) == []
    ada.click(".cell.open")
    ada.wait_for(".ply", "1")
    ada.wait_until_gone(".answer")


def test_what_the_service_refuses_is_said_in_the_status(open_browser: OpenBrowser) -> None:
    """As when there is nothing to undo; a hint is an answer, too."""
    ada = open_browser("Ada")
    ada.open_room(TITLES["morris"], "bots", options={"option-first": "White"})
    ada.wait_for(".status.my-turn")
    ada.click_button("Undo")
    ada.wait_for(".status .answer.error")
    ada.click_button("Hint")
    ada.wait_for(".status .answer", "A bot would")
    assert not ada.has(".notice")
    assert not ada.has(".answer.error")
    ada.ignore_errors(409)


def test_what_others_do_is_at_the_top_until_the_next_tap(open_browser: OpenBrowser) -> None:
    """A tap goes through the message to what is below it, also when the message is long."""
    ada, bob = seat_people(open_browser, TITLES["morris"], ("Ada", "Bob"))
    for person in (ada, bob):
        person.resize(*PHONE)
    play(ada, "a1")
    bob.open()
    ada.wait_for(".notice.news", "has lost the connection")
    ada.wait_for_animations()
    assert not overlaps(box(ada, ".notices"), box(ada, ".boards .board"))
    assert box(ada, ".notice")["top"] >= 0
    assert ada.page.value(BLOCKED) == 0
    ada.click(".tab", "Chat")
    ada.wait_until_gone(".notice")
    ada.wait_for(".chat-form input")
