"""The lobby: nicknames, opening rooms, and how others find them."""

import pytest

from tests.e2e.client import Player, fresh_name
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_matches import play, seat_people

UNCUT = "({scrollWidth, clientWidth}) => scrollWidth <= clientWidth"
"""Whether an element shows all of its text."""


def test_a_room_is_opened_found_and_joined(open_browser: OpenBrowser) -> None:
    """It appears in everyone's lobby at once; players enter by a click or by its name."""
    ada, bob, cyd = open_browser("Ada"), open_browser("Bob"), open_browser("Cyd")
    bob.enter_nickname()
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


def test_a_turn_shows_in_the_lobby_while_it_is_open(open_browser: OpenBrowser) -> None:
    """The list, the title and the icon of the tab follow the match, and rooms where it is one's turn are first."""
    white, black = seat_people(open_browser, "Nine Men's Morris", ("Ada", "Bob"))
    black.open()
    black.wait_for(".own .room-line", "playing")
    assert black.page.value("document.title") == "Turnstream"
    black.open_room("Ternio", name=fresh_name())
    black.open()
    play(white, "a1")
    black.wait_for(".own li:first-child .tag.turn", "your turn")
    black.page.wait_for("document.title.startsWith('(1) Your turn')")
    assert black.page.value("document.querySelector('link[rel=icon]').href").endswith("/mark_turn.svg")


def test_a_room_is_called_by_what_it_is(open_browser: OpenBrowser) -> None:
    """By its game and its players, in the header, the title and the lists; a chosen name takes their place."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    for person in (ada, bob):
        person.set_nickname()
    room = ada.open_room("Ternio")
    ada.wait_for(".room-name", "Ternio \u00b7 you")
    bob.join(room)
    ada.page.wait_for("document.title === 'Ternio \u00b7 you, Bob \u00b7 Turnstream'")
    assert ada.text(".room-name") == "Ternio \u00b7 you, Bob"
    for person, other in ((ada, "Bob"), (bob, "Ada")):
        person.open()
        person.wait_for(".own .room-title", f"Ternio \u00b7 you, {other}")
        assert not person.has("main", room)
        assert person.page.value(f"[...document.querySelectorAll('.own .room-title')].every({UNCUT})")
    name = fresh_name()
    ada.open_room("Ternio", name=name)
    ada.page.wait_for(f"document.querySelector('.room-name').innerText === '{name} \u00b7 Ternio'")
    ada.open()
    ada.wait_for(".own .room-line", name)
    ada.wait_for(".own .room-line:last-child .room-game", "Ternio")


def test_play_begins_at_once(open_browser: OpenBrowser) -> None:
    """One tap anywhere on a card, without a name; the room is not listed, and the made-up name can be changed."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    ada.open()
    covered = ada.page.value(
        """(({left, top, width, height}) =>
        document.elementFromPoint(left + width / 2, top + height / 2).getAttribute('aria-label'))(
        document.querySelector('.game:nth-child(2) .game-picture').getBoundingClientRect())"""
    )
    assert covered == "Play Ternio"
    ada.click(".game .play-now", "Play Nine Men")
    ada.wait_for(".boards .board")
    made_up = ada.text(".bar .me")
    assert len(made_up.split()) == 2
    ada.wait_for(".seat.mine", made_up)
    title = ada.text(".room-name")
    assert title.startswith("Nine Men's Morris \u00b7 you, Otto")
    bob.open()
    assert not bob.has(".room-line", title)
    ada.open()
    ada.wait_for(".own .room-line", title)


def test_a_name_is_changed_before_the_first_room(open_browser: OpenBrowser) -> None:
    """Everywhere: also in the lobby's chat, in which someone without a name can write at once."""
    ada = open_browser("Ada")
    ada.open()
    ada.type_into(".chat-form input", "Hello!")
    ada.press("Enter")
    ada.wait_for(".chat-lines li", "Hello!")
    made_up = ada.text(".bar .me")
    ada.click(".bar .me")
    ada.page.wait_for(f"document.querySelector('#nickname')?.value === '{made_up}'")
    ada.type_text("Ada")
    ada.press("Enter")
    ada.wait_for(".bar .me", "Ada")
    ada.type_into(".chat-form input", "It is me.")
    ada.press("Enter")
    ada.wait_for(".chat-lines li", "Ada It is me.")


def test_running_matches_are_folded_and_full_rooms_left_out(open_browser: OpenBrowser) -> None:
    """Rooms that one can join are listed; matches that one can watch are behind a button with their number."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    joined, watched = fresh_name(), fresh_name()
    ada.open_room("Turncoat", name=joined)
    ada.open()
    ada.open_room("Nine Men's Morris", "device", name=watched)
    bob.open()
    bob.wait_for(".room-lists > .rooms .room-line", joined)
    assert not bob.has(".room-lists > .rooms .room-line", watched)
    bob.click(".watch summary", "Watch (")
    bob.click(".watch .room-line", watched)
    bob.wait_for(".boards .board")


def test_what_does_not_arrive_is_requested_again(open_browser: OpenBrowser) -> None:
    """The rest is shown meanwhile, and the page says what is missing."""
    ada = open_browser("Ada")
    ada.page.call("Fetch.enable", patterns=[{"urlPattern": "*/v1/games"}])
    ada.page.navigate(ada.url)
    refuse_next(ada)
    ada.wait_for(".failure", "The games could not be loaded.")
    ada.wait_for(".chat-form")
    ada.page.wait_for("document.querySelector('.room-lists .rooms:not([aria-busy])') !== null")
    ada.page.call("Fetch.disable")
    assert ada.page.value(FAILURE_WITH_GAMES) is False
    ada.wait_for(".game .play-now")
    ada.ignore_errors(500)


FAILURE_WITH_GAMES = """(async () => {
  const files = performance.getEntriesByType('resource').map(({name}) => name);
  const {loadCatalogue, redraw} = await import(files.find(name => name.endsWith('/web/app.js')));
  await loadCatalogue();
  redraw();
  await new Promise(requestAnimationFrame);
  return document.querySelector('.failure') !== null;
})()"""
"""Whether the page says that games are missing when another part of it has loaded them, before the next attempt."""


def refuse_next(person: Person) -> None:
    """Answer the next request that waits with 500."""
    person.page.call("Fetch.fulfillRequest", requestId=person.wait_for_paused(), responseCode=500, body="")


def test_a_refusal_is_shown_in_the_dialog(open_browser: OpenBrowser) -> None:
    """Above the buttons of the dialog, and it is gone once the room is open."""
    ada = open_browser("Ada")
    title = fresh_name()
    ada.open_room("Ternio", name=title)
    ada.open()
    ada.click('.game button[aria-label="Options of Ternio"]')
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
    """Someone whose token was not signed here becomes a new guest of the same name."""
    ada = open_browser("Ada")
    ada.open()
    ada.page.value(f"localStorage.setItem('turnstream.guest', {STALE!r})")
    ada.open()
    ada.click(".game button", "Play Ternio")
    ada.wait_for(".seat.mine", "Ada")
    ada.ignore_errors(401)


STALE = '{"id": "p-elsewhere", "nickname": "Ada", "token": "t1.p-elsewhere.QWRh.AAAAAAAAAAAAAAAAAAAAAAAA"}'


@pytest.mark.soak
def test_a_room_that_everybody_has_left_is_not_offered(open_browser: OpenBrowser, ada: Player) -> None:
    """A minute after that, although it is still open; the page's clock is ahead, so that the test need not wait."""
    title = fresh_name()
    room = ada.open_room("ternio", name=title).body["room"]
    bob = open_browser("Bob")
    bob.page.run_first("{ const now = Date.now; Date.now = () => now() + 100_000; }")
    with ada.subscribe(room) as feed:
        feed.until(lambda frame: frame["type"] == "caught_up")
        bob.open()
        bob.wait_for(".room-line", title)
    bob.page.wait_for(f"!document.body.innerText.includes('{title}')")
    assert ada.get(f"/v1/rooms/{room}").body["status"] == "open"


def test_an_unknown_address_shows_the_games(open_browser: OpenBrowser, anonymous: Player) -> None:
    """A browser gets a page that says so, with all five games; a program gets the usual problem."""
    page = anonymous.get("/no/such/page", {"accept": "text/html,*/*;q=0.8"})
    assert (page.status, page.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert page.headers["content-security-policy"] == anonymous.get("/").headers["content-security-policy"]
    for path, accept in (("/no/such/page", "*/*"), ("/v1/no", "text/html"), ("/static/no", "text/html")):
        assert anonymous.get(path, {"accept": accept}).code == "not_found"
    ada = open_browser("Ada")
    ada.open("/no/such/page")
    ada.wait_for("h1", "There is no such page.")
    ada.page.wait_for("document.querySelectorAll('.game .play-now').length === 5")
    ada.ignore_errors(404)
    ada.click('.game a[href="/games/ternio"]')
    ada.wait_for("figure .board")
