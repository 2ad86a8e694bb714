"""What waits for a player in other rooms: notifications of the browser, and the way to the next table."""

import pytest

from tests.e2e.client import Player
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import faults
from tests.web.test_languages import assert_fits
from tests.web.test_layout import PHONE
from tests.web.test_quick_play import HIDE, SHOW, player_of, room_of

NOTIFICATION = """window.shown = [];
window.Notification = class {
  static get permission() { return localStorage.getItem('permission') ?? 'default'; }
  static async requestPermission() {
    localStorage.setItem('permission', window.answer ?? 'granted');
    return this.permission;
  }
  constructor(title, options) { Object.assign(this, { title, ...options }); window.shown.push(this); }
  close() { this.isClosed = true; }
};"""
"""Replaces the browser's notifications, which nobody sees in a test."""


def open_person(open_browser: OpenBrowser, name: str) -> Person:
    """Return a person who has a name and whose notifications are recorded."""
    person = open_browser(name)
    person.page.run_first(NOTIFICATION)
    person.set_nickname()
    return person


def begin(host: Player, person: Person) -> str:
    """Let a player begin a match against a person, and return the room."""
    room: str = host.open_room("morris", settings={"start": "full", "restart": None}).body["room"]
    person.join(room)
    person.wait_for(".boards .board")
    return room


def move(host: Player, room: str, at: str) -> None:
    """Let the player place a man."""
    assert host.command(room, "play", move={"type": "place", "at": at}).status == 200


def titles(person: Person) -> list[str]:
    """Return the titles of all notifications so far."""
    found: list[str] = person.page.value("shown.map(({title}) => title)")
    return found


def test_a_hidden_tab_notifies_of_what_waits(open_browser: OpenBrowser, bob: Player) -> None:
    """From when it is turned on; a click leads to the room, and they are gone when the page is seen."""
    ada = open_person(open_browser, "Ada")
    room = begin(bob, ada)
    ada.click(".aside #side-room")
    ada.click(".room-panel button", "Notify me")
    ada.wait_for(".room-panel [aria-pressed=true]", "Notify me")
    assert faults(ada) == []
    move(bob, room, "a1")
    ada.wait_for(".status.my-turn")
    ada.click_cell("g7")
    ada.wait_for(".status", "to move")
    assert titles(ada) == [], "the page is seen"
    ada.open()
    ada.wait_for(".own [aria-pressed=true]", "Notify me")
    ada.page.value(f"void (() => {{ {HIDE} }})()")
    move(bob, room, "a4")
    ada.page.wait_for("shown.length === 1")
    assert ada.page.value("shown[0].body") == f"Nine Men's Morris · {room}"
    bob.command(room, "offer_draw")
    ada.page.wait_for("shown.length === 2")
    assert titles(ada) == ["Your turn", "A draw has been offered"]
    assert len(set(ada.page.value("shown.map(({tag}) => tag)"))) == 1, "the later one replaces the earlier one"
    ada.page.value(f"void (() => {{ shown[1].onclick(); {SHOW} }})()")
    ada.wait_for(".offer")
    assert room_of(ada) == room
    assert ada.page.value("shown[1].isClosed")
    ada.click(".aside #side-room")
    ada.click(".room-panel button", "Notify me")
    ada.wait_for(".room-panel [aria-pressed=false]", "Notify me")


def test_a_hidden_tab_notifies_of_a_challenge(open_browser: OpenBrowser, bob: Player) -> None:
    """With the game; the page has the challenge when it is seen."""
    ada = open_person(open_browser, "Ada")
    begin(bob, ada)
    ada.click(".aside #side-room")
    ada.click(".room-panel button", "Notify me")
    ada.wait_for(".room-panel [aria-pressed=true]", "Notify me")
    ada.page.value(f"void (() => {{ {HIDE} }})()")
    assert bob.post("/v1/challenges", {"game": "morris", "opponents": [player_of(ada)]}).status == 201
    ada.page.wait_for("shown.some(({title}) => title === 'You have been challenged')")
    assert ada.page.value("shown.find(({title}) => title === 'You have been challenged').body") == "Nine Men's Morris"
    ada.page.value(f"void (() => {{ {SHOW} }})()")
    ada.wait_for(".challenge.found", "Bob challenges you: Nine Men's Morris")


@pytest.mark.soak
def test_a_browser_that_does_not_allow_it_is_left_alone(open_browser: OpenBrowser) -> None:
    """With the reason."""
    ada = open_person(open_browser, "Ada")
    ada.click(".game .play-now")
    ada.wait_for(".boards .board")
    ada.page.value("void (window.answer = 'denied')")
    ada.click(".aside #side-room")
    ada.click(".room-panel button", "Notify me")
    ada.wait_for(".answer.error", "Your browser blocks notifications")
    assert ada.has(".room-panel [aria-pressed=false]", "Notify me")


def test_one_goes_from_table_to_table(open_browser: OpenBrowser, bob: Player) -> None:
    """By a button that counts those that wait, which appears when a turn begins elsewhere, or by a key."""
    ada = open_person(open_browser, "Ada")
    rooms = [begin(bob, ada) for _ in range(3)]
    move(bob, rooms[0], "a1")
    ada.wait_for(".bar .next-table", "Next table (1)")
    move(bob, rooms[1], "a1")
    ada.wait_for(".bar .next-table", "Next table (2)")
    ada.resize(*PHONE)
    assert_fits(ada, "bar")
    ada.click(".bar .next-table")
    ada.page.wait_for(f"location.pathname === '/r/{rooms[0]}'")
    ada.wait_for(".bar .next-table", "Next table (1)")
    ada.press("n")
    ada.page.wait_for(f"location.pathname === '/r/{rooms[1]}'")
    ada.wait_for(".bar .next-table", "Next table (1)")
    bob.command(rooms[0], "resign")
    ada.wait_until_gone(".bar .next-table")
    ada.press("n")
    ada.wait_for(".answer", "It is not your turn in any other room.")
