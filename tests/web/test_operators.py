"""The operators' page: reports, players, rooms, tokens and the log; and the dialog in which players report others."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.client import ApiClient, Player, connect_to
from tests.e2e.processes import OPERATORS, ApiProcess, run_processes
from tests.e2e.seated_rooms import seat_players
from tests.store_server import StoreServer, new_server, run_server
from tests.waiting import wait_for
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import NARROW, faults, overflow
from tests.web.test_languages import GERMAN, prefer

MADE = "document.getElementById('made-token')?.textContent"
LOG = "[...document.querySelectorAll('.device-list strong')].map(line => line.textContent)"
WORDS = {
    "en": ["Report …", "Send the report", "Show the player", "Mute …", "Mute", "Close the report …", "Log"],
    "de": [
        *("Melden …", "Meldung absenden", "Spieler zeigen", "Stummschalten …", "Stummschalten"),
        *("Meldung abschließen …", "Protokoll"),
    ],
}
DONE = {
    "en": ["admin closed a report about {0}", "admin muted {0}"],
    "de": ["admin hat eine Meldung abgeschlossen über {0}", "admin hat stummgeschaltet: {0}"],
}


@pytest.fixture
def store() -> Iterator[StoreServer]:
    """Run a store of the test's own, whose log begins empty."""
    with run_server(new_server()) as server:
        yield server


@pytest.fixture
def managed(store: StoreServer, tmp_path: Path) -> Iterator[ApiClient]:
    """Run a service that has operators."""
    process = ApiProcess(store.url, tmp_path / "log", admin_token=OPERATORS)
    with run_processes(process), connect_to(process.url) as client:
        yield client


def sign_in(person: Person, token: str) -> None:
    """Open the operators' page with a token."""
    person.open("/admin")
    person.type_into("#operator-token", token)
    person.press("Enter")


def wait_for_log(person: Person, *lines: str) -> None:
    """Wait until the log shows these lines, the latest first."""
    person.page.wait_for(f"JSON.stringify({LOG}) === JSON.stringify({list(lines)})")


@pytest.mark.parametrize("language", WORDS)
def test_a_report_leads_to_a_mute(managed: ApiClient, open_browser: OpenBrowser, language: str) -> None:
    """From the name in the room to the log of operators, on a small phone and by keyboard where reasons are given."""
    report, send, show, ask, mute, close, log = WORDS[language]
    room, (ada, _) = seat_players(managed, "morris", 2)
    bob, eve = open_browser("Bob", managed.url), open_browser("Eve", managed.url)
    for person in (bob, eve):
        person.resize(NARROW, 780)
        if language == "de":
            prefer(person, GERMAN)
    bob.sign_in()
    bob.open(f"/r/{room}")
    bob.click(".aside .tab:nth-of-type(3)")
    bob.click(".people .person")
    bob.click(".person-dialog button", report)
    bob.type_text("Shouts at everybody")
    assert faults(bob) == []
    assert overflow(bob) <= 0
    bob.click(".person-dialog button", send)
    bob.wait_until_gone("dialog")
    sign_in(eve, OPERATORS)
    eve.wait_for(".operate li", "Shouts at everybody")
    assert eve.has(".operate li a", room)
    assert faults(eve) == []
    assert overflow(eve) <= 0
    eve.click(".operate li button", show)
    eve.click(".operate li button", ask)
    eve.type_text("Warned twice")
    assert faults(eve) == []
    assert overflow(eve) <= 0
    eve.press("Enter")
    eve.wait_for(".operate li", "Warned twice")
    assert not eve.has(".operate li button", f"{mute} …")
    assert Player(managed, OPERATORS).get(f"/v1/admin/players/{ada.id}").body["muted"]["reason"] == "Warned twice"
    eve.click(".operate nav button")
    eve.click(".operate li button", close)
    eve.press("Enter")
    eve.wait_until_gone(".operate li")
    eve.click(".operate nav button", log)
    wait_for_log(eve, *(line.format(ada.id) for line in DONE[language]))
    assert faults(eve) == []


def test_operators_have_tokens_of_their_own(managed: ApiClient, open_browser: OpenBrowser) -> None:
    """The log has their names, they cannot see each other's tokens, and a revoked one is refused."""
    eve, ina = open_browser("Eve", managed.url), open_browser("Ina", managed.url)
    room, _ = seat_players(managed, "morris", 2)
    sign_in(eve, OPERATORS)
    eve.click(".operate nav button", "Operators")
    eve.type_into("#operator-name", "Ina")
    eve.press("Enter")
    token = str(eve.page.wait_for(MADE))
    eve.wait_for(".operate li", "Ina")
    assert faults(eve) == []
    sign_in(ina, token)
    ina.click(".operate nav button", "Rooms")
    assert not ina.has(".operate nav button", "Operators")
    ina.ignore_errors(403)
    ina.click(".operate li button", "Close the room …")
    ina.type_text("Asked for")
    ina.press("Enter")
    ina.wait_until_gone(".operate li")
    ina.click("#with-closed")
    ina.wait_for(".operate li", "closed")
    assert faults(ina) == []
    eve.click(".operate li button", "Revoke …")
    eve.press("Enter")
    eve.wait_until_gone(".operate li")
    eve.click(".operate nav button", "Log")
    wait_for_log(eve, "admin revoked the token of Ina", f"Ina closed a room {room}", "admin created a token for Ina")
    wait_for(lambda: Player(managed, token).get("/v1/admin/log").status == 401)
    ina.click("#with-closed")
    ina.wait_for(".notice.error", "This operator token is not accepted.")
    ina.wait_for("#operator-token")
    ina.ignore_errors(401)


def test_players_are_found_and_bans_are_listed(managed: ApiClient, open_browser: OpenBrowser) -> None:
    """By a part of a nickname; a ban is in the list of all restrictions until it is undone there."""
    _, (red, white) = seat_players(managed, "morris", 2)
    eve = open_browser("Eve", managed.url)
    sign_in(eve, OPERATORS)
    eve.click(".operate nav button", "Players")
    eve.page.wait_for("document.querySelectorAll('.operate li').length === 2")
    eve.type_into("#player-query", red.id)
    eve.press("Enter")
    eve.page.wait_for("document.querySelectorAll('.operate li').length === 1")
    eve.click(".operate li button", "Ban …")
    eve.press("Enter")
    eve.wait_for(".operate li button", "Unban …")
    eve.click("#only-restricted")
    eve.wait_for(".operate li", "banned since")
    assert red.get("/v1/players/me").status == 403
    eve.click(".operate li button", "Unban …")
    eve.press("Enter")
    eve.wait_for(".operate p", "Nobody found.")
    assert [each.get("/v1/players/me").status for each in (red, white)] == [200, 200]
