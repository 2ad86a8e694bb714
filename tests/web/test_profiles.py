"""The page of a player: ratings, results, latest matches, head to head, and hiding all of it."""

from tests.api.test_bot_marks import declared_bot
from tests.api.test_player_matches import play, resigned
from tests.api.test_ratings import play_rated, rated
from tests.e2e.client import Player, move_each
from tests.waiting import wait_for
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import NARROW, faults, overflow
from tests.web.test_languages import assert_fits, open_german
from tests.web.test_layout import PHONE
from tests.web.test_quick_play import player_of


def token_of(person: Person) -> str:
    """Return the token of the person's guest."""
    return str(person.page.value("JSON.parse(localStorage.getItem('turnstream.guest')).token"))


def test_a_profile_shows_ratings_results_and_matches(open_browser: OpenBrowser, ada: Player, bob: Player) -> None:
    """The names of a leaderboard and of rooms lead to it, and its matches to their reviews; charts have a text."""
    for _ in range(2):
        rated(ada, play_rated(ada, bob))
    play(ada, bob, "turncoat")
    eve = open_browser("Eve")
    eve.open(f"/players/{ada.id}")
    eve.wait_for("h1", "Ada")
    eve.wait_for(".profile-ratings", "Nine Men's Morris · Blitz")
    eve.wait_for(".rating-chart", "The rating went from 1617 to ")
    eve.wait_for("[aria-labelledby=profile-results] tr", "Nine Men's Morris")
    assert eve.page.value(CELLS) == ["2", "2", "0", "0"]
    assert not eve.has("[aria-labelledby=profile-against]")
    assert faults(eve) == []
    eve.resize(NARROW, 800)
    assert overflow(eve) <= 0
    eve.click(".profile-matches a", "Nine Men's Morris against Bob")
    eve.wait_for_text("Looking back")
    assert eve.page.value("location.pathname").startswith("/m/")


CELLS = "[...document.querySelectorAll('[aria-labelledby=profile-results] tr td')].slice(0, 4).map(td => td.innerText)"
"""Matches, wins, draws and losses in the favourite game."""


def test_a_match_that_does_not_count_looks_like_no_win(open_browser: OpenBrowser, ada: Player, bob: Player) -> None:
    """In the profile, in the room and where it is reviewed, in both languages; there are no results."""
    settings = {"start": "full", "rated": True, "clock": {"type": "per_move", "ms": 10_000}}
    room = ada.open_room("morris", settings=settings).body["room"]
    bob.command(room, "join")
    match_id = resigned(ada, bob, room)
    for reader, in_list, as_result, unrated in (
        (open_browser("Eve"), "does not count", "The match does not count", "fewer than two players had moved"),
        (open_german(open_browser, "Ida"), "zählt nicht", "Die Partie zählt nicht", "noch nicht zwei gezogen"),
    ):
        reader.open(f"/r/{room}")
        reader.wait_for(".rating-change", unrated)
        reader.open(f"/players/{ada.id}")
        reader.wait_for(".profile-matches .tag", in_list)
        assert not reader.has("[aria-labelledby=profile-results]")
        reader.open(f"/m/{match_id}")
        reader.wait_for(".status", as_result)


def test_a_profile_has_what_is_between_the_two(open_browser: OpenBrowser, ada: Player) -> None:
    """For somebody who has played against the player, who can be challenged; in German, on a phone."""
    me = open_german(open_browser, "Me")
    me.resize(*PHONE)
    me.page.navigate(f"{me.url}/")
    me.wait_for(".game .play-now")
    me.click(".bar .me")
    me.type_into("#nickname", "Me")
    me.click(".name-form button[type=submit]")
    me.wait_for(".bar .me", "Me")
    play(Player(ada.client, token_of(me), player_of(me)), ada)
    me.open(f"/players/{ada.id}")
    me.wait_for("[aria-labelledby=profile-against]", "Du gegen Ada")
    me.wait_for(".profile-matches", "Mühle gegen Me")
    assert_fits(me, "profile")
    me.click(".profile-head button", "Herausfordern")
    me.wait_for("dialog[open] a", "Profil")


def test_again_asks_for_the_last_match(open_browser: OpenBrowser, ada: Player) -> None:
    """With its options and its clock, from the lobby and from both profiles; bots of the service are not met."""
    me = open_browser("Me")
    me.set_nickname()
    own = Player(ada.client, token_of(me), player_of(me))
    against_bot = own.open_room("morris", seats=["me", {"bot": "easy"}]).body["room"]
    assert own.command(against_bot, "resign").status == 200
    clock = {"type": "fischer", "initial_ms": 120_000, "increment_ms": 1000}
    settings = {"start": "full", "restart": None, "clock": clock}
    room = own.open_room("morris", options={"flying": "off"}, settings=settings).body["room"]
    assert ada.command(room, "join").status == 200
    move_each(room, own, ada)
    resigned(own, ada, room)
    me.open()
    me.wait_for(".met li", "Ada")
    assert me.page.value("document.querySelectorAll('.met li').length") == 1
    assert faults(me) == []
    me.click(".met button", "Again with Ada")
    assert_asks_for_the_same(me)
    me.open(f"/players/{own.id}")
    me.wait_for(".met li", "Nine Men's Morris · won")
    assert faults(me) == []
    me.click(".met a", "Ada")
    me.click(".profile-head button", "Again: Nine Men's Morris")
    assert_asks_for_the_same(me)
    me.click("dialog button[type=submit]")
    me.wait_for(".challenge.seeking", "Waiting for Ada to answer: Nine Men's Morris")
    [asked] = wait_for(lambda: ada.get("/v1/players/me/challenges").body["received"])
    assert (asked["options"]["flying"], asked["clock"]) == ("off", clock)


def assert_asks_for_the_same(person: Person) -> None:
    """Check that the dialog of a challenge has what was played last."""
    person.wait_for("#challenge-title", "Challenge Ada")
    chosen = "document.querySelector('FIELD').selectedOptions[0].text"
    assert person.page.value(chosen.replace("FIELD", "#challenge-game")) == "Nine Men's Morris"
    assert person.page.value(chosen.replace("FIELD", "#setting-clock")) == "2 minutes + 1 second per move"
    assert person.page.value(chosen.replace("FIELD", "#option-flying")) == "Nobody"
    assert person.page.value("document.querySelector('dialog details').open") is True
    assert faults(person) == []


def test_a_declared_bot_is_marked(open_browser: OpenBrowser, ada: Player) -> None:
    """In its profile, in matches, on the leaderboard and in chats, in the language of the page."""
    bot = declared_bot(ada.client)
    rated(ada, play_rated(ada, bot))
    assert bot.post("/v1/lobby/chat", {"text": "beep"}).status == 201
    for person, mark in ((open_browser("Eve"), "Robot (bot)"), (open_german(open_browser, "Max"), "Robot (Bot)")):
        person.open(f"/players/{bot.id}")
        person.wait_for("h1", mark)
        person.open(f"/players/{ada.id}")
        person.wait_for(".profile-matches", mark)
        person.open("/ratings/morris/bots")
        person.wait_for(".board-table", mark)
        person.open("/")
        person.wait_for(".chat-lines li", f"{mark} beep")


def test_a_profile_can_be_hidden(open_browser: OpenBrowser, ada: Player) -> None:
    """By a switch in one's own; others then see that it is hidden."""
    me, eve = open_browser("Me"), open_browser("Eve")
    me.set_nickname()
    play(Player(ada.client, token_of(me), player_of(me)), ada)
    me.click(".bar .me")
    me.click(".name-form a", "My profile")
    me.wait_for("h1", "Me")
    me.click(".profile-hiding input")
    me.wait_for(".notice", "Your profile is hidden from others.")
    assert faults(me) == []
    eve.open(f"/players/{player_of(me)}")
    eve.wait_for("h1", "This profile is hidden")
    eve.ignore_errors(404)
    me.open(f"/players/{player_of(me)}")
    me.wait_for(".profile-hiding input:checked")
    me.click(".profile-hiding input")
    me.wait_for(".notice", "Others can see your profile.")
    eve.open(f"/players/{player_of(me)}")
    eve.wait_for("h1", "Me")
