"""The lobby: a name, a table, and others who find it."""

from tests.e2e.client import fresh_name
from tests.web.conftest import Visit


def test_a_table_is_opened_found_and_joined(visit: Visit) -> None:
    """It stands in everybody's lobby at once, and is left there by name or by link."""
    ada, bob, cyd = visit("Ada"), visit("Bob"), visit("Cyd")
    bob.names_themselves()
    ada.names_themselves()
    title = fresh_name()
    room = ada.opens_room("Ternio", name=title)
    assert room == title
    bob.waits(".room-line", title)
    bob.clicks(".room-line", title)
    bob.clicks(".join button", "seat")
    bob.waits(".seat.mine")
    cyd.opens()
    cyd.types("#join-room", title)
    cyd.button("Go")
    cyd.types("#join-nickname", "Cyd")
    cyd.clicks(".join button", "seat")
    ada.waits(".seat", "Cyd")
    ada.sees("All seats are taken")
    for person in (ada, bob, cyd):
        person.ready()
    for person in (ada, bob, cyd):
        person.waits(".board.ternio")
    ada.sees("Your turn")
    bob.sees("Red (Ada) to move")


def test_own_rooms_say_where_a_move_is_awaited(visit: Visit) -> None:
    """In the list of one's own rooms, on coming back to the lobby."""
    ada = visit("Ada")
    ada.names_themselves()
    title = fresh_name()
    ada.opens_room("Nine Men's Morris", "device", name=title)
    ada.waits(".status.my-turn")
    ada.opens()
    ada.waits(".room-line:has(.tag.free)", f"{title}")
    ada.waits(".room-line .tag.free", "your turn")


def test_a_refusal_is_read_where_it_belongs(visit: Visit) -> None:
    """Above the buttons of the dialog that asked, not behind it; once the table is open, it is gone."""
    ada = visit("Ada")
    title = fresh_name()
    ada.opens_room("Ternio", name=title)
    ada.opens()
    ada.clicks('.game button[aria-label="Play Ternio"]')
    ada.types("#create-name", title)
    ada.clicks("dialog button[type=submit]")
    ada.clicks("dialog .notice.error")
    ada.clicks("#create-name")
    ada.writes("-2")
    ada.clicks("dialog button[type=submit]")
    ada.waits(".room")
    assert not ada.has(".notice")
    ada.was_refused(409)


def test_a_pass_of_another_server_is_given_up(visit: Visit) -> None:
    """Who comes with a token that isn't signed here is asked for a name again, with the old one filled in."""
    ada = visit("Ada")
    ada.opens()
    ada.page.value(f"localStorage.setItem('turnstream.guest', {STALE!r})")
    ada.opens()
    ada.clicks(".name-form button")
    ada.sees("You are Ada")
    ada.opens_room("Ternio")
    ada.waits(".seat.mine", "Ada")
    ada.was_refused(401)


STALE = '{"id": "p-elsewhere", "nickname": "Ada", "token": "t1.p-elsewhere.QWRh.AAAAAAAAAAAAAAAAAAAAAAAA"}'
