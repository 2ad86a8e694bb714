"""Ratings over the API: rated matches, lists, leaderboards, and who may see which match."""

import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from service.contests.rating_service import LISTS
from service.domain.ratings.model import parse_list
from tests.e2e.client import Json, Player
from tests.waiting import wait_for

CLOCK = {"type": "per_move", "ms": 10_000}
WITHIN = 30.0
"""Seconds in which a match is rated, also on a busy machine."""


def play_rated(ada: Player, bob: Player, **settings: Any) -> str:
    """Play a rated match that Ada wins, and return its id."""
    chosen = {"rated": True, "clock": CLOCK, "start": "full", "restart": None, **settings}
    room = ada.open_room("morris", settings=chosen).body["room"]
    view = bob.command(room, "join").body["view"]
    first, second = (ada, bob) if view["match"]["to_move"] == [0] else (bob, ada)
    assert first.play(room, {"type": "place", "at": "a1"}).status == 200
    assert second.play(room, {"type": "place", "at": "d1"}).status == 200
    assert bob.command(room, "resign").status == 200
    match_id: str = view["match"]["id"]
    return match_id


def rated(reader: Player, match_id: str) -> Json:
    """Return how a match was rated, as soon as it was."""
    path = f"/v1/matches/{match_id}/ratings"
    wait_for(lambda: reader.get(path).body.get("rating_class") is not None)
    rated: Json = reader.get(path).body
    return rated


def test_a_rated_match_changes_what_everybody_can_read(ada: Player, bob: Player, anonymous: Player) -> None:
    """How it was rated, the players' ratings, and the entry in the list."""
    match_id = play_rated(ada, bob)
    body = rated(anonymous, match_id)
    assert (body["game"], body["rating_class"]) == ("morris", "blitz")
    assert [(seat["player"], seat["place"], seat["rating_before"]) for seat in body["seats"]] == [
        (ada.id, 1, 1500.0),
        (bob.id, 2, 1500.0),
    ]
    winner, loser = (seat["rating"] for seat in body["seats"])
    assert winner > 1500 > loser
    [own] = anonymous.get(f"/v1/players/{ada.id}/ratings").body["ratings"]
    assert (own["rating"], own["matches"], own["wins"], own["opponents"], own["place"]) == (
        winner,
        1,
        1,
        0,
        place_of(anonymous, ada),
    )
    assert own["provisional"]
    since = body["version"] - 1
    page = anonymous.get("/v1/ratings/morris/blitz/entries", since=since, limit=1).body
    [entry] = page["entries"]
    assert (entry["version"], entry["type"], entry["match_id"]) == (body["version"], "match_rated", match_id)
    assert entry["seats"] == body["seats"]
    assert page["next"] == body["version"]
    assert anonymous.get("/v1/ratings/morris/blitz/entries", since=page["next"], limit=1).body["next"] is None


def place_of(reader: Player, player: Player) -> int:
    """Return the place of a player on the leaderboard, which is provisional."""
    board = reader.get("/v1/ratings/morris/blitz", around=player.id).body
    assert board["provisional"]
    place: int = next(each["place"] for each in board["places"] if each["player"] == player.id)
    return place


def test_anybody_can_check_a_list(ada: Player, bob: Player) -> None:
    """With the program of the documentation, which prints what differs."""
    rated(ada, play_rated(ada, bob))
    page = (Path(__file__).parents[2] / "docs/ratings.md").read_text()
    program = page.partition("```python\n")[2].partition("```")[0]
    run = partial(subprocess.run, capture_output=True, text=True, check=True)
    address = program.replace("http://127.0.0.1:8000", ada.client.url)
    assert run([sys.executable, "-c", address]).stdout == ""
    assert f"{ada.id} differs" in run([sys.executable, "-c", address.replace("computed.mu", "1.0")]).stdout


def test_other_matches_are_not_rated(ada: Player, bob: Player) -> None:
    """Nor is one that is still played."""
    room = ada.open_room("morris", settings={"start": "full"}).body["room"]
    match = bob.command(room, "join").body["view"]["match"]["id"]
    body = ada.get(f"/v1/matches/{match}/ratings").body
    assert body == {
        "match_id": match,
        "game": "morris",
        "rated": False,
        "not_rated": "pending",
        "rating_class": None,
        "version": None,
        "seats": [],
        "parameters": None,
        "voided": False,
    }


def test_a_match_for_members_appears_to_them_only(ada: Player, bob: Player, cyd: Player, anonymous: Player) -> None:
    """Its ratings, and its entry, which others see without the match and the players."""
    match_id = play_rated(ada, bob, spectators=False)
    body = rated(bob, match_id)
    assert body["rating_class"] == "blitz"
    for other in (cyd, anonymous):
        assert other.get(f"/v1/matches/{match_id}/ratings").code == "members_only"
        entries = other.get("/v1/ratings/morris/blitz/entries", since=body["version"] - 1, limit=1)
        [entry] = entries.body["entries"]
        assert (entry["match_id"], entry["seats"]) == (None, [])
        for route in ("/v1/ratings/morris/blitz", f"/v1/players/{ada.id}/ratings"):
            assert match_id not in str(other.get(route).body)


def test_a_leaderboard_has_places(anonymous: Player) -> None:
    """None before somebody has played; around a player without a place there is the first page."""
    body = anonymous.get("/v1/ratings/triboard/rapid").body
    assert body.pop("place_needs") == {"opponents": 10, "matches": None, "deviation": 210.0, "players": 20}
    expected: Json = {"total": 0, "provisional": True, "place": None, "places": [], "next": None}
    assert body == {"game": "triboard", "rating_class": "rapid", **expected}
    around = anonymous.get("/v1/ratings/triboard/rapid", around="p-nobody")
    assert (around.status, around.body["place"], around.body["places"]) == (200, None, [])
    both = anonymous.get("/v1/ratings/triboard/rapid", around="p-nobody", cursor=50)
    assert (both.status, both.code, both.body["parameter"]) == (422, "unfit", "around")


def test_all_lists_are_read_at_once(anonymous: Player) -> None:
    """Each game and each class, with the number of places."""
    lists = anonymous.get("/v1/ratings").body["lists"]
    assert [(each["game"], each["rating_class"]) for each in lists] == [parse_list(name) for name in LISTS]
    assert {"game": "triboard", "rating_class": "rapid", "total": 0, "provisional": True, "best": None} in lists


@pytest.mark.parametrize("name", ["morris/chess", "chess/blitz"])
def test_an_unknown_list_is_not_found(anonymous: Player, name: str) -> None:
    """By its game and by its class."""
    for route in ("", "/entries"):
        assert anonymous.get(f"/v1/ratings/{name}{route}").code == "no_such_rating_list"
