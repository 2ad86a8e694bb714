"""The panel beside the board: its list of moves and its chat fit on the screen, however long they are."""

from typing import Any

import pytest

from service.domain.catalog import GAMES
from tests.e2e.client import ApiClient, Json, Player
from tests.e2e.seated_rooms import SeatedRoom, seat_players
from tests.web.conftest import OpenBrowser
from tests.web.person import Person
from tests.web.variants import each_game

TURNS = 40
LINES = 30
SIZES = ((1280, 720), (1280, 800), (1366, 768), (1440, 900), (1536, 864), (1920, 1080), (390, 844))
"""Of windows: from a small laptop to a large screen, and a phone."""
SETTINGS = {"clock": {"type": "fischer", "initial_ms": 600_000, "increment_ms": 5000}, "restart": None}

SEEN = """(async (tab, selectors) => {
  scrollTo(0, 0);
  document.getElementById(tab).click();
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
  return selectors.map(selector => {
    const element = [...document.querySelectorAll(selector)].at(-1);
    const {left, top, width, height} = element.getBoundingClientRect();
    const points = [[left + 2, top + 2], [left + width / 2, top + height / 2], [left + 2, top + height - 2]];
    return points.every(([x, y]) => {
      const hit = document.elementFromPoint(x, y);
      return element.contains(hit) || hit?.contains(element);
    }) && top >= 0 && top + height <= innerHeight + 1;
  });
})"""
"""Opens a tab; returns whether the last element of each selector is in the window, and nothing covers or clips it."""


def are_seen(person: Person, tab: str, *selectors: str) -> Any:
    """Return whether the last element of each selector is on the screen once a tab has been opened."""
    return person.page.value(f"{SEEN}('side-{tab}', {[*selectors]})")


def play_turns(seated: SeatedRoom, count: int) -> None:
    """Play this many turns, or to the end of the match."""
    for turn in range(count):
        match = seated.red.read_room(seated.room).body["match"]
        for seat in match["to_move"]:
            play_turn(seated.room, seated.players[seat], turn + 9 * seat)


def play_turn(room: str, player: Player, choice: int) -> None:
    """Make one of the legal moves; in a simultaneous game commit to it."""
    moves = player.get(f"/v1/rooms/{room}/legal-moves").body["legal_moves"]
    assert player.play(room, moves[choice % len(moves)]).status == 200
    if moves[0]["type"] == "select":
        assert player.play(room, {"type": "commit"}).status == 200


def open_as(open_browser: OpenBrowser, player: Player, path: str) -> Person:
    """Open a page in the browser of a player of the API."""
    person = open_browser("Player 0")
    guest: Json = {"id": player.id, "nickname": person.name, "token": player.token}
    person.page.run_first(f"localStorage.setItem('turnstream.guest', JSON.stringify({guest}))")
    person.open(path)
    return person


@pytest.mark.parametrize("game", each_game(GAMES, "turncoat", "morris"))
def test_the_newest_move_and_the_field_of_the_chat_are_on_the_screen(
    open_browser: OpenBrowser, client: ApiClient, game: str
) -> None:
    """After forty turns and thirty lines, with as many players as the game has, at every size of the window.

    Except on a phone, where a tab scrolls to its panel, nothing has to be scrolled.
    """
    seated = seat_players(client, game, len(GAMES[game].seats(GAMES[game].options())), SETTINGS)
    play_turns(seated, TURNS)
    for number in range(LINES):
        assert seated.red.post(f"/v1/rooms/{seated.room}/chat", {"text": f"Line {number}"}).status == 201
    ada = open_as(open_browser, seated.red, f"/r/{seated.room}")
    ada.wait_for(".ply[aria-current]")
    hidden = {}
    for size in SIZES:
        ada.resize(*size)
        seen = are_seen(ada, "moves", ".ply[aria-current]")
        seen += are_seen(ada, "chat", ".chat-form input", ".chat-form button", ".chat-lines li")
        seen.append(size[0] < size[1] or ada.page.value("document.documentElement.scrollHeight <= innerHeight"))
        if not all(seen):
            hidden[size] = seen
    assert hidden == {}
