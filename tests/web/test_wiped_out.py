"""A player with nothing left on the board: it is said once, and the match can be watched faster or left."""

from tests.e2e.client import ApiClient
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import faults
from tests.web.test_panel import open_as

MOVES = ("c4", "g5", "b4")
"""After them, red has no disc left in Ternio."""
SLOW = {"restart": None, "bot_pause": 60_000}

KEEP_NEWS = """(() => {
  window.news = [];
  new MutationObserver(() => {
    for (const {innerText} of document.querySelectorAll('.notice')) {
      if (news.at(-1) !== innerText) news.push(innerText);
    }
  }).observe(document, {childList: true, subtree: true});
})()"""


def open_wiped_out(open_browser: OpenBrowser, client: ApiClient) -> tuple[SeatedRoom, Person]:
    """Return a match of Ternio between people that red has no disc in, and red's page."""
    seated = seat_players(client, "ternio", 3, SLOW)
    ada = open_as(open_browser, seated.red, f"/r/{seated.room}")
    ada.wait_for(".status.my-turn")
    ada.page.value(KEEP_NEWS)
    for seat, at in enumerate(MOVES):
        assert seated.players[seat].play(seated.room, {"type": "place", "at": at}).status == 200
    ada.wait_for(".status", "You have nothing left on the board")
    return seated, ada


def test_it_is_said_once(open_browser: OpenBrowser, client: ApiClient) -> None:
    """In the status of the player, and to the others by one message, although the seat passes on each turn."""
    seated, ada = open_wiped_out(open_browser, client)
    ben = open_as(open_browser, seated.players[1], f"/r/{seated.room}")
    ben.wait_for(".status.my-turn")
    ben.page.value(KEEP_NEWS)
    for turn in range(6):
        player = seated.players[1 + turn % 2]
        move = player.get(f"/v1/rooms/{seated.room}/legal-moves").body["legal_moves"][0]
        assert player.play(seated.room, move).status == 200
    for person in (ada, ben):
        person.wait_for(".ply", "9")
    assert ben.page.value("news") == ["Red (Player 0) has nothing left on the board and only passes from now on."]
    assert ada.page.value("news") == []
    assert ada.has(".status button", "Leave the room")
    assert not ada.has(".status button", "Watch faster")
    assert faults(ada) == []


def test_bots_go_on_without_pauses(open_browser: OpenBrowser, client: ApiClient) -> None:
    """When the player asks for it: bots that pause for a minute finish the match at once."""
    seated, ada = open_wiped_out(open_browser, client)
    for player in seated.players[1:]:
        assert player.command(seated.room, "leave").status == 200
    for seat in (1, 2):
        assert seated.red.command(seated.room, "add_bot", seat=seat, level="easy").status == 200
    ada.click(".status button", "Watch faster")
    ada.wait_for(".result", "won by")
