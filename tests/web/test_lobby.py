"""The lobby: nicknames, opening rooms, and how others find them."""

from tests.e2e.client import fresh_name
from tests.web.conftest import OpenBrowser


def test_a_room_is_opened_found_and_joined(open_browser: OpenBrowser) -> None:
    """It appears in everyone's lobby at once; players enter by a click or by its name."""
    ada, bob, cyd = open_browser("Ada"), open_browser("Bob"), open_browser("Cyd")
    bob.set_nickname()
    ada.set_nickname()
    title = fresh_name()
    room = ada.open_room("Ternio", name=title)
    assert room == title
    bob.wait_for(".room-line", title)
    bob.click(".room-line", title)
    bob.click(".join button", "seat")
    bob.wait_for(".seat.mine")
    cyd.open()
    cyd.type_into("#join-room", title)
    cyd.click_button("Go")
    cyd.type_into("#join-nickname", "Cyd")
    cyd.click(".join button", "seat")
    ada.wait_for(".seat", "Cyd")
    ada.wait_for_text("All seats are taken")
    for person in (ada, bob, cyd):
        person.click_ready()
    for person in (ada, bob, cyd):
        person.wait_for(".board.ternio")
    ada.wait_for_text("Your turn")
    bob.wait_for_text("Red (Ada) to move")


def test_own_rooms_show_where_it_is_your_turn(open_browser: OpenBrowser) -> None:
    """In the list of one's own rooms in the lobby."""
    ada = open_browser("Ada")
    ada.set_nickname()
    title = fresh_name()
    ada.open_room("Nine Men's Morris", "device", name=title)
    ada.wait_for(".status.my-turn")
    ada.open()
    ada.wait_for(".room-line:has(.tag.free)", f"{title}")
    ada.wait_for(".room-line .tag.free", "your turn")


def test_a_refusal_is_shown_in_the_dialog(open_browser: OpenBrowser) -> None:
    """Above the buttons of the dialog, and it is gone once the room is open."""
    ada = open_browser("Ada")
    title = fresh_name()
    ada.open_room("Ternio", name=title)
    ada.open()
    ada.click('.game button[aria-label="Play Ternio"]')
    ada.type_into("#create-name", title)
    ada.click("dialog button[type=submit]")
    ada.click("dialog .notice.error")
    ada.click("#create-name")
    ada.type_text("-2")
    ada.click("dialog button[type=submit]")
    ada.wait_for(".room")
    assert not ada.has(".notice")
    ada.ignore_errors(409)


def test_a_token_of_another_server_is_discarded(open_browser: OpenBrowser) -> None:
    """Someone whose token was not signed here has to enter a nickname again; the old one is filled in."""
    ada = open_browser("Ada")
    ada.open()
    ada.page.value(f"localStorage.setItem('turnstream.guest', {STALE!r})")
    ada.open()
    ada.click(".name-form button")
    ada.wait_for_text("You are Ada")
    ada.open_room("Ternio")
    ada.wait_for(".seat.mine", "Ada")
    ada.ignore_errors(401)


STALE = '{"id": "p-elsewhere", "nickname": "Ada", "token": "t1.p-elsewhere.QWRh.AAAAAAAAAAAAAAAAAAAAAAAA"}'
