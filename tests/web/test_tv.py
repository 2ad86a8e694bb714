"""TV in the lobby and on a page of its own, on a service of its own: other tests leave matches behind."""

from tests.api.test_player_matches import play_rainbow
from tests.e2e.client import ApiClient, Player
from tests.waiting import wait_for
from tests.web.conftest import OpenBrowser
from tests.web.test_accessibility import NARROW, faults, overflow

RATED = {"rated": True, "clock": {"type": "per_move", "ms": 60_000}}


def begin(first: Player, second: Player, game: str, **settings: object) -> str:
    """Begin a match and return its room."""
    room: str = first.open_room(game, settings={"start": "full", "restart": None, **settings}).body["room"]
    assert second.command(room, "join").status == 200
    return room


def test_the_lobby_shows_what_is_on_tv(own_api: ApiClient, open_browser: OpenBrowser) -> None:
    """Move by move, with the players; another game can be chosen, which the browser remembers; it leads to the room."""
    ada, bob = own_api.guest("Ada"), own_api.guest("Bob")
    room = begin(ada, bob, "morris")
    eve = open_browser("Eve", own_api.url)
    eve.open()
    eve.wait_for(".live-board .board")
    eve.wait_for(".live-player", "Ada")
    player = ada if ada.read_room(room).body["match"]["to_move"] == [0] else bob
    assert player.play(room, {"type": "place", "at": "d2"}).status == 200
    eve.wait_for('.live-board [data-cell="d2"] .piece')
    assert faults(eve) == []
    eve.page.value(CHOOSE.replace("GAME", "Turncoat"))
    eve.wait_for(".live", "There is no match to watch at the moment.")
    begin(ada, bob, "turncoat")
    eve.wait_for(".live-link", "Watch Turncoat")
    eve.open()
    eve.wait_for(".live-link", "Watch Turncoat")
    eve.page.value(CHOOSE.replace("GAME", "Nine Men's Morris"))
    eve.wait_for(".live-link", "Watch Nine Men's Morris")
    eve.click(".live-link")
    eve.wait_for_text("You are watching.")


CHOOSE = """void (field => {
  field.selectedIndex = [...field.options].findIndex(option => option.text === "GAME");
  field.dispatchEvent(new Event('change', {bubbles: true}));
})(document.querySelector('.live-channel'))"""


def test_the_lobby_lists_notable_matches(client: ApiClient, open_browser: OpenBrowser) -> None:
    """Of those that have ended by the rules, here also those of other tests; each leads to its review."""
    ada, bob = client.guest("Ada"), client.guest("Bob")
    play_rainbow(begin(ada, bob, "rainbow"), ada, bob)
    wait_for(lambda: ada.get("/v1/matches/notable", game="rainbow").body["matches"])
    eve = open_browser("Eve")
    eve.open()
    eve.wait_for(".notable", "Tic-Tac-Rainbow")
    assert faults(eve) == []
    eve.click(".notable a")
    eve.wait_for("main .board")


def test_tv_goes_on_to_the_next_match(own_api: ApiClient, open_browser: OpenBrowser) -> None:
    """On its page: a rated one first, whose end is shown."""
    ada, bob, cyd = (own_api.guest(name) for name in ("Ada", "Bob", "Cyd"))
    first = begin(ada, bob, "morris")
    eve = open_browser("Eve", own_api.url)
    eve.open("/tv/morris")
    eve.wait_for("h1", "Nine Men's Morris live")
    eve.wait_for(".live-player", "Ada")
    begin(ada, cyd, "morris")
    second = begin(bob, cyd, "morris", **RATED)
    assert ada.command(first, "close").status == 200
    eve.wait_for(".live-words", "rated")
    assert eve.has(".live-player", "Bob")
    assert eve.has(".live-player", "Cyd")
    assert faults(eve) == []
    eve.resize(NARROW, 700)
    assert overflow(eve) <= 0
    assert bob.command(second, "resign").status == 200
    eve.wait_for(".live-words", "Cyd won")
