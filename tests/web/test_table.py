"""The card of a table, for who comes by its link; the invitation, for who waits there."""

import re
from typing import Any

import pytest

from tests.e2e.client import Player
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import NARROW, TITLES, faults, overflow
from tests.web.test_layout import DESKTOP, PHONE, SIDEWAYS, box
from tests.web.test_quick_play import player_of
from tests.web.variants import each_game

SMALLEST_BUTTON = 44
"""Pixels: the height of a button that is easy to hit with a finger."""


@pytest.mark.parametrize("game", each_game(TITLES, "morris", "triboard"))
def test_a_link_shows_who_plays_what_and_how(open_browser: OpenBrowser, game: str) -> None:
    """The card names host and game, has a picture and three lines of rules, and its button is on the first screen."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    room = ada.open_room(TITLES[game], options={"setting-clock": "3 minutes + 2 seconds per move"})
    for size in (DESKTOP, PHONE, SIDEWAYS):
        bob.resize(*size)
        bob.open(f"/r/{room}")
        bob.wait_for(".table-card h2", f"Ada\u2019s table: {TITLES[game]}")
        assert bob.has(".table-settings", "Clock: 3 minutes + 2 seconds per move")
        assert bob.page.value("document.querySelectorAll('.table-rules li').length") == 3
        assert box(bob, ".table-picture .board")["width"] > 60
        button = box(bob, ".table-card .primary")
        assert button["height"] >= SMALLEST_BUTTON
        assert button["bottom"] <= size[1], size
        assert bob.page.value("document.documentElement.scrollWidth <= innerWidth")
        assert size != PHONE or faults(bob) == []
    bob.click(".table-card .primary")
    bob.wait_for(".seat.mine")
    assert not bob.has(".table-card:not(.invitation)")
    ada.wait_for_text("All seats are taken." if len(seats_of(ada)) == 2 else "Waiting for 1 more player")


def seats_of(person: Any) -> list[str]:
    """Return the texts of the seats."""
    found: list[str] = person.page.value("[...document.querySelectorAll('.seat')].map(seat => seat.innerText)")
    return found


def test_a_new_player_needs_no_name(open_browser: OpenBrowser) -> None:
    """Without one, one is made up; it can be changed later."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    room = ada.open_room("Nine Men's Morris")
    bob.open(f"/r/{room}")
    bob.click(".table-card .primary")
    bob.wait_for(".seat.mine")
    name = bob.text(".bar .me")
    assert len(name.split()) == 2
    ada.wait_for(".seat", name)


def test_a_new_player_may_watch(open_browser: OpenBrowser) -> None:
    """As a spectator, who can still take a free seat."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    room = ada.open_room("Nine Men's Morris")
    bob.open(f"/r/{room}")
    bob.click(".table-card button", "Watch")
    bob.click(".aside button", "Take a seat")
    bob.wait_for(".seat.mine")


def test_who_waits_can_invite(open_browser: OpenBrowser) -> None:
    """By an invitation, or by the link of the room, which is copied; the card is gone when the seats are taken."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    room = ada.open_room("Nine Men's Morris")
    ada.wait_for(".invitation button", "Invite")
    assert faults(ada) == []
    ada.keep_copies()
    ada.click(".invitation button", "Copy the link to the room")
    ada.wait_for(".answer", "copied")
    assert ada.page.value("copied") == f"{ada.url}/r/{room}"
    bob.join(room)
    ada.wait_until_gone(".invitation")


def test_every_player_has_a_picture_that_is_the_same_for_everybody(
    open_browser: OpenBrowser, ada: Player, bob: Player
) -> None:
    """A colour and an emblem that follow from the id, and a face for a bot, drawn in the page; in the chat too."""
    room = ada.open_room("ternio", seats=["me", None, {"bot": "hard"}]).body["room"]
    bob.command(room, "join")
    ada.post(f"/v1/rooms/{room}/chat", {"text": "A picture for everybody"})
    bob.post("/v1/lobby/chat", {"text": "hello"})
    seen = []
    eve, person = open_browser("Eve"), open_browser("Finn")
    for each in (eve, person):
        each.open(f"/r/{room}")
        each.wait_for(".seat .avatar")
        seen.append(each.page.value(PICTURES.format(".seat .avatar")))
        assert each.page.value(REQUESTED_PICTURES) == 0
    assert seen[0] == seen[1]
    assert person.page.value(DISTINCT_PICTURES) >= 40
    assert ["rect" in picture for picture in seen[0]] == [False, False, True]
    person.click(".tab", "Room")
    person.page.wait_for(f"{PICTURES.format('.people .avatar')}.length >= 3")
    person.click(".tab", "Chat")
    person.wait_for(".chat-lines li", "hello")
    person.click(".chat .filter button", "This room")
    assert person.page.value(PICTURES.format(".chat-who .avatar")) == seen[0][:1]
    person.click(".chat-who")
    person.wait_for("dialog h2 .avatar")
    assert faults(person) == []


PICTURES = "[...document.querySelectorAll('{}')].map(e => e.innerHTML)"
REQUESTED_PICTURES = "performance.getEntriesByType('resource').filter(each => each.initiatorType === 'img').length"

DISTINCT_PICTURES = """(async () => {
  const files = performance.getEntriesByType('resource').map(({name}) => name);
  const {avatar} = await import(files.find(name => name.endsWith('/looks/avatar.js')));
  return new Set(Array.from({length: 200}, (_, number) => JSON.stringify(avatar(`p-${number}`)))).size;
})()"""
"""How many pictures 200 people have; there are 80."""


def test_bots_are_characters(open_browser: OpenBrowser) -> None:
    """With a name, a portrait, a sentence and the player's record, at seats and in results, by keyboard too."""
    ada = open_browser("Ada")
    ada.set_nickname()
    open_characters(ada)
    ada.wait_for(".character-words", "You have not played each other yet.")
    portraits = ada.page.value("[...document.querySelectorAll('.character .avatar')].map(e => e.innerHTML)")
    assert len(set(portraits)) == len(portraits) >= 3
    assert faults(ada) == []
    ada.page.value("document.querySelector('#create-level-medium').focus()")
    ada.press("ArrowUp", len(portraits))
    ada.page.wait_for("document.querySelector('#create-level-medium').checked")
    ada.click(".character", "Pip")
    ada.wait_for(".character-words", "A chick")
    ada.choose("#option-first", "White")
    ada.click("dialog button[type=submit]")
    ada.wait_for(".status.my-turn")
    ada.wait_for(".seat", "Pip")
    assert ada.page.value("document.querySelector('.seat:nth-child(2) .avatar').innerHTML") in portraits
    ada.click_cell("a1")
    ada.wait_for(".ply", "2")
    ada.wait_for(".status.my-turn")
    ada.click_button("Resign")
    ada.click_button("Yes, resign")
    ada.wait_for(".result", "Pip won")
    ada.open()
    ada.wait_for(".own .room-line", "Nine Men's Morris · you, Pip")
    open_characters(ada)
    ada.click(".character", "Pip")
    ada.wait_for(".character-words", "You: 0 won, 0 drawn, 1 lost")
    ada.click(".character", "Otto")
    ada.wait_for(".character-words", "You have not played each other yet.")
    ada.resize(NARROW, 700)
    assert overflow(ada) <= 0
    ada.open(f"/players/{player_of(ada)}")
    ada.wait_for(".profile-matches", "Nine Men's Morris against Pip (bot)")


def test_results_against_bots_are_read_once_a_bot_is_chosen(open_browser: OpenBrowser) -> None:
    """A room for friends needs neither them nor the bots that others run."""
    ada = open_browser("Ada", records=True)
    ada.set_nickname()
    ada.click('.game button[aria-label="Friends: play Ternio with others"]')
    ada.wait_for("dialog[open] .choice-card")
    ada.page.wait_for(IS_IDLE)
    assert reads_of_bots(ada) == []
    ada.click("dialog .choice-card:has([value=bots])")
    ada.wait_for(".character")
    ada.click("dialog .choice-card:has([value=device])")
    ada.click("dialog .choice-card:has([value=bots])")
    ada.page.wait_for(IS_IDLE)
    assert len(reads_of_bots(ada)) == 2


IS_IDLE = "new Promise(resolve => setTimeout(() => resolve(true), 500))"


def reads_of_bots(person: Person) -> list[str]:
    """Return the requests for the player's matches of a game and for the bots that others run."""
    return [url for url in person.requests if re.search(r"/matches\?game=|/v1/bots\?", url)]


def open_characters(person: Person) -> None:
    """Open the dialog in which a bot is chosen for Nine Men's Morris."""
    person.click('.game button[aria-label="Options of Nine Men\'s Morris"]')
    person.click("dialog .choice-card:has([value=bots])")
    person.wait_for(".character")
