"""What a page withstands: a server that goes away, a slow one, a refusal; and looking back while the match goes on."""

from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.processes import ApiProcess, started
from tests.store_server import StoreServer
from tests.web.conftest import Visit
from tests.web.test_matches import plays, seated

REFUSAL = b'{"status": 409, "code": "tired", "detail": "The service would rather not."}'


@pytest.fixture
def api(rooms_store: StoreServer, tmp_path: Path) -> Iterator[ApiProcess]:
    """Run a second API process on the same store, to be killed."""
    process = ApiProcess(rooms_store.url, tmp_path / "log")
    with started(process):
        yield process


def test_a_page_outlives_its_server(visit: Visit, api: ApiProcess) -> None:
    """It says that the connection is lost, comes back by itself, shows what was missed, and looks where it did."""
    ada, bob = visit("Ada", api.url), visit("Bob")
    room = ada.opens_room("Nine Men's Morris")
    bob.joins(room)
    ada.ready()
    bob.ready()
    plays(ada, "a7")
    plays(bob, "d7")
    plays(ada, "a1")
    ada.waits(".ply", "a1")
    ada.presses(",", 2)
    ada.sees("Looking back: after move 1 of 3")
    ada.page.value("void (window.was = 'here')")
    api.kill()
    ada.sees("Connection lost")
    plays(bob, "g7")
    api.start()
    ada.page.waits_for("!document.querySelector('.feed-status')")
    ada.waits(".ply", "g7")
    ada.sees("Looking back: after move 1 of 4")
    ada.button("Back to now")
    plays(ada, "a4")
    bob.waits(".ply", "a4")
    assert ada.page.value("window.was") == "here"
    ada.page.opens("about:blank")
    complaints = [text for text in ada.page.complaints if str(api.port) in text or "WebSocket" in text]
    ada.page.complaints[:] = [text for text in ada.page.complaints if text not in complaints]


def test_an_own_move_is_shown_before_it_is_answered(visit: Visit) -> None:
    """While the command is on its way the man lies there, paler than the others until it is certain."""
    white, black = seated(visit, "Nine Men's Morris", ("Ada", "Bob"))
    white.page.asks("Fetch.enable", patterns=[{"urlPattern": "*/commands"}])
    plays(white, "d2")
    white.waits('[data-cell="d2"].pending .piece.white')
    assert not black.has('[data-cell="d2"] .piece')
    white.page.asks("Fetch.continueRequest", requestId=white.page.paused.pop())
    black.waits('[data-cell="d2"] .piece.white')
    white.page.waits_for("!document.querySelector('.pending')")
    assert white.has('[data-cell="d2"] .piece.white')


def test_the_feed_may_be_quicker_than_the_answer(visit: Visit) -> None:
    """A move that the feed has told of is made, so the next one needn't wait for the answer to the command."""
    ada = visit("Ada")
    ada.opens_room("Nine Men's Morris", "device")
    ada.waits(".status.my-turn")
    ada.page.asks("Fetch.enable", patterns=[{"urlPattern": "*/commands", "requestStage": "Response"}])
    for cell in ("a1", "d7"):
        plays(ada, cell)
        ada.waits(".ply", cell)
    for answer in ada.page.paused:
        ada.page.asks("Fetch.continueRequest", requestId=answer)
    plays(ada, "g7")
    ada.waits(".ply", "g7")
    assert not ada.has(".notice")


def test_two_clicks_are_one(visit: Visit) -> None:
    """A double click on a cell plays once, without a complaint; one on a button that asks again is not its answer."""
    white, _ = seated(visit, "Nine Men's Morris", ("Ada", "Bob"))
    white.clicks_twice('[data-cell="d2"]')
    white.waits(".ply", "d2")
    white.clicks_twice(".actions .danger")
    white.waits(".actions .danger", "Yes, resign")
    assert not white.has(".notice.error")
    assert white.page.value("document.querySelectorAll('.ply').length") == 1
    assert not white.has(".result")


def test_a_refused_move_is_taken_back_and_said_why(visit: Visit) -> None:
    """What the service answers stands on the page, in its words."""
    white, _ = seated(visit, "Nine Men's Morris", ("Ada", "Bob"))
    white.page.asks("Fetch.enable", patterns=[{"urlPattern": "*/commands"}])
    white.cell("d2")
    white.waits('[data-cell="d2"].pending .piece.white')
    asked = white.page.paused.pop()
    white.page.asks("Fetch.fulfillRequest", requestId=asked, responseCode=409, body=b64encode(REFUSAL).decode())
    white.sees("The service would rather not.")
    assert not white.has('[data-cell="d2"] .piece')
    white.page.asks("Fetch.disable")
    plays(white, "d2")
    white.waits(".ply", "d2")
    white.was_refused(409)


def test_one_looks_back_while_the_match_goes_on(visit: Visit) -> None:
    """Steps go back and forward; the other side's move is heard of, and the present is where it was left."""
    white, black = seated(visit, "Nine Men's Morris", ("Ada", "Bob"))
    plays(white, "a1")
    plays(black, "g7")
    white.waits(".status.my-turn")
    white.clicks(".stepper button", "One move back")
    white.sees("Looking back: after move 1 of 2")
    white.waits('[data-cell="g7"][aria-label="G7, empty"]')
    white.cell("d7")
    white.sees("This is an earlier position")
    white.clicks(".stepper button", "To the start")
    white.sees("Looking back: the start")
    black.clicks(".stepper button", "To the start")
    white.clicks(".stepper button", "To now")
    plays(white, "d7")
    black.sees("Looking back: the start")
    black.waits(".ply", "d7")
    black.presses("Escape")
    plays(black, "g4")
    white.waits('[data-cell="g4"] .piece.black')
