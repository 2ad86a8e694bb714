"""Rated matches: what the forms offer for them, and what a rated room and its match leave out."""

from tests.e2e.client import Player
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import NARROW, faults, overflow

LABELS = "[...document.querySelectorAll('dialog label')].map(label => label.innerText)"

KEEP_PLACES = """window.places = new Set(); new MutationObserver(() => {
  const button = document.querySelector('.status.over .buttons > *');
  if (button) places.add(Math.round(button.getBoundingClientRect().top));
}).observe(document.body, {childList: true, subtree: true})"""
"""Keeps in `places` where the buttons below a result have been, in pixels from the top."""


def choices(person: Person, field: str) -> list[str]:
    """Return what a field of the dialog offers; the first one is what is chosen."""
    found: list[str] = person.page.value(
        f"(field => [...field.options].sort((one, other) => other.selected - one.selected).map(({{text}}) => text))"
        f"(document.querySelector('#setting-{field}'))"
    )
    return found


def test_the_forms_leave_out_what_a_rated_match_excludes(open_browser: OpenBrowser) -> None:
    """It gets a clock by itself; against bots and on one device nothing is rated."""
    ada = open_browser("Ada")
    ada.open()
    ada.click(".game button", "Friends: play Nine Men's Morris")
    ada.wait_for("dialog[open]")
    ada.choose("#setting-visibility", "Anyone who knows the password")
    ada.choose("#setting-rated", "yes")
    ada.wait_for("dialog p", "With a clock and without bots.")
    assert faults(ada) == []
    assert choices(ada, "clock")[0] == "10 minutes + 5 seconds per move"
    assert "None" not in choices(ada, "clock")
    assert choices(ada, "visibility") == ["Everybody, in the lobby", "Anyone who knows its name"]
    labels = ada.page.value(LABELS)
    assert not {"Hints", "When the time is up", "Password"} & {*labels}
    ada.click("dialog .choice-card:has([value=bots])")
    ada.wait_until_gone("#setting-rated")
    assert "Hints" in ada.page.value(LABELS)
    ada.click("dialog .choice-card:has([value=friends])")
    ada.wait_for("#setting-rated")
    assert choices(ada, "rated")[0] == "yes"
    ada.choose("#setting-rated", "no")
    assert "None" in choices(ada, "clock")


def test_a_rated_match_has_neither_help_nor_a_second_try(open_browser: OpenBrowser, cyd: Player) -> None:
    """The room and the lobby say that it is rated; its creator can neither change nor close it during the match."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    room = ada.open_room("Nine Men's Morris", name="Rated evening", options={"setting-rated": "yes"})
    assert ada.has(".bar .tag", "Rated")
    assert not ada.has(".seat select", "Add a bot")
    assert cyd.get(f"/v1/rooms/{room}").body["settings"]["rated"]
    bob.open()
    bob.wait_for(".room-line", "Rated evening")
    assert bob.has(".room-line .room-game", "Nine Men's Morris · rated")
    bob.open(f"/r/{room}")
    bob.wait_for(".table-settings", "Rated: yes · Clock: 10 minutes + 5 seconds per move")
    bob.join(room)
    for person in (ada, bob):
        person.click_ready()
    ada.wait_for(".actions button", "Offer a draw")
    for label in ("Hint", "Take back", "Match …"):
        assert not ada.has(".actions button", label)
    ada.click(".aside #side-room")
    ada.wait_for(".room-panel button", "Leave the room")
    for label in ("Close the room", "Change for the next match", "Remove"):
        assert not ada.has(".room-panel button", label)
    assert faults(ada) == []


def test_the_end_of_a_rated_match_shows_the_new_ratings(open_browser: OpenBrowser) -> None:
    """To players and to spectators, with what the match has changed; the buttons stay where they are."""
    ada, bob, cyd = open_browser("Ada"), open_browser("Bob"), open_browser("Cyd")
    room = ada.open_room("Nine Men's Morris", options={"setting-rated": "yes"})
    bob.join(room)
    cyd.open(f"/r/{room}")
    for person in (ada, bob):
        person.click_ready()
    ada.page.wait_for("/Your turn|to move/.test(document.querySelector('.status').innerText)")
    first, second = (ada, bob) if ada.has(".status", "Your turn") else (bob, ada)
    first.click_cell("a1")
    second.wait_for(".status", "Your turn")
    second.click_cell("d1")
    first.wait_for(".status", "Your turn")
    ada.page.value(KEEP_PLACES)
    bob.click(".actions button", "Resign")
    bob.click(".actions button", "Yes, resign")
    for person in (ada, bob, cyd):
        person.wait_for(".rating-change", "Ratings (Rapid):")
        assert person.has(".rating-change span", "Ada 1617 +117")
        assert person.has(".rating-change span", "Bob 1383 \N{MINUS SIGN}117")
        assert [person.text(f".seat:nth-child({seat}) .seat-name") for seat in (1, 2)] == ["Ada 1617", "Bob 1383"]
    assert len(ada.page.value("[...places]")) == 1
    assert bob.text(".rating-change .own").startswith("Bob")
    assert faults(bob) == []
    bob.resize(NARROW, 800)
    assert overflow(bob) <= 0
    bob.click(".rating-change a")
    bob.wait_for("h1", "Nine Men's Morris: Rapid")
