"""What the creator of a room can do there: assign seats, change the rules, mute and remove players."""

from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import TITLES
from tests.web.test_matches import play

MORRIS, RAINBOW = TITLES["morris"], TITLES["rainbow"]


def send_chat(person: Person, text: str) -> None:
    """Send a chat line."""
    person.click(".aside .tab", "Chat")
    person.type_into(".chat-form input", text)
    person.press("Enter")


def test_dragging_a_player_onto_another_swaps_their_seats(open_browser: OpenBrowser) -> None:
    """A player who is dropped elsewhere keeps the seat."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    bob.join(ada.open_room(MORRIS))
    ada.wait_for(".seat:nth-child(2)", "Bob")
    ada.drag(".seat:nth-child(1) .badge", ".tabs")
    ada.wait_for(".seat:nth-child(1) button", "Swap")
    assert "Ada" in ada.text(".seat:nth-child(1)")
    ada.drag(".seat:nth-child(1) .badge", ".seat:nth-child(2) .badge")
    for person in (ada, bob):
        person.wait_for(".seat:nth-child(1)", "Bob")
        person.wait_for(".seat:nth-child(2)", "Ada")


def test_changed_rules_apply_from_the_next_match_on(open_browser: OpenBrowser) -> None:
    """The change is announced and listed; the running match keeps its rules, the next one uses dice.

    A guest who has not joined sees the announcement too.
    """
    ada, eve = open_browser("Ada"), open_browser("Eve")
    room = ada.open_room(RAINBOW, "device", options={"setting-clock": "2 minutes per move"})
    eve.open(f"/r/{room}")
    eve.wait_for(".boards .board")
    ada.click("button.rack-side", "red up")
    ada.click(".cell.open")
    ada.wait_for(".ply")
    ada.click(".aside .tab", "Room")
    ada.wait_for("dl div", "2 minutes per move")
    ada.click_button("Change for the next match")
    ada.wait_for("dialog[open]")
    ada.click("#option-dice")
    ada.click("dialog button", "Save")
    for person in (ada, eve):
        person.wait_for(".notice", "The rules of the next match were changed.")
    ada.wait_until_gone("dialog")
    assert not ada.has(".die")
    assert ada.text("h2 ~ h2 ~ h2 + dl").splitlines() == ["A die decides the colour to use", "yes"]
    ada.click_button("Match \u2026")
    ada.click_button("New match")
    ada.wait_for(".die", "The die shows")
    ada.wait_for_text("use a peg with that colour")


def test_the_creator_mutes_and_removes_a_player(open_browser: OpenBrowser) -> None:
    """A muted player gets an error for a chat line and can send it once unmuted; a removed one has no seat."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    bob.join(ada.open_room(MORRIS))
    ada.click(".aside .tab", "Room")
    ada.click_button("Mute for all")
    bob.wait_for_text("Bob was muted")
    send_chat(bob, "Hello?")
    bob.wait_for(".answer.error")
    assert not bob.has(".chat-lines li", "Hello?")
    ada.click_button("Unmute")
    bob.wait_for_text("Bob may write again")
    bob.click(".chat-form button")
    bob.wait_for(".chat-lines li", "Hello?")
    ada.click_button("Remove Bob")
    bob.wait_for_text("You were removed")
    ada.wait_for_text("Bob was removed")
    for person in (ada, bob):
        person.wait_for(".seat:nth-child(2)", "free")
    assert not bob.has(".seat.mine")
    bob.ignore_errors(403)


def test_a_match_can_be_claimed_from_a_player_who_left(open_browser: OpenBrowser) -> None:
    """Nothing can be claimed while both are present."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    bob.join(ada.open_room(MORRIS, options={"setting-grace_ms": "at once"}))
    ada.click_ready()
    bob.click_ready()
    play(ada, "a1")
    bob.wait_for(".status.my-turn")
    assert not ada.has(".seat button", "Claim")
    bob.click(".aside .tab", "Room")
    bob.click_button("Leave the room")
    ada.click(".seat button", "Claim")
    ada.wait_for(".result", "You won")
