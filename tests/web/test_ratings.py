"""The pages of ratings: the player's own ratings, and leaderboards."""

import asyncio
import time

import msgspec

from service.contests.rating_service import RatingService
from service.domain.ids import Millis, PlayerId, Version
from service.domain.ratings.model import RatedMatchEnded, SeatResult
from service.domain.streams import Source
from service.programs.store_setup import signer_of
from service.runtime.settings import Settings
from service.store.redis.store import RedisStore
from service.streams.outboxes import Arrival
from tests.api.test_ratings import play_rated, rated
from tests.e2e.client import Player, fresh_name
from tests.e2e.processes import SECRET
from tests.store_server import StoreServer
from tests.web.conftest import OpenBrowser
from tests.web.test_accessibility import NARROW, faults, overflow
from tests.web.test_languages import assert_fits, open_german
from tests.web.test_layout import PHONE
from tests.web.test_quick_play import player_of, wait_for_seeks

OPPONENTS = 13
"""How many others behind it, in a circle, each player of a list meets; as many meet it."""
DAYS = {"type": "days", "days": 1}
ROWS = "[...document.querySelectorAll('.board-table tbody tr')].map(row => Number(row.cells[0].innerText))"


def now() -> Millis:
    """Return the present time."""
    return Millis(int(time.time() * 1000))


async def rate(store: StoreServer, name: str, *matches: tuple[str, str]) -> None:
    """Append matches, each of a winner and a loser, to a rating list, as a worker does."""
    client = RedisStore(store.url, signer=signer_of(Settings(secret=SECRET)))
    ratings = RatingService(client, now)
    arrivals = []
    for winner, loser in matches:
        room = fresh_name()
        seats = (SeatResult(PlayerId(winner), 1), SeatResult(PlayerId(loser), 2))
        ended = RatedMatchEnded(f"{room}.e1.1", now(), seats)
        arrivals.append(Arrival(Source(f"{room}:e1", Version(9)), msgspec.Raw(msgspec.json.encode(ended))))
    await ratings.receive({name: arrivals})
    await ratings.close()
    await client.close()


def fill(store: StoreServer, name: str, *players: str) -> None:
    """Let each of these players, the best first, meet so many others that their ratings differ."""
    matches = []
    for step in range(1, OPPONENTS + 1):
        for at, player in enumerate(players):
            other = players[(at + step) % len(players)]
            is_won = (players.index(other) > at) == (step % 4 > 0)  # a few surprises, so that nobody wins or loses all
            matches.append((player, other) if is_won else (other, player))
    asyncio.run(rate(store, name, *matches))


def test_a_leaderboard_has_pages_and_the_players_own_place(
    open_browser: OpenBrowser, rooms_store: StoreServer, ada: Player, bob: Player
) -> None:
    """From the lobby to the list; names are those of the latest matches, and lead to profiles."""
    me = open_browser("Me")
    me.set_nickname()
    others = [f"p-{fresh_name()}" for _ in range(24)]
    fill(rooms_store, "morris.correspondence", ada.id, bob.id, *others, player_of(me))
    assert rated(ada, play_rated(ada, bob, clock=DAYS))["rating_class"] == "correspondence"
    total = ada.get("/v1/ratings/morris/correspondence").body["total"]
    assert total > 25
    me.open()
    me.click(".welcome a", "Ratings and leaderboards")
    me.wait_for(".rating-part tr", "Nine Men's Morris · Correspondence")
    me.wait_for(".rating-game li", "Correspondence")
    assert faults(me) == []
    me.click(".rating-part a", "Nine Men's Morris · Correspondence")
    me.wait_for("h1", "Nine Men's Morris: Correspondence")
    me.wait_for(".rating-own", "Your rating: ")
    assert f" of {total}." in me.text(".rating-own")
    assert me.has(".rating-part .tag", "Provisional")
    assert me.has(".rating-part p", "Until 20 players have that, the list is provisional")
    assert me.page.value(ROWS) == list(range(1, 26))
    assert me.has(".rating-classes [aria-current=page]", "Correspondence")
    assert faults(me) == []
    assert me.page.value("document.querySelector('.board-table a').getAttribute('href')") == f"/players/{ada.id}"
    me.click(".rating-pages button", "Around me")
    me.wait_for(".board-table .mine", "you")
    me.click(".rating-pages button", "Top")
    me.page.wait_for(f"({ROWS})[0] === 1")
    me.click(".rating-pages button", "After")
    me.page.wait_for(f"({ROWS})[0] === 26")
    me.click(".rating-pages button", "Before")
    me.page.wait_for(f"({ROWS})[0] === 1")
    me.resize(NARROW, 800)
    assert overflow(me) <= 0
    me.click(".rating-classes a", "Bullet")
    me.wait_for("h1", "Nine Men's Morris: Bullet")


def test_a_rating_without_a_place_says_what_it_needs(open_browser: OpenBrowser, rooms_store: StoreServer) -> None:
    """In German, on a phone; an empty leaderboard says it to everybody."""
    me = open_german(open_browser, "Me")
    me.resize(*PHONE)
    me.open("/ratings/turncoat/bots")
    me.wait_for(".rating-part", "Noch hat niemand einen Platz. Ein Platz braucht 10 Partien")
    assert_fits(me, "empty")
    me.page.navigate(f"{me.url}/")
    me.wait_for(".game .play-now")
    me.click(".bar .me")
    me.type_into("#nickname", "Me")
    me.click(".name-form button[type=submit]")
    me.wait_for(".bar .me", "Me")
    asyncio.run(rate(rooms_store, "turncoat.bullet", (player_of(me), f"p-{fresh_name()}")))
    me.open("/ratings/turncoat/bullet")
    me.wait_for(".rating-own", "brauchst du 10 weitere Gegner mit sicherer Wertung und weitere Partien")
    assert me.has(".rating-part .tag", "Vorläufig")
    assert_fits(me, "own")


def test_quick_play_shows_the_rating_and_admits_a_range(
    open_browser: OpenBrowser, rooms_store: StoreServer, anonymous: Player
) -> None:
    """For a rated match: the player's own rating by clock, and how far away the others' may be."""
    me = open_browser("Me")
    me.set_nickname()
    asyncio.run(rate(rooms_store, "turncoat.blitz", (player_of(me), f"p-{fresh_name()}")))
    me.click(".game .find", "Turncoat")
    me.wait_for("dialog[open] .seek-rated")
    assert not me.has("#seek-range")
    me.click(".seek-rated input")
    me.wait_for(".seek-clocks button", "your rating: 1617 ± ")
    assert me.has(".seek-clocks button", "no rating yet")
    assert faults(me) == []
    me.choose("#seek-range", "At most 200 points from mine")
    me.click(".seek-clocks button", "3 minutes")
    me.wait_for(".quick-banner", "Rated · at most 200 points apart")
    wait_for_seeks(anonymous, "turncoat", 1)
    [seek] = anonymous.get("/v1/seeks", game="turncoat").body["seeks"]
    assert (seek["rated"], seek["rating_range"], seek["rating"]) == (True, 200, 1617)
    me.click(".quick-banner button", "Cancel")
    wait_for_seeks(anonymous, "turncoat", 0)


def test_an_unknown_leaderboard_is_not_found(open_browser: OpenBrowser) -> None:
    """The page says so, and leads to those that there are."""
    me = open_browser("Me")
    me.open("/ratings/chess/blitz")
    me.wait_for("h1", "Leaderboard not found")
    me.ignore_errors(404)
    me.click(".ratings a", "All ratings")
    me.wait_for(".rating-game h2", "Ternio")
    assert faults(me) == []
