"""The end of a match on the board: who won by how much, the places, and how it came to that."""

import pytest

from tests.e2e.client import ApiClient, Json
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.web.conftest import OpenBrowser
from tests.web.test_accessibility import TITLES, faults
from tests.web.test_ending import resign
from tests.web.test_layout import PHONE, box
from tests.web.test_matches import play, seat_people
from tests.web.test_panel import open_as

SETTINGS = {"restart": None}
NUMBERS = "[...document.querySelectorAll('.ending li')].map(one => Number(one.querySelector('b').dataset.value))"


SHOWN = "[...document.querySelectorAll('.ending b')].map(one => getComputedStyle(one, '::after').content).join()"
"""The numbers on the screen, also after the page has been drawn again."""


def state_of(seated: SeatedRoom) -> Json:
    """Return the latest match of the room."""
    match: Json = seated.red.read_room(seated.room).body["match"]
    return match


def play_until(seated: SeatedRoom, plies: int) -> int:
    """Make the first legal moves until the match is over, or this many have been made; return how many were."""
    for made in range(plies):
        if not (awaited := state_of(seated)["to_move"]):
            return made
        player = seated.players[awaited[0]]
        [move, *_] = player.get(f"/v1/rooms/{seated.room}/legal-moves").body["legal_moves"]
        assert player.play(seated.room, move).status == 200
    return plies


def story_of(values: list[list[int]], seat: int, *, won: bool) -> str:
    """Return how it came to the result, by the discs of each seat after each ply."""
    leads = [all(own < row[seat] for other, own in enumerate(row) if other != seat) for row in values]
    turns = [ply for ply, leading in enumerate(leads) if leading != won]
    if won:
        return f"You have led since move {turns[-1] + 1}." if turns[-1:] > [0] else "You led from the first move"
    return f"You led until move {turns[-1]}." if turns[-1:] > [0] else "You never had the lead."


def test_the_places_and_the_story_of_a_match_among_three(open_browser: OpenBrowser, client: ApiClient) -> None:
    """For each player their own sentence, which is true; medals, bars and numbers that have counted up."""
    moves = play_until(seat_players(client, "ternio", 3, SETTINGS), 100)
    seated = seat_players(client, "ternio", 3, SETTINGS)
    play_until(seated, moves - 1)
    people = [open_as(open_browser, player, f"/r/{seated.room}") for player in seated.players]
    for person in people:
        person.wait_for(".boards .board")
    people[0].resize(*PHONE)
    play_until(seated, 1)
    match = state_of(seated)
    result = match["result"]
    assert len(result["winners"]) == 1
    positions = seated.red.get(f"/v1/matches/{match['id']}/analysis").body["positions"]
    values = [position["values"] for position in positions]
    for seat, person in enumerate(people):
        story = story_of(values, seat, won=seat in result["winners"])
        person.wait_for(".boards .ending", "won" if seat not in result["winners"] else "You won")
        assert story in person.text(".ending-story")
        assert person.page.value("document.querySelectorAll('.ending .medal').length") == 3
        person.page.wait_for(f"({NUMBERS}).join() === '{','.join(map(str, sorted(result['scores'], reverse=True)))}'")
        person.resize(1280, 800)
        assert f"'{result['scores'][0]}'" in str(person.page.value(SHOWN)).replace('"', "'")
    assert faults(people[0]) == []


@pytest.mark.parametrize("size", [PHONE, (1366, 768)])
def test_the_end_is_gone_with_the_next_tap_which_goes_through_it(
    open_browser: OpenBrowser, size: tuple[int, int]
) -> None:
    """It leaves the board and the buttons where they are; a room whose match was over before does not show it."""
    white, black = seat_people(open_browser, TITLES["morris"], ("Ada", "Bob"), {"setting-restart": "after a minute"})
    black.resize(*size)
    play(white, "a1")
    play(black, "g7")
    before = box(black, ".boards .board")
    resign(white)
    black.wait_for(".boards .ending", "You won")
    assert box(black, ".boards .board") == before
    black.click_cell("d5")
    black.wait_until_gone(".ending")
    black.wait_for(".status", "The next match waits for you.")
    white.wait_for(".boards .ending", "Bob won")
    white.open(white.page.value("location.pathname"))
    white.wait_for(".result")
    assert not white.has(".ending")
