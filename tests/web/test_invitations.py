"""Invitations: the page that a link leads to, and the dialog in which links are made."""

import pytest

from tests.api.test_invitations import invite
from tests.e2e.client import Player
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import faults
from tests.web.test_languages import open_german
from tests.web.test_layout import DESKTOP, PHONE, box
from tests.web.variants import each_size

PRIVATE = {"visibility": "private", "password": "open sesame"}
SHARED = "void (navigator.share = async data => { window.shared = data })"
"""Replaces the dialog of the device with which a link is handed to another app."""
WIDTH = "document.documentElement.scrollWidth <= innerWidth"
LINK = "document.querySelector('#invite-link').value"
ENTRIES = "document.querySelectorAll('.invite-list li').length"


def open_private(host: Player, game: str = "morris", **settings: object) -> str:
    """Open a private room and return its name."""
    room: str = host.open_room(game, settings={**PRIVATE, **settings}).body["room"]
    return room


def open_invitation(person: Person, code: str) -> None:
    """Open the page of an invitation and wait until it shows something."""
    person.page.navigate(f"{person.url}/i/{code}")
    person.wait_for("h1")


@pytest.mark.parametrize("size", each_size({"desktop": DESKTOP, "phone": PHONE}, "phone"))
def test_an_invitation_says_who_invites_to_what(open_browser: OpenBrowser, ada: Player, size: tuple[int, int]) -> None:
    """With three lines of rules, the clock and what is unusual; both buttons are on the first screen."""
    clock = {"type": "per_move", "ms": 30_000}
    room = open_private(ada, "rainbow", clock=clock)
    bob = open_browser("Bob")
    bob.resize(*size)
    open_invitation(bob, invite(ada, room))
    bob.wait_for("h1", "Ada invites you: Tic-Tac-Rainbow")
    assert bob.has(".invited", "1 of 2 seats is free · Clock: 30 seconds per move")
    assert bob.page.value("document.querySelectorAll('.table-rules li').length") == 3
    for button in (".invited .primary", ".invited [value=decline]"):
        assert box(bob, button)["height"] >= 44
        assert box(bob, button)["bottom"] <= size[1]
    assert bob.page.value(WIDTH)
    assert room not in bob.page.value("document.documentElement.outerHTML"), "the name of a private room"
    assert faults(bob) == []
    assert ada.get(f"/v1/rooms/{room}").body["seats"][1]["player"] is None, "opening it joins nobody"


def test_a_stranger_joins_with_one_click(open_browser: OpenBrowser, ada: Player) -> None:
    """Into a private room without its password, under the name entered; the link is used up then."""
    room = open_private(ada)
    code = invite(ada, room)
    bob, eve = open_browser("Bob"), open_browser("Eve")
    open_invitation(bob, code)
    bob.type_into("#invited-nickname", "Bob")
    bob.press("Enter")
    bob.wait_for(".seat.mine")
    assert bob.page.value("location.pathname") == f"/r/{room}"
    open_invitation(eve, code)
    eve.wait_for("h1", "This invitation has ended")
    assert eve.has("p", "Everybody who was invited has already joined. Ask for a new one.")
    eve.ignore_errors(410)


@pytest.mark.soak
def test_who_is_in_the_room_goes_there(open_browser: OpenBrowser, ada: Player) -> None:
    """Without using the invitation; and who is the last on a seat leaves others the place of a spectator."""
    room = open_private(ada)
    code = invite(ada, room, uses=3)
    bob, eve = open_browser("Bob"), open_browser("Eve")
    for _ in range(2):
        open_invitation(bob, code)
        bob.wait_for(".invited .primary")
        if bob.has(".invited .primary", "Watch"):  # the page knows only that no seat is free
            assert bob.has(".invited", "All seats are taken")
        bob.click(".invited .primary")
        bob.wait_for(".seat.mine")
    bob.ignore_errors(409)
    open_invitation(eve, code)
    eve.wait_for(".invited", "All seats are taken")
    eve.click(".invited .primary", "Watch")
    eve.wait_for(".room")
    assert [entry["used"] for entry in ada.get(f"/v1/rooms/{room}/invitations").body["invitations"]] == [2]


def test_an_invitation_can_be_declined(open_browser: OpenBrowser, ada: Player) -> None:
    """In German, without becoming a guest; the host's list counts it, and one can change one's mind."""
    room = open_private(ada)
    code = invite(ada, room)
    bob = open_german(open_browser, "Bob")
    bob.resize(*PHONE)
    open_invitation(bob, code)
    bob.wait_for("h1", "Ada lädt dich ein: Mühle")
    assert faults(bob) == []
    bob.click(".invited button", "Nein, danke")
    bob.wait_for("h1", "Du hast abgelehnt")
    assert bob.page.value("localStorage.getItem('turnstream.guest')") is None
    assert [entry["declined"] for entry in ada.get(f"/v1/rooms/{room}/invitations").body["invitations"]] == [1]
    bob.click("button", "Doch mitspielen")
    bob.click(".invited .primary")
    bob.wait_for(".seat.mine")


def test_an_invitation_that_is_over_says_why(open_browser: OpenBrowser, ada: Player) -> None:
    """Wrong, revoked or of a closed room; a removal is shown on the card."""
    room = open_private(ada)
    revoked, other = invite(ada, room), invite(ada, room, uses=5)
    ada.command(room, "revoke_invitation", invitation=1)
    bob = open_browser("Bob")
    open_invitation(bob, "A" * 22)
    bob.wait_for("h1", "Invitation not found")
    assert faults(bob) == []
    open_invitation(bob, revoked)
    bob.wait_for(".invited", "It has been withdrawn.")
    open_invitation(bob, other)
    bob.click(".invited .primary")
    bob.wait_for(".seat.mine")
    player = ada.get(f"/v1/rooms/{room}").body["seats"][1]["player"]
    ada.command(room, "kick", player=player)
    open_invitation(bob, other)
    bob.click(".invited .primary")
    bob.wait_for(".invited .failure", "You were removed from this room and cannot join it again.")
    assert not bob.has(".invited .primary")
    ada.command(room, "close")
    open_invitation(bob, other)
    bob.wait_for(".invited", "The room has been closed.")
    for status in (403, 404, 410):
        bob.ignore_errors(status)


def test_the_host_makes_links_and_withdraws_them(open_browser: OpenBrowser) -> None:
    """One for all free seats at once, with its QR code; answers arrive in the dialog, and the next links are listed."""
    ada, bob, eve = open_browser("Ada"), open_browser("Bob"), open_browser("Eve")
    ada.page.run_first(SHARED)
    room = ada.open_room("Ternio", options={"setting-visibility": "Anyone who knows its name"})
    ada.click(".invitation button", "Invite")
    ada.wait_for("dialog[open] #invite-link")
    ada.page.wait_for("document.querySelector('.invite-code img').naturalWidth > 0")
    link = ada.page.value(LINK)
    assert faults(ada) == []
    ada.click("dialog button", "Share")
    assert ada.page.wait_for("window.shared") == {"title": "Play Ternio with me", "url": link}
    ada.keep_copies()
    ada.click("dialog button", "Copy")
    ada.wait_for("dialog .notice", "copied")
    assert ada.page.value("copied") == link
    for person in (eve, bob):
        person.page.navigate(link)
        person.type_into("#invited-nickname", person.name)
    eve.click(".invited button", "No, thanks")
    bob.click(".invited .primary")
    bob.wait_for(".seat.mine")
    ada.wait_for(".invite-list li", "2 players · 1 of 2 joined · 1 declined")
    ada.wait_for("dialog .notice", "Eve has declined an invitation.")
    ada.page.value(f"({CHOOSE})('#invite-whom', 'one player, as Blue')")
    ada.click("dialog button", "New link")
    ada.page.wait_for(f"{ENTRIES} === 2 && {LINK} !== '{link}'")
    assert ada.has(".invite-list li", "one player, as Blue")
    ada.click(".invite-list button", "Show invitation 1")
    ada.page.wait_for(f"{LINK} === '{link}'")
    ada.click(".invite-list button", "Withdraw invitation 1")
    ada.page.wait_for(f"{ENTRIES} === 1 && document.querySelector('#invite-link') === null")
    ada.press("Escape")
    ada.wait_until_gone("dialog")
    ada.click(".bar button", "Invite")
    ada.wait_for("dialog[open] #invite-link")
    assert ada.page.value(ENTRIES) == 1
    assert ada.page.value("location.pathname") == f"/r/{room}"


CHOOSE = """(selector, value) => {
  const field = document.querySelector(selector);
  field.selectedIndex = [...field.options].findIndex(option => option.text === value);
  field.dispatchEvent(new Event('change', {bubbles: true}));
}"""
