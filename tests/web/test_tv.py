"""TV in the lobby and on a page of its own, on a service of its own: other tests leave matches behind."""

from tests.api.test_player_matches import play_rainbow
from tests.e2e.client import ApiClient, Player
from tests.waiting import wait_for
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import NARROW, faults, overflow
from tests.web.test_layout import box

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


def test_a_wide_lobby_has_a_large_board_and_says_who_is_here(own_api: ApiClient, open_browser: OpenBrowser) -> None:
    """A game of the day until a match is live; the counts follow the rooms. Narrower pages have no such board."""
    ada, bob, eve = own_api.guest("Ada"), own_api.guest("Bob"), open_browser("Eve", own_api.url)
    eve.resize(1920, 1080)
    eve.open()
    eve.wait_for(".featured a", "Learn")
    eve.wait_for(".who-is-here", "0 matches are being played")
    assert_is_large(eve, ".featured .board")
    assert faults(eve) == []
    room = ada.open_room("morris", settings={"start": "full", "restart": None}).body["room"]
    eve.wait_for(".who-is-here", "1 player is waiting for others")
    assert bob.command(room, "join").status == 200
    eve.wait_for(".who-is-here", "1 match is being played")
    assert eve.has(".who-is-here", "0 players are waiting for others")
    eve.wait_for(".live-link", "Watch Nine Men's Morris")
    assert not eve.has(".featured")
    assert_is_large(eve, ".live-board .board")
    assert ada.command(room, "close").status == 200
    eve.wait_for(".featured .board")
    eve.resize(1366, 768)
    assert eve.page.value("document.querySelector('.featured').checkVisibility()") is False


def assert_is_large(person: Person, board: str) -> None:
    """Check that a board is in a column of its own beside the games, whole and larger than on other pages."""
    found, games = box(person, board), box(person, ".games")
    assert found["height"] > 450
    assert found["left"] > games["right"]
    assert found["bottom"] < 1080
    assert games["width"] > 1100
    assert person.page.value("document.documentElement.scrollWidth") <= 1920


def test_the_lobby_lists_notable_matches(client: ApiClient, open_browser: OpenBrowser) -> None:
    """Of those that have ended by the rules, here also those of other tests; each leads to its review.

    People who have won one lately are listed, the latest first.
    """
    ada, bob = client.guest("Ada"), client.guest("Bob")
    play_rainbow(begin(ada, bob, "rainbow"), ada, bob)
    wait_for(lambda: ada.get("/v1/matches/notable", game="rainbow").body["matches"])
    eve = open_browser("Eve")
    eve.open()
    eve.wait_for(".notable", "Tic-Tac-Rainbow")
    eve.wait_for(".who-is-here")
    assert eve.page.value(WINNERS) == ["Bob", "Ada"]
    assert faults(eve) == []
    eve.click(".notable a")
    eve.wait_for("main .board")


WINNERS = """(async () => {
  const files = performance.getEntriesByType('resource').map(({name}) => name);
  const {Here} = await import(files.find(name => name.endsWith('/live/here.js')));
  const won = (ended, winners, first, second) => {
    const players = [first, second]
      .map((nickname, seat) => ({seat, player: nickname, nickname, bot: nickname === 'Bot'}));
    return {game: 'morris', period: 'day', match: {ended, result: {winners}, players}};
  };
  const notable = [
    won('2026-11-28T08:00:00Z', [0], 'Ada', 'Bob'), won('2026-11-28T10:00:00Z', [1], 'Ada', 'Bob'),
    won('2026-11-28T09:00:00Z', [0, 1], 'Cyd', 'Dora'), won('2026-11-28T11:00:00Z', [0], 'Bot', 'Eve'),
    {...won('2026-11-28T12:00:00Z', [0], 'Fay', 'Bob'), period: 'all'},
  ];
  return new Here(() => ({playing: 0, waiting: 0}), notable).winners.map(({nickname}) => nickname);
})()"""
"""The recent winners among notable matches: of those that were not drawn, not won by a bot, and not too old."""


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
