"""The page of the player's devices: signing in and out by codes, and blocked players."""

import pytest

from tests.api.test_tokens import make, wait_until_refused
from tests.e2e.client import Player
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import NARROW, faults, overflow
from tests.web.test_languages import assert_fits, open_german
from tests.web.test_layout import PHONE
from tests.web.test_quick_play import player_of
from tests.web.variants import each_theme

CODE = "document.querySelector('.link-code').innerText.replace(/\\s/g, '')"


def enter_code(person: Person, code: str) -> None:
    """Sign in with a code."""
    person.open("/devices")
    person.type_into("#device-code", code)
    person.click(".code-form button[type=submit]")


def make_code(person: Person) -> str:
    """Show a code for another device, and return it."""
    person.open("/devices")
    person.click("[aria-labelledby=another] button")
    person.wait_for(".link-code")
    return str(person.page.value(CODE))


def test_another_device_signs_in_and_out(open_browser: OpenBrowser) -> None:
    """By a code that the first one shows; both are listed, and either can sign out the other."""
    ada, phone = open_browser("Ada"), open_browser("Phone")
    ada.set_nickname()
    ada.click(".bar .me")
    ada.click(".name-form a", "My devices")
    ada.wait_for("h1", "My devices")
    ada.wait_for(".device-part", "only on this device")
    assert faults(ada) == []
    code = make_code(ada)
    assert len(code) == 8
    assert ada.has("[aria-labelledby=another] [role=timer]", "valid for 4:")
    enter_code(phone, f"{code[:4]}-{code[4:].lower()}")
    phone.wait_for(".notice", "Welcome back, Ada.")
    phone.wait_for(".bar .me", "Ada")
    assert player_of(phone) == player_of(ada)
    ada.wait_for(".notice", "Signed in: ")
    assert not ada.has(".link-code")
    for person in (ada, phone):
        person.page.wait_for("document.querySelectorAll('[aria-labelledby=signed-in] li').length === 2")
        assert faults(person) == []
    phone.click("[aria-labelledby=signed-in] li button", "Sign out")
    phone.click("[aria-labelledby=signed-in] li button", "Yes, sign out")
    phone.page.wait_for("document.querySelectorAll('[aria-labelledby=signed-in] li').length === 1")
    ada.open("/devices")
    ada.wait_for(".lead, .devices .soft", "You have not played on this device yet.")
    ada.ignore_errors(401)


def test_a_recovery_code_brings_a_player_back(open_browser: OpenBrowser) -> None:
    """To the name and the rooms, on a device that was somebody else; the lost one is signed out."""
    ada, other = open_browser("Ada"), open_browser("Bob")
    ada.set_nickname()
    other.set_nickname()
    ada.open_room("Nine Men's Morris")
    ada.open("/devices")
    ada.keep_copies()
    ada.click("[aria-labelledby=lost] button", "Create a recovery code")
    ada.click(".recovery-code button", "Copy")
    ada.page.wait_for("typeof copied === 'string'")
    code = ada.page.value("copied")
    assert ada.text("#recovery-code") == code
    assert faults(ada) == []
    other.open("/devices")
    assert other.has("[aria-labelledby=enter]", "You will then no longer be Bob on this device.")
    enter_code(other, code)
    other.wait_for(".notice", "Welcome back, Ada.")
    other.open()
    other.wait_for(".own .room-line", "Nine Men's Morris · you")
    enter_code(other, code)
    other.wait_for(".notice.error")
    other.ignore_errors(404)


def test_all_other_devices_are_signed_out(open_browser: OpenBrowser, ada: Player) -> None:
    """After a question. A token that a program has is listed with what it may do."""
    me = open_browser("Ada")
    me.open()
    keep_guest(me, ada)
    made = ada.post("/v1/players/me/tokens", {"name": "My bot", "scopes": ["read", "play"], "expires_days": 7}).body
    me.open("/devices")
    me.wait_for(".device-list li", "reads and plays")
    me.click("[aria-labelledby=signed-in] > button", "Sign out everywhere else")
    me.wait_for("[aria-labelledby=signed-in] > button.primary", "Yes, everywhere else")
    me.page.value("document.querySelector('[aria-labelledby=signed-in] > button').focus()")
    me.press("Enter")
    me.wait_for(".notice", "You are signed in only on this device.")
    me.wait_until_gone(".device-list")
    assert Player(ada.client, made["token"]).get("/v1/players/me").status == 401


def test_a_player_is_erased(open_browser: OpenBrowser, anonymous: Player) -> None:
    """After a question; the device has no player then, and others see neither the name nor the text."""
    me = open_browser("Gone tomorrow")
    me.set_nickname()
    me.click(".bar .me")
    me.click(".name-form a", "My devices")
    erased = player_of(me)
    token = me.page.value("JSON.parse(localStorage.getItem('turnstream.guest')).token")
    assert Player(anonymous.client, token).post("/v1/lobby/chat", {"text": "not for ever"}).status == 201
    me.click("[aria-labelledby=erasure] > button", "Erase me")
    me.click("[aria-labelledby=erasure] > button.primary", "Yes, erase me permanently")
    me.wait_for(".notice", "You have been erased.")
    assert me.page.value("JSON.parse(localStorage.getItem('turnstream.guest')).token") is None
    assert Player(anonymous.client, token).get("/v1/players/me").status == 401
    [line] = [one for one in anonymous.get("/v1/lobby/chat").body["lines"] if one["player"]["id"] == erased]
    assert (line["player"]["nickname"], line["text"]) == ("Erased player", "")
    me.wait_for(".chat-text", "(deleted)")
    me.ignore_errors(401)


def keep_guest(person: Person, player: Player) -> None:
    """Store a player's token as another tab of the device does."""
    kept = f'{{"id": "{player.id}", "nickname": "Ada", "token": "{player.token}"}}'
    person.page.value(f"localStorage.setItem('turnstream.guest', {kept!r})")


def test_a_tab_uses_the_token_that_another_one_has_stored(open_browser: OpenBrowser, ada: Player) -> None:
    """When its own is no longer accepted, instead of becoming a new guest."""
    me = open_browser("Ada")
    me.open()
    keep_guest(me, ada)
    me.open()
    named = make(ada)
    keep_guest(me, named)
    assert named.send("DELETE", "/v1/players/me/tokens").status == 204
    wait_until_refused(ada)
    me.click(".bar .me")
    me.click(".name-form a", "My devices")
    me.wait_for(".device-list li", "this device")
    assert player_of(me) == ada.id
    me.ignore_errors(401)


LATE_REFUSAL = """(async (token) => {
  const scripts = new URL('.', document.querySelector('script[type=module]').src);
  const {forgetUnknownGuest, guest} = await import(new URL('app.js', scripts));
  const {Requests} = await import(new URL('../client/requests.js', scripts));
  const isRefused = await new Requests(location.origin, {token}).me().then(() => false, forgetUnknownGuest);
  return isRefused && guest.token;
})"""


def test_a_late_refusal_of_another_token_keeps_the_present_one(open_browser: OpenBrowser, ada: Player) -> None:
    """Several requests with a token are refused one after the other; by then the page may have another token."""
    me = open_browser("Ada")
    me.open()
    keep_guest(me, ada)
    me.open()
    assert me.page.value(f"{LATE_REFUSAL}('an-earlier-token')") == ada.token
    assert player_of(me) == ada.id
    me.ignore_errors(401)


@pytest.mark.parametrize("theme", each_theme("light"))
def test_the_page_of_devices_fits_on_a_phone(open_browser: OpenBrowser, theme: str) -> None:
    """In both themes, in German, with all that it can show."""
    ada = open_german(open_browser)
    ada.emulate_media(prefers_color_scheme=theme)
    ada.set_nickname()
    ada.resize(*PHONE)
    make_code(ada)
    ada.click("[aria-labelledby=lost] button")
    ada.wait_for("#recovery-code")
    assert_fits(ada, "devices")
    ada.resize(NARROW, 640)
    assert overflow(ada) <= 0
