"""Challenges and blocks: from a name to a match, whatever page the other player is on."""

import pytest

from tests.api.test_bots import bot_of
from tests.api.test_seeks import first_event
from tests.e2e.client import ApiClient, Json, Player, fresh_name
from tests.waiting import wait_for
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import NARROW, faults, overflow
from tests.web.test_languages import assert_fits, open_german, open_marked, strays, texts_of_the_api
from tests.web.test_layout import PHONE
from tests.web.test_quick_play import events_of, player_of, room_of
from tests.web.variants import each_theme

CLOCK = {"type": "per_move", "ms": 60_000}


def talker(client: ApiClient) -> tuple[Player, str]:
    """Return a guest who has written in the lobby, and their name, which nobody else has there."""
    name = fresh_name()[:24]
    player = client.guest(name)
    assert player.post("/v1/lobby/chat", {"text": f"I am {name}"}).status == 201
    return player, name


def say(person: Person, text: str) -> None:
    """Write in the chat of the lobby."""
    person.type_into(".chat-form [name=text]", text)
    person.click(".chat-form button")
    person.wait_for(".chat-text", text)


def open_challenge(person: Person, name: str) -> None:
    """Open the dialog of a challenge at a name in the chat."""
    person.click(".chat-who", name)
    person.click(".person-dialog button", "Challenge")
    person.wait_for("dialog form #challenge-game")


def choose_game(person: Person, game: str) -> None:
    """Choose a game in the dialog, and wait until the rest of the dialog is about it."""
    person.choose("#challenge-game", game)
    person.wait_for("dialog button[type=submit]")


def wait_for_received(player: Player, *games: str) -> list[Json]:
    """Wait until a player's open challenges of others are of these games, and return them."""

    def received() -> list[Json]:
        found: list[Json] = player.get("/v1/players/me/challenges").body["received"]
        return found

    wait_for(lambda: [each["game"] for each in received()] == [*games], received)
    return received()


def ask(person: Person, other: Player, game: str = "morris") -> str:
    """Let a player challenge a person, and return the challenge."""
    asked = other.post("/v1/challenges", {"game": game, "opponents": [player_of(person)], "clock": CLOCK, "seat": 0})
    assert asked.status == 201
    return str(asked.body["id"])


def test_a_name_in_the_chat_leads_to_a_match(open_browser: OpenBrowser, anonymous: Player) -> None:
    """By keyboard: the other accepts on another page, and both are ready in the room by themselves."""
    ada, bob = open_browser("Ada Lovelace"), open_browser(fresh_name()[:24])
    ada.set_nickname()
    bob.set_nickname()
    say(bob, "who wants to play?")
    bob.open("/games/ternio")
    ada.wait_for(".chat-who", bob.name)
    ada.page.value(f"[...document.querySelectorAll('.chat-who')].find(e => e.innerText === '{bob.name}').focus()")
    ada.press("Enter")
    ada.wait_for(".person-dialog h2", bob.name)
    assert faults(ada) == []
    ada.press("Enter")
    ada.wait_for("#challenge-title", f"Challenge {bob.name}")
    choose_game(ada, "Nine Men's Morris")
    ada.choose("#setting-clock", "30 seconds per move")
    ada.choose("#challenge-seat", "White")
    ada.page.wait_for("document.querySelector('#challenge-seat').selectedIndex === 1")
    assert faults(ada) == []
    ada.click("dialog button[type=submit]")
    ada.wait_for(".challenge.seeking", f"Waiting for {bob.name} to answer: Nine Men's Morris")
    bob.wait_for(".challenge.found", "Ada Lovelace challenges you: Nine Men's Morris")
    assert bob.has(".challenge.found", "You would play black · Clock: 30 seconds per move")
    assert bob.page.value("document.title").startswith("Challenge! · ")
    assert faults(bob) == []
    bob.page.value("[...document.querySelectorAll('.challenge button')][0].focus()")
    bob.press("Enter")
    for person in (ada, bob):
        person.wait_for(".boards .board")
        person.wait_until_gone(".challenge")
    room = room_of(ada)
    assert room == room_of(bob)
    view = anonymous.get(f"/v1/rooms/{room}").body
    assert [seat["player"] for seat in view["seats"]] == [player_of(ada), player_of(bob)]
    assert view["settings"]["clock"] == {"type": "per_move", "ms": 30_000}
    [started] = events_of(anonymous, room, "match_started")
    assert len(started["salts"]) == 2


def test_a_challenge_is_declined_with_a_reason(open_browser: OpenBrowser, ada: Player) -> None:
    """On a phone, in German; the one who made it can withdraw another one."""
    bob = open_german(open_browser, "Bob")
    bob.set_nickname()
    bob.resize(*PHONE)
    ask(bob, ada)
    bob.wait_for(".challenge.found", "Ada fordert dich heraus")
    assert_fits(bob, "banner")
    bob.click(".challenge button", "Ablehnen")
    bob.wait_for("#decline-title", "Die Herausforderung von Ada ablehnen?")
    assert_fits(bob, "dialog")
    bob.click("dialog button", "Bitte mit einer anderen Uhr")
    bob.wait_until_gone(".challenge")
    assert first_event(ada, "challenge_declined")["reason"] == "other_clock"
    second = ask(bob, ada, "turncoat")
    bob.wait_for(".challenge.found", "Turncoat")
    assert ada.send("DELETE", f"/v1/challenges/{second}").status == 204
    bob.wait_for(".notice", "Ada hat die Herausforderung zurückgezogen.")
    bob.wait_until_gone(".challenge")


def test_several_challenges_are_declined_at_once(open_browser: OpenBrowser, ada: Player, bob: Player) -> None:
    """From there the way leads to who may challenge the player; on a phone, in German."""
    cyd = open_german(open_browser, "Cyd")
    cyd.set_nickname()
    cyd.resize(*PHONE)
    ask(cyd, ada)
    cyd.wait_for(".challenge.found", "Ada fordert dich heraus")
    assert not cyd.has(".challenge", "Alle ablehnen")
    ask(cyd, bob, "turncoat")
    cyd.wait_for(".challenge", "2 Herausforderungen warten auf deine Antwort.")
    assert_fits(cyd, "banner")
    assert faults(cyd) == []
    cyd.click(".challenge button", "Alle ablehnen")
    cyd.wait_until_gone(".challenge")
    for player in (ada, bob):
        assert first_event(player, "challenge_declined")["reason"] is None


def test_a_player_chooses_who_may_challenge_them(open_browser: OpenBrowser, ada: Player) -> None:
    """On the page of the devices, where the choice is shown again after a reload."""
    bob = open_browser("Bob")
    bob.set_nickname()
    bob.open("/devices")
    bob.wait_for("#challengers")
    assert faults(bob) == []
    bob.choose("#challengers", "Nobody")
    challenge = {"game": "morris", "opponents": [player_of(bob)]}
    wait_for(lambda: ada.post("/v1/challenges", challenge).code == "opponent_unavailable")
    bob.open("/devices")
    bob.wait_for("#challengers")
    bob.page.wait_for("document.querySelector('#challengers').selectedIndex === 2")
    bob.choose("#challengers", "Everybody")
    wait_for(lambda: ada.post("/v1/challenges", challenge).code != "opponent_unavailable")


def test_the_answer_arrives_after_a_reload(open_browser: OpenBrowser, client: ApiClient) -> None:
    """The challenge waits on every page; who is in another match is asked before the page leaves it."""
    ada, (bob, name) = open_browser("Ada"), talker(client)
    ada.set_nickname()
    open_challenge(ada, name)
    choose_game(ada, "Turncoat")
    ada.click("dialog button[type=submit]")
    ada.wait_for(".challenge.seeking", "Turncoat")
    ada.open()
    ada.wait_for(".challenge.seeking", f"Waiting for {name} to answer: Turncoat")
    ada.click(".game .play-now")
    ada.wait_for(".boards .board")
    here = room_of(ada)
    [asked] = wait_for_received(bob, "turncoat")
    assert bob.post(f"/v1/challenges/{asked['id']}/accept", {}).status == 204
    ada.wait_for(".challenge.found", "Your room is open: Turncoat")
    assert faults(ada) == []
    assert room_of(ada) == here
    ada.click(".challenge button", "Go there")
    ada.wait_for(".seat.mine")
    ada.page.wait_for(f"location.pathname !== '/r/{here}'")
    bob.command(room_of(ada), "ready")
    ada.wait_for(".boards .board")
    ada.wait_until_gone(".challenge")


def test_a_player_declines_and_the_other_reads_why(open_browser: OpenBrowser, client: ApiClient) -> None:
    """A challenge can also be withdrawn, and a game of three has a bot as the third."""
    ada, (bob, name) = open_browser("Ada"), talker(client)
    ada.set_nickname()
    for game in ("Ternio", "Nine Men's Morris"):
        open_challenge(ada, name)
        choose_game(ada, game)
        assert ada.has("#challenge-level") == (game == "Ternio")
        ada.click("dialog button[type=submit]")
        ada.wait_for(".challenge.seeking", game)
        if game == "Ternio":
            ada.click(".challenge.seeking button", "Withdraw")
            ada.wait_until_gone(".challenge")
    [asked] = wait_for_received(bob, "morris")
    assert bob.post(f"/v1/challenges/{asked['id']}/decline", {"reason": "not_now"}).status == 204
    ada.wait_for(".notice", f"{name} has declined: Not now")
    ada.wait_until_gone(".challenge")


def test_a_blocked_player_is_neither_seen_nor_met(open_browser: OpenBrowser, client: ApiClient) -> None:
    """After a question; the page of devices lists them by name, and ends the block."""
    ada, (bob, name) = open_browser("Ada"), talker(client)
    ada.set_nickname()
    ada.click(".chat-who", name)
    ada.click(".person-dialog button", "Block")
    ada.click(".person-dialog button", "Yes, block")
    ada.wait_for(".notice", f"{name} is blocked.")
    ada.page.wait_for(f"!document.body.innerText.includes('I am {name}')")
    assert bob.post("/v1/challenges", {"game": "morris", "opponents": [player_of(ada)]}).code == "opponent_unavailable"
    ada.open("/devices")
    ada.wait_for("[aria-labelledby=blocked] li", name)
    ada.click("[aria-labelledby=blocked] button", "Unblock")
    ada.wait_for("[aria-labelledby=blocked]", "Nobody.")
    assert bob.post("/v1/challenges", {"game": "morris", "opponents": [player_of(ada)]}).status == 201


def test_a_bot_that_others_run_is_challenged(open_browser: OpenBrowser, client: ApiClient) -> None:
    """In the dialog in which bots of the service are chosen; only to what it plays."""
    ada, bot = open_german(open_browser, "Ada"), bot_of(client, "Deep Mill")
    described = "Looks three mills ahead and never resigns before the last man has left the board."
    registered = bot.send("PUT", "/v1/bots/me", json={"games": ["morris"], "description": described})
    assert registered.status == 200
    ada.set_nickname()
    ada.resize(*PHONE)
    ada.click('.game button[aria-label="Optionen von Mühle"]')
    ada.wait_for(".listed-bots li", described)
    assert_fits(ada, "dialog")
    ada.click(".listed-bots button", "Deep Mill")
    ada.wait_for("#challenge-title", "Deep Mill herausfordern")
    assert ada.page.value("[...document.querySelector('#challenge-game').options].length") == 1
    assert_fits(ada, "challenge")
    ada.click("dialog button[type=submit]")
    ada.wait_for(".challenge.seeking", "Deep Mill")
    [asked] = wait_for_received(bot, "morris")
    assert bot.post(f"/v1/challenges/{asked['id']}/accept", {}).status == 204
    ada.wait_for(".seat.mine")
    bot.command(room_of(ada), "ready")
    ada.wait_for(".boards .board")
    assert bot.send("DELETE", "/v1/bots/me").status == 204


def test_every_text_of_a_challenge_is_in_the_catalogue(
    open_browser: OpenBrowser, client: ApiClient, anonymous: Player
) -> None:
    """Those of the dialogs, and of the lines below the bar."""
    other, name = talker(client)
    known = texts_of_the_api(anonymous)
    ada = open_marked(open_browser)
    ada.set_nickname()
    ada.click(".chat-who", name)
    ada.wait_for(".person-dialog")
    said = ada.page.value("[...document.querySelectorAll('.chat-who, .chat-text')].map(one => one.innerText)")

    def look() -> None:
        assert strays(ada, known, name, *said) == set()

    look()
    ada.click(".person-dialog button", "Challenge")
    ada.wait_for("#challenge-game")
    choose_game(ada, "Ternio")
    look()
    ada.click("dialog button[type=submit]")
    ada.wait_for(".challenge.seeking")
    ask(ada, other)
    ada.wait_for(".challenge.found")
    look()
    ada.click(".challenge.found button", "Decline")
    ada.wait_for("#decline-title")
    look()


@pytest.mark.parametrize("theme", each_theme("dark"))
def test_names_in_a_room_open_the_dialog(open_browser: OpenBrowser, bob: Player, theme: str) -> None:
    """In the list of members and beside the result; the game of the room is chosen at first."""
    ada = open_browser("Ada")
    ada.emulate_media(prefers_color_scheme=theme)
    ada.set_nickname()
    room = bob.open_room("turncoat", settings={"start": "full", "restart": None}).body["room"]
    ada.join(room)
    ada.wait_for(".boards .board")
    ada.click(".aside #side-room")
    ada.click(".people .person", "Bob")
    ada.wait_for(".person-dialog h2", "Bob")
    ada.press("Escape")
    ada.wait_until_gone("dialog")
    assert bob.command(room, "resign").status == 200
    ada.click(".reason button", "Bob …")
    ada.click(".person-dialog button", "Challenge")
    ada.wait_for("#challenge-title", "Challenge Bob")
    assert ada.page.value("document.querySelector('#challenge-game').value") == "Turncoat"
    ada.resize(NARROW, 640)
    assert overflow(ada) <= 0
    assert faults(ada) == []
