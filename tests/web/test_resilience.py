"""What a page withstands: a lost server, a slow one, a refusal; and looking back while the match continues."""

from base64 import b64encode

from tests.e2e.processes import ApiProcess
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_matches import play, seat_people

REFUSAL = b'{"status": 409, "code": "tired", "detail": "The service would rather not."}'

LATE_SOCKETS = """globalThis.WebSocket = class extends WebSocket {
  set onopen(listener) { super.onopen = () => setTimeout(listener, 700); }
}"""
"""Sockets that open later than the next redrawing of clocks."""


def ignore_lost_server(person: Person, api: ApiProcess) -> None:
    """Leave the page, and drop the browser's errors about requests to a server that was killed."""
    person.page.navigate("about:blank")
    person.page.errors[:] = [
        text for text in person.page.errors if str(api.port) not in text and "WebSocket" not in text
    ]


def test_a_page_reconnects_after_the_server_was_killed(open_browser: OpenBrowser, api: ApiProcess) -> None:
    """It shows that the connection is lost, reconnects, shows what was missed, and keeps looking at the same move."""
    ada, bob = open_browser("Ada", api.url), open_browser("Bob")
    room = ada.open_room("Nine Men's Morris")
    bob.join(room)
    ada.click_ready()
    bob.click_ready()
    play(ada, "a7")
    play(bob, "d7")
    play(ada, "a1")
    ada.wait_for(".ply", "a1")
    ada.press(",", 2)
    ada.wait_for_text("Looking back: after move 1 of 3")
    ada.page.value("void (window.was = 'here')")
    api.kill()
    ada.wait_for_text("Connection lost")
    play(bob, "g7")
    api.start()
    ada.page.wait_for("!document.querySelector('.feed-status')")
    ada.wait_for(".ply", "g7")
    ada.wait_for_text("Looking back: after move 1 of 4")
    ada.click_button("Back to now")
    play(ada, "a4")
    bob.wait_for(".ply", "a4")
    assert ada.page.value("window.was") == "here"
    ignore_lost_server(ada, api)


def test_a_pending_move_is_sent_again_when_the_connection_is_back(open_browser: OpenBrowser, api: ApiProcess) -> None:
    """Until then it is shown as pending; it is made once."""
    ada, bob = open_browser("Ada", api.url), open_browser("Bob")
    bob.join(ada.open_room("Nine Men's Morris"))
    ada.click_ready()
    bob.click_ready()
    ada.wait_for(".status.my-turn")
    api.kill()
    ada.wait_for_text("Connection lost")
    ada.click('.cell.open[data-cell="a1"]')
    ada.wait_for('[data-cell="a1"].pending')
    api.start()
    bob.wait_for(".ply", "a1")
    ada.page.wait_for("!document.querySelector('.pending')")
    play(bob, "g7")
    for person in (ada, bob):
        person.wait_for(".ply", "g7")
    assert [person.page.value("document.querySelectorAll('.ply').length") for person in (ada, bob)] == [2, 2]
    assert not ada.has(".answer.error")
    ignore_lost_server(ada, api)


def test_a_move_whose_response_is_lost_is_made_once(open_browser: OpenBrowser) -> None:
    """It is sent again under the same key."""
    ada = open_browser("Ada")
    ada.open_room("Nine Men's Morris", "device")
    ada.wait_for(".status.my-turn")
    ada.page.call("Fetch.enable", patterns=[{"urlPattern": "*/commands", "requestStage": "Response"}])
    play(ada, "a1")
    ada.page.wait_for("!document.querySelector('.pending')")
    for request in ada.page.paused:
        ada.page.call("Fetch.failRequest", requestId=request, errorReason="ConnectionReset")
    ada.page.call("Fetch.disable")
    play(ada, "g7")
    ada.wait_for(".ply", "g7")
    assert ada.page.value("document.querySelectorAll('.ply').length") == 2
    assert not ada.has(".answer.error")
    ada.ignore_errors("ERR_CONNECTION_RESET")


def test_a_page_shows_the_room_that_has_replaced_another(open_browser: OpenBrowser, api: ApiProcess) -> None:
    """Which was closed while the page had no connection. Until the new one arrives, the old one is shown."""
    ada, bob = open_browser("Ada", api.url), open_browser("Bob")
    ada.page.run_first(LATE_SOCKETS)
    room = bob.open_room("Nine Men's Morris")
    ada.open(f"/r/{room}")
    ada.wait_for(".seat", "Bob")
    api.kill()
    ada.wait_for_text("Connection lost")
    bob.click("#side-room")
    bob.click_button("Close the room")
    bob.click_button("Yes, close")
    bob.wait_for_text("This room is closed.")
    bob.open()
    bob.open_room("Ternio", name=room)
    api.start()
    ada.wait_for(".room.game-ternio .seat", "Bob")
    ada.page.wait_for("!document.querySelector('.feed-status')")
    ignore_lost_server(ada, api)


def test_an_own_move_is_shown_before_its_response(open_browser: OpenBrowser) -> None:
    """Until the response arrives the man is shown as pending."""
    white, black = seat_people(open_browser, "Nine Men's Morris", ("Ada", "Bob"))
    white.page.call("Fetch.enable", patterns=[{"urlPattern": "*/commands"}])
    play(white, "d2")
    white.wait_for('[data-cell="d2"].pending .piece.white')
    assert not black.has('[data-cell="d2"] .piece')
    white.page.call("Fetch.continueRequest", requestId=white.page.paused.pop())
    black.wait_for('[data-cell="d2"] .piece.white')
    white.page.wait_for("!document.querySelector('.pending')")
    assert white.has('[data-cell="d2"] .piece.white')


def test_the_feed_may_be_faster_than_the_response(open_browser: OpenBrowser) -> None:
    """A move that the feed has delivered is made, so the next one need not wait for the response to its command."""
    ada = open_browser("Ada")
    ada.open_room("Nine Men's Morris", "device")
    ada.wait_for(".status.my-turn")
    ada.page.call("Fetch.enable", patterns=[{"urlPattern": "*/commands", "requestStage": "Response"}])
    for cell in ("a1", "d7"):
        play(ada, cell)
        ada.wait_for(".ply", cell)
    for request in ada.page.paused:
        ada.page.call("Fetch.continueRequest", requestId=request)
    play(ada, "g7")
    ada.wait_for(".ply", "g7")
    assert not ada.has(".notice, .answer")


def test_a_double_click_plays_once(open_browser: OpenBrowser) -> None:
    """Without an error; a double click on a button that asks for confirmation does not confirm."""
    white, _ = seat_people(open_browser, "Nine Men's Morris", ("Ada", "Bob"))
    white.double_click('[data-cell="d2"]')
    white.wait_for(".ply", "d2")
    white.double_click(".actions .danger")
    white.wait_for(".actions .danger", "Yes, resign")
    assert not white.has(".answer.error")
    assert white.page.value("document.querySelectorAll('.ply').length") == 1
    assert not white.has(".result")


def test_a_refused_move_is_undone_with_its_reason(open_browser: OpenBrowser) -> None:
    """The page shows the detail of the problem."""
    white, _ = seat_people(open_browser, "Nine Men's Morris", ("Ada", "Bob"))
    white.page.call("Fetch.enable", patterns=[{"urlPattern": "*/commands"}])
    white.click_cell("d2")
    white.wait_for('[data-cell="d2"].pending .piece.white')
    request = white.page.paused.pop()
    white.page.call("Fetch.fulfillRequest", requestId=request, responseCode=409, body=b64encode(REFUSAL).decode())
    white.wait_for_text("The service would rather not.")
    assert not white.has('[data-cell="d2"] .piece')
    white.page.call("Fetch.disable")
    play(white, "d2")
    white.wait_for(".ply", "d2")
    white.ignore_errors(409)


def test_looking_back_while_the_match_continues(open_browser: OpenBrowser) -> None:
    """Steps go back and forward; the other side's move is announced, and the view returns to the current position."""
    white, black = seat_people(open_browser, "Nine Men's Morris", ("Ada", "Bob"))
    play(white, "a1")
    play(black, "g7")
    white.wait_for(".status.my-turn")
    white.click(".stepper button", "One move back")
    white.wait_for_text("Looking back: after move 1 of 2")
    white.wait_for('[data-cell="g7"][aria-label="G7, empty"]')
    white.click_cell("d7")
    white.wait_for_text("This is an earlier position")
    white.click(".stepper button", "To the start")
    white.wait_for_text("Looking back: the start")
    black.click(".stepper button", "To the start")
    white.click(".stepper button", "To now")
    play(white, "d7")
    black.wait_for_text("Looking back: the start")
    black.wait_for(".ply", "d7")
    black.press("Escape")
    play(black, "g4")
    white.wait_for('[data-cell="g4"] .piece.black')
