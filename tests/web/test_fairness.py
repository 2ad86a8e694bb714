"""Fair chance in the page: the salts that it sends, and the verification of a match by recomputing its draws."""

from typing import Any

import pytest

from tests.e2e.client import ApiClient
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.test_accessibility import TITLES, faults
from tests.web.test_matches import seat_people
from tests.web.variants import each_game

CHECK, FAILED, UNKNOWN = ".check.true", ".check.false", ".check.null"
DRAWN = {
    "triboard": {},
    "turncoat": {},
    "morris": {"option-first": "The player who rolls the higher number"},
    "rainbow": {"option-dice": "on"},
}
"""By game, options with which chance decides something."""


def resign(person: Person) -> None:
    """Resign for the seat that is to move."""
    person.wait_for(".status.my-turn")
    person.click_button("Resign")
    person.click_button("Yes, resign")
    person.wait_until_gone(".actions .danger.primary")


def verify(person: Person) -> list[str]:
    """Verify the match on the screen and return the results."""
    person.click(".fairness button", "Verify this match")
    person.wait_for(".fairness .check")
    found: list[str] = person.page.value("[...document.querySelectorAll('.fairness .check')].map(one => one.innerText)")
    return found


def started(client: ApiClient, room: str) -> Any:
    """Return the latest `match_started` of a room."""
    events = client.guest("Eve").get(f"/v1/rooms/{room}/events?limit=1000").body["events"]
    return [event for event in events if event["type"] == "match_started"][-1]


@pytest.mark.parametrize("game", each_game(DRAWN, "triboard", "rainbow"))
def test_a_match_is_verified_in_the_page(open_browser: OpenBrowser, game: str) -> None:
    """The hash, its publication, the own salt, and every draw, each recomputed by the browser."""
    ada = open_browser("Ada")
    ada.open()
    ada.open_room(TITLES[game], "device" if game == "triboard" else "bots", options=DRAWN[game])
    if game == "triboard":
        resign(ada)
        ada.wait_for(".ply", "resigned")
    resign(ada)
    ada.wait_for(".result")
    results = verify(ada)
    assert len(results) == 4
    assert ada.page.value(f"document.querySelectorAll('{CHECK}').length") == 4, results
    assert int(results[-1].split()[-1].rstrip(".")) >= 1
    assert faults(ada) == []


def test_a_salt_is_sent_with_each_readiness(open_browser: OpenBrowser, client: ApiClient) -> None:
    """By everybody, another one each time, and the page of each player finds its own."""
    ada, bob = seat_people(open_browser, "Nine Men's Morris", ("Ada", "Bob"), DRAWN["morris"])
    room = str(ada.page.value("location.pathname.split('/')[2]"))
    first = started(client, room)["salts"]
    assert len(set(first)) == 2
    assert all(len(salt) == 32 for salt in first)
    ada.wait_for(".actions button", "Resign")
    ada.click_button("Resign")
    ada.click_button("Yes, resign")
    for person in (ada, bob):
        person.wait_for(".result")
        assert "mixed in" in verify(person)[2]


def test_another_seed_is_found_out(open_browser: OpenBrowser) -> None:
    """The checks can fail: after the match its revealed seed is replaced in the page by another one."""
    ada = open_browser("Ada")
    ada.page.run_first(FORGERY)
    ada.open_room("Turncoat", "bots")
    resign(ada)
    ada.wait_for(".result")
    results = verify(ada)
    assert ada.page.value(f"document.querySelectorAll('{FAILED}').length") == 2, results


FORGERY = """(() => {
  const digest = crypto.subtle.digest.bind(crypto.subtle);
  crypto.subtle.digest = async (name, bytes) => {
    const forged = new Uint8Array(bytes);
    if (forged.length) forged[0] ^= 1;
    return digest(name, forged);
  };
})()"""
"""Replaces what the page hashes, which is what another seed would do."""
