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


SHARING = """void (window.shared = null, navigator.canShare = data => data.files.length === 1,
  navigator.share = async data => { shared = data; })"""
PICTURE = """(async () => {
  const [file] = shared.files;
  const bitmap = await createImageBitmap(file);
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', {willReadFrequently: true});
  context.drawImage(bitmap, 0, 0);
  const count = (name, left, width) => {
    const wanted = getComputedStyle(document.documentElement).getPropertyValue(name).trim().match(/[0-9a-f]{2}/g);
    const { data } = context.getImageData(left, 0, width, bitmap.height);
    let found = 0;
    for (let at = 0; at < data.length; at += 4) {
      if (wanted.every((part, index) => Math.abs(parseInt(part, 16) - data[at + index]) <= 3)) found += 1;
    }
    return found;
  };
  return {
    name: file.name, type: file.type, text: shared.text, url: shared.url, size: [bitmap.width, bitmap.height],
    backdrop: count('--wood', 0, 755), black: count('--man-black', 0, 755), words: count('--ink', 755, 445),
  };
})()"""
"""What has been shared, and how many points of the picture have the colours of the board, of a man and of words."""

FELTS = """(async () => {
  const bitmap = await createImageBitmap(shared.files[0]);
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
  context.drawImage(bitmap, 0, 0);
  return [0, 378].map(left => {
    const { data } = context.getImageData(left, 0, 377, bitmap.height);
    let found = 0;
    for (let at = 0; at < data.length; at += 4) found += data[at + 1] > data[at] + 20 && data[at + 1] < 150;
    return found;
  });
})()"""
"""How many points are green in the left and in the right half of the picture's boards."""

SAVING = """void (window.saved = null,
  HTMLAnchorElement.prototype.click = function () { saved = [this.download, this.href.split(':')[0]]; })"""


def test_both_boards_of_turncoat_are_shared(open_browser: OpenBrowser) -> None:
    """Side by side."""
    ada = open_browser("Ada")
    ada.open_room(TITLES["turncoat"], "device")
    resign(ada)
    ada.wait_for(".status .result")
    ada.page.value(SHARING)
    ada.click(".status button", "Share")
    ada.page.wait_for("window.shared")
    assert min(ada.page.value(FELTS)) > 20_000
    assert faults(ada) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_final_position_is_shared_as_a_picture(open_browser: OpenBrowser, theme: str) -> None:
    """With the result and the address of the match, to whatever the device offers; else as a file."""
    ada = open_browser("Ada")
    ada.emulate_media(prefers_color_scheme=theme)
    room = ada.open_room(TITLES["morris"], "device")
    for cell in ("a1", "g7", "d5", "d3"):
        play(ada, cell)
    resign(ada)
    ada.wait_for(".status .result")
    ada.page.value(SHARING)
    ada.click(".status button", "Share")
    ada.page.wait_for("window.shared")
    found = ada.page.value(PICTURE)
    assert found["name"].startswith(f"morris-{room}.")
    assert (found["type"], found["size"]) == ("image/png", [1200, 630])
    assert found["text"] == "Nine Men's Morris: Black wins: by resignation."
    assert "/m/" in found["url"]
    assert found["backdrop"] > 100_000
    assert found["black"] > 500
    assert found["words"] > 1000
    ada.page.value("void (navigator.canShare = () => false)")
    ada.page.value(SAVING)
    ada.click(".status button", "Share")
    ada.page.wait_for("window.saved")
    assert ada.page.value("saved") == [found["name"], "blob"]
    ada.wait_for(".answer", "The picture has been saved as morris-")
    assert faults(ada) == []
