"""Profiles over the API: what is in them, how a rating went, head to head, and hiding all of it."""

from typing import Any

import pytest

from tests.api.test_player_matches import PRIVATE, play, read
from tests.api.test_ratings import play_rated, rated
from tests.e2e.client import ApiClient, Json, Player


def profile(reader: Player, player: Player) -> Json:
    """Read a profile."""
    body: Json = reader.get(f"/v1/players/{player.id}").body
    return body


def tally(game: str, wins: int, draws: int, losses: int) -> Json:
    """Return results in a game."""
    return {"game": game, "matches": wins + draws + losses, "wins": wins, "draws": draws, "losses": losses}


def test_a_profile(ada: Player, bob: Player, anonymous: Player) -> None:
    """Name, beginning, ratings, results with the favourite game first, and the latest matches."""
    play(ada, bob, "turncoat")
    rated(ada, play_rated(ada, bob))
    play(bob, ada)
    body = profile(anonymous, ada)
    matches = read(anonymous, ada).body["matches"]
    assert (body["player"], body["nickname"], body["hidden"]) == (ada.id, "Ada", False)
    assert body["since"] == matches[-1]["ended"]
    assert body["ratings"] == anonymous.get(f"/v1/players/{ada.id}/ratings").body["ratings"] != []
    assert body["results"] == [tally("morris", 1, 0, 1), tally("turncoat", 1, 0, 0)]
    assert body["latest"] == matches
    against = anonymous.get(f"/v1/players/{bob.id}/against/{ada.id}").body
    assert {**against, "results": sorted(against["results"], key=str)} == {
        "player": bob.id,
        "other": ada.id,
        "bot": False,
        "other_bot": False,
        "results": [tally("morris", 1, 0, 1), tally("turncoat", 0, 0, 1)],
    }


def test_nobody_has_an_empty_profile(anonymous: Player) -> None:
    """Guests are not stored before they play, so an unknown id is not refused."""
    assert anonymous.get("/v1/players/p-nobody").body == {
        "player": "p-nobody",
        "nickname": None,
        "bot": False,
        "hidden": False,
        "since": None,
        "ratings": [],
        "results": [],
        "latest": [],
    }
    assert anonymous.get("/v1/players/p-nobody/against/p-other").body["results"] == []


def test_a_rating_has_a_history(ada: Player, bob: Player, anonymous: Player) -> None:
    """A point after each match; the present rating is that of the list."""
    path = f"/v1/players/{ada.id}/ratings/morris/blitz"
    assert anonymous.get(path).body == {
        "player": ada.id,
        "game": "morris",
        "rating_class": "blitz",
        "rating": None,
        "deviation": None,
        "points": [],
    }
    seats = [rated(ada, play_rated(ada, bob))["seats"][0] for _ in range(2)]
    body = anonymous.get(path).body
    assert [(point["rating"], point["deviation"]) for point in body["points"]] == [
        (seat["rating"], seat["deviation"]) for seat in seats
    ]
    assert (body["rating"], body["deviation"]) == (seats[1]["rating"], seats[1]["deviation"])
    assert body["points"][0]["time"] <= body["points"][1]["time"]
    rated(ada, play_rated(ada, bob, spectators=False))
    for reader, matches in ((anonymous, 2), (bob, 2), (ada, 3)):
        [rating] = reader.get(f"/v1/players/{ada.id}/ratings").body["ratings"]
        assert (rating["matches"], rating["wins"], rating["draws"]) == (matches, matches, 0)
        assert rating == profile(reader, ada)["ratings"][0]
    after = anonymous.get(path).body
    assert after["points"] == body["points"]
    assert after["rating"] > body["rating"]
    assert anonymous.get(f"/v1/players/{ada.id}/ratings/morris/chess").code == "no_such_rating_list"


@pytest.mark.parametrize("settings", [PRIVATE, {"spectators": False}], ids=["private", "members"])
def test_matches_for_members_leave_no_trace(client: ApiClient, operator: Player, settings: dict[str, Any]) -> None:
    """For others the profile is as if they had not been played; the two and operators see their results."""
    ada, bob, cyd = (client.guest(name) for name in ("Ada", "Bob", "Cyd"))
    others = (cyd, client.anonymous())
    play(ada, bob)
    before = [profile(other, ada) for other in others]
    secret = play(ada, bob, "turncoat", **settings)
    assert [profile(other, ada) for other in others] == before
    assert [each["results"] for each in before] == [[tally("morris", 1, 0, 0)]] * 2
    for knows in (ada, operator):
        body = profile(knows, ada)
        assert tally("turncoat", 1, 0, 0) in body["results"]
        assert secret in str(body["latest"])
    path = f"/v1/players/{ada.id}/against/{bob.id}"
    for reader, games in ((ada, 2), (bob, 2), (operator, 2), (cyd, 1), (client.anonymous(), 1)):
        assert len(reader.get(path).body["results"]) == games
    only = client.guest("Only")
    play(only, bob, **settings)
    assert (profile(cyd, only)["nickname"], profile(cyd, only)["since"]) == (None, None)
    assert (profile(only, only)["nickname"], profile(only, only)["results"]) == ("Only", [tally("morris", 1, 0, 0)])


def test_a_rated_match_for_members_is_counted_for_the_player_alone(ada: Player, bob: Player, anonymous: Player) -> None:
    """Who has no other one has no rating for others."""
    rated(ada, play_rated(ada, bob, spectators=False))
    history = f"/v1/players/{ada.id}/ratings/morris/blitz"
    for reader, known in ((anonymous, False), (bob, False), (ada, True)):
        ratings = reader.get(f"/v1/players/{ada.id}/ratings").body["ratings"]
        assert ratings == profile(reader, ada)["ratings"]
        assert [rating["matches"] for rating in ratings] == ([1] if known else [])
        body = reader.get(history).body
        assert (body["rating"] is not None, body["points"]) == (known, [])


def routes_of(player: Player, other: Player) -> list[str]:
    """Return everything that is hidden with a profile."""
    own = f"/v1/players/{player.id}"
    ratings = [f"{own}/ratings", f"{own}/ratings/morris/blitz"]
    return [own, f"{own}/matches", *ratings, f"{own}/against/{other.id}", f"/v1/players/{other.id}/against/{player.id}"]


def test_a_hidden_profile(client: ApiClient, operator: Player) -> None:
    """Others are refused on every route; the player and operators are not, nor an opponent head to head."""
    ada, bob, cyd = (client.guest(name) for name in ("Ada", "Bob", "Cyd"))
    play(ada, bob)
    assert ada.send("PUT", "/v1/players/me/profile", json={"hidden": True}).body == {"hidden": True}
    assert ada.send("PUT", "/v1/players/me/profile", json={"hidden": True}).status == 200
    for path in routes_of(ada, bob):
        for reader in (cyd, client.anonymous()):
            assert (reader.get(path).status, reader.get(path).code) == (404, "profile_hidden")
        for reader in (ada, operator, *([bob] if "/against/" in path else [])):
            assert reader.get(path).status == 200, path
    for accept in ("application/x-ndjson", "text/plain"):
        assert bob.get(f"/v1/players/{ada.id}/matches", {"accept": accept}).code == "profile_hidden"
    assert profile(ada, ada)["hidden"]
    assert profile(cyd, bob)["latest"][0]["players"][0]["player"] == ada.id  # the matches themselves can be read
    assert ada.send("PUT", "/v1/players/me/profile", json={"hidden": False}).status == 200
    assert [cyd.get(path).status for path in routes_of(ada, bob)] == [200] * 6


def test_an_erased_player_has_no_profile(ada: Player, bob: Player, anonymous: Player) -> None:
    """The matches stay in the list of the other one, without the name."""
    play(ada, bob)
    assert ada.send("DELETE", f"/v1/players/{ada.id}").status == 204
    for path in routes_of(ada, bob):
        assert anonymous.get(path).code == "profile_hidden"
    [match] = read(anonymous, bob).body["matches"]
    assert match["players"][0]["nickname"] == "Erased player"


@pytest.mark.parametrize("body", [{}, {"hidden": 1}, {"hidden": True, "name": "Ada"}, None])
def test_invalid_settings_are_refused(ada: Player, body: Any) -> None:
    """And change nothing."""
    assert ada.send("PUT", "/v1/players/me/profile", json=body).status in {415, 422}
    assert not profile(ada, ada)["hidden"]


def test_what_a_place_needs_is_in_the_leaderboard(anonymous: Player) -> None:
    """Opponents, or matches against bots, how certain the rating has to be, and how many players need all this."""
    needs = {name: anonymous.get(f"/v1/ratings/morris/{name}").body["place_needs"] for name in ("blitz", "bots")}
    assert needs == {
        "blitz": {"opponents": 10, "matches": None, "deviation": 210.0, "players": 20},
        "bots": {"opponents": None, "matches": 10, "deviation": 210.0, "players": 20},
    }
