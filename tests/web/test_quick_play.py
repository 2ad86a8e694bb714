"""Quick play: looking for other players in whatever page, and being there when they are found."""

from typing import Any

import pytest

from tests.e2e.client import Json, Player
from tests.waiting import wait_for
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import faults
from tests.web.test_languages import assert_fits, open_german
from tests.web.test_layout import PHONE

HIDE = """Object.defineProperty(document, 'visibilityState', {get: () => 'hidden', configurable: true});
document.dispatchEvent(new Event('visibilitychange'))"""
SHOW = "delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))"
REMEMBERED = "sessionStorage.getItem('turnstream.seek')"
SALTS = "JSON.parse(localStorage.getItem('turnstream.salts') ?? '[]')"


def look_for(person: Person, game: str, clock: str) -> None:
    """Begin a search in the lobby."""
    person.open()
    person.click(".game .find", game)
    person.click(".seek-clocks button", clock)
    person.wait_for(".quick-banner.seeking", game)


def wait_for_seeks(player: Player, game: str, count: int) -> None:
    """Wait until so many players look for a game."""
    wait_for(
        lambda: player.get("/v1/seeks", game=game).body["total"] == count,
        lambda: f"there never were {count} seeks of {game}",
    )


def room_of(person: Person) -> str:
    """Return the room of the page."""
    return str(person.page.value("location.pathname")).removeprefix("/r/")


def events_of(player: Player, room: str, kind: str) -> list[Json]:
    """Return the events of a room of this type."""
    events: list[Json] = player.get(f"/v1/rooms/{room}/events").body["events"]
    return [event for event in events if event["type"] == kind]


def test_two_strangers_play_with_two_clicks_each(open_browser: OpenBrowser, anonymous: Player) -> None:
    """The search outlasts a reload and follows its player to other pages; both are ready by themselves, with a salt."""
    ada, bob = open_browser("Ada"), open_browser("Bob")
    ada.set_nickname()
    look_for(ada, "Nine Men's Morris", "30 seconds per move")
    assert ada.has(".quick-banner", "Looking for a match: Nine Men's Morris · 30 seconds per move · 0:0")
    assert faults(ada) == []
    ada.open("/games/morris")
    ada.wait_for(".quick-banner", "0:0")
    wait_for_seeks(anonymous, "morris", 1)
    bob.open()
    bob.click(".game .find", "Nine Men's Morris")
    bob.wait_for(".seek-clocks button", "1 waiting")
    assert faults(bob) == []
    bob.click(".seek-clocks button", "Any clock")
    for person in (ada, bob):
        person.wait_for(".boards .board")
        person.wait_until_gone(".quick-banner")
        assert person.page.value(REMEMBERED) is None
    room = room_of(ada)
    assert room == room_of(bob)
    view = anonymous.get(f"/v1/rooms/{room}").body
    assert view["settings"]["clock"] == {"type": "per_move", "ms": 30_000}
    [started] = events_of(anonymous, room, "match_started")
    for person in (ada, bob):
        assert any(salt in str(started["salts"]) for salt in person.page.value(SALTS))


def test_a_search_can_be_cancelled(open_browser: OpenBrowser, anonymous: Player) -> None:
    """By keyboard, and then nothing is looked for; another search takes the place of the first."""
    ada = open_browser("Ada")
    look_for(ada, "Triboard", "Any clock")
    look_for(ada, "Turncoat", "1 day per move")
    wait_for_seeks(anonymous, "triboard", 0)
    wait_for_seeks(anonymous, "turncoat", 1)
    ada.page.value("document.querySelector('.quick-banner button:last-child').focus()")
    ada.press("Enter")
    ada.wait_until_gone(".quick-banner")
    ada.page.wait_for(f"{REMEMBERED} === null")
    wait_for_seeks(anonymous, "turncoat", 0)
    ada.open()
    assert not ada.has(".quick-banner")


def test_a_search_that_was_cancelled_ends_after_a_reload(open_browser: OpenBrowser, anonymous: Player) -> None:
    """Also if its withdrawal was lost with the page."""
    ada = open_browser("Ada")
    look_for(ada, "Triboard", "Any clock")
    wait_for_seeks(anonymous, "triboard", 1)
    ada.page.call("Fetch.enable", patterns=[{"urlPattern": "*/v1/seeks/*"}])
    ada.click(".quick-banner button", "Cancel")
    ada.wait_until_gone(".quick-banner")
    ada.wait_for_paused()
    ada.open()
    assert not ada.has(".quick-banner")
    ada.page.call("Fetch.continueRequest", requestId=ada.wait_for_paused())
    ada.page.wait_for(f"{REMEMBERED} === null")
    wait_for_seeks(anonymous, "triboard", 0)


def test_a_search_is_cancelled_while_it_begins(open_browser: OpenBrowser, anonymous: Player) -> None:
    """It is withdrawn once, as soon as it is known to have begun."""
    ada = open_browser("Ada", records=True)
    ada.page.call("Fetch.enable", patterns=[{"urlPattern": "*/v1/seeks"}])
    look_for(ada, "Triboard", "Any clock")
    making = ada.wait_for_paused()
    ada.click(".quick-banner button", "Cancel")
    ada.wait_until_gone(".quick-banner")
    assert withdrawals(ada) == 0
    ada.page.call("Fetch.continueRequest", requestId=making)
    ada.page.wait_for(f"{REMEMBERED} === null")
    wait_for_seeks(anonymous, "triboard", 0)
    assert withdrawals(ada) == 1


def withdrawals(person: Person) -> int:
    """Return how often the page has withdrawn a seek."""
    return sum("/v1/seeks/" in url for url in person.requests)


def test_only_the_tab_whose_seek_was_matched_goes_to_the_room(open_browser: OpenBrowser, ada: Player) -> None:
    """Another search of the same player ends, as the service has withdrawn it."""
    bob = open_browser("Bob")
    look_for(bob, "Triboard", "1 day per move")
    wait_for_seeks(ada, "triboard", 1)
    token = bob.page.value("JSON.parse(localStorage.getItem('turnstream.guest')).token")
    other = Player(ada.client, token)
    wish = {"game": "turncoat", "clock": {"type": "per_move", "ms": 44_000}}
    assert not other.post("/v1/seeks", wish).body["paired"]
    assert ada.post("/v1/seeks", wish).body["paired"]
    bob.wait_until_gone(".quick-banner")
    assert bob.page.value("location.pathname") == "/"
    wait_for_seeks(ada, "triboard", 0)


def test_who_is_in_a_match_is_asked(open_browser: OpenBrowser, ada: Player) -> None:
    """And goes to the room by a click, or stays; nobody is ready without being there."""
    bob = open_browser("Bob")
    look_for(bob, "Tic-Tac-Rainbow", "Any clock")
    bob.click(".game .play-now")
    bob.wait_for(".boards .board")
    wait_for_seeks(ada, "rainbow", 1)
    here = room_of(bob)
    assert ada.post("/v1/seeks", {"game": "rainbow", "options": {"players": 2}}).body["paired"]
    bob.wait_for(".quick-banner.found", "You are in another match.")
    bob.page.wait_for("document.title.startsWith('Match found!')")
    assert faults(bob) == []
    assert room_of(bob) == here
    bob.click(".quick-banner button", "Go there")
    bob.wait_for(".quick-banner", "You are ready.")
    room = room_of(bob)
    assert room != here
    assert [event["player"] for event in events_of(ada, room, "player_readied")] == [player_of(bob)]
    ada.command(room, "ready")
    bob.wait_for(".boards .board")
    bob.wait_until_gone(".quick-banner")
    assert not bob.page.value("document.title").startswith("Match found!")


def player_of(person: Person) -> Any:
    """Return the id of a person's guest."""
    return person.page.value("JSON.parse(localStorage.getItem('turnstream.guest')).id")


def test_nobody_is_ready_in_a_hidden_tab(open_browser: OpenBrowser, ada: Player) -> None:
    """The tab goes to the room and its title says so; the player is ready when the tab is shown, also on a phone."""
    bob = open_german(open_browser, "Bob")
    bob.resize(*PHONE)
    bob.open()
    bob.click(".game .find", "Turncoat")
    bob.wait_for("dialog[open]")
    assert_fits(bob, "dialog")
    bob.click(".seek-clocks button", "2 Sekunden")
    bob.wait_for(".quick-banner.seeking", "Partie wird gesucht: Turncoat")
    assert_fits(bob, "banner")
    wait_for_seeks(ada, "turncoat", 1)
    bob.page.value(f"void (() => {{ {HIDE} }})()")
    clock = {"type": "fischer", "initial_ms": 180_000, "increment_ms": 2000}
    assert ada.post("/v1/seeks", {"game": "turncoat", "clock": clock}).body["paired"]
    bob.wait_for(".seat.mine")
    bob.page.wait_for("document.title.startsWith('Partie gefunden!')")
    assert events_of(ada, room_of(bob), "player_readied") == []
    bob.page.value(f"void (() => {{ {SHOW} }})()")
    bob.wait_for(".quick-banner", "Du bist bereit.")
    assert_fits(bob, "found")
    ada.command(room_of(bob), "ready")
    bob.wait_until_gone(".quick-banner")


@pytest.mark.soak
def test_a_search_goes_on_when_somebody_does_not_appear(open_browser: OpenBrowser, ada: Player, cyd: Player) -> None:
    """Back in the lobby, and with the next one the match begins. It takes the 20 seconds that a room waits."""
    bob = open_browser("Bob")
    look_for(bob, "Nine Men's Morris", "3 minutes")
    wait_for_seeks(ada, "morris", 1)
    clock = {"type": "fischer", "initial_ms": 180_000, "increment_ms": 2000}
    assert ada.post("/v1/seeks", {"game": "morris", "clock": clock}).body["paired"]
    bob.wait_for(".quick-banner", "You are ready.")
    bob.wait_for(".quick-banner.seeking")
    assert bob.has(".notice", "Somebody did not appear. The search continues.")
    bob.wait_for(".game .play-now")
    assert cyd.post("/v1/seeks", {"game": "morris", "clock": clock}).body["paired"]
    bob.wait_for(".quick-banner", "You are ready.")
    cyd.command(room_of(bob), "ready")
    bob.wait_until_gone(".quick-banner")
    assert bob.has(".boards .board")


@pytest.mark.soak
def test_who_is_not_there_in_time_stops_looking(open_browser: OpenBrowser, ada: Player) -> None:
    """And learns why."""
    bob = open_browser("Bob")
    look_for(bob, "Tic-Tac-Rainbow", "30 seconds")
    wait_for_seeks(ada, "rainbow", 1)
    bob.page.value(f"void (() => {{ {HIDE} }})()")
    clock = {"type": "per_move", "ms": 30_000}
    assert ada.post("/v1/seeks", {"game": "rainbow", "options": {"players": 2}, "clock": clock}).body["paired"]
    bob.wait_for(".notice.error", "You were not there in time")
    bob.wait_until_gone(".quick-banner")
