"""One chat with different views: the lines of the lobby and of rooms in one pane, in the lobby and in a room."""

from tests.e2e.client import fresh_name
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import faults

FIELD, SENT, VIEWS = ".chat-form input", ".chat-lines li", ".chat .filter button"


def say(person: Person, text: str) -> None:
    """Send a line."""
    person.type_into(FIELD, text)
    person.press("Enter")


def send_to(person: Person, place: str) -> None:
    """Choose where lines are sent."""
    person.page.value(CHOOSE_PLACE.replace("PLACE", place))
    person.wait_for(FIELD)


NAMES = ["All", "Lobby", "This room"]
CHOOSE_PLACE = """(field => {
  field.selectedIndex = [...field.options].findIndex(option => option.text === 'PLACE');
  field.dispatchEvent(new Event('change', {bubbles: true}));
})(document.querySelector('.chat-form select'))"""


SAY_AT_ONCE = (
    CHOOSE_PLACE
    + """, (form => {
  form.elements.namedItem('text').value = 'TEXT';
  form.requestSubmit();
})(document.querySelector('.chat-form'))"""
)
"""Chooses a place and sends a line there before the page has drawn the choice."""


def test_a_room_shows_the_lobby_too(open_browser: OpenBrowser) -> None:
    """Lines of both are shown as they arrive, and sent to either; a switch leaves only those of one of them."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    bob.set_nickname()
    say(bob, "Before the room")
    bob.wait_for(SENT, "Before the room")
    ada.open_room("Nine Men's Morris")
    ada.click(".aside .tab", "Chat")
    ada.wait_for(SENT, "Lobby Bob Before the room")
    say(ada, "To the room")
    ada.wait_for(SENT, "This room Ada To the room")
    say(bob, "After it")
    ada.wait_for(SENT, "Lobby Bob After it")
    send_to(ada, "Lobby")
    say(ada, "To the lobby")
    bob.wait_for(SENT, "Ada To the lobby")
    assert not bob.has(SENT, "To the room")
    assert faults(ada) == []
    ada.click(VIEWS, "This room")
    ada.wait_until_gone(".chat-where")
    assert not ada.has(SENT, "Before the room")
    assert ada.has(SENT, "To the room")
    say(ada, "Here again")
    ada.wait_for(SENT, "Here again")
    assert not bob.has(SENT, "Here again")
    ada.click(VIEWS, "Lobby")
    ada.wait_for(SENT, "Ada To the lobby")
    assert not ada.has(SENT, "Here again")
    say(ada, "From the view of the lobby")
    bob.wait_for(SENT, "From the view of the lobby")


def test_views_that_are_not_shown_say_how_many_lines_are_new(open_browser: OpenBrowser) -> None:
    """Until they are shown; own lines do not count. The switch works by keyboard, and says what is pressed."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    bob.set_nickname()
    ada.open_room("Nine Men's Morris")
    ada.click(".aside .tab", "Chat")
    say(bob, "Zero")
    ada.wait_for(SENT, "Bob Zero")
    ada.click(VIEWS, "This room")
    say(ada, "Mine")
    say(bob, "One")
    say(bob, "Two")
    ada.wait_for(VIEWS, "Lobby (2 new)")
    ada.wait_for(VIEWS, "All (2 new)")
    assert ada.has('.chat .filter [aria-pressed="true"]', "This room")
    assert faults(ada) == []
    ada.page.value("document.querySelectorAll('.chat .filter button')[1].focus()")
    ada.press("Enter")
    ada.wait_for(SENT, "Bob Two")
    assert ada.page.value(f"[...document.querySelectorAll('{VIEWS}')].map(one => one.innerText)") == NAMES
    assert ada.has('.chat .filter [aria-pressed="true"]', "Lobby")


def test_a_line_of_another_room_leads_there(open_browser: OpenBrowser) -> None:
    """A player in two rooms reads in each what is written in the other."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    title = fresh_name()
    room = ada.open_room("Nine Men's Morris", name=title)
    bob.join(room)
    bob.click(".aside .tab", "Chat")
    ada.open()
    ada.open_room("Ternio")
    ada.click(".aside .tab", "Chat")
    say(bob, "Over here!")
    ada.wait_for(SENT, f"{title} Bob Over here!")
    ada.click("a.chat-where", title)
    ada.page.wait_for(f"location.pathname === '/r/{room}'")
    ada.click(".game-morris .aside .tab", "Chat")
    ada.wait_for(SENT, "Bob Over here!")


def test_the_choice_is_remembered(open_browser: OpenBrowser) -> None:
    """On this device, for every page."""
    ada = open_browser("Ada")
    ada.open_room("Nine Men's Morris")
    ada.click(".aside .tab", "Chat")
    ada.click(VIEWS, "This room")
    ada.page.reload()
    ada.wait_for(".aside .tab", "Chat")
    ada.click(".aside .tab", "Chat")
    ada.wait_for('.chat .filter [aria-pressed="true"]', "This room")


def test_the_lobby_shows_own_rooms_too(open_browser: OpenBrowser) -> None:
    """Their lines are among those of the lobby, and `/ready` works from there."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    title = fresh_name()
    room = ada.open_room("Nine Men's Morris", name=title)
    bob.join(room)
    bob.click(".aside .tab", "Chat")
    say(bob, "Are you there?")
    bob.wait_for(SENT, "Are you there?")
    ada.open()
    ada.wait_for(SENT, f"{title} Bob Are you there?")
    assert faults(ada) == []
    ada.page.value(SAY_AT_ONCE.replace("PLACE", title).replace("TEXT", "/ready"))
    bob.wait_for(".seat", "ready")
    bob.wait_for(SENT, "Ada /ready")
    ada.click(VIEWS, "Lobby")
    ada.wait_until_gone(".chat-where")
    assert not ada.has(SENT, "Are you there?")
